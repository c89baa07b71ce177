// The scale laboratory: the softmax of one query's dot products, with and without 1/√d.

function scaleFigure(figure, data) {
  const state = { at: data.at, draw: 0 };
  const last = data.dimensions.length - 1;
  const kinds = [["softmax(q·k)", () => 1], ["softmax(q·k / √d)", (d) => Math.sqrt(d)]];

  // Weights, entropy in bits and the norm of the derivative. 1 - w is summed from the others.
  function measure(scores) {
    const top = Math.max(...scores), powers = scores.map((e) => Math.exp(e - top));
    const total = powers.reduce((a, b) => a + b, 0), weights = powers.map((p) => p / total);
    const entropy = -weights.reduce((all, w) => all + (w > 0 ? w * Math.log2(w) : 0), 0);
    let square = 0;
    weights.forEach((w, i) => {
      let others = 0;
      weights.forEach((u, j) => { if (i !== j) { others += u; square += (w * u) ** 2; } });
      square += (w * others) ** 2;
    });
    return { weights, entropy, steep: Math.sqrt(square) };
  }
  const raised = (power) => "⁻" + [...String(-power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  const small = (x) => {
    if (x >= 0.01) return x.toFixed(2);
    if (x === 0) return "0";
    const [front, power] = x.toExponential(0).split("e");
    return `${front}·10${raised(Number(power))}`;
  };

  const rows = data.products[0][0].map((_, j) => {
    const product = make("td");
    const bars = kinds.map(() => [make("span", { class: "cl-bar" }), make("span")]);
    const row = make("tr", {}, [make("th", { scope: "row" }, [`key ${j + 1}`]), product,
      ...bars.map((bar) => make("td", { class: "cl-barred" }, bar))]);
    return { product, bars, row };
  });
  const sums = ["entropy (bits)", "norm of the gradient"].map((name) => {
    const cells = kinds.map(() => make("td"));
    return { cells, row: make("tr", { class: "cl-sums" }, [make("th", { scope: "row", colspan: 2 }, [name]), ...cells]) };
  });
  const table = make("table", {}, [
    make("thead", {}, [make("tr", {}, [make("td"), make("th", { scope: "col" }, ["q·k"]),
      ...kinds.map(([name]) => make("th", { scope: "col" }, [name]))])]),
    make("tbody", {}, [...rows, ...sums].map((each) => each.row))]);
  const host = make("div", { class: "cl-chart" });
  figure.stage.append(table, host, make("p", { class: "cl-note" }, [
    "Below, a typical query: the median of many, sixteen keys each. Thick line: without the scale; thin line: with it."]));
  const low = Math.floor(Math.min(...data.steep.flat()));
  const ticks = [];
  for (let power = 0; power >= low; power -= 1) ticks.push([power, power ? "10" + raised(power) : "1"]);
  const redraw = whenResized(host, (width) => {
    host.replaceChildren(chart({
      x: data.dimensions.map((d) => Math.log2(d)), labels: data.dimensions.map(String),
      xName: "dimension d", yName: "norm of the softmax’s gradient", y: [low, 0], ticks: ticks,
      current: state.at,
      lines: data.steep.map((middle, i) => ({ middle, faint: i === 1 })),
    }, Math.min(width, 620), 230));
  });

  function draw() {
    const d = data.dimensions[state.at], products = data.products[state.draw][state.at];
    const found = kinds.map(([, root]) => measure(products.map((e) => e / root(d))));
    rows.forEach((each, j) => {
      each.product.textContent = products[j].toFixed(1);
      each.bars.forEach(([bar, number], i) => {
        bar.style.width = `${(4 * found[i].weights[j]).toFixed(3)}em`;
        number.textContent = found[i].weights[j].toFixed(2);
      });
    });
    found.forEach((each, i) => {
      sums[0].cells[i].textContent = each.entropy.toFixed(2);
      sums[1].cells[i].textContent = small(each.steep);
    });
    redraw();
    const most = found.map((each) => Math.max(...each.weights).toFixed(2));
    figure.say(`Dimension ${d}: the largest weight is ${most[0]} without the scale, ${most[1]} with it.`);
  }

  function show() {
    draw();
    if (figure.remember) figure.remember();
  }

  const dial = slide("dimension", { min: 0, max: last, step: 1, value: state.at },
    (i) => String(data.dimensions[i]), (i) => { state.at = i; show(); });
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const play = press("Play", () => {
    if (timer) { stop(); return; }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { dial.set(last); return; }
    dial.set(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      dial.set(state.at + 1);
      if (state.at === last) stop();
    }, 900);
  });
  figure.controls.append(play, press("Step", () => { stop(); dial.set((state.at + 1) % (last + 1)); }), dial.label,
    press("Other keys", () => { state.draw = (state.draw + 1) % data.products.length; show(); }),
    press("Reset", () => { stop(); state.draw = 0; dial.set(data.at); }));
  figure.numbers.before(foldNumbers(figure.root));
  draw();
  keepInAddress(figure, () => `${state.at}~${state.draw}`, (text) => {
    const [at, drawn] = text.split("~").map(Number);
    if (!data.dimensions[at] || !data.products[drawn]) return;
    state.draw = drawn;
    dial.set(at);
  });
}
