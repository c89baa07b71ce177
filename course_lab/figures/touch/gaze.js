// Steer its gaze: the sentence above, what the network writes below, and where it looks between.

// With more words than this, or in more than one row, only one step's looks are drawn at a time.
const CROWDED = 16;
// So many changed words are named; of more, it is said that there are more.
const NAMED = 3;
// The weight of a look that may stand for all.
const SURE = 0.7;
// Milliseconds for a word of the playing sentence, and for the last one.
const BEAT = 650, LAST_BEAT = 1200;
// Of 300 sentences of the grammar, it was this sure of each word that it wrote in all but some eight.
const UNSURE = 0.75;
const NET_WAIT = "The network is loading.";

// Commas and full stops are no words to be right or wrong about.
function isMark(word) { return word === "," || word === "."; }

function gazeFigure(figure, data) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  // `own` is a typed sentence in place of one of a family; `shown` says how many words are out; `at`
  // is the step whose looks are drawn, and `kept` the one that stays when the pointer leaves.
  const state = { family: data.family, length: data.length, own: null, covered: new Set(),
    looks: new Map(), shown: Infinity, at: -1, kept: -1 };
  let net = null, told = { families: { [data.family]: { [data.length]: data.first } }, gloss: data.gloss };
  let source = data.source, steps = data.steps, wanted = data.wanted, free = null, timer = 0;
  // What was done last, in words; and a ring on its way: whose, where, and over which English word.
  let done = data.say, thread = null;

  // ---- the parts of the figure
  const above = wordRow("cl-above", "English"), below = wordRow("cl-below", "German"), arcs = arcsOf();
  const board = make("div", { class: "cl-board" }, [arcs, above, below]);
  const right = make("p", { class: "cl-line" }), squeezed = make("p", { class: "cl-line" });
  figure.stage.append(right, squeezed, board);

  figure.folds = false;
  const key = (text, act) => press(text, () => wake(act));
  const play = key("Play", () => (timer ? stop() : start()));
  const family = sentenceMenu(data.families, (i) => wake(() => turnTo(i, state.length)),
    { class: "cl-wide", "aria-label": "sentence" });
  const grow = make("input", { type: "range", min: 1, max: data.clauses, value: data.length + 1 });
  const grown = make("output", {});
  grow.addEventListener("input", () => wake(() => turnTo(state.family, grow.value - 1)));
  const { form } = sentenceBox("Write it", "the small dog sleeps .", (text) => wake(() => type(text)));
  // For the second minute.
  const known = make("p", { class: "cl-note cl-known", hidden: "" }, [data.known]);
  const more = foldAway(data.more, make("div", { class: "cl-controls" },
    [labelled("grow it", grow, grown), form, foldNumbers(figure.root)]));
  more.addEventListener("toggle", () => { known.hidden = !more.open; });
  const keys = make("div", { class: "cl-keys" }, [play, key("Step", advance), key("Reset", reset)]);
  figure.controls.append(family.menu, keys, more);
  figure.line.after(known);
  // A page may hide the keys while nothing has been done, where its first screen is short of room.
  // Then they come below what is said, so that nothing moves under the finger.
  const offerKeys = () => { if (!play.getClientRects().length) figure.line.after(keys); };

  const wake = netOf(figure, (read) => {
    told = read.told;
    net = attentionNet(read.tensors);
    if (state.own === null) sentenceOfFamily(); else encodeOwn(state.own);
  }, NET_WAIT);
  const early = () => wake(() => {}, true);
  board.addEventListener("pointerenter", early, { once: true });

  const ids = (words) => words.map((word) => told.words.source.indexOf(word));

  function sentenceOfFamily() {
    const { en, de } = told.families[state.family][state.length];
    source = en.split(" ");
    wanted = de.split(" ");
    free = null;
  }

  function encodeOwn(words) {
    source = words;
    wanted = null;
    free = null;
  }

  function written(options) {
    return net.write([...ids(source), END], options).map((step) => ({
      word: told.words.target[step.token], weights: step.weights, sure: step.sure,
    }));
  }

  // Writes the sentence anew, with the covers and the forced looks of now.
  function write() {
    free = free || written({});
    const steered = state.covered.size || state.looks.size;
    steps = steered ? written(state) : free;
    for (const at of [...state.looks.keys()]) if (at >= steps.length) state.looks.delete(at);
    draw();
    fillTable();
    offerKeys();
    figure.remember();
  }

  function say(text) {
    done = text;
    figure.say(text);
  }

  // ---- what the reader can do
  // As it is at first: all words out, no step chosen, nothing covered, nothing forced.
  function begin() {
    stop();
    Object.assign(state, { shown: Infinity, at: -1, kept: -1 });
    state.covered.clear();
    state.looks.clear();
    below.style.minHeight = "";
  }

  function turnTo(chosen, length) {
    begin();
    Object.assign(state, { family: chosen, length, own: null });
    sentenceOfFamily();
    write();
    const hint = steps.length > CROWDED ? " Point at a German word to see its looks." : "";
    say(`${source.length} words. ${summary()}${hint}`);
  }

  function type(text) {
    const { refused, words } = wordsOf(text, told.words.source.slice(END + 1), data.most,
      { where: ` Its words stand under “${data.more}”.` });
    begin();
    if (refused) {
      // The words below answer another sentence.
      figure.root.classList.add("cl-stale");
      say(refused);
      return false;
    }
    state.own = words;
    encodeOwn(state.own);
    write();
    const least = steps.reduce((one, next) => (next.sure < one.sure ? next : one), { sure: 1 });
    const warning = least.sure < UNSURE ? `Do not trust this one: it is unsure at “${least.word}” (${digits(least.sure)}), `
      + "so it has hardly read sentences of this form. " : "";
    say(warning + summary());
    return true;
  }

  function cover(place) {
    const opens = state.covered.has(place);
    if (!opens && state.covered.size === source.length) { say("One word must stay open."); return; }
    stop();
    opens ? state.covered.delete(place) : state.covered.add(place);
    Object.assign(state, { shown: Infinity, at: state.kept });
    const said = () => steps.map((step) => step.word).join(" "), before = said();
    write();
    const name = place < source.length ? source[place] : "the end mark";
    const what = opens ? "is open again" : "is covered";
    say(`“${name}” ${what}. ${said() === before ? "Nothing changes." : summary()}`);
  }

  function look(at, place) {
    stop();
    if (place === null) state.looks.delete(at); else state.looks.set(at, place);
    Object.assign(state, { shown: Infinity, at, kept: at });
    write();
    const name = place === null ? null : source[place] || "the end mark";
    say(name === null ? `Step ${at + 1} looks where it likes. ${summary()}`
      : `Step ${at + 1} must look at “${name}”; click it to let go. ${summary()}`);
  }

  // What differs from the right translation or, where the reader steers, from the free one.
  function summary() {
    const words = steps.map((step) => step.word), steered = state.covered.size || state.looks.size;
    const against = steered ? free.map((step) => step.word) : wanted;
    if (!against) return `It writes ${words.length} words.`;
    const differ = (some, others) => {
      const good = inOrder(some, others);
      const found = some.filter((word, i) => !good[i] && !isMark(word));
      return found.slice(0, NAMED).join(" ") + (found.length > NAMED ? " …" : "");
    };
    const fresh = differ(words, against), gone = differ(against, words);
    if (words.join(" ") === against.join(" ")) {
      return steered ? "It writes the same words as before." : "Every word is right.";
    }
    return [fresh && `${steered ? "New" : "Wrong"}: ${fresh}.`, gone && `${steered ? "Gone" : "Missing"}: ${gone}.`]
      .filter(Boolean).join(" ") || "The commas differ.";
  }

  // The sentence stays; a second time it is the one that the page opened on.
  function reset() {
    const untouched = !state.covered.size && !state.looks.size && state.shown >= steps.length
      && state.at < 0;
    if (untouched && (state.own || state.family !== data.family || state.length !== data.length)) {
      turnTo(data.family, data.length);
      return;
    }
    begin();
    write();
    say(`${source.length} words. ${summary()}`);
  }

  // Draws the looks of one step, or of all for -1, and says what is seen.
  function pick(at) {
    state.at = at;
    draw();
    if (at < 0) { figure.say(done); return; }
    const { word, weights } = steps[at], place = argmax(weights);
    const name = `“${source[place] || "the end mark"}”`;
    figure.say(`Step ${at + 1}: “${word}”, ${state.looks.has(at) ? `held at ${name}: click it to let go.`
      : `looks most at ${name} (${weights[place].toFixed(2)}).`}`);
  }

  function keep(at) {
    state.kept = at;
    offerKeys();
    pick(at);
  }

  // All words and all looks again.
  function overview() {
    stop();
    state.shown = Infinity;
    done = summary();
    keep(-1);
  }

  function advance() {
    stop();
    state.shown = state.shown >= steps.length ? 1 : state.shown + 1;
    keep(state.shown - 1);
  }

  function start() {
    if (calm.matches) {
      overview();
      say("All words at once, because your system asks for little motion. Step shows one at a time.");
      return;
    }
    if (state.shown >= steps.length) state.shown = 0;
    figure.root.classList.remove("cl-stale");
    play.textContent = "Pause";
    tick();
  }

  function tick() {
    if (state.shown >= steps.length) { overview(); return; }
    state.shown += 1;
    keep(state.shown - 1);
    timer = setTimeout(tick, state.shown < steps.length ? BEAT : LAST_BEAT);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = "Play";
    figure.root.classList.remove("cl-stale");
  }

  // ---- drawing: the same elements stay, so that focus and pointer keep their place
  const englishWord = (place) => wordKey(() => wake(() => cover(place)), "text");

  // The ring stands beside its button, since a browser may tell no child of a button of a pointer.
  function germanWord(at) {
    // The chip around it answers a click.
    const button = wordKey(() => {}, "text", "gloss");
    const ring = make("span", { class: "cl-ring", "aria-hidden": "true" });
    const chip = make("span", { class: "cl-chip" }, [button, ring]);
    handle(chip, ring, at);
    return chip;
  }

  function draw() {
    const tokens = [...source, "end"];
    fill(above, tokens.length, englishWord).forEach((button, j) => {
      const word = tokens[j];
      const covered = state.covered.has(j);
      button.firstChild.textContent = word;
      button.classList.toggle("cl-end", j === source.length);
      button.classList.toggle("cl-sign", isMark(word));
      button.classList.toggle("cl-covered", covered);
      button.setAttribute("aria-pressed", String(covered));
      button.setAttribute("aria-label", `${j === source.length ? "end mark" : word}, cover`);
    });
    const words = steps.map((step) => step.word);
    const steered = state.covered.size || state.looks.size;
    const good = inOrder(words, steered && free ? free.map((step) => step.word) : wanted || words);
    const chips = fill(below, steps.length, germanWord);
    steps.forEach((step, at) => {
      const button = chips[at].firstChild, most = argmax(step.weights);
      const gloss = told.gloss[step.word] || "";
      button.children[0].textContent = step.word;
      button.children[1].textContent = glossOf(step.word, told.gloss);
      button.classList.toggle("cl-sign", isMark(step.word));
      button.classList.toggle("cl-forced", state.looks.has(at));
      button.classList.toggle("cl-changed", !good[at]);
      button.classList.toggle("cl-later", at >= state.shown);
      button.setAttribute("aria-label", `${step.word}${gloss ? ` (${gloss})` : ""}, looks at ${tokens[most]}`
        + `${state.looks.has(at) ? ", held there" : ""}`);
    });
    grow.value = state.length + 1;
    grow.disabled = state.own !== null;
    grow.setAttribute("aria-valuetext", `${source.length} words`);
    grown.textContent = `${source.length} words`;
    family.mark(state.own ? null : state.family);
    lines();
    drawArcs();
  }

  // The table holds what the picture shows.
  function fillTable() {
    refill(figure, "", ["", "", ...source, "end"], steps.map(({ word, weights }) => rowOf(word,
      [headCell("row", told.gloss[word] || ""), ...weights.map((weight) => weightCell(weight, data.turns))])));
  }

  function lines() {
    const sentence = !state.own && told.families[state.family][state.length];
    right.replaceChildren();
    squeezed.replaceChildren();
    if (!sentence || !sentence.de) return;
    // What stands below as German is not said twice, unless it is too long to be compared there.
    right.hidden = (free || steps).map((step) => step.word).join(" ") === sentence.de && steps.length <= CROWDED;
    right.append(make("b", {}, ["right"]), make("span", {}, [sentence.de]));
    const words = sentence["one vector"].split(" "), good = inOrder(words, wanted);
    squeezed.append(make("b", {}, ["one vector"]), make("span", {},
      words.flatMap((word, i) => [good[i] || isMark(word) ? word : make("em", {}, [word]), " "])));
    const glosses = words.map((word) => told.gloss[word] || word);
    squeezed.append(make("small", {}, [`word by word: ${glosses.join(" ")}`]));
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
    below.style.minHeight = below.getBoundingClientRect().height + "px";
    const middle = fitArcs(arcs, board), place = board.getBoundingClientRect();
    arcs.replaceChildren();
    const tops = [...above.children].map(middle), ends = [...below.children].map(middle);
    const rows = (boxes) => boxes.some((box) => Math.abs(box.top - boxes[0].top) > 5);
    const crowded = steps.length > CROWDED || rows(tops) || rows(ends), all = state.at < 0;
    const alone = all ? farthest(ends) : state.at;
    steps.forEach(({ weights }, at) => {
      if (at >= state.shown || (crowded && at !== alone)) return;
      weights.forEach((weight, j) => {
        if (weight < 0.05 || !tops[j]) return;
        const from = ends[at], to = tops[j], bend = (from.top - to.bottom) / 2;
        arcs.append(arc(from.x, from.top, to.x, to.bottom, -bend, bend, weight, 5, {
          class: at === state.at ? "cl-here" : all ? "" : "cl-faint",
          "stroke-opacity": Math.min(1, (all ? 0.15 : 0.4) + weight).toFixed(2),
        }));
      });
    });
    if (thread) {
      const { x, top } = ends[thread.at];
      arcs.append(shape("path", { class: "cl-thread",
        d: `M${x} ${top}L${thread.x - place.left} ${thread.y - place.top}` }));
    }
    const chosen = crowded ? alone : state.at, here = chosen < state.shown ? steps[chosen] : null;
    [...below.children].forEach((chip, at) => chip.firstChild.classList.toggle("cl-at", at === chosen));
    [...above.children].forEach((word, j) => {
      word.classList.toggle("cl-seen", Boolean(here && here.weights[j] >= 0.3));
      word.classList.toggle("cl-drop", Boolean(thread && thread.place === j));
    });
  }

  // ---- a word of the translation: point, drag, arrow keys
  // A finger that draws a word scrolls the page; one that draws a ring does not.
  function handle(chip, ring, at) {
    let from = null, moved = false;
    const under = (event) => {
      const word = document.elementFromPoint(event.clientX, event.clientY);
      const place = [...above.children].indexOf(word && word.closest(".cl-word"));
      return place < 0 ? null : place;
    };
    const point = () => { if (!timer && !thread && state.at !== at) pick(at); };
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
      const place = under(event);
      thread = { at, place, x: event.clientX, y: event.clientY };
      if (net && place !== null && state.looks.get(at) !== place) look(at, place); else drawArcs();
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
      wake(() => {
        stop();
        if (state.looks.has(at)) look(at, null); else keep(state.kept === at ? -1 : at);
      });
    });
    chip.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (move) {
        wake(() => {
          const now = argmax(steps[at].weights);
          look(at, Math.max(0, Math.min(source.length, now + move)));
        });
      } else if (["Escape", "Delete", "Backspace"].includes(event.key) && state.looks.has(at)) {
        wake(() => look(at, null));
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
  // A drag of the mouse marks no text.
  board.addEventListener("selectstart", (event) => event.preventDefault());
  board.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !timer && state.at !== state.kept) pick(state.kept);
  });
  board.addEventListener("focusout", (event) => {
    if (!timer && state.at !== state.kept && !board.contains(event.relatedTarget)) pick(state.kept);
  });
  board.addEventListener("keydown", (event) => { if (event.key === "Escape") overview(); });

  // ---- the address: what the reader made can be sent
  function tell() {
    const pairs = [...state.looks].map(([at, place]) => `${at}-${place}`);
    return [state.own ? state.own.join("_") : `${state.family}.${state.length}`,
      [...state.covered].join("."), pairs.join(".")].join("~");
  }

  function restore(text) {
    const parts = text.split("~");
    const whole = (text) => /^\d+$/.test(text || "");
    wake(() => {
      const [chosen, covered = "", looks = ""] = parts;
      if (/^\d+\.\d+$/.test(chosen)) {
        const [a, b] = chosen.split(".").map(Number);
        if (!told.families[a] || b >= data.clauses) return;
        turnTo(a, b);
      } else if (!type(chosen.replaceAll("_", " "))) return;
      covered.split(".").filter((j) => whole(j) && j <= source.length).forEach((j) => state.covered.add(Number(j)));
      looks.split(".").map((pair) => pair.split("-")).filter(([a, j]) => whole(a) && whole(j) && j <= source.length)
        .forEach(([a, j]) => state.looks.set(Number(a), Number(j)));
      if (state.covered.size > source.length) state.covered.clear();
      write();
      say(summary());
    });
  }

  draw();
  whenResized(board, () => { below.style.minHeight = ""; drawArcs(); });
  figure.say(data.say);
  reserve(figure, () => [data.say, data.longest]);
  keepInAddress(figure, tell, restore);
}
