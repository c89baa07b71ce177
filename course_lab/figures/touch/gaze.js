// Steer its gaze: the sentence above, what the network writes below, and where it looks between.

// With more words than this, or in more than one row, only one step's looks are drawn at a time.
const CROWDED = 16;
// So many changed words are named; of more, it is said that there are more.
const NAMED = 3;
// The weight of a look that may stand for all.
const SURE = 0.7;
// Of 300 sentences of the grammar, it was this sure of each word that it wrote in all but some eight.
const UNSURE = 0.75;
const MORE = "Your own sentence, longer sentence";

// Commas and full stops are no words to be right or wrong about.
const isMark = (word) => word === "," || word === ".";

function gazeFigure(figure, data) {
  // `own` is a typed sentence in place of one of a family; `shown` says how many words are out; `at`
  // is the step whose looks are drawn, and `kept` the one that stays when the pointer leaves.
  const state = { family: data.family, length: data.length, own: null, covered: new Set(),
    looks: new Map(), shown: Infinity, at: -1, kept: -1 };
  let net = null, told = { families: { [data.family]: { [data.length]: data.first } }, gloss: data.gloss };
  let source = data.source, steps = data.steps, wanted = data.wanted, free = null;
  // What was done last, in words; and a ring on its way: whose, where, and over which English word.
  let done = "Drag a ring to another English word, or click an English word to cover it.", thread = null;
  const steered = () => state.covered.size + state.looks.size > 0;
  const nameOf = (place) => `“${source[place] || "the end mark"}”`;
  const wordsIn = (some) => some.map((step) => step.word);

  // ---- the parts of the figure
  const { above, below, arcs, board } = wordBoard();
  const right = make("p", { class: "cl-line" }), squeezed = make("p", { class: "cl-line" });
  figure.stage.append(right, squeezed, board);
  figure.folds = false;
  const family = sentenceMenu(data.families, (i) => wake(() => turnTo(i, state.length)),
    { class: "cl-wide", "aria-label": "sentence" });
  const grow = slide("grow it", { min: 1, max: data.clauses, value: data.length + 1 }, () => `${source.length} words`,
    (clauses) => wake(() => turnTo(state.family, clauses - 1)));
  const { form } = sentenceBox("Write it", "the small dog sleeps .", (text) => wake(() => type(text)));
  // For the second minute.
  const more = foldAway(MORE, make("div", { class: "cl-controls" }, [grow.label, form, foldNumbers(figure.root)]),
    make("p", { class: "cl-note" }, [data.known]));
  // From word to word, and behind the last one the whole sentence again.
  const LAST = 1000;
  const keys = make("div", { class: "cl-keys" }, stepper(figure, LAST, 650, () => (state.shown > steps.length ? LAST : state.shown - 1), (i) => {
    state.shown = i < steps.length ? i + 1 : Infinity;
    if (i >= steps.length) done = summary();
    keep(i < steps.length ? i : -1);
  }, () => wake(reset)));
  figure.controls.append(family.menu, keys, more);
  // A page may hide the keys while nothing has been done, where its first screen is short of room.
  // Then they come below what is said, so that nothing moves under the finger.
  const offerKeys = () => { if (!keys.firstChild.getClientRects().length) figure.line.after(keys); };

  const wake = netOf(figure, (read) => {
    told = read.told;
    net = attentionNet(read.tensors);
    sentence();
  }, "The network is loading.");
  const early = () => wake(() => {}, true);
  board.addEventListener("pointerenter", early, { once: true });

  // The sentence of now, whose right translation is known where it is one of a family.
  function sentence() {
    const { en, de } = state.own ? {} : told.families[state.family][state.length];
    source = state.own || en.split(" ");
    wanted = state.own ? null : de.split(" ");
    free = null;
  }
  const written = (options) => net.write([...source.map((word) => told.words.source.indexOf(word)), END], options)
    .map((step) => ({ ...step, word: told.words.target[step.token] }));

  // Writes the sentence anew, with the covers and the forced looks of now.
  function write() {
    free = free || written({});
    steps = steered() ? written(state) : free;
    for (const at of [...state.looks.keys()]) if (at >= steps.length) state.looks.delete(at);
    draw();
    refill(figure, "", ["", "", ...source, "end"], steps.map(({ word, weights }) => rowOf(word,
      [headCell("row", told.gloss[word] || ""), ...weights.map((weight) => weightCell(weight))])));
    offerKeys();
    figure.remember();
  }
  const say = (text) => { done = text; figure.say(text); };

  // ---- what the reader can do
  // As it is at first: all words out, no step chosen, nothing covered, nothing forced.
  function begin(parts) {
    Object.assign(state, { shown: Infinity, at: -1, kept: -1 }, parts);
    state.covered.clear();
    state.looks.clear();
    below.style.minHeight = "";
    sentence();
    write();
    say(`${source.length} words. ${summary()}${steps.length > CROWDED ? " Point at a German word to see its looks." : ""}`);
  }
  const turnTo = (chosen, length) => begin({ family: chosen, length, own: null });

  function type(text) {
    const { refused, words } = wordsOf(text, told.words.source.slice(END + 1), data.most,
      { where: ` Its words stand under “${MORE}”.` });
    if (refused) {
      // The words below answer another sentence.
      figure.root.classList.add("cl-stale");
      say(refused);
      return false;
    }
    begin({ own: words });
    const least = steps.reduce((one, next) => (next.sure < one.sure ? next : one), { sure: 1 });
    say((least.sure < UNSURE ? `Do not trust this one: it is unsure at “${least.word}” (${digits(least.sure)}), `
      + "so it has hardly read sentences of this form. " : "") + summary());
    return true;
  }

  function cover(place) {
    const opens = state.covered.delete(place), before = wordsIn(steps).join(" ");
    if (!opens && state.covered.size === source.length) { say("One word must stay open."); return; }
    if (!opens) state.covered.add(place);
    Object.assign(state, { shown: Infinity, at: state.kept });
    write();
    say(`${nameOf(place)} is ${opens ? "open again" : "covered"}. ${wordsIn(steps).join(" ") === before ? "Nothing changes." : summary()}`);
  }

  function look(at, place) {
    figure.stop();
    if (place === null) state.looks.delete(at); else state.looks.set(at, place);
    Object.assign(state, { shown: Infinity, at, kept: at });
    write();
    say(place === null ? `Step ${at + 1} looks where it likes. ${summary()}`
      : `Step ${at + 1} must look at ${nameOf(place)}; click it to let go. ${summary()}`);
  }

  // What differs from the right translation or, where the reader steers, from the free one.
  function summary() {
    const words = wordsIn(steps), against = steered() ? wordsIn(free) : wanted;
    if (!against) return `It writes ${words.length} words.`;
    if (words.join(" ") === against.join(" ")) return steered() ? "It writes the same words as before." : "Every word is right.";
    const differ = (name, some, others) => {
      const good = inOrder(some, others), found = some.filter((word, i) => !good[i] && !isMark(word));
      return found.length ? `${name}: ${found.slice(0, NAMED).join(" ")}${found.length > NAMED ? " …" : ""}. ` : "";
    };
    const [fresh, gone] = steered() ? ["New", "Gone"] : ["Wrong", "Missing"];
    return (differ(fresh, words, against) + differ(gone, against, words)).trim() || "The commas differ.";
  }

  // The sentence stays; a second time it is the one that the page opened on.
  function reset() {
    if (steered() || state.shown < steps.length || state.at >= 0) begin({});
    else turnTo(data.family, data.length);
  }

  // Draws the looks of one step, or of all for -1, and says what is seen.
  function pick(at) {
    state.at = at;
    draw();
    if (at < 0) { figure.say(done); return; }
    const { word, weights } = steps[at], place = argmax(weights);
    figure.say(`Step ${at + 1}: “${word}”, ${state.looks.has(at) ? `held at ${nameOf(place)}: click it to let go.`
      : `looks most at ${nameOf(place)} (${weights[place].toFixed(2)}).`}`);
  }
  function keep(at) {
    state.kept = at;
    offerKeys();
    pick(at);
  }

  // ---- drawing: the same elements stay, so that focus and pointer keep their place
  const englishWord = (place) => wordKey(() => wake(() => cover(place)), "text");
  // The ring stands beside its button, since a browser may tell no child of a button of a pointer.
  function germanWord(at) {
    // The chip around it answers a click.
    const button = wordKey(() => {}, "text", "gloss"), ring = make("span", { class: "cl-ring", "aria-hidden": "true" });
    const chip = make("span", { class: "cl-chip" }, [button, ring]);
    handle(chip, ring, at);
    return chip;
  }

  function draw() {
    figure.root.classList.remove("cl-stale");
    const tokens = [...source, "end"], words = wordsIn(steps);
    fill(above, tokens.length, englishWord).forEach((button, j) => {
      const covered = state.covered.has(j);
      button.firstChild.textContent = tokens[j];
      alter(button, { "aria-pressed": covered, "aria-label": `${j === source.length ? "end mark" : tokens[j]}, cover`,
        on: { "cl-end": j === source.length, "cl-sign": isMark(tokens[j]), "cl-covered": covered } });
    });
    const good = inOrder(words, steered() && free ? wordsIn(free) : wanted || words);
    fill(below, steps.length, germanWord).forEach(({ firstChild: button }, at) => {
      const word = words[at], gloss = told.gloss[word], held = state.looks.has(at);
      button.children[0].textContent = word;
      button.children[1].textContent = glossOf(word, told.gloss);
      alter(button, {
        on: { "cl-sign": isMark(word), "cl-forced": held, "cl-changed": !good[at], "cl-later": at >= state.shown },
        "aria-label": `${word}${gloss ? ` (${gloss})` : ""}, looks at ${tokens[argmax(steps[at].weights)]}`
          + `${held ? ", held there" : ""}` });
    });
    grow.show(state.length + 1);
    grow.input.disabled = state.own !== null;
    family.mark(state.own ? null : state.family);
    lines();
    drawArcs();
  }

  function lines() {
    const sentence = state.own ? {} : told.families[state.family][state.length];
    right.replaceChildren();
    squeezed.replaceChildren();
    if (!sentence.de) return;
    // What stands below as German is not said twice, unless it is too long to be compared there.
    right.hidden = wordsIn(free || steps).join(" ") === sentence.de && steps.length <= CROWDED;
    right.append(make("b", {}, ["right"]), make("span", GERMAN, [sentence.de]));
    const words = sentence["one vector"].split(" "), good = inOrder(words, wanted);
    squeezed.append(make("b", {}, ["one vector"]),
      make("span", GERMAN, words.flatMap((word, i) => [good[i] || isMark(word) ? word : make("em", {}, [word]), " "])),
      make("small", {}, [`word by word: ${words.map((word) => told.gloss[word] || word).join(" ")}`]));
  }

  // Of the words that are out and sure of their look, the one that looks farthest from its own
  // place in the sentence; in the first row, since the looks of a later one run across it.
  function farthest(ends) {
    const far = steps.slice(0, state.shown).map(({ weights }, at) => {
      const most = Math.max(...weights), here = ends[at].top - ends[0].top < 5;
      const off = Math.abs(weights.indexOf(most) * steps.length - at * source.length);
      return here ? off + 1e6 * Number(most > SURE) : -1;
    });
    return far.lastIndexOf(Math.max(...far));
  }

  function drawArcs() {
    // A shorter translation of the same sentence leaves everything below where it was.
    keepRoom(below);
    const middle = fitArcs(arcs, board), place = board.getBoundingClientRect();
    const tops = [...above.children].map(middle), ends = [...below.children].map(middle);
    const rows = (boxes) => boxes.some((box) => Math.abs(box.top - boxes[0].top) > 5);
    const crowded = steps.length > CROWDED || rows(tops) || rows(ends), all = state.at < 0;
    const alone = all ? farthest(ends) : state.at, chosen = crowded ? alone : state.at;
    arcs.replaceChildren(...steps.flatMap(({ weights }, at) =>
      (at >= state.shown || (crowded && at !== alone) ? [] : arcsUp(middle, below.children[at], weights, above, (weight) => ({
        class: at === state.at ? "cl-here" : all ? "" : "cl-faint",
        "stroke-opacity": Math.min(1, (all ? 0.15 : 0.4) + weight).toFixed(2) })))));
    if (thread) {
      const { x, top } = ends[thread.at];
      arcs.append(shape("path", { class: "cl-thread",
        d: `M${x} ${top}L${thread.x - place.left} ${thread.y - place.top}` }));
    }
    const here = chosen < state.shown ? steps[chosen] : null;
    [...below.children].forEach((chip, at) => chip.firstChild.classList.toggle("cl-at", at === chosen));
    [...above.children].forEach((word, j) =>
      alter(word, { on: { "cl-seen": here && here.weights[j] >= 0.3, "cl-drop": thread && thread.place === j } }));
  }

  // ---- a word of the translation: point, drag, arrow keys
  // A finger that draws a word scrolls the page; one that draws a ring does not.
  function handle(chip, ring, at) {
    let from = null, moved = false;
    const point = () => { if (!thread && state.at !== at) pick(at); };
    chip.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) point();
    });
    chip.addEventListener("focusin", point);
    chip.addEventListener("pointerdown", (event) => {
      moved = false;
      if (event.pointerType === "touch" && event.target !== ring) return;
      early();
      from = [event.clientX, event.clientY];
      chip.setPointerCapture(event.pointerId);
    });
    chip.addEventListener("pointermove", (event) => {
      if (!from) return;
      moved = moved || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 6;
      if (!moved) return;
      const place = wordUnder(event, above);
      thread = { at, place, x: event.clientX, y: event.clientY };
      if (net && place >= 0 && state.looks.get(at) !== place) look(at, place); else drawArcs();
    });
    const end = () => {
      if (thread && !state.looks.has(at)) say("Let go of a ring on an English word, and the step must look there.");
      from = thread = null;
      if (moved) drawArcs();
    };
    chip.addEventListener("pointerup", end);
    chip.addEventListener("pointercancel", end);
    chip.addEventListener("click", (event) => {
      // The end of a drag is no click; the Enter key, which moves nothing, is one.
      if (moved && event.detail) return;
      wake(() => { if (state.looks.has(at)) look(at, null); else keep(state.kept === at ? -1 : at); });
    });
    chip.addEventListener("keydown", (event) => {
      if (["Escape", "Delete", "Backspace"].includes(event.key) && state.looks.has(at)) {
        event.stopPropagation();
        wake(() => look(at, null));
      } else if (/^Arrow(Left|Right)$/.test(event.key)) {
        onArrow(event, (by) => wake(() =>
          look(at, Math.max(0, Math.min(source.length, argmax(steps[at].weights) + by)))));
      }
    });
  }
  // A drag of the mouse marks no text.
  board.addEventListener("selectstart", (event) => event.preventDefault());
  board.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && state.at !== state.kept) pick(state.kept);
  });
  board.addEventListener("focusout", (event) => {
    if (state.at !== state.kept && !board.contains(event.relatedTarget)) pick(state.kept);
  });
  board.addEventListener("keydown", (event) => { if (event.key === "Escape") keep(-1); });

  // ---- the address: what the reader made can be sent
  const address = () => [state.own ? state.own.join("_") : `${state.family}.${state.length}`,
    [...state.covered].join("."), [...state.looks].map((pair) => pair.join("-")).join(".")].join("~");
  function restore(text) {
    const [chosen, covered = "", looks = ""] = text.split("~");
    wake(() => {
      const numbers = wholes(chosen, [data.families.length, data.clauses]);
      if (numbers) turnTo(...numbers);
      else if (/^[\d.]*$/.test(chosen) || !type(chosen.replaceAll("_", " "))) return;
      const places = source.length + 1;
      covered.split(".").flatMap((j) => wholes(j, [places]) || []).forEach((j) => state.covered.add(j));
      looks.split(".").map((pair) => wholes(pair.replace("-", "."), [Infinity, places])).filter(Boolean)
        .forEach(([at, j]) => state.looks.set(at, j));
      if (state.covered.size === places) state.covered.clear();
      write();
      say(summary());
    });
  }

  draw();
  whenResized(board, () => { below.style.minHeight = ""; drawArcs(); });
  figure.say(done);
  keepInAddress(figure, address, restore);
}
