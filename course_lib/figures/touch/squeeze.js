// Type a sentence: the words above, the one vector below them, and what is written from it.

// The network of course_lib/models/cho.py.
function oneVectorNet(tensors) {
  const { row, linear } = layersOf(tensors);
  const next = (name, input, hidden) => gru(linear(name, input, "weight_ih_l0", "bias_ih_l0"),
    linear(name, hidden, "weight_hh_l0", "bias_hh_l0"), hidden);
  const width = tensors["summary.weight"].rows;

  // The one vector c of a sentence that ends in END.
  function read(ids) {
    let hidden = new Float32Array(width);
    for (const id of ids) hidden = next("encoder.layers", row("embed.table.weight", id), hidden);
    return linear("summary", hidden).map(Math.tanh);
  }

  // Greedy search from the vector alone.
  function write(vector, most = 40) {
    const ids = [];
    let token = START, hidden = linear("decoder.bridge", vector).map(Math.tanh);
    while (ids.length < most) {
      const word = row("decoder.embed.table.weight", token);
      hidden = next("decoder.cell", join(word, vector), hidden);
      const pool = linear("decoder.output.pool", join(hidden, word, vector)), half_ = pool.length / 2;
      const larger = pool.subarray(0, half_).map((a, i) => Math.max(a, pool[half_ + i]));
      const scores = linear("decoder.output.words", larger);
      scores[PAD] = scores[START] = -Infinity;
      token = scores.indexOf(Math.max(...scores));
      if (token === END) break;
      ids.push(token);
    }
    return ids;
  }
  return { read, write };
}

// Milliseconds for a word of the sentence that is read.
const READING = 900;

function squeezeFigure(figure, data) {
  // `own` is a typed sentence in place of an offered one; `read` says how many words are read.
  const state = { chosen: data.chosen, own: null, read: data.sentences[data.chosen].en.length };
  let net = null, words = null, shown = { written: data.written, vector: data.vector };
  const source = () => state.own || data.sentences[state.chosen].en;
  const whole = () => state.read === source().length;

  // ---- the parts of the figure
  const line = (name, label) => make("div", { class: `cl-words ${name}`, role: "group", "aria-label": label });
  const above = line("cl-above", "English"), below = line("cl-below", "German");
  const right = make("p", { class: "cl-line" });
  const bars = shape("svg", { class: "cl-vector", role: "img" });
  const note = (text) => make("p", { class: "cl-note" }, [text]);
  figure.stage.append(note("It reads. A click on a word ends the sentence there:"), above,
    note(`All that it keeps: ${data.vector.length} numbers.`), bars, note("It writes from them:"), below, right);

  const menu = make("select", { class: "cl-wide", "aria-label": "sentence" }, data.sentences.map((each) =>
    make("option", {}, [`${each.en.length}: ${each.en.join(" ").replace(/ \.$/, "")}`])));
  const typed = make("option", { hidden: "" }, ["(your own)"]);
  menu.append(typed);
  menu.addEventListener("change", () => { time.stop(); wake(() => choose(menu.selectedIndex)); });
  const box = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    placeholder: "type: the small dog sleeps .", "aria-label": "your own sentence" });
  const form = make("form", {}, [box, make("button", { type: "submit" }, ["Translate"])]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    time.stop();
    wake(() => type(box.value));
  });
  const end = () => source().length;
  const time = timeKeys(data.most, READING, () => (state.read >= end() ? data.most : state.read),
    (place) => wake(() => go(place === data.most ? end() : Math.max(1, place))), () => wake(() => choose(data.chosen)));
  const known = make("details", { class: "cl-more" }, [make("summary", {}, ["Its words"]), note(data.known)]);
  figure.controls.append(menu, ...time.keys, form);
  figure.line.after(known);
  figure.numbers.before(foldNumbers(figure.root));

  const wake = netOf(figure, ({ tensors, told }) => {
    words = told.words;
    net = oneVectorNet(tensors);
  });
  figure.root.addEventListener("pointerenter", () => wake(() => {}), { once: true });

  // ---- what the reader can do
  function choose(chosen) {
    Object.assign(state, { chosen, own: null });
    go(end());
  }

  function type(text) {
    const list = text.trim().split(/\s+/).flatMap((word) => word.match(/[^.,]+|[.,]/g) || []);
    if (list.length && list[list.length - 1] !== ".") list.push(".");
    const spelled = new Map(words.source.slice(END + 1).map((word) => [word.toLowerCase(), word]));
    const strange = list.find((word) => !spelled.has(word.toLowerCase()));
    const refused = list.length < 2 ? "Wanted a sentence, such as: the small dog sleeps ."
      : strange ? `The network does not know “${strange}”. See “Its words”.`
        : list.length > data.most ? `Wanted at most ${data.most} words, got ${list.length}.` : "";
    if (refused) { figure.say(refused); return; }
    state.own = list.map((word) => spelled.get(word.toLowerCase()));
    go(end());
  }

  // Reads so many words and lets the sentence end there.
  function go(read) {
    state.read = Math.min(read, end());
    const part = source().slice(0, state.read).filter((word, i, all) => word !== "," || i < all.length - 1);
    if (part[part.length - 1] !== ".") part.push(".");
    const vector = net.read([...part.map((word) => words.source.indexOf(word)), END]);
    shown = { written: net.write(vector).map((id) => words.target[id]), vector: [...vector] };
    draw();
    figure.say(summary());
    figure.remember();
  }

  // The place of the first word that is not the right translation's; -1 where none is, or none known.
  function firstWrong() {
    if (state.own || !whole()) return -1;
    const wanted = data.sentences[state.chosen].de, most = Math.max(wanted.length, shown.written.length);
    for (let i = 0; i < most; i += 1) if (shown.written[i] !== wanted[i]) return Math.min(i, shown.written.length - 1);
    return -1;
  }

  function summary() {
    const count = `${end()} words in ${data.vector.length} numbers. `;
    if (!whole()) return `${state.read} of ${end()} words are read. If the sentence ended here, it would write this.`;
    if (state.own) return `${count}It writes ${shown.written.length}.`;
    const wrong = firstWrong();
    return count + (wrong < 0 ? "Every word of the translation is right."
      : `From “${shown.written[wrong]}” on it is another sentence; what is right stands below it.`);
  }

  // ---- drawing: the same buttons stay, so that focus and pointer keep their place
  function draw() {
    source().forEach((word, i) => {
      if (!above.children[i]) {
        const button = press("", () => { time.stop(); wake(() => go(i + 1)); });
        button.className = "cl-word";
        above.append(button);
      }
      const button = above.children[i];
      button.textContent = word;
      button.setAttribute("aria-label", `${word}, read up to here`);
      button.setAttribute("aria-pressed", String(i + 1 === state.read));
      button.classList.toggle("cl-later", i >= state.read);
    });
    while (above.children.length > end()) above.lastChild.remove();
    const wrong = firstWrong();
    below.replaceChildren(...shown.written.map((word, i) => glossed(word, wrong >= 0 && i >= wrong)));
    right.replaceChildren();
    if (wrong >= 0) right.append(make("b", {}, ["right "]), make("span", { lang: "de" }, [data.sentences[state.chosen].de.join(" ")]));
    typed.hidden = !state.own;
    menu.selectedIndex = state.own ? data.sentences.length : state.chosen;
    drawVector();
    keepRoom();
  }

  function glossed(word, wrong) {
    const sense = data.gloss[word] || word;
    return make("span", { class: wrong ? "cl-word cl-wrong" : "cl-word" }, [
      make("span", { class: "cl-text", lang: "de" }, [word]),
      make("span", { class: "cl-gloss" }, [sense === word ? "\u00a0" : sense])]);
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

  // Room for the longest sentence on both sides, and never less than there was, so that nothing below
  // moves while it reads.
  const rooms = [above, below, right];
  function keepRoom() {
    rooms.forEach((part) => { part.style.minHeight = `${part.getBoundingClientRect().height}px`; });
  }
  whenResized(figure.stage, () => {
    const now = { ...state }, before = shown;
    rooms.forEach((part) => { part.style.minHeight = ""; });
    data.sentences.forEach((each, i) => {
      Object.assign(state, { chosen: i, own: null, read: each.en.length });
      // The network may write a little more than is right.
      shown = { written: ["Mädchen", "Lehrer", ...each.de], vector: before.vector };
      draw();
    });
    Object.assign(state, now);
    shown = before;
    draw();
  });
  figure.say(summary());
  reserve(figure, () => data.sentences.map((each) =>
    `${each.en.length} words in ${data.vector.length} numbers. From “Mädchen” on it is another sentence; what is right stands below it.`));

  // ---- the address: the sentence, or the words that were typed, and how far it is read
  const tell = () => `${state.own ? `w${state.own.map((word) => words.source.indexOf(word)).join(".")}` : state.chosen}~${state.read}`;
  keepInAddress(figure, tell, (text) => {
    const [what, read] = text.split("~");
    wake(() => {
      const number = Number(read), own = what.startsWith("w");
      const list = (own ? what.slice(1) : what).split(".").map(Number), limit = own ? words.source.length : data.sentences.length;
      const fit = list.every((id) => Number.isInteger(id) && id >= (own ? END + 1 : 0) && id < limit);
      if (!fit || list.length > data.most || !Number.isInteger(number) || number < 1) return;
      Object.assign(state, own ? { own: list.map((id) => words.source[id]) } : { chosen: list[0], own: null });
      go(number);
    });
  });
}
