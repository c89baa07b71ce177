// Steer its gaze: the sentence above, what the network writes below, and where it looks between.

// With more words than this only one step's looks are drawn at a time, or the strongest, faintly.
const CROWDED = 16;
const NET_WAIT = "The network is loading.";

// The longest common subsequence: for each word of `words` whether it is in `wanted`, in order.
function kept(words, wanted) {
  const table = Array.from({ length: words.length + 1 }, () => new Uint16Array(wanted.length + 1));
  for (let i = words.length - 1; i >= 0; i -= 1) {
    for (let j = wanted.length - 1; j >= 0; j -= 1) {
      table[i][j] = words[i] === wanted[j]
        ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  const found = [];
  for (let i = 0, j = 0; i < words.length; i += 1) {
    while (j < wanted.length && words[i] !== wanted[j] && table[i][j + 1] > table[i + 1][j]) j += 1;
    const same = j < wanted.length && words[i] === wanted[j];
    found.push(same);
    if (same) j += 1;
  }
  return found;
}

// Commas and full stops are no words to be right or wrong about.
function isMark(word) { return word === "," || word === "."; }

function gazeFigure(figure, data) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const stored = figure.root.querySelector(".cl-net");
  // `own` is a typed sentence in place of one of a family; `shown` says how many words are out.
  const state = { family: data.family, length: data.length, own: null, covered: new Set(),
    looks: new Map(), shown: Infinity, at: -1 };
  let net = null, told = { families: { [data.family]: { [data.length]: data.first } }, gloss: data.gloss };
  let source = data.source, steps = data.steps, wanted = data.wanted, free = null, timer = 0;

  // ---- the parts of the figure
  const above = make("div", { class: "cl-words cl-above", role: "group", "aria-label": "English" });
  const below = make("div", { class: "cl-words cl-below", role: "group", "aria-label": "German" });
  const arcs = shape("svg", { class: "cl-arcs", "aria-hidden": "true" });
  const board = make("div", { class: "cl-board" }, [arcs, above, below]);
  const right = make("p", { class: "cl-line" }), squeezed = make("p", { class: "cl-line" });
  figure.stage.append(board, right, squeezed);

  const key = (text, act) => {
    const button = make("button", { type: "button" }, [text]);
    button.addEventListener("click", () => wake(act));
    return button;
  };
  const play = key("Play", () => (timer ? stop() : start()));
  const family = make("select", { "aria-label": "sentence" },
    data.families.map((name, i) => make("option", { value: i }, [name])));
  family.selectedIndex = data.family;
  family.addEventListener("change", () => wake(() => choose(family.selectedIndex, state.length)));
  const grow = make("input", { type: "range", min: 1, max: data.clauses, value: data.length + 1 });
  const grown = make("output", {});
  grow.addEventListener("input", () => wake(() => choose(state.family, grow.value - 1)));
  const own = make("input", { type: "text", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", placeholder: "the small dog sleeps .", "aria-label": "your own sentence" });
  const form = make("form", {}, [own, make("button", { type: "submit" }, ["Write it"])]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    wake(() => type(own.value));
  });
  figure.controls.append(
    play, key("Step", advance), key("Reset", reset),
    make("label", { class: "cl-wide" }, [make("span", { class: "cl-note" }, ["sentence"]), family]),
    make("label", {}, [make("span", { class: "cl-note" }, ["grow it"]), grow, grown]),
  );
  figure.stage.append(make("details", { class: "cl-own" }, [
    make("summary", {}, ["Type a sentence of your own"]), form,
    make("p", { class: "cl-note" }, [data.known]),
  ]));

  // ---- the network, fetched when the figure is first touched
  let waiting = null;
  function wake(act) {
    if (net) { act(); return; }
    figure.say(NET_WAIT);
    waiting = waiting || new Promise((done, fail) => {
      if (!stored.dataset.src) { done(stored.textContent.trim()); return; }
      const script = make("script", { src: stored.dataset.src });
      script.addEventListener("load", () => done(window.courseNet));
      script.addEventListener("error", fail);
      document.head.append(script);
    }).then((base64) => {
      const read = readTensors(base64);
      told = read.told;
      net = attentionNet(read.tensors);
      if (state.own === null) sentenceOfFamily(); else encodeOwn(state.own);
    });
    waiting.then(act, () => { waiting = null; figure.say("The network could not be loaded."); });
  }
  const early = () => wake(write);
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
      word: told.words.target[step.token], weights: step.weights,
    }));
  }

  // Writes the sentence anew, with the covers and the forced looks of now.
  function write() {
    free = free || written({});
    const steered = state.covered.size || state.looks.size;
    steps = steered ? written(state) : free;
    for (const at of [...state.looks.keys()]) if (at >= steps.length) state.looks.delete(at);
    draw();
    figure.remember();
  }

  // ---- what the reader can do
  function choose(chosen, length) {
    stop();
    Object.assign(state, { family: chosen, length, own: null, shown: Infinity, at: -1 });
    state.covered.clear();
    state.looks.clear();
    sentenceOfFamily();
    write();
    figure.say(`${source.length} words. ${summary()}`);
  }

  function type(text) {
    const words = text.trim().split(/\s+/).flatMap((word) => word.match(/[^.,]+|[.,]/g) || []);
    if (words.length && words[words.length - 1] !== ".") words.push(".");
    const known = new Map(told.words.source.slice(END + 1).map((word) => [word.toLowerCase(), word]));
    const strange = words.filter((word) => !known.has(word.toLowerCase()));
    if (words.length < 2) { figure.say("Wanted a sentence, such as: the small dog sleeps ."); return; }
    if (strange.length) {
      figure.say(`The network does not know “${strange[0]}”. Its words stand above.`);
      return;
    }
    if (words.length > data.most) {
      figure.say(`Wanted at most ${data.most} words, got ${words.length}.`);
      return;
    }
    stop();
    Object.assign(state, { own: words.map((word) => known.get(word.toLowerCase())), shown: Infinity, at: -1 });
    state.covered.clear();
    state.looks.clear();
    encodeOwn(state.own);
    write();
    figure.say(summary());
  }

  function cover(place) {
    state.covered.has(place) ? state.covered.delete(place) : state.covered.add(place);
    if (state.covered.size > source.length) state.covered.delete(place);
    const said = () => steps.map((step) => step.word).join(" "), before = said();
    write();
    const name = place < source.length ? source[place] : "the end mark";
    const what = state.covered.has(place) ? "is covered" : "is open again";
    figure.say(`“${name}” ${what}. ${said() === before
      ? "Nothing changes: the states beside it say enough." : summary()}`);
  }

  function look(at, place) {
    if (place === null) state.looks.delete(at); else state.looks.set(at, place);
    state.at = at;
    state.shown = Infinity;
    write();
    const name = place === null ? null : source[place] || "the end mark";
    figure.say(name === null ? `Step ${at + 1} looks where it likes. ${summary()}`
      : `Step ${at + 1} must look at “${name}” and writes “${steps[at] ? steps[at].word : "the end"}”. ${summary()}`);
  }

  // What differs from the right translation or, where the reader steers, from the free one.
  function summary() {
    const words = steps.map((step) => step.word), steered = state.covered.size || state.looks.size;
    const against = steered ? free.map((step) => step.word) : wanted;
    if (!against) return `It writes ${words.length} words.`;
    const differ = (some, others) => {
      const good = kept(some, others);
      return some.filter((word, i) => !good[i] && !isMark(word)).join(" ");
    };
    const fresh = differ(words, against), gone = differ(against, words);
    if (words.join(" ") === against.join(" ")) {
      return steered ? "It writes the same words as before." : "Every word is right.";
    }
    return [fresh && `${steered ? "New" : "Wrong"}: ${fresh}.`, gone && `${steered ? "Gone" : "Missing"}: ${gone}.`]
      .filter(Boolean).join(" ") || "The commas differ.";
  }

  // As it was at first: the sentence, its length, nothing covered, nothing forced.
  function reset() { choose(data.family, data.length); }

  function advance() {
    stop();
    state.shown = state.shown >= steps.length ? 1 : state.shown + 1;
    arrive();
  }

  function arrive() {
    state.at = state.shown - 1;
    draw();
    const { word, weights } = steps[state.at];
    const place = weights.indexOf(Math.max(...weights));
    figure.say(`Step ${state.shown}: “${word}”, looking most at “${source[place] || "the end mark"}” (${weights[place].toFixed(2)}).`);
  }

  function start() {
    if (calm.matches) { state.shown = Infinity; state.at = -1; draw(); return; }
    state.shown = 0;
    play.textContent = "Pause";
    timer = setInterval(() => {
      state.shown += 1;
      arrive();
      if (state.shown >= steps.length) stop();
    }, 650);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  // ---- drawing: the same elements stay, so that focus and pointer keep their place
  function chip(row, place, act) {
    let button = row.children[place];
    if (!button) {
      button = make("button", { type: "button", class: "cl-word" }, [
        make("span", { class: "cl-text" }), make("span", { class: "cl-gloss" }),
      ]);
      act(button, place);
      row.append(button);
    }
    return button;
  }

  function draw() {
    const tokens = [...source, "end"];
    tokens.forEach((word, j) => {
      const button = chip(above, j, (made) => made.addEventListener("click", () => wake(() => cover(j))));
      const covered = state.covered.has(j);
      button.children[0].textContent = word;
      button.classList.toggle("cl-end", j === source.length);
      button.classList.toggle("cl-covered", covered);
      button.setAttribute("aria-pressed", String(covered));
      button.setAttribute("aria-label", `${j === source.length ? "end mark" : word}, cover`);
    });
    while (above.children.length > tokens.length) above.lastChild.remove();
    const words = steps.map((step) => step.word);
    const steered = state.covered.size || state.looks.size;
    const good = kept(words, steered && free ? free.map((step) => step.word) : wanted || words);
    steps.forEach((step, at) => {
      const button = chip(below, at, handle);
      const most = step.weights.indexOf(Math.max(...step.weights));
      const gloss = told.gloss[step.word] || "";
      button.children[0].textContent = step.word;
      button.children[1].textContent = gloss && gloss !== step.word ? gloss : "\u00a0";
      button.classList.toggle("cl-forced", state.looks.has(at));
      button.classList.toggle("cl-changed", !good[at]);
      button.classList.toggle("cl-at", at === state.at);
      button.classList.toggle("cl-later", at >= state.shown);
      button.setAttribute("aria-label", `${step.word}${gloss ? ` (${gloss})` : ""}, looks at ${tokens[most]}`
        + `${state.looks.has(at) ? ", held there" : ""}`);
    });
    while (below.children.length > steps.length) below.lastChild.remove();
    grow.value = state.length + 1;
    grow.disabled = state.own !== null;
    grow.setAttribute("aria-valuetext", `${source.length} words`);
    grown.textContent = `${source.length} words`;
    family.selectedIndex = state.own ? -1 : state.family;
    lines();
    drawArcs();
  }

  function lines() {
    const sentence = !state.own && told.families[state.family][state.length];
    right.replaceChildren();
    squeezed.replaceChildren();
    if (!sentence || !sentence.de) return;
    right.append(make("b", {}, ["right"]), make("span", { lang: "de" }, [sentence.de]));
    const words = sentence["one vector"].split(" "), good = kept(words, wanted);
    squeezed.append(make("b", {}, ["one vector"]), make("span", { lang: "de" },
      words.flatMap((word, i) => [good[i] || isMark(word) ? word : make("del", {}, [word]), " "])));
    const glosses = words.map((word) => told.gloss[word] || word);
    squeezed.append(make("small", {}, [`word by word: ${glosses.join(" ")}`]));
  }

  function drawArcs() {
    const place = board.getBoundingClientRect();
    arcs.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
    arcs.replaceChildren();
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.left + box.width / 2 - place.left, top: box.top - place.top, bottom: box.bottom - place.top };
    };
    const tops = [...above.children].map(middle), ends = [...below.children].map(middle);
    const crowded = steps.length > CROWDED, least = crowded ? 0.3 : 0.05;
    steps.forEach((step, at) => {
      if (at >= state.shown || (crowded && state.at >= 0 && at !== state.at)) return;
      step.weights.forEach((weight, j) => {
        if (weight < (at === state.at ? 0.05 : least) || !tops[j]) return;
        const from = ends[at], to = tops[j], bend = (from.top - to.bottom) / 2;
        arcs.append(shape("path", {
          d: `M${from.x} ${from.top}C${from.x} ${from.top - bend} ${to.x} ${to.bottom + bend} ${to.x} ${to.bottom}`,
          class: at === state.at ? "cl-here" : state.at < 0 && !crowded ? "" : "cl-faint",
          "stroke-width": (0.5 + 5 * weight).toFixed(1),
          "stroke-opacity": Math.min(1, 0.15 + weight).toFixed(2),
        }));
      });
    });
    above.querySelectorAll(".cl-seen").forEach((word) => word.classList.remove("cl-seen"));
    const here = steps[state.at];
    if (here && state.at < state.shown) {
      here.weights.forEach((weight, j) => above.children[j].classList.toggle("cl-seen", weight >= 0.3));
    }
  }

  // ---- a word of the translation: point, drag, arrow keys
  function handle(button, at) {
    let from = null, moved = false;
    const under = (event) => {
      const word = document.elementFromPoint(event.clientX, event.clientY);
      const found = word && word.closest(".cl-word");
      return found && found.parentElement === above ? [...above.children].indexOf(found) : null;
    };
    const point = () => { if (state.at !== at) { state.at = at; draw(); } };
    button.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse" && !event.buttons && !timer) point(); });
    button.addEventListener("focus", () => { if (!timer) point(); });
    button.addEventListener("pointerdown", (event) => {
      wake(() => {});
      from = [event.clientX, event.clientY];
      moved = false;
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", (event) => {
      if (!from || !net) return;
      moved = moved || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 6;
      const place = moved ? under(event) : null;
      if (place !== null && state.looks.get(at) !== place) { stop(); look(at, place); }
    });
    const end = () => { from = null; };
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
    button.addEventListener("click", () => wake(() => {
      if (!moved && state.looks.has(at)) look(at, null); else { state.at = at; draw(); }
    }));
    button.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (move) {
        wake(() => {
          const { weights } = steps[at], now = weights.indexOf(Math.max(...weights));
          look(at, Math.max(0, Math.min(source.length, now + move)));
        });
      } else if (["Escape", "Delete", "Backspace"].includes(event.key) && state.looks.has(at)) {
        wake(() => look(at, null));
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

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
        if (told.families[a] && b < data.clauses) choose(a, b);
      } else type(chosen.replaceAll("_", " "));
      covered.split(".").filter((j) => whole(j) && j <= source.length).forEach((j) => state.covered.add(Number(j)));
      looks.split(".").map((pair) => pair.split("-")).filter(([a, j]) => whole(a) && whole(j) && j <= source.length)
        .forEach(([a, j]) => state.looks.set(Number(a), Number(j)));
      write();
    });
  }

  figure.numbers.before(foldNumbers(figure.root));
  draw();
  new ResizeObserver(drawArcs).observe(board);
  figure.say(data.say);
  keepInAddress(figure, tell, restore);
}
