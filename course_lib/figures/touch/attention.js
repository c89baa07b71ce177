// The attention explorer: the tables come alive, with the words of the sentence pair as keys above.
function attentionFigure(figure, data) {
  const tables = [...figure.numbers.querySelectorAll(".cl-scroll")];
  const cells = tables.map((one) => [...one.querySelectorAll("tbody tr")]
    .map((row) => [...row.querySelectorAll("td")]));
  const scores = data.examples.map((example) => decode(example.scores));
  let shown = 0;
  let temperature = 1;
  // What is picked, and what the mouse rests on: a target word's row or a source word's column.
  let picked = { side: "target", at: 0 };
  let hovered = null;
  let keys = { source: [], target: [] };

  function decode(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(2 * i, true));
  }
  // The stored scores are already less the row's largest, so no exponential overflows.
  function weightsOf(row) {
    const count = data.examples[shown].source.length;
    const powers = scores[shown].slice(row * count, (row + 1) * count)
      .map((score) => score === data.masked ? 0 : Math.exp(score / data.unit / temperature));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return powers.map((power) => total > 0 ? power / total : 0);
  }

  const words = make("div", { class: "cl-words" });
  const linked = data.examples.some((one) => one.links.length + one.possible.length);
  figure.stage.append(words);
  if (data.examples.length > 1) {
    const menu = make("select", {}, data.examples.map((one) => make("option", {}, [one.name])));
    menu.addEventListener("change", () => {
      shown = menu.selectedIndex;
      picked = { side: "target", at: 0 };
      hovered = null;
      offerWords();
      draw();
    });
    figure.controls.append(make("label", {}, [make("span", { class: "cl-note" }, ["Sentence"]), menu]));
  }
  // Powers of two, so that sharper and flatter lie equally far from 1.
  const slider = slide("Temperature", { min: -3, max: 3, step: 0.25, value: 0 },
    (value) => (2 ** value).toPrecision(3), (value) => { temperature = 2 ** value; draw(); });
  const reset = make("button", { type: "button" }, ["Back to 1"]);
  reset.addEventListener("click", () => slider.set(0));
  figure.controls.append(slider.label, reset);
  if (linked) {
    const box = make("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => {
      figure.root.classList.toggle("cl-unmarked", !box.checked);
      draw();
    });
    figure.controls.append(make("label", {}, [box, "Gold links"]));
  }

  // One group of radio buttons for all words: arrow keys walk through them, Tab passes them by.
  function offerWords() {
    const example = data.examples[shown];
    const group = figure.root.id + "-word";
    const side = (name, legend) => {
      keys[name] = [];
      const list = example[name].map((word, at) => {
        const input = make("input", { type: "radio", name: group });
        const weight = make("small", {});
        const face = make("span", {}, [word, weight]);
        const label = make("label", { class: "cl-key cl-word" }, [input, face]);
        input.checked = picked.side === name && picked.at === at;
        input.addEventListener("change", () => { picked = { side: name, at }; hovered = null; draw(); });
        hover(label, { side: name, at });
        keys[name].push({ input, face, weight });
        return label;
      });
      return make("fieldset", {}, [make("legend", {}, [legend]), ...list]);
    };
    words.replaceChildren(side("source", "Source"), side("target", "Target"));
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
    });
  }));

  function draw() {
    const example = data.examples[shown];
    const focus = hovered || picked;
    const weights = example.target.map((_, t) => weightsOf(t));
    tables.forEach((one, i) => { one.hidden = i !== shown; });
    weights.forEach((row, t) => row.forEach((weight, s) => {
      const cell = cells[shown][t][s];
      paint(cell, weight, data.turns);
      setNumber(cell, digits(weight));
      cell.classList.toggle("cl-near-row", focus.side === "target" && focus.at === t);
      cell.classList.toggle("cl-near-column", focus.side === "source" && focus.at === s);
    }));
    const other = focus.side === "target" ? "source" : "target";
    const line = focus.side === "target" ? weights[focus.at] : weights.map((row) => row[focus.at]);
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
    figure.say(sentence(example, focus, other, line));
  }
  // The number is the cell's own text; the mark of a gold link behind it stays.
  function setNumber(cell, text) {
    if (!cell.firstChild || cell.firstChild.nodeType !== Node.TEXT_NODE) cell.prepend("");
    cell.firstChild.data = text;
  }
  function sentence(example, focus, other, line) {
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
      told += gold.length ? ` Gold: ${gold.join(", ")}.` : " No gold link.";
    }
    return told + (temperature === 1 ? "" : ` Temperature ${temperature.toPrecision(3)}.`);
  }
  offerWords();
  draw();
}
