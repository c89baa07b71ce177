// Attention, or a soft alignment: the tables come alive, with the words of the sentence pair as keys above.
function attentionFigure(figure, data) {
  const SIDES = ["source", "target"], OTHER = { source: "target", target: "source" };
  const tables = [...figure.numbers.querySelectorAll(".cl-scroll")];
  const cells = tables.map((one) => [...one.querySelectorAll("tbody tr")]
    .map((row) => [...row.querySelectorAll("td")]));
  const scores = data.examples.map((example) => decode(example.scores));
  // What is picked, and what the mouse rests on: a target word's row or a source word's column.
  let shown = 0, temperature = 1, picked = null, hovered = null, keys = {};
  const now = () => data.examples[shown];

  function decode(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(2 * i, true));
  }
  function weightsOf(row) {
    const count = now().source.length;
    return softmax(scores[shown].slice(row * count, (row + 1) * count)
      .map((score) => (score === data.masked ? -Infinity : score / data.unit)), temperature);
  }

  const curves = arcsOf(), words = make("div", { class: "cl-board" });
  figure.folds = false;
  figure.stage.append(words);
  const pick = (side, at) => {
    picked = { side, at };
    hovered = null;
    draw();
    figure.remember();
  };
  // Shows a sentence, at the word it opens on or at one that the address says.
  function open(example, what) {
    shown = example;
    picked = what || { side: SIDES[now().opened[0]], at: now().opened[1] };
    hovered = null;
    menu.selectedIndex = shown;
    offerWords();
    draw();
  }
  const menu = menuOf(data.examples.map((one) => one.name), (i) => { open(i); figure.remember(); });
  if (data.examples.length > 1) figure.controls.append(labelled("Sentence", menu));
  // Powers of two, so that sharper and flatter lie equally far from 1.
  const slider = slide("Temperature", { min: -3, max: 3, step: 0.25, value: 0 }, (value) => (2 ** value).toPrecision(3),
    (value) => { temperature = 2 ** value; draw(); figure.remember(); });
  if (!data.aligns) figure.controls.append(slider.label);
  const box = make("input", { type: "checkbox" });
  const mark = (marked) => {
    box.checked = marked;
    figure.root.classList.toggle("cl-unmarked", !marked);
    draw();
    figure.remember();
  };
  box.addEventListener("change", () => mark(box.checked));
  if (data.examples.some((one) => one.links.length + one.possible.length)) {
    figure.controls.append(make("label", {}, [box, data.linksOf || "True links"]));
  }
  figure.controls.append(press("Reset", () => { open(0); slider.set(0); mark(true); }));

  // One group of radio buttons for all words: arrow keys walk through them, Tab passes them by.
  function offerWords() {
    const glossed = now().gloss.some(Boolean);
    keys = { source: [], target: [] };
    const rows = SIDES.map((side) => make("fieldset", { class: "cl-" + side }, [
      make("legend", {}, [side === "source" ? "Source" : "Target"]), ...now()[side].map((word, at) => {
        // The room of a number is kept where none is said, so that no word moves.
        const weight = make("small", {}), gloss = now().gloss[at];
        const sense = glossed && side === "target" ? [make("i", {}, [gloss && gloss !== word ? gloss : "\u00a0"])] : [];
        const face = make("span", {}, [make("b", {}, [word]), ...sense, weight]);
        const { input, label } = radioKey(figure.root.id + "-word", face, () => pick(side, at), "cl-word");
        input.checked = picked.side === side && picked.at === at;
        hover(label, { side, at });
        keys[side].push({ input, face, weight });
        return label;
      })]));
    words.replaceChildren(curves, ...rows);
  }
  // A finger has no hover: its tap picks the word.
  function hover(element, what) {
    for (const [kind, rests] of [["pointerenter", what], ["pointerleave", null]]) {
      element.addEventListener(kind, (event) => {
        if (event.pointerType === "mouse") { hovered = rests; draw(); }
      });
    }
  }
  cells.forEach((rows) => rows.forEach(([{ parentElement: row }], t) => {
    hover(row, { side: "target", at: t });
    row.addEventListener("click", () => {
      keys.target[t].input.checked = true;
      pick("target", t);
    });
  }));

  function draw() {
    const { side, at } = hovered || picked, other = OTHER[side];
    const weights = now().target.map((_, t) => weightsOf(t));
    const line = side === "target" ? weights[at] : weights.map((row) => row[at]);
    tables.forEach((one, i) => { one.hidden = i !== shown; });
    weights.forEach((row, t) => row.forEach((weight, s) => {
      const cell = cells[shown][t][s];
      paint(cell, weight);
      // The number is the cell's own text; the mark of a gold link behind it stays.
      if (!cell.firstChild || cell.firstChild.nodeType !== Node.TEXT_NODE) cell.prepend("");
      cell.firstChild.data = digits(weight);
      alter(cell, { on: { "cl-near-row": side === "target" && at === t, "cl-near-column": side === "source" && at === s } });
    }));
    for (const one of SIDES) {
      keys[one].forEach(({ face, weight }, i) => {
        paint(face, one === other ? line[i] : 0);
        weight.textContent = one === other ? digits(line[i]) || "0" : "";
        face.classList.toggle("cl-asked", one === side && at === i);
      });
    }
    figure.say(sentence(side, at, line));
    // From the source word's lower edge to the target word's upper edge, as thick as the weight.
    const place = fitArcs(curves, words), down = side === "source";
    const start = place(keys[side][at].face), y = down ? start.bottom : start.top;
    curves.replaceChildren(...line.flatMap((weight, i) => {
      if (weight < 0.005) return [];
      const end = place(keys[other][i].face), b = down ? end.top : end.bottom, bend = (b - y) / 2;
      return arc(start.x, y, end.x, b, bend, -bend, weight, 9, { "stroke-opacity": (0.3 + 0.7 * weight).toFixed(2) });
    }));
  }
  function sentence(side, at, line) {
    const example = now(), target = side === "target", quoted = (words) => words.map((word) => `“${word}”`).join(", ");
    const word = `“${example[side][at]}”`, step = `Step ${at + 1} of ${example.target.length}: ${word}`;
    const best = line.map((weight, i) => ({ weight, i })).filter((one) => one.weight >= 0.005)
      .sort((a, b) => b.weight - a.weight || a.i - b.i).slice(0, 4)
      .map((one) => `“${example[OTHER[side]][one.i]}” ${one.weight.toFixed(2)}`).join(", ");
    const [does, nothing] = data.aligns
      ? target ? [`${word} came from`, "no word"] : [`${word} wrote`, "nothing"]
      : target ? [`${step} looks at`, "nothing"] : [`${word} is looked at by`, "nobody"];
    const gold = example.links.filter(([s, t]) => (target ? t : s) === at)
      .map(([s, t]) => (target ? example.source[s] : example.target[t]));
    const truth = !example.links.length || !box.checked ? ""
      : gold.length ? ` True: ${quoted(gold)}.` : " No true link.";
    return `${does} ${best || nothing}.${truth}` + (temperature === 1 ? "" : ` Temperature ${temperature.toPrecision(3)}.`);
  }
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
