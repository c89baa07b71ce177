// Type a sentence: the words above, the one vector below them, and what is written from it, step by step.

// Milliseconds for a word of the sentence that is read.
const READING = 900;

function squeezeFigure(figure, data) {
  // `own` is a typed sentence in place of an offered one; `read` says how many words are read; `step`
  // is the German word that is looked into, -1 where nobody chose one; `told`: the decoder reads the
  // true words in the place of its own.
  const state = { chosen: data.chosen, own: null, read: data.sentences[data.chosen].en.length,
    step: -1, told: false };
  let net = null, words = null, rooms = [];
  let shown = { written: data.written, vector: data.vector, odds: data.odds };
  const source = () => state.own || data.sentences[state.chosen].en;
  const whole = () => state.read === source().length;
  // The right translation, where it is known: of an offered sentence that is read to its end.
  const wanted = () => (state.own || !whole() ? null : data.sentences[state.chosen].de);
  const told = () => state.told && wanted() !== null;

  // ---- the parts of the figure
  const above = wordRow("cl-above", "English"), below = wordRow("cl-below", "German");
  const right = make("p", { class: "cl-line" });
  const bars = shape("svg", { class: "cl-vector", role: "img" });
  const note = (text) => make("p", { class: "cl-note" }, [text]);
  const odds = oddsPanel(sense, data.shown);
  const feed = choose(figure, "after each word it reads", ["its own", "the true one"], 0, (i) => {
    wake(() => { Object.assign(state, { told: i === 1, step: -1 }); go(state.read); });
  });
  figure.stage.append(note("It reads. A click on a word ends the sentence there:"), above,
    note(`All that it keeps: ${data.vector.length} numbers.`), bars,
    note("It writes from them. A click on a word opens its step:"), below,
    make("div", { class: "cl-feed" }, [feed.label]), right, figure.line, odds.panel);

  const menu = sentenceMenu(data.sentences.map((each) => `${each.en.length}: ${each.en.join(" ")}`),
    (i) => { time.stop(); wake(() => take(i)); }, { class: "cl-wide", "aria-label": "sentence" });
  const { form, input: box } = sentenceBox("Translate", "type: the small dog sleeps .",
    (text) => { time.stop(); wake(() => type(text)); });
  const end = () => source().length;
  const time = stepper(data.most, READING, () => (state.read >= end() ? data.most : state.read),
    (place) => wake(() => go(place === data.most ? end() : Math.max(1, place))), () => wake(() => {
      Object.assign(state, { chosen: data.chosen, own: null, read: data.sentences[data.chosen].en.length });
      feed.set(0);
    }));
  // Why a sentence is refused stands at the form, where the reader looks and no keyboard of a phone lies.
  const refusal = make("p", { class: "cl-refusal", role: "status" });
  const known = foldAway("Your own sentence", form, refusal, note(data.known));
  figure.controls.append(menu.menu, ...time.keys);
  figure.stage.after(known);
  figure.folds = ["As a table", "Hide the table"];

  const wake = netOf(figure, ({ tensors, told }) => {
    words = told.words;
    net = oneVectorNet(tensors);
  });
  figure.root.addEventListener("pointerenter", () => wake(() => {}), { once: true });

  // ---- what the reader can do
  function take(chosen) {
    Object.assign(state, { chosen, own: null });
    go(end());
  }

  function type(text) {
    const { refused, words: list } = wordsOf(text, words.source.slice(END + 1), data.most,
      { where: " Its words stand below.", counted: "words and marks" });
    refusal.textContent = refused;
    if (refused) {
      // What stands in the figure is no answer to what was typed.
      figure.root.classList.add("cl-stale");
      refusal.scrollIntoView({ block: "nearest" });
      figure.say("Not translated. What stands here is still the sentence before.");
      return;
    }
    state.own = list;
    go(end());
    // The answer stands above the form; a phone's keyboard would hide it.
    if (matchMedia("(pointer: coarse)").matches) box.blur();
    above.scrollIntoView({ block: "nearest" });
  }

  // Reads so many words and lets the sentence end there.
  function go(read) {
    Object.assign(state, { read: Math.min(read, end()), step: -1 });
    figure.root.classList.remove("cl-stale");
    refusal.textContent = "";
    const part = source().slice(0, state.read).filter((word, i, all) => word !== "," || i < all.length - 1);
    if (part[part.length - 1] !== ".") part.push(".");
    const vector = net.read([...part.map((word) => words.source.indexOf(word)), END]);
    const made = net.write(vector, told() ? wanted().map((word) => words.target.indexOf(word)) : null);
    shown = {
      written: made.map(({ token }) => words.target[token]),
      vector: [...vector],
      odds: made.map(({ shares }, i) => ({
        top: order(shares).slice(0, data.shown).map((id) => [words.target[id], shares[id]]),
        right: wanted() && i < wanted().length ? shares[words.target.indexOf(wanted()[i])] : 0,
      })),
    };
    draw();
    figure.say(summary());
    figure.remember();
  }

  // Looks into the step of a German word.
  function open(step) {
    state.step = step;
    draw();
    figure.remember();
  }

  // The places of the words that are wrong: with the true words before them one by one, and otherwise
  // those that have no partner in the right translation.
  function wrongs() {
    const right = wanted();
    if (!right) return new Set();
    const good = told() ? shown.written.map((word, i) => word === right[i]) : inOrder(shown.written, right, true);
    return new Set(shown.written.map((_, i) => i).filter((i) => !good[i]));
  }

  // The step that is shown: the one that was chosen, or the first wrong word, or the least sure one.
  function opened(wrong) {
    if (state.step >= 0 && state.step < shown.written.length) return state.step;
    if (wrong.size) return Math.min(...wrong);
    const sure = shown.odds.map(({ top }) => top[0][1]);
    return sure.indexOf(Math.min(...sure));
  }

  function summary() {
    const count = `${end()} words and marks in ${data.vector.length} numbers. `, wrong = wrongs(), { written } = shown;
    const shut = " The true words are known for whole sentences from the menu only.";
    if (!whole()) return `${state.read} of ${end()} words and marks are read. If the sentence ended here, it would write this.${shut}`;
    if (state.own) return `${count}It writes ${written.length}.${shut}`;
    if (told()) return `It reads the true words: of its ${written.length} choices ${written.length - wrong.size} are right.`;
    if (wrong.size) return `${count}The first wrong word is “${written[Math.min(...wrong)]}”.`;
    return count + (written.length < wanted().length ? "What it writes is right, and some words are missing."
      : "Every word of the translation is right.");
  }

  // ---- drawing: the same buttons stay, so that focus and pointer keep their place
  function draw() {
    fill(above, end(), (i) => wordKey(() => { time.stop(); wake(() => go(i + 1)); }, "text"));
    source().forEach((word, i) => {
      const button = above.children[i];
      button.firstChild.textContent = word;
      button.setAttribute("aria-label", `${word}, read up to here`);
      button.setAttribute("aria-pressed", String(i + 1 === state.read));
      button.classList.toggle("cl-later", i >= state.read);
    });
    const wrong = wrongs(), step = opened(wrong);
    fill(below, shown.written.length, (i) => wordKey(() => { time.stop(); open(i); }, "text", "gloss"));
    shown.written.forEach((word, i) => {
      const button = below.children[i];
      button.classList.toggle("cl-wrong", wrong.has(i));
      button.setAttribute("aria-pressed", String(i === step));
      button.firstChild.textContent = word;
      button.lastChild.textContent = glossOf(word, data.gloss);
    });
    const amiss = wanted() && shown.written.join(" ") !== wanted().join(" ");
    right.replaceChildren();
    if (amiss) right.append(make("b", {}, ["right"]), ...wanted().map(glossed));
    menu.mark(state.own ? null : state.chosen);
    feed.label.disabled = wanted() === null;
    below.style.minHeight = state.own ? "" : rooms[state.chosen] || "";
    drawStep(step);
    drawVector();
  }

  // What stood before this step decides which word would be right: it is known only after true words.
  function drawStep(step) {
    const before = told() ? wanted() : shown.written, right = wanted();
    const onTrack = right && step < right.length && before.slice(0, step).every((word, i) => word === right[i]);
    odds.show({
      place: step,
      read: step === 0 ? "the start mark" : `“${before[step - 1]}”`,
      words: shown.odds[step].top,
      chosen: shown.written[step],
      right: onTrack ? [right[step], shown.odds[step].right] : null,
    });
  }

  // A German word above its gloss, to be read and not pressed.
  function glossed(word) {
    return make("span", { class: "cl-glossed" }, [make("span", {}, [word]), " ",
      make("span", { class: "cl-gloss" }, [sense(word) || "\u00a0"])]);
  }

  function sense(word) {
    const found = data.gloss[word] || word;
    return found === word ? "" : found;
  }

  // A bar for each number, up for plus and down for minus.
  function drawVector() {
    const { vector } = shown, high = 22;
    bars.setAttribute("viewBox", `0 ${-high - 1} ${vector.length * 5} ${2 * high + 2}`);
    bars.setAttribute("preserveAspectRatio", "none");
    bars.setAttribute("aria-label", `The vector: ${vector.length} numbers, `
      + `${vector.filter((number) => number > 0).length} of them above zero`);
    bars.replaceChildren(...vector.map((number, i) => shape("rect", { x: i * 5 + 0.5, width: 4,
      y: number > 0 ? -high * number : 0, height: Math.max(0.5, high * Math.abs(number)) })));
  }

  // Room for all German of the chosen sentence, so that nothing below it moves while it is written.
  whenResized(figure.stage, () => {
    const now = { ...state }, before = shown;
    rooms = [];
    data.sentences.forEach((each, i) => {
      Object.assign(state, { chosen: i, own: null, read: each.en.length, told: false });
      // The network may write a little more than is right.
      const written = ["Mädchen", "Lehrer", ...each.de];
      shown = { ...before, written, odds: written.map(() => before.odds[0]) };
      draw();
      rooms[i] = `${below.getBoundingClientRect().height}px`;
    });
    Object.assign(state, now);
    shown = before;
    draw();
  });
  figure.say(summary());

  // ---- the address: the sentence, or the words that were typed, and how far it is read
  const sentence = () => (state.own ? `w${state.own.map((word) => words.source.indexOf(word)).join(".")}` : state.chosen);
  const tell = () => `${sentence()}~${state.read}` + (state.told || state.step >= 0 ? `~${state.told ? "t" : "o"}${state.step + 1}` : "");
  keepInAddress(figure, tell, (text) => {
    const [what, read, look] = text.split("~");
    wake(() => {
      const number = Number(read), own = what.startsWith("w");
      const step = /^[ot]\d+$/.test(look) ? Number(look.slice(1)) - 1 : -1;
      const list = (own ? what.slice(1) : what).split(".").map(Number), limit = own ? words.source.length : data.sentences.length;
      const fit = list.every((id) => Number.isInteger(id) && id >= (own ? END + 1 : 0) && id < limit);
      const length = own ? list.length : fit && data.sentences[list[0]].en.length;
      if (!fit || length > data.most || !Number.isInteger(number) || number < 1 || number > length) return;
      Object.assign(state, own ? { own: list.map((id) => words.source[id]) } : { chosen: list[0], own: null });
      state.read = number;
      feed.set(/^t/.test(look) ? 1 : 0);
      if (step >= 0) open(step);
    });
  });
}
