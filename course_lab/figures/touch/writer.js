// A small Transformer writes: choose or type a sentence, choose a head, see what each word reads by it.

// Who asks whom, by the names that the network gives to its three attentions.
const USES = ["cross", "encoder", "decoder"];
const ASKING = ["German → English", "English → English", "German → German"];

function writerFigure(figure, data) {
  const heads = data.first.looks.cross[0].length, all = data.first.looks.cross.length * heads;
  const opening = { sentence: 0, own: null, use: 0, head: data.head, at: data.at, place: data.place, shown: Infinity };
  const state = { ...opening, off: new Set() };
  // What is written, with the heads of now, and with every head.
  let net = null, told = null, found = data.first, whole = data.first, source = data.source;

  const named = (i) => headName(i, heads);
  const key = (i) => `${USES[state.use]}.${Math.floor(i / heads)}.${i % heads}`;
  const rowsOf = (i) => found.looks[USES[state.use]][Math.floor(i / heads)][i % heads];
  const asked = () => (state.use === 2 ? ["start", ...found.words] : [...source, "end"]);
  const silent = () => state.off.has(key(state.head));
  const asker = () => (state.use === 1 ? state.place : state.at);
  const text = (words) => words.filter((word) => word !== "end").join(" ");
  const wanted = () => (state.own ? "" : data.sentences[state.sentence][1]);
  // The first word that is another one with heads off.
  const changed = () => found.words.findIndex((word, i) => word !== whole.words[i]);

  // ---- the parts of the figure
  const menu = sentenceMenu(data.sentences.map(([en]) => `${en} (${en.split(" ").length} words)`),
    (i) => wake(() => take(i)), { class: "cl-wide", "aria-label": "sentence" });
  const { form } = sentenceBox("Write it", "the small dog sleeps .", (text) => wake(() => type(text)));
  const more = foldAway("Your own sentence", form, make("p", { class: "cl-note" }, [data.known]));
  const { above, below, arcs, board } = wordBoard();
  const line = make("p", { class: "cl-line" });
  const uses = choose(figure, "Heads", ASKING, 0, (i) => { state.use = i; show(); });
  const cards = headCards(all, named, (i) => { state.head = i; show(); });
  const toggle = press("", () => wake(() => {
    if (!state.off.delete(key(state.head))) state.off.add(key(state.head));
    write();
  }));
  const everyone = press("All heads on", () => wake(() => { state.off.clear(); write(); }));
  // One sentence and one head come first; who wants the others opens them.
  const others = foldAway(`All ${USES.length * all} heads: choose, switch off`, uses.label, headGrid("Choose a head", cards),
    make("p", { class: "cl-note" }, ["Each map: a row for every word that asks, a column for every word that is "
      + "asked. The chosen word's row is framed."]),
    make("div", { class: "cl-controls" }, [toggle, everyone]));
  figure.stage.append(board, line, figure.line, others);

  const wake = netOf(figure, (read) => {
    told = read.told;
    net = transformerNet(read.tensors, heads);
  }, "The network is loading.");

  function run(off) {
    const ids = source.map((word) => told.source.indexOf(word) + END + 1);
    const { steps, looks } = net.write([...ids, END], { off, most: data.most });
    const name = (id) => (id === END ? "end" : told.target[id - END - 1] || "?");
    const next = steps.map(({ shares }) => shares.map((share, id) => [name(id), share])
      .sort((a, b) => b[1] - a[1]).slice(0, 2));
    return { words: next.map(([best]) => best[0]), next, looks };
  }

  // Writes the sentence anew with the heads of now.
  function write() {
    found = state.off.size ? run(state.off) : whole;
    state.shown = Infinity;
    state.at = Math.min(state.at, found.words.length - 1);
    show();
  }
  function read(words, from) {
    Object.assign(state, from, { at: 0, place: 0 });
    state.off.clear();
    source = words;
    whole = run(state.off);
    write();
  }
  const take = (i) => read(data.sentences[i][0].split(" "), { sentence: i, own: null });
  function type(sentence) {
    const { refused, words } = wordsOf(sentence, told.source, data.longest);
    if (!refused) { read(words, { own: words }); return; }
    // What is below would be taken for the answer.
    for (const part of [arcs, below, line]) part.classList.add("cl-hidden");
    figure.say(refused);
  }
  function reset() {
    Object.assign(state, opening);
    state.off.clear();
    found = whole = data.first;
    source = data.source;
    uses.set(0);
  }

  // ---- what is said
  function tell() {
    const { words, next } = found, t = state.at, row = rowsOf(state.head)[asker()], most = argmax(row), first = changed();
    const look = silent() ? `${named(state.head)} is off.`
      : `${named(state.head)} looks most at “${asked()[most]}”, ${row[most].toFixed(2)}.`;
    const change = !state.off.size ? "" : first < 0 ? " With heads off it writes the same words."
      : ` With heads off word ${first + 1} is “${words[first]}”, not “${whole.words[first]}”.`;
    figure.answer(state.shown === 0 ? `The encoder has read ${source.length + 1} tokens at once. Nothing is written yet.`
      : state.use === 1 ? `“${asked()[state.place]}” asks its own sentence: ${look}${change}`
        : `After “${t ? words[t - 1] : "start"}” it writes “${words[t]}” (${next[t][0][1].toFixed(2)}; second `
          + `“${next[t][1][0]}” ${next[t][1][1].toFixed(2)}): ${look}${change}`);
  }

  // ---- drawing: the same elements stay, so that focus and pointer keep their place
  const chip = (act) => wordKey(act, "text", "gloss", "look");
  const pick = (german, i) => {
    if (german) state.at = i; else state.place = i;
    if (german === (state.use === 1)) uses.set(german ? 0 : 1); else show();
  };
  const show = () => { draw(); tell(); };

  function draw() {
    for (const part of [arcs, below]) part.classList.remove("cl-hidden");
    const row = rowsOf(state.head)[asker()], german = state.use !== 1, first = changed();
    const seen = state.shown > 0 && !silent(), share = (j, on) => (on && seen && row[j]) || 0;
    alter(above, { on: { "cl-idle": state.use === 2 || !seen } });
    alter(below, { on: { "cl-idle": state.use !== 2 || !seen } });
    const english = [...source, "end"], written = ["start", ...found.words];
    fill(above, english.length, (i) => chip(() => pick(false, i))).forEach((button, i) => {
      button.children[0].textContent = english[i];
      button.setAttribute("aria-pressed", String(!german && i === state.place));
      lit(button.lastChild, share(i, state.use !== 2));
    });
    fill(below, written.length, (i) => chip(i ? () => pick(true, i - 1) : null)).forEach((button, i) => {
      button.children[0].textContent = written[i];
      button.children[1].textContent = glossOf(written[i], data.gloss);
      alter(button, { on: { "cl-later": i > state.shown, "cl-changed": first >= 0 && i - 1 === first } });
      if (i) alter(button, { "aria-pressed": german && i - 1 === state.at });
      lit(button.lastChild, share(i, state.use === 2));
    });
    const right = wanted(), now = text(found.words);
    const [head, other] = state.off.size && now !== text(whole.words) ? ["with every head", text(whole.words)]
      : right && right !== now ? ["right", right] : ["", ""];
    line.replaceChildren(...(head ? [make("b", {}, [head]), " ", make("span", GERMAN, [other])]
      : [right ? "Every word is right." : "\u00a0"]));
    line.classList.toggle("cl-hidden", state.shown < found.words.length);
    menu.mark(state.own ? null : state.sentence);
    cards.forEach(({ button, map }, i) => {
      const off = state.off.has(key(i));
      drawMap(map, rowsOf(i), asked().length, asker());
      alter(button, { "aria-pressed": i === state.head, "aria-label": named(i) + (off ? ", off" : ""), on: { "cl-off": off } });
    });
    toggle.textContent = `Switch ${named(state.head)} ${silent() ? "on" : "off"}`;
    everyone.disabled = state.off.size === 0;
    drawArcs();
    // The table holds the map of the chosen head.
    const names = asked(), askers = state.use === 1 ? names : found.words;
    refill(figure, `${ASKING[state.use]}, ${named(state.head)} (weights)`, ["", ...names], rowsOf(state.head).map((row, t) =>
      rowOf(askers[t], names.map((_, j) => weightCell(row[j] || 0)))));
  }
  // From the chosen word to those that are read as it is written, or, of the English, as it asks.
  // Between two lines of words they are curves, within one they are bows in the room between.
  function drawArcs() {
    const place = fitArcs(arcs, board), row = silent() || state.at >= state.shown ? [] : rowsOf(state.head)[asker()];
    if (state.use === 0) { arcs.replaceChildren(...arcsUp(place, below.children[state.at + 1], row, above)); return; }
    const [words, edge, way, at] = state.use === 1 ? [above, "bottom", 1, state.place] : [below, "top", -1, state.at + 1];
    const { x, [edge]: y } = place(words.children[at]);
    arcs.replaceChildren(...row.flatMap((weight, j) => {
      if (weight < 0.05 || j === at) return [];
      const { x: a, [edge]: b } = place(words.children[j]), bend = way * Math.min(44, 14 + Math.abs(x - a) / 8);
      return [arc(x, y, a, b, bend, bend, weight, 5)];
    }));
  }

  const last = data.most + 1;
  figure.controls.append(menu.menu, ...stepper(figure, last, 700, () => (state.shown >= found.words.length ? last : state.shown),
    (i) => {
      state.shown = i > data.most ? Infinity : i;
      state.at = Math.max(0, Math.min(i, found.words.length) - 1);
      if (state.use === 1) uses.set(0); else show();
    }, reset), more);

  // ---- the address: what the reader made can be sent
  const address = () => [state.own ? state.own.join("_") : state.sentence,
    [state.use, state.head, state.at, state.place].join("."), [...state.off].join("_")].join("~");
  function restore(text) {
    const [chosen, seen = "", off = ""] = text.split("~");
    wake(() => {
      const numbered = wholes(chosen, [data.sentences.length]), own = chosen.replaceAll("_", " ");
      const fits = numbered || !wordsOf(own, told.source, data.longest).refused;
      if (!fits || !/^\d+(\.\d+){3}$/.test(seen)) { figure.say(say); return; }
      if (numbered) take(numbered[0]); else type(own);
      state.off = new Set(off.split("_").filter((one) => /^(cross|encoder|decoder)\.\d\.\d$/.test(one)));
      if (state.off.size) found = run(state.off);
      const numbers = wholes(seen, [USES.length, all, found.words.length, source.length + 1]);
      if (numbers) [, state.head, state.at, state.place] = numbers;
      uses.set(numbers ? numbers[0] : 0);
      others.open = state.use !== opening.use || state.head !== opening.head || state.off.size > 0;
    });
  }

  const say = `Choose a German word: the lines show what ${named(data.head)} reads as it is written. Or choose a longer sentence.`;
  draw();
  whenResized(board, draw);
  figure.say(say);
  keepInAddress(figure, address, restore);
}
