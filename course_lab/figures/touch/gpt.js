// A GPT writes in the page, a character at a time: a beginning, three dials, and what each head reads.

function gptFigure(figure, data) {
  const MARKS = 4, STRIP = 40;  // ids below are no characters; so many show in a strip
  const SAY = "Press Play, and it goes on writing. Turn a dial: below it you see what is left of the "
    + "probabilities. Type another beginning, or choose a character of the text.";
  const opening = { own: data.own, written: "", at: null, head: data.head };
  const state = { ...opening };
  // Logits and looks at each place that is read, the first of them at `from`.
  let net = null, from = 0, places = [];

  const text = () => state.own + state.written;
  const at = () => state.at ?? text().length - 1;
  const idOf = (sign) => data.characters.indexOf(sign) + MARKS;
  const signOf = (id) => data.characters[id - MARKS];
  const nameOf = (sign) => ({ " ": "blank", "\n": "line break" })[sign] || sign;
  const said = (sign) => ({ " ": "the blank", "\n": "the line break" })[sign] || `“${sign}”`;
  const seen = (some) => some.replaceAll("\n", "↵");
  const named = (i) => headName(i, data.heads);
  const place = () => places[at() - from];
  const following = () => text()[at() + 1];
  const strange = (some) => [...new Set(some)].filter((sign) => !data.characters.includes(sign));

  // ---- the parts of the figure
  const own = make("textarea", { rows: 2, maxlength: data.longest, autocomplete: "off", autocapitalize: "off",
    spellcheck: "false" });
  own.addEventListener("input", () => begin(own.value));
  const hint = make("p", { class: "cl-note cl-hint", role: "status" });
  const samples = make("div", { class: "cl-samples", role: "group", "aria-label": "Beginnings to try" },
    data.samples.map((one) => press(seen(one), () => { own.value = one; begin(one); })));
  const legend = make("p", { class: "cl-note" });
  const board = make("div", { class: "cl-text", role: "application", tabindex: "0",
    "aria-label": "The text; arrow keys choose a character" });
  board.addEventListener("click", (event) => {
    const place = [...board.children].indexOf(event.target);
    if (place >= 0) pick(place);
  });
  board.addEventListener("keydown", (event) => onArrow(event, (right, down) => pick(at() + right + 10 * down)));
  const dials = dialBoard({ rows: data.rows, steps: data.steps, all: data.characters.length, opening: data.dials,
    onChange: () => show() });
  const cards = headCards(data.layers * data.heads, named, (i) => { state.head = i; show(); });
  const heads = foldAway(`All ${cards.length} heads`,
    make("p", { class: "cl-note" }, [`Each strip is the last ${STRIP} characters up to the framed one: the stronger the shade, the more the head reads there.`]),
    headGrid("Choose a head", cards));
  heads.addEventListener("toggle", () => drawCards());
  const time = stepper(figure, data.most, 60, () => state.written.length, write, reset);
  figure.controls.append(make("label", { class: "cl-begin" }, [make("span", { class: "cl-note" }, ["Your beginning"]), own]),
    hint, samples, ...time);
  const marks = make("p", { class: "cl-note" }, ["A red mark is the probability before the dial above it."]);
  figure.stage.append(legend, board, dials.element, marks, figure.line, heads);

  const wake = netOf(figure, ({ tensors }) => { net = gptNet(tensors, data.heads); read(); },
    `The network is loading: ${data.size}.`);
  figure.root.addEventListener("pointerenter", () => wake(() => {}, true), { once: true });

  // ---- reading and writing
  // Of a text longer than the windows that it was trained on, it reads the last part.
  function read() {
    const { longest } = data, over = text().length - longest;
    from = over > 0 ? Math.ceil(over / (longest / 2)) * (longest / 2) : 0;
    if (net) places = net.read([...text().slice(from)].map(idOf));
    else { places = []; places[data.own.length - 1] = data.first; }
  }
  function add() {
    const shares = dials.shares(masked(places[places.length - 1].logits));
    state.written += signOf(drawnFrom(shares, Math.random()));
    read();
  }
  const masked = (logits) => Array.from(logits, (one, id) => (id < MARKS ? -Infinity : one));
  // So many characters are written.
  function write(count) {
    wake(() => {
      state.written = state.written.slice(0, count);
      read();
      while (state.written.length < count) add();
      state.at = null;
      show();
      board.scrollTop = board.scrollHeight;
    });
  }
  // A beginning of the reader's, or a word on why it cannot be read.
  function begin(typed) {
    const some = typed.replace(/[‘’]/g, "'"), unknown = strange(some);
    own.setAttribute("aria-invalid", String(!some || unknown.length > 0));
    hint.textContent = !some ? "Type at least one character."
      : unknown.length ? `It has never read ${unknown.map((sign) => `“${sign}”`).join(", ")}. It knows ${data.known}.` : "";
    if (!some || unknown.length) return;
    wake(() => {
      Object.assign(state, { own: some, written: "", at: null });
      read();
      show();
    });
  }
  function pick(i) {
    const chosen = Math.max(from, Math.min(text().length - 1, i));
    wake(() => { state.at = chosen < text().length - 1 ? chosen : null; show(); });
  }
  function reset() {
    Object.assign(state, opening);
    own.value = state.own;
    own.removeAttribute("aria-invalid");
    hint.textContent = "";
    read();
    dials.set(data.dials);
    heads.open = false;
    figure.say(SAY);
  }

  // ---- what is said
  function tell() {
    const looks = place().looks[state.head], most = argmax(looks), sign = following();
    const [first, second] = dials.table(masked(place().logits)).sort((a, b) => b.shares[3] - a.shares[3]);
    const number = ({ id, shares }) => `${id < 0 ? "others" : said(signOf(id))} ${shares[3].toFixed(2)}`;
    const next = sign === undefined ? `Next: ${number(first)}, ${number(second)}.`
      : `Here came ${said(sign)}, probability ${softmax(masked(place().logits))[idOf(sign)].toFixed(2)} before the dials.`;
    const head = named(state.head);
    figure.answer(`${next} ${head[0].toUpperCase()}${head.slice(1)} looks most at ${said(text()[from + most])}, `
      + `${looks[most].toFixed(2)}, ${most === looks.length - 1 ? "where it stands" : `${looks.length - 1 - most} back`}.`);
  }
  const show = () => { draw(); tell(); };

  // ---- drawing
  function draw() {
    const looks = place().looks[state.head], all = text(), here = at();
    legend.textContent = `The shade shows how much ${named(state.head)} reads each character, from the framed one.`;
    fill(board, all.length, () => make("span")).forEach((part, i) => {
      part.textContent = all[i] === "\n" ? "↵\n" : all[i];
      part.className = i < from ? "cl-lost" : i < state.own.length ? "cl-own" : "";
      paint(part, looks[i - from] || 0);
      part.classList.toggle("cl-here", i === here);
    });
    dials.show(masked(place().logits), (id) => nameOf(signOf(id)), following() === undefined ? null : idOf(following()));
    drawCards();
    fillDialled(figure, `The next character after “${seen(text().slice(0, at() + 1).slice(-20))}”`, dials,
      masked(place().logits), (id) => nameOf(signOf(id)));
  }
  function drawCards() {
    cards.forEach(({ button, map }, i) => {
      button.setAttribute("aria-pressed", String(i === state.head));
      if (!heads.open) return;
      const looks = place().looks[i].slice(-STRIP);
      drawMap(map, [[...Array(STRIP - looks.length).fill(0), ...looks]], STRIP);
    });
  }

  // ---- the address: what the reader made can be sent
  const address = () => [[...dials.told(), state.head, state.at ?? 999].join("."), state.own, state.written].join("~");
  function restore(told) {
    const [numbers, begun = "", written = "", ...more] = told.split("~");
    const found = wholes(numbers, [...dials.limits, cards.length, 1000]), all = begun + written;
    if (!found || more.length || !begun || begun.length > data.longest || written.length > data.most
      || strange(all).length) return;
    wake(() => {
      Object.assign(state, { own: begun, written, head: found[3], at: null });
      own.value = begun;
      read();
      if (found[4] >= from && found[4] < all.length - 1) state.at = found[4];
      dials.restore(found);
      show();
    });
  }

  own.value = state.own;
  read();
  draw();
  figure.say(SAY);
  keepInAddress(figure, address, restore);
}
