// Type a sentence: the words above, the one vector below them, and what is written from it, step by step.

function squeezeFigure(figure, data) {
  // `own` is a typed sentence in place of an offered one; `read` says how many words are read; `step`
  // is the German word that is looked into, -1 where nobody chose one; `fed`: the decoder reads the
  // true words in the place of its own.
  const opening = { chosen: data.chosen, own: null, read: data.sentences[data.chosen].en.length, step: -1, fed: false };
  const state = { ...opening };
  let net = null, words = null;
  let shown = { written: data.written, vector: data.vector, odds: data.odds };
  const source = () => state.own || data.sentences[state.chosen].en;
  // The right translation, where it is known: of an offered sentence that is read to its end.
  const wanted = () => (state.own || state.read < source().length ? null : data.sentences[state.chosen].de);
  const fed = () => state.fed && wanted() !== null;

  // ---- the parts of the figure
  const above = wordRow("cl-above", "English"), below = wordRow("cl-below", "German", GERMAN);
  const right = make("p", { class: "cl-line", ...GERMAN });
  const bars = shape("svg", { class: "cl-vector", role: "img", preserveAspectRatio: "none" });
  const note = (text) => make("p", { class: "cl-note" }, [text]);
  const stepName = note(""), odds = Array.from({ length: data.shown + 1 }, () => {
    const row = barRow("li", ""), mark = make("span", { class: "cl-sort" });
    row.row.append(mark);
    return { ...row, sort: mark };
  });
  const feed = choose(figure, "after each word it reads", ["its own", "the true one"], 0, (i) =>
    wake(() => go({ fed: i === 1 })));
  figure.stage.append(note("English (click a word to end the sentence there):"), above,
    note(`The vector: ${data.vector.length} numbers.`), bars,
    note("German, written from the vector (click a word for its probabilities):"), below,
    make("div", { class: "cl-feed" }, [feed.label]), right, figure.line,
    make("div", { class: "cl-odds", role: "group", "aria-label": "one step of the decoder" }, [stepName, barList(odds)]));

  const menu = sentenceMenu(data.sentences.map((each) => `${each.en.length}: ${each.en.join(" ")}`),
    (i) => wake(() => take(i)), { class: "cl-wide", "aria-label": "sentence" });
  const { form, input: box } = sentenceBox("Translate", "type: the small dog sleeps .", (text) => wake(() => type(text)));
  const end = () => source().length;
  const time = stepper(figure, data.most, 900, () => (state.read >= end() ? data.most : state.read),
    (place) => wake(() => go({ read: Math.min(end(), Math.max(1, place)) })), () => wake(() => go(opening)));
  // Why a sentence is refused stands at the form, where the reader looks and no keyboard of a phone lies.
  const refusal = make("p", { class: "cl-refusal", role: "status" });
  figure.controls.append(menu.menu, ...time);
  figure.stage.after(foldAway("Your own sentence", form, refusal, note(data.known)));

  const wake = netOf(figure, ({ tensors, told }) => {
    words = told.words;
    net = oneVectorNet(tensors);
  });
  figure.root.addEventListener("pointerenter", () => wake(() => {}), { once: true });

  // ---- what the reader can do
  const take = (chosen) => go({ chosen, own: null, read: data.sentences[chosen].en.length });

  function type(text) {
    const { refused, words: own } = wordsOf(text, words.source.slice(END + 1), data.most,
      { where: " Its words stand below.", counted: "words and marks" });
    if (refused) {
      // What stands in the figure is no answer to what was typed.
      refusal.textContent = refused;
      figure.root.classList.add("cl-stale");
      refusal.scrollIntoView({ block: "nearest" });
      figure.say("Not translated. What stands here is still the sentence before.");
      return;
    }
    go({ own, read: own.length });
    // The answer stands above the form; a phone's keyboard would hide it.
    if (matchMedia("(pointer: coarse)").matches) box.blur();
    above.scrollIntoView({ block: "nearest" });
  }

  // Reads so many words of a sentence, lets it end there, and writes.
  function go(parts) {
    Object.assign(state, { step: -1 }, parts);
    feed.mark(Number(state.fed));
    figure.root.classList.remove("cl-stale");
    refusal.textContent = "";
    const part = source().slice(0, state.read).filter((word, i, all) => word !== "," || i < all.length - 1);
    if (part[part.length - 1] !== ".") part.push(".");
    const vector = net.read([...part.map((word) => words.source.indexOf(word)), END]);
    const made = net.write(vector, fed() ? wanted().map((word) => words.target.indexOf(word)) : null);
    shown = {
      written: made.map(({ token }) => words.target[token]),
      vector: [...vector],
      odds: made.map(({ shares }, i) => ({
        top: order(shares).slice(0, data.shown).map((id) => [words.target[id], shares[id]]),
        right: wanted() && i < wanted().length ? shares[words.target.indexOf(wanted()[i])] : 0,
      })),
    };
    draw();
    figure.answer(summary());
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
    const right = wanted(), places = [...shown.written.keys()];
    if (!right) return [];
    const good = fed() ? shown.written.map((word, i) => word === right[i]) : inOrder(shown.written, right, true);
    return places.filter((i) => !good[i]);
  }
  // The step that is shown: the one that was chosen, or the first wrong word, or the least sure one.
  function opened() {
    if (state.step >= 0 && state.step < shown.written.length) return state.step;
    const sure = shown.odds.map(({ top }) => top[0][1]);
    return wrongs()[0] ?? sure.indexOf(Math.min(...sure));
  }

  function summary() {
    const count = `${end()} words and marks in ${data.vector.length} numbers. `, wrong = wrongs(), { written } = shown;
    const shut = " The true words are known for whole sentences from the menu only.";
    if (state.read < end()) return `${state.read} of ${end()} words and marks are read. If the sentence ended here, it would write this.${shut}`;
    if (state.own) return `${count}It writes ${written.length}.${shut}`;
    if (fed()) return `It reads the true words: of its ${written.length} choices ${written.length - wrong.length} are right.`;
    if (wrong.length) return `${count}The first wrong word is “${written[wrong[0]]}”.`;
    return count + (written.length < wanted().length ? "What it writes is right, and some words are missing."
      : "Every word of the translation is right.");
  }

  // ---- drawing: the same buttons stay, so that focus and pointer keep their place
  const sense = (word) => (data.gloss[word] !== word && data.gloss[word]) || "";
  function draw() {
    const wrong = wrongs(), step = opened(), amiss = wanted() && shown.written.join(" ") !== wanted().join(" ");
    fill(above, end(), (i) => wordKey(() => wake(() => go({ read: i + 1 })), "text")).forEach((button, i) => {
      button.firstChild.textContent = source()[i];
      alter(button, { "aria-label": `${source()[i]}, read up to here`, "aria-pressed": i + 1 === state.read,
        on: { "cl-later": i >= state.read } });
    });
    fill(below, shown.written.length, (i) => wordKey(() => open(i), "text", "gloss")).forEach((button, i) => {
      const word = shown.written[i];
      alter(button, { "aria-pressed": i === step, on: { "cl-wrong": wrong.includes(i) } });
      button.firstChild.textContent = word;
      button.lastChild.textContent = glossOf(word, data.gloss);
    });
    right.replaceChildren(...(amiss ? [make("b", { lang: "en" }, ["right"]), ...wanted().map((word) =>
      make("span", { class: "cl-glossed" }, [make("span", {}, [word]), " ",
        make("span", { class: "cl-gloss", lang: "en" }, [glossOf(word, data.gloss)])]))] : []));
    menu.mark(state.own ? null : state.chosen);
    feed.label.disabled = wanted() === null;
    // A sentence that is read to its end is the longest: nothing below moves while it is read.
    if (state.read === end()) below.style.minHeight = "";
    keepRoom(below);
    drawStep(step);
    drawVector();
  }

  // What stood before this step decides which word would be right: it is known only after true words.
  function drawStep(step) {
    const right = wanted(), before = fed() ? right : shown.written, { top, right: share } = shown.odds[step];
    const onTrack = right && step < right.length && before.slice(0, step).every((word, i) => word === right[i]);
    const listed = !onTrack || top.some(([word]) => word === right[step]) ? top : [...top, [right[step], share]];
    stepName.textContent = `Step ${step + 1}. It has just read ${step ? `“${before[step - 1]}”` : "the start mark"}. `
      + "The most probable next words:";
    odds.forEach(({ row, label, sort, show }, i) => {
      const [word, p] = listed[i] || ["\u00a0", 0], sorts = [];
      if (word === shown.written[step]) sorts.push("chosen");
      if (onTrack && word === right[step]) sorts.push("right");
      label.replaceChildren(make("span", { class: "cl-text", ...GERMAN }, [word]), " ", make("small", {}, [sense(word)]));
      show(p, { text: p >= 0.01 ? p.toFixed(2) : "< 0.01" });
      sort.textContent = sorts.join(", ");
      alter(row, { on: { "cl-unseen": i >= listed.length, "cl-wrong": onTrack && String(sorts) === "chosen" } });
    });
  }

  // A bar for each number, up for plus and down for minus.
  function drawVector() {
    const { vector } = shown, high = 22;
    alter(bars, { viewBox: `0 ${-high - 1} ${vector.length * 5} ${2 * high + 2}`, "aria-label":
      `The vector: ${vector.length} numbers, ${vector.filter((number) => number > 0).length} of them above zero` });
    bars.replaceChildren(...vector.map((number, i) => shape("rect", { x: i * 5 + 0.5, width: 4,
      y: number > 0 ? -high * number : 0, height: Math.max(0.5, high * Math.abs(number)) })));
  }

  draw();
  whenResized(figure.stage, () => { below.style.minHeight = ""; keepRoom(below); });
  figure.say(summary());

  // ---- the address: the sentence, or the words that were typed, and how far it is read
  const address = () => `${state.own ? `w${state.own.map((word) => words.source.indexOf(word)).join(".")}` : state.chosen}~${state.read}`
    + (state.fed || state.step >= 0 ? `~${state.fed ? "t" : "o"}${state.step + 1}` : "");
  keepInAddress(figure, address, (text) => wake(() => {
    const [what, read, look = "o0"] = text.split("~"), own = what.startsWith("w") ? what.slice(1).split(".") : null;
    const ids = own ? wholes(own.join("."), own.map(() => words.source.length)) : wholes(what, [data.sentences.length]);
    if (!ids || (own && (ids.some((id) => id <= END) || own.length > data.most))) return;
    const [number] = wholes(read || "", [(own ? own.length : data.sentences[ids[0]].en.length) + 1]) || [0];
    if (!number || !/^[ot]\d+$/.test(look)) return;
    go({ ...(own ? { own: ids.map((id) => words.source[id]) } : { chosen: ids[0], own: null }), read: number, fed: look[0] === "t" });
    if (look.slice(1) > 0) open(look.slice(1) - 1);
  }));
}
