// The attention explorer: the tables come alive, with the words of the sentence pair as keys above.
function attentionFigure(figure, data) {
  const tables = [...figure.numbers.querySelectorAll(".cl-scroll")];
  const cells = tables.map((one) => [...one.querySelectorAll("tbody tr")]
    .map((row) => [...row.querySelectorAll("td")]));
  const scores = data.examples.map((example) => decode(example.scores));
  const SIDES = ["source", "target"];
  const opened = () => {
    const [side, at] = data.examples[shown].opened;
    return { side: SIDES[side], at };
  };
  let shown = 0;
  let temperature = 1;
  // What is picked, and what the mouse rests on: a target word's row or a source word's column.
  let picked = opened();
  let hovered = null;
  let keys = { source: [], target: [] };

  function decode(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(2 * i, true));
  }
  function weightsOf(row) {
    const count = data.examples[shown].source.length;
    return softmax(Array.from(scores[shown].slice(row * count, (row + 1) * count),
      (score) => (score === data.masked ? -Infinity : score / data.unit)), temperature);
  }

  figure.folds = false;
  const curves = arcsOf();
  const words = make("div", { class: "cl-board" });
  const linked = data.examples.some((one) => one.links.length + one.possible.length);
  figure.stage.append(words);
  // Shows a sentence, at the word it opens on or at one that the address says.
  function open(example, what) {
    shown = example;
    picked = what || opened();
    hovered = null;
    menu.selectedIndex = shown;
    offerWords();
    draw();
    makeRoom();
  }
  const menu = menuOf(data.examples.map((one) => one.name), (i) => { open(i); figure.remember(); });
  if (data.examples.length > 1) figure.controls.append(labelled("Sentence", menu));
  // Powers of two, so that sharper and flatter lie equally far from 1.
  const slider = slide("Temperature", { min: -3, max: 3, step: 0.25, value: 0 },
    (value) => (2 ** value).toPrecision(3),
    (value) => { temperature = 2 ** value; draw(); makeRoom(); figure.remember(); });
  figure.controls.append(slider.label);
  const box = make("input", { type: "checkbox" });
  const mark = (marked) => {
    box.checked = marked;
    figure.root.classList.toggle("cl-unmarked", !marked);
    draw();
  };
  box.addEventListener("change", () => { mark(box.checked); figure.remember(); });
  if (linked) figure.controls.append(make("label", {}, [box, data.linksOf || "True links"]));
  figure.controls.append(press("Reset", () => { open(0); slider.set(0); mark(true); figure.remember(); }));

  // One group of radio buttons for all words: arrow keys walk through them, Tab passes them by.
  function offerWords() {
    const example = data.examples[shown];
    const group = figure.root.id + "-word";
    const side = (name, legend) => {
      keys[name] = [];
      const list = example[name].map((word, at) => {
        // The room of a number is kept where none is said, so that no word moves.
        const weight = make("small", {});
        const gloss = example.gloss[at], glossed = name === "target" && example.gloss.some(Boolean);
        const sense = glossed ? [make("i", {}, [gloss && gloss !== word ? gloss : "\u00a0"])] : [];
        const face = make("span", {}, [make("b", {}, [word]), ...sense, weight]);
        const { input, label } = radioKey(group, face, () => {
          picked = { side: name, at };
          hovered = null;
          draw();
          figure.remember();
        }, "cl-word");
        input.checked = picked.side === name && picked.at === at;
        hover(label, { side: name, at });
        keys[name].push({ input, face, weight });
        return label;
      });
      return make("fieldset", { class: "cl-" + name }, [make("legend", {}, [legend]), ...list]);
    };
    words.replaceChildren(curves, side("source", "Source"), side("target", "Target"));
  }
  // A finger has no hover: its tap picks the word.
  function hover(element, what) {
    element.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") { hovered = what; draw(); }
    });
    element.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") { hovered = null; draw(); }
    });
  }
  cells.forEach((rows) => rows.forEach((row, t) => {
    hover(row[0].parentElement, { side: "target", at: t });
    row[0].parentElement.addEventListener("click", () => {
      picked = { side: "target", at: t };
      keys.target[t].input.checked = true;
      draw();
      figure.remember();
    });
  }));

  function draw() {
    const focus = hovered || picked;
    const weights = data.examples[shown].target.map((_, t) => weightsOf(t));
    tables.forEach((one, i) => { one.hidden = i !== shown; });
    weights.forEach((row, t) => row.forEach((weight, s) => {
      const cell = cells[shown][t][s];
      paint(cell, weight, data.turns);
      setNumber(cell, digits(weight));
      cell.classList.toggle("cl-near-row", focus.side === "target" && focus.at === t);
      cell.classList.toggle("cl-near-column", focus.side === "source" && focus.at === s);
    }));
    const other = focus.side === "target" ? "source" : "target";
    const line = lineOf(weights, focus);
    keys[focus.side].forEach(({ face, weight }, at) => {
      paint(face, 0, data.turns);
      weight.textContent = "";
      face.classList.toggle("cl-asked", at === focus.at);
    });
    keys[other].forEach(({ face, weight }, at) => {
      paint(face, line[at], data.turns);
      weight.textContent = digits(line[at]) || "0";
      face.classList.remove("cl-asked");
    });
    figure.say(sentence(focus, line));
    drawCurves(focus, other, line);
  }
  // From the source word's lower edge to the target word's upper edge, as thick as the weight.
  function drawCurves(focus, other, line) {
    const place = fitArcs(curves, words), down = focus.side === "source";
    const start = place(keys[focus.side][focus.at].face), y = down ? start.bottom : start.top;
    curves.replaceChildren(...line.flatMap((weight, at) => {
      if (weight < 0.005) return [];
      const end = place(keys[other][at].face), b = down ? end.top : end.bottom, bend = (b - y) / 2;
      return arc(start.x, y, end.x, b, bend, -bend, weight, 9, { "stroke-opacity": (0.3 + 0.7 * weight).toFixed(2) });
    }));
  }
  // The number is the cell's own text; the mark of a gold link behind it stays.
  function setNumber(cell, text) {
    if (!cell.firstChild || cell.firstChild.nodeType !== Node.TEXT_NODE) cell.prepend("");
    cell.firstChild.data = text;
  }
  const lineOf = (weights, { side, at }) =>
    side === "target" ? weights[at] : weights.map((row) => row[at]);
  function sentence(focus, line) {
    const example = data.examples[shown];
    const other = focus.side === "target" ? "source" : "target";
    const word = "“" + example[focus.side][focus.at] + "”";
    const best = line.map((weight, at) => ({ weight, at })).filter((one) => one.weight >= 0.005)
      .sort((a, b) => b.weight - a.weight || a.at - b.at).slice(0, 4)
      .map((one) => "“" + example[other][one.at] + "” " + one.weight.toFixed(2)).join(", ");
    const target = focus.side === "target";
    let told = target
      ? `Step ${focus.at + 1} of ${example.target.length}: ${word} looks at ${best || "nothing"}.`
      : `${word} is looked at by ${best || "nobody"}.`;
    const gold = example.links.filter(([s, t]) => (target ? t : s) === focus.at)
      .map(([s, t]) => "“" + (target ? example.source[s] : example.target[t]) + "”");
    if (example.links.length && !figure.root.classList.contains("cl-unmarked")) {
      told += gold.length ? ` True: ${gold.join(", ")}.` : " No true link.";
    }
    return told + (temperature === 1 ? "" : ` Temperature ${temperature.toPrecision(3)}.`);
  }
  const makeRoom = reserve(figure, () => {
    const example = data.examples[shown];
    const weights = example.target.map((_, t) => weightsOf(t));
    return SIDES.flatMap((side) => example[side].map((_, at) => sentence({ side, at },
      lineOf(weights, { side, at }))));
  });
  box.checked = true;
  open(0);
  whenResized(words, draw);
  // Sentence, side, word, temperature in quarters of a power of two, and whether gold is marked.
  keepNumbers(figure, [data.examples.length, 2, Infinity, 25, 2],
    () => [shown, SIDES.indexOf(picked.side), picked.at, 4 * Math.log2(temperature) + 12,
      Number(box.checked)].map(Math.round), (example, side, at, quarters, marked) => {
      if (at >= data.examples[example][SIDES[side]].length) return;
      open(example, { side: SIDES[side], at });
      slider.set(quarters / 4 - 3);
      mark(Boolean(marked));
    });
}
