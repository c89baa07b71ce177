// A sentence with a gap, the words that may fill it, and a small map of each head to switch off.

// The network of course_lib/models/cloze.py, pre-norm, with sinusoidal positions.
// `usual` is what each head of each layer gives in the mean: a head that is off gives that, always.
function clozeNet(tensors, heads, usual) {
  const { norm, placed, think, attendEachOther, scored, layersIn } = transformerLayers(tensors);
  const layers = layersIn("layers"), table = "embed.table.weight";

  // The share of each word in the gap, and the weights of each head. `off` holds heads, counted
  // through all layers.
  function fill(ids, gap, off) {
    let x = ids.map((id, place) => placed(table, id, place));
    const weights = [];
    for (let n = 0; n < layers; n += 1) {
      const name = `layers.${n}`, isOff = (h) => off.has(n * heads + h);
      const read = attendEachOther(name, x, heads, isOff), instead = usual[n].filter((_, h) => isOff(h));
      weights.push(...read.weights);
      x = x.map((vector, i) => think(name, instead.reduce(plus, plus(vector, read.found[i]))));
    }
    return { shares: softmax(scored(table, norm("norm", x[gap]))), weights };
  }
  return { fill, layers };
}

function switchesFigure(figure, data) {
  const { fill: look, layers } = clozeNet(readTensors(data.net).tensors, data.heads, data.usual);
  const all = layers * data.heads, named = (i) => headName(i, data.heads);
  // Several heads, a layer named once: "layer 1, heads 2, 3; layer 2, head 1".
  const listed = (some) => Array.from({ length: layers }, (_, n) => {
    const own = some.filter((i) => Math.floor(i / data.heads) === n).map((i) => i % data.heads + 1);
    return own.length ? `layer ${n + 1}, head${own.length > 1 ? "s" : ""} ${own.join(", ")}` : "";
  }).filter(Boolean).join("; ");
  const state = { sentence: 0, gap: 0, off: new Set(), seen: 0 };
  let found = null;
  const words = () => data.sentences[state.sentence][0];

  // ---- the parts of the figure
  const put = (sentence, gap = data.sentences[sentence][1], off = [], before = "") => {
    Object.assign(state, { sentence, gap, off: new Set(off) });
    draw(before);
  };
  const picker = choose(figure, "Sentence", data.sentences.map(([text]) => text.join(" ")), 0, (i) => put(i));
  const reset = press("Reset", () => { state.seen = 0; put(0, undefined, [], "Back at the beginning. "); });
  const everyone = press("All heads on", () => put(state.sentence, state.gap));
  figure.controls.append(picker.label, everyone, reset);
  const line = wordRow("cl-gapped", "Words: choose the gap");
  const under = make("p", { class: "cl-note" });
  // The likeliest words, then the likeliest of the others, then what is left for these.
  const bars = Array.from({ length: data.shown + 2 }, () => barRow("li", "", { marked: true }));
  // A finger cannot hover: its first tap on a map shows where that head looks, the next one switches.
  let touched = matchMedia("(pointer: coarse)").matches, shown = true;
  const cards = headCards(all, named, () => {});
  cards.forEach((card, i) => {
    const { button } = card;
    card.most = make("span", { class: "cl-most" });
    card.mode = make("span", { class: "cl-mode" });
    button.append(card.most, card.mode);
    button.addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "touch";
      shown = !touched || state.seen === i;
    });
    button.addEventListener("click", (event) => {
      // A click without a press is one of the keyboard, where the focus has shown the head already.
      if ((shown || !event.detail) && !state.off.delete(i)) state.off.add(i);
      state.seen = i;
      draw("");
    });
    ["mouseenter", "focus"].forEach((kind) => button.addEventListener(kind, () => {
      state.seen = i;
      light();
    }));
  });
  figure.stage.append(line, under, barList(bars, { "aria-label": "What fills the gap" }),
    headGrid("Heads: switch off and on", cards),
    make("p", { class: "cl-note" }, ["In a map, each row is a word that attends and each column is a word that it "
      + "attends to. The gap's row is framed, and the word below the map is the one with the gap's largest weight. "
      + "A head that is off gives its mean instead, the same vector at every word. With a head of layer 1 off, the "
      + "maps of layer 2 change too, because they are computed from the output of layer 1. The line on a bar marks "
      + "the probability with all heads on. The last bar with a name is the likeliest of all other words."]));

  // ---- drawing: the same buttons stay, so that focus keeps its place
  // The strips under the words: where the head in question looks from the gap.
  function light() {
    const row = found.weights[state.seen][state.gap];
    [...line.children].forEach((button, i) => button.lastChild.style.setProperty("--w", row[i].toFixed(2)));
    under.textContent = `The strips under the words are the gap's attention weights in ${named(state.seen)}. `
      + `${touched ? "Tap" : "Click"} its map to switch it ${state.off.has(state.seen) ? "on" : "off"}.`;
    cards.forEach(({ button }, i) => button.classList.toggle("cl-seen", i === state.seen));
  }

  function draw(before) {
    const list = words(), ids = list.map((word, i) => (i === state.gap ? data.gap : data.words.indexOf(word)));
    const whole = look(ids, state.gap, new Set());
    found = state.off.size ? look(ids, state.gap, state.off) : whole;
    picker.mark(state.sentence);
    fill(line, list.length, (i) => wordKey(() => { state.gap = i; draw(""); }, "text", "look")).forEach((button, i) => {
      const gap = i === state.gap;
      button.firstChild.textContent = list[i];
      alter(button, { "aria-pressed": gap, "aria-label": gap ? `${list[i]}, the gap` : `${list[i]}: make it the gap`, on: { "cl-gap": gap } });
    });
    light();
    cards.forEach(({ button, map, most, mode }, i) => {
      const rows = found.weights[i], row = rows[state.gap], place = argmax(row), off = state.off.has(i);
      const word = place === state.gap ? "the gap" : list[place];
      drawMap(map, rows, rows.length, state.gap);
      most.textContent = `${word} ${row[place].toFixed(2)}`;
      mode.textContent = off ? "off" : "on";
      alter(button, { "aria-pressed": !off, on: { "cl-off": off },
        "aria-label": `${named(i)}, ${mode.textContent}; the gap attends most to ${word}, ${row[place].toFixed(2)}` });
    });
    const ranked = whole.shares.map((share, i) => [share, i]).sort((a, b) => b[0] - a[0])
      .slice(0, data.shown).map((pair) => pair[1]);
    ranked.push(argmax(found.shares.map((share, i) => (ranked.includes(i) ? -1 : share))));
    const right = data.words.indexOf(list[state.gap]);
    bars.forEach((bar, k) => {
      const id = ranked[k], share = (shares) => shares[id] ?? 1 - sumOf(ranked.map((i) => shares[i]));
      bar.label.textContent = data.words[id] ?? "any other word";
      bar.row.classList.toggle("cl-right", id === right);
      bar.show(share(found.shares), { before: share(whole.shares) });
    });
    const best = argmax(found.shares), was = argmax(whole.shares), silent = [...state.off].sort((a, b) => a - b);
    const heads = silent.length === all ? ", with every head off"
      : silent.length ? `, without ${listed(silent)}` : ", with all heads on";
    figure.answer(`${before}The gap held “${list[state.gap]}”. The network says “${data.words[best]}”, `
      + `${found.shares[best].toFixed(2)}${heads}.${best !== was ? ` With all heads on it was “${data.words[was]}”.` : ""}`);
  }
  put(0);

  // ---- the address: what the reader made can be sent
  keepInAddress(figure, () => [state.sentence, state.gap, ...[...state.off].sort((a, b) => a - b)].join("."), (text) => {
    const [sentence, gap, ...off] = /^\d+(\.\d+)+$/.test(text) ? text.split(".").map(Number) : [];
    if (gap < data.sentences[sentence]?.[0].length && off.every((i) => i < all)) put(sentence, gap, off);
  });
}
