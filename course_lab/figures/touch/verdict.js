// Two sentences with menus, the words that look at each other, and the verdict.

// The network of course_lib/models/decomposable.py, its word vectors projected already.
function decomposableNet(tensors) {
  const { linear } = layersOf(tensors);
  const relu = (x) => x.map((value) => Math.max(0, value));
  const twoLayers = (name, x) => relu(linear(`${name}.4`, relu(linear(`${name}.1`, x))));
  const pair = (x, y) => Float64Array.from([...x, ...y]);
  const contrast = (x, y) => Float64Array.from([...x, ...y, ...x.map((value, k) => value - y[k]),
    ...x.map((value, k) => value * y[k])]);
  const { values: table, columns: width } = tensors["words.table.weight"];

  // `out` holds the places whose comparison is left out of the sums, one set a sentence; `cut` the
  // pairs that may not look at each other, "j.i" for word j of the hypothesis and i of the premise.
  function look(premise, hypothesis, out, cut) {
    const [a, b] = [premise, hypothesis].map((ids) =>
      ids.map((id) => Float64Array.from(table.subarray(id * width, (id + 1) * width))));
    const [asked, answered] = [a, b].map((words) => words.map((word) => twoLayers("attend", word)));
    const score = (i, j) => (cut.has(`${j}.${i}`) ? -Infinity : dot(asked[i], answered[j]));
    const beta = a.map((_, i) => softmax(b.map((__, j) => score(i, j))));
    const alpha = b.map((_, j) => softmax(a.map((__, i) => score(i, j))));
    const sums = [[a, b, beta], [b, a, alpha]].map(([words, others, weights], side) => {
      const sum = new Float64Array(width);
      words.forEach((word, i) => {
        if (out[side].has(i)) return;
        twoLayers("compare", contrast(word, average(weights[i], others))).forEach((value, k) => { sum[k] += value; });
      });
      return sum;
    });
    const logits = linear("verdict", twoLayers("aggregate", pair(...sums)));
    return { shares: softmax([...logits]), weights: [beta, alpha] };
  }
  return { look };
}

// A number below this is not printed: a row of .05s says nothing, and hides what does.
const FAINT = 0.095;

function verdictFigure(figure, data) {
  figure.line.classList.add("cl-for-ears");
  const net = decomposableNet(readTensors(data.net).tensors);
  const state = { chosen: data.chosen, out: [new Set(), new Set()], cut: new Set() };
  let last = null;

  // ---- the parts of the figure
  const menus = ["Premise", "Hypothesis"].map((name, side) => data.names.map((slot, k) =>
    menuOf(data.options[k].map((text) => text || "(nothing)"), (i) => change(side, k, i), { "aria-label": `${name}: ${slot}` })));
  const lines = ["Premise", "Hypothesis"].map((name, side) =>
    make("fieldset", { class: "cl-sentence" }, [make("legend", {}, [name]), ...menus[side]]));
  const bars = data.labels.map((label) => barRow("li", label));
  const table = tableOf([], [], { kind: "cl-looks",
    caption: "Premise across, hypothesis down: where each word of the hypothesis looks" });
  const head = table.tHead.rows[0], body = table.tBodies[0];
  head.append(make("td"));
  figure.controls.append(...lines, press("Reset", () => put(data.chosen, "Back at the beginning. ")));
  figure.stage.append(barList(bars, { "aria-label": "Verdict" }), scrollBox("Where each word of the hypothesis looks", [table]),
    make("p", { class: "cl-note" }, ["Weights under .10 are not printed. ∅ is an extra token for words without a "
      + "partner. Click a cell to forbid that pair; click a word to drop its comparison."]));

  // ---- what the reader can do
  function change(side, slot, option) {
    const words = sentence(side), chosen = state.chosen.map((row) => [...row]);
    chosen[side][slot] = option;
    // Where the places of the words move, what was left out would be another word.
    if (sentence(side, chosen).length !== words.length) put(chosen); else { state.chosen = chosen; draw(""); }
  }
  // Nothing is left out any more.
  function put(chosen, before = "") {
    state.chosen = chosen;
    [...state.out, state.cut].forEach((set) => set.clear());
    draw(before);
  }
  function toggle(set, what) {
    if (!set.delete(what)) set.add(what);
    draw("");
  }

  function sentence(side, chosen = state.chosen) {
    const phrases = data.options.map((options, k) => options[chosen[side][k]]);
    if (phrases[0].startsWith("two ")) phrases[1] = phrases[1].replace(/s$/, "");
    return [data.words[0], ...phrases.join(" ").split(/\s+/).filter(Boolean), "."];
  }

  // ---- drawing: the same buttons stay, so that focus keeps its place
  const wordCell = (side, place, scope) =>
    make("th", { scope }, [press("", () => toggle(state.out[side], place), { class: "cl-word" })]);

  // One of all these buttons is reached by Tab, the others from there by the arrow keys.
  function pairCell(j, i) {
    const button = press("", () => toggle(state.cut, `${j}.${i}`), { class: "cl-pair", tabindex: i + j ? -1 : 0 });
    button.addEventListener("keydown", (event) => onArrow(event, (right, down) => {
      const row = body.children[j + down], next = row && row.children[i + 1 + right];
      if (!next || next.tagName !== "TD") return;
      button.tabIndex = -1;
      next.firstChild.tabIndex = 0;
      next.firstChild.focus();
    }));
    return make("td", {}, [button]);
  }

  function name(cell, side, place, word) {
    const button = cell.firstChild, out = state.out[side].has(place);
    alter(button, { text: word, "aria-pressed": out, "aria-label": `${word}, leave out`, on: { "cl-out": out } });
  }

  function draw(before) {
    const [premise, hypothesis] = [sentence(0), sentence(1)];
    const ids = [premise, hypothesis].map((list) => list.map((word) => data.words.indexOf(word)));
    const found = net.look(...ids, state.out, state.cut);
    menus.forEach((row, side) => row.forEach((menu, k) => { menu.selectedIndex = state.chosen[side][k]; }));
    const best = argmax(found.shares);
    bars.forEach(({ row, show }, k) => {
      show(found.shares[k]);
      row.classList.toggle("cl-best", k === best);
    });
    const tops = fill(head, premise.length + 1, (i) => wordCell(0, i - 1, "col")).slice(1);
    premise.forEach((word, i) => name(tops[i], 0, i, word));
    fill(body, hypothesis.length, (j) => make("tr", {}, [wordCell(1, j, "row")]));
    hypothesis.forEach((word, j) => {
      const row = body.children[j];
      name(row.firstChild, 1, j, word);
      fill(row, premise.length + 1, (i) => pairCell(j, i - 1));
      found.weights[1][j].forEach((weight, i) => {
        const cell = row.children[i + 1];
        const button = cell.firstChild, parted = state.cut.has(`${j}.${i}`);
        alter(button, { text: parted ? "×" : weight < FAINT ? "" : digits(weight), "aria-pressed": parted,
          "aria-label": `${word} and ${premise[i]}, ${weight.toFixed(2)}: keep apart` });
        paint(cell, weight);
        cell.classList.toggle("cl-out", parted || state.out[1].has(j) || state.out[0].has(i));
      });
    });
    if (!body.querySelector('.cl-pair[tabindex="0"]')) body.querySelector(".cl-pair").tabIndex = 0;
    const out = [premise, hypothesis].flatMap((list, side) => [...state.out[side]].map((i) => `“${list[i]}”`));
    const apart = [...state.cut].map((pair) => pair.split("."))
      .map(([j, i]) => `“${hypothesis[j]}” and “${premise[i]}”`);
    figure.answer(`${before}${data.labels[best]}, ${found.shares[best].toFixed(2)}`
      + `${out.length ? `, without the comparison of ${out.join(", ")}` : ""}`
      + `${apart.length ? `, with ${apart.join(", ")} kept apart` : ""}.`
      + `${last !== null && last !== best ? " The verdict has moved." : ""}`);
    last = best;
  }

  // ---- the address: what the reader made can be sent
  const address = () => [...state.chosen.map((row) => row.join(".")), ...state.out.map((set) => [...set].join(".")),
    [...state.cut].join(".")].join("~");

  function restore(text) {
    const parts = text.split("~").map((part) => part.split(".").filter(Boolean).map(Number));
    if (parts.length !== 5 || parts[4].length % 2 || parts.flat().some((n) => !Number.isInteger(n) || n < 0)) return;
    const fits = (row) => row.length === data.options.length && row.every((n, k) => n < data.options[k].length);
    if (!fits(parts[0]) || !fits(parts[1])) return;
    put([parts[0], parts[1]]);
    [0, 1].forEach((side) => parts[2 + side].filter((n) => n < sentence(side).length)
      .forEach((n) => state.out[side].add(n)));
    for (let k = 0; k < parts[4].length; k += 2) {
      const [j, i] = parts[4].slice(k, k + 2);
      if (j < sentence(1).length && i < sentence(0).length) state.cut.add(`${j}.${i}`);
    }
    draw("");
  }

  keepInAddress(figure, address, restore);
  draw("");
}
