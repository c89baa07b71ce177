// A sentence with a gap, the words that may fill it, and a small map of each head to switch off.

// The network of course_lib/models/cloze.py, pre-norm, with sinusoidal positions.
// `usual` is what each head of each layer gives in the mean: a head that is off gives that, always.
function clozeNet(tensors, heads, usual) {
  const { norm, placed, think, attendEachOther, scored, layersIn } = transformerLayers(tensors);
  const layers = layersIn("layers"), table = "embed.table.weight";

  // The share of each word in the gap, and the weights of each layer and head. `off` holds heads
  // as "layer.head".
  function fill(ids, gap, off) {
    let x = ids.map((id, place) => placed(table, id, place));
    const weights = [];
    for (let n = 0; n < layers; n += 1) {
      const name = `layers.${n}`, isOff = (h) => off.has(`${n}.${h}`);
      const read = attendEachOther(name, x, heads, isOff), instead = usual[n].filter((_, h) => isOff(h));
      weights.push(read.weights);
      x = x.map((vector, i) => think(name, instead.reduce(plus, plus(vector, read.found[i]))));
    }
    return { shares: softmax(scored(table, norm("norm", x[gap]))), weights };
  }
  return { fill, layers };
}

function switchesFigure(figure, data) {
  const net = clozeNet(readTensors(data.net).tensors, data.heads, data.usual);
  const all = Array.from({ length: net.layers * data.heads }, (_, i) =>
    `${Math.floor(i / data.heads)}.${i % data.heads}`);
  const named = (head) => { const [n, h] = head.split(".").map(Number); return `layer ${n + 1}, head ${h + 1}`; };
  // Several heads, a layer named once: "layer 1, heads 2, 3; layer 2, head 1".
  const listed = (some) => Array.from({ length: net.layers }, (_, n) => {
    const own = some.map((head) => head.split(".").map(Number)).filter(([layer]) => layer === n).map(([, h]) => h + 1);
    return own.length ? `layer ${n + 1}, head${own.length > 1 ? "s" : ""} ${own.join(", ")}` : "";
  }).filter(Boolean).join("; ");
  const state = { sentence: 0, gap: data.sentences[0][1], off: new Set(), seen: all[0] };
  let whole = null, found = null;

  const words = () => data.sentences[state.sentence][0];

  // ---- the parts of the figure
  const picker = choose(figure, "Sentence", data.sentences.map(([text]) => text.join(" ")), 0, (i) => take(i));
  const reset = press("Reset", () => {
    state.seen = all[0];
    picker.set(0);
    draw("Back at the beginning. ");
  });
  const everyone = press("All heads on", () => { state.off.clear(); draw(""); });
  figure.controls.append(picker.label, everyone, reset);
  const line = wordRow("cl-gapped", "Words: choose the gap");
  const under = make("p", { class: "cl-note" });
  // The likeliest words, then the likeliest of the others, then what is left for these.
  const bars = Array.from({ length: data.shown + 2 }, () => barRow("li", "", { marked: true }));
  // A finger cannot hover: its first tap on a map shows where that head looks, the next one switches.
  let touched = matchMedia("(pointer: coarse)").matches, shown = true;
  const cards = all.map((head) => {
    const map = headMap();
    const most = make("span", { class: "cl-most" });
    const mode = make("span", { class: "cl-mode" });
    const button = make("button", { type: "button", class: "cl-head" }, [
      make("span", { class: "cl-name" }, [named(head)]), map, most, mode]);
    button.addEventListener("pointerdown", (event) => {
      touched = event.pointerType === "touch";
      shown = !touched || state.seen === head;
    });
    button.addEventListener("click", (event) => {
      // A click without a press is one of the keyboard, where the focus has shown the head already.
      if ((shown || !event.detail) && !state.off.delete(head)) state.off.add(head);
      state.seen = head;
      draw("");
    });
    ["mouseenter", "focus"].forEach((kind) => button.addEventListener(kind, () => {
      state.seen = head;
      light();
    }));
    return { head, button, map, most, mode };
  });
  figure.stage.append(line, under,
    make("ul", { class: "cl-bar-rows", "aria-label": "What fills the gap" }, bars.map((bar) => bar.row)),
    make("div", { class: "cl-heads", role: "group", "aria-label": "Heads: switch off and on" },
      cards.map((card) => card.button)),
    make("p", { class: "cl-note" }, ["In a map, each row is a word that attends and each column is a word that it "
      + "attends to. The gap's row is framed, and the word below the map is the one with the gap's largest weight. "
      + "A head that is off gives its mean instead, the same vector at every word. With a head of layer 1 off, the "
      + "maps of layer 2 change too, because they are computed from the output of layer 1. The line on a bar marks "
      + "the probability with all heads on. The last bar with a name is the likeliest of all other words."]));

  // ---- what the reader can do
  function take(i) {
    state.sentence = i;
    state.gap = data.sentences[i][1];
    state.off.clear();
    draw("");
  }

  // ---- drawing: the same buttons stay, so that focus keeps its place
  function sentenceLine() {
    const list = words();
    const keys = fill(line, list.length, (i) => wordKey(() => { state.gap = i; draw(""); }, "text", "look"));
    keys.forEach((button, i) => {
      const word = list[i];
      const gap = i === state.gap;
      button.firstChild.textContent = word;
      button.setAttribute("aria-pressed", String(gap));
      button.setAttribute("aria-label", gap ? `${word}, the gap` : `${word}: make it the gap`);
      button.classList.toggle("cl-gap", gap);
    });
  }

  // The strips under the words: where the head in question looks from the gap.
  function light() {
    const [n, h] = state.seen.split(".").map(Number), row = found.weights[n][h][state.gap];
    [...line.children].forEach((button, i) => button.lastChild.style.setProperty("--w", row[i].toFixed(2)));
    under.textContent = `The strips under the words are the gap's attention weights in ${named(state.seen)}. `
      + `${touched ? "Tap" : "Click"} its map to switch it ${state.off.has(state.seen) ? "on" : "off"}.`;
    cards.forEach(({ head, button }) => button.classList.toggle("cl-seen", head === state.seen));
  }

  function mapOf(card) {
    const [n, h] = card.head.split(".").map(Number), rows = found.weights[n][h];
    drawMap(card.map, rows, rows.length, state.gap);
    const row = rows[state.gap], place = argmax(row);
    const word = place === state.gap ? "the gap" : words()[place], off = state.off.has(card.head);
    card.most.textContent = `${word} ${row[place].toFixed(2)}`;
    card.mode.textContent = off ? "off" : "on";
    card.button.classList.toggle("cl-off", off);
    card.button.setAttribute("aria-pressed", String(!off));
    card.button.setAttribute("aria-label",
      `${named(card.head)}, ${off ? "off" : "on"}; the gap attends most to ${word}, ${row[place].toFixed(2)}`);
  }

  function draw(before) {
    const ids = words().map((word, i) => (i === state.gap ? data.gap : data.words.indexOf(word)));
    whole = net.fill(ids, state.gap, new Set());
    found = state.off.size ? net.fill(ids, state.gap, state.off) : whole;
    sentenceLine();
    light();
    cards.forEach(mapOf);
    const ranked = whole.shares.map((share, i) => [share, i]).sort((a, b) => b[0] - a[0])
      .slice(0, data.shown).map((pair) => pair[1]);
    const others = found.shares.map((share, i) => (ranked.includes(i) ? -1 : share));
    ranked.push(argmax(others));
    const rest = (shares) => 1 - sumOf(ranked.map((i) => shares[i]));
    const right = data.words.indexOf(words()[state.gap]);
    bars.forEach((bar, k) => {
      const other = k === ranked.length, id = ranked[k];
      const share = other ? rest(found.shares) : found.shares[id];
      const then = other ? rest(whole.shares) : whole.shares[id];
      bar.label.textContent = other ? "any other word" : data.words[id];
      bar.row.classList.toggle("cl-right", !other && id === right);
      bar.show(share, { before: then });
    });
    const best = argmax(found.shares), was = argmax(whole.shares);
    const silent = all.filter((head) => state.off.has(head));
    figure.say(before + told(words()[state.gap], data.words[best], found.shares[best], silent, data.words[was]));
    figure.remember();
  }

  function told(held, best, share, silent, was) {
    const heads = silent.length === all.length ? ", with every head off"
      : silent.length ? `, without ${listed(silent)}` : ", with all heads on";
    return `The gap held “${held}”. The network says “${best}”, ${share.toFixed(2)}${heads}.`
      + `${silent.length && best !== was ? ` With all heads on it was “${was}”.` : ""}`;
  }
  // The longest that it may come to: all heads off but one, and long words.
  function longest() {
    const [long, next] = [...data.words].sort((a, b) => b.length - a.length);
    return [told(long, long, 0, all.slice(1), next)];
  }

  // ---- the address: what the reader made can be sent
  const address = () => [state.sentence, state.gap, ...[...state.off].map((head) => all.indexOf(head)).sort((a, b) => a - b)]
    .join(".");

  function restore(text) {
    const numbers = /^\d+(\.\d+)+$/.test(text) ? text.split(".").map(Number) : [];
    const [sentence, gap, ...off] = numbers;
    if (!(sentence < data.sentences.length && gap < data.sentences[sentence][0].length)) return;
    if (!off.every((i) => i < all.length)) return;
    picker.set(sentence);
    state.gap = gap;
    state.off = new Set(off.map((i) => all[i]));
    draw("");
  }

  keepInAddress(figure, address, restore);
  draw("");
  reserve(figure, longest);
}
