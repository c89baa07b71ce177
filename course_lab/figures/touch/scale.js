// The scale laboratory: the softmax of one query's dot products, with and without 1/√d.

function scaleFigure(figure, data) {
  const state = { at: data.at, draw: 0 };
  const last = data.dimensions.length - 1;
  const kinds = [["softmax(q·k)", () => 1], ["softmax(q·k / √d)", (d) => Math.sqrt(d)]];

  // Weights, entropy in bits and the norm of the derivative. 1 - w is summed from the others.
  function measure(scores) {
    const weights = softmax(scores);
    const entropy = -sumOf(weights.map((w) => (w > 0 ? w * Math.log2(w) : 0)));
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
    const product = make("td"), bars = kinds.map(() => barCell(4));
    return { product, bars, row: rowOf(`key ${j + 1}`, [product, ...bars.map((bar) => bar.cell)]) };
  });
  const sums = ["entropy (bits)", "norm of the gradient"].map((name) => {
    const cells = kinds.map(() => make("td"));
    return { cells, row: rowOf(make("th", { scope: "row", colspan: 2 }, [name]), cells, "cl-sums") };
  });
  const table = tableOf(["", "q·k", ...kinds.map(([name]) => name)], [...rows, ...sums].map((each) => each.row));
  const host = make("div", { class: "cl-chart" });
  figure.stage.append(table, host, make("p", { class: "cl-note" }, [
    `The chart: the median of many queries, with ${rows.length} keys each. Thick line: without the scale; thin line: with it.`]));
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
      each.bars.forEach((bar, i) => bar.show(found[i].weights[j]));
    });
    found.forEach((each, i) => {
      sums[0].cells[i].textContent = each.entropy.toFixed(2);
      sums[1].cells[i].textContent = small(each.steep);
    });
    redraw();
    const most = found.map((each) => Math.max(...each.weights).toFixed(2));
    figure.answer(`Dimension ${d}: the largest weight is ${most[0]} without the scale, ${most[1]} with it.`);
  }

  const dial = slide("dimension", { min: 0, max: last, step: 1, value: state.at },
    (i) => String(data.dimensions[i]), (i) => { state.at = i; draw(); });
  const put = (at, drawn) => { state.draw = drawn; dial.set(at); };
  const [play, step, reset] = stepper(figure, last, 900, () => state.at, dial.set, () => put(data.at, 0), true);
  const other = press("Other keys", () => put(state.at, (state.draw + 1) % data.products.length));
  figure.controls.append(play, step, dial.label, other, reset);
  draw();
  keepNumbers(figure, [last + 1, data.products.length], () => [state.at, state.draw], put);
}
