// Watch a recurrent net write. The names are those of course_lab/experiments/recurrence/in_page.py.

// h' = tanh(W_ih x + b_ih + W_hh h + b_hh), where x is 1 at the word's own place.
function wordNet(tensors) {
  const wide = tensors["layer.weight_hh_l0"].rows;
  const times = (name, h, i) => {
    const { values, columns } = tensors[name];
    return h.reduce((sum, part, j) => sum + values[i * columns + j] * part, 0);
  };
  function step(id, h) {
    const { values, columns } = tensors["layer.weight_ih_l0"];
    return h.map((_, i) => Math.tanh(values[i * columns + id] + tensors["layer.bias_ih_l0"].values[i]
      + times("layer.weight_hh_l0", h, i) + tensors["layer.bias_hh_l0"].values[i]));
  }
  // The state after START and these words.
  const read = (ids) => [0, ...ids].reduce((h, id) => step(id, h), Array(wide).fill(0));
  // The probability of each next word; START is never written.
  function following(h, temperature) {
    const scores = tensors["readout.bias"].values.map((b, i) =>
      (i ? (b + times("readout.weight", h, i)) / temperature : -Infinity));
    return softmax(scores);
  }
  return { read, following };
}

// Numbers in 0..1 that are the same in every browser (mulberry32).
function draws(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function forecastFigure(figure, data) {
  const net = wordNet(readTensors(data.net).tensors);
  const state = { begun: 0, ids: [...data.beginnings[0]], tenths: 10 };
  let draw = draws(1);
  const over = () => state.ids[state.ids.length - 1] === data.stop || state.ids.length >= data.most;
  const word = (id) => data.words[id];
  const line = make("div", { class: "cl-line", role: "group", "aria-label": "The sentence" });
  const bars = make("div", { class: "cl-state", role: "img" });
  const list = make("div", { class: "cl-next", role: "group", "aria-label": "Words that may come next" });
  const sums = data.sums.map(([name, ids]) => {
    const share = make("span", { class: "cl-share" });
    const bar = make("span", { class: "cl-bar", "aria-hidden": "true" }, [make("span", {})]);
    const row = make("p", { class: "cl-sum" }, [make("span", {}, [name]), bar, share]);
    return { row, ids, share, bar: bar.firstChild };
  });
  const others = make("select", {}, [make("option", { value: "" }, ["choose"]),
    ...data.words.map((name, id) => [name, id]).slice(1).sort((a, b) => (a[0] < b[0] ? -1 : 1))
      .map(([name, id]) => make("option", { value: id }, [name]))]);
  others.addEventListener("change", () => {
    const id = Number(others.value);
    others.selectedIndex = 0;
    if (id) { time.stop(); add(id); }
  });
  const next = make("div", {}, [
    make("p", { class: "cl-note" }, ["What may come next. Choose a word yourself, or let the net draw:"]), list,
    make("label", { class: "cl-other" }, [make("span", { class: "cl-note" }, ["any other word"]), others])]);
  const added = make("div", { class: "cl-sums" }, sums.map((sum) => sum.row));
  const rows = Array.from({ length: data.shown }, (_, place) => {
    const name = make("span", { class: "cl-text" }), share = make("span", { class: "cl-share" });
    const bar = make("span", { class: "cl-bar", "aria-hidden": "true" }, [make("span", {})]);
    const key = press("", () => { time.stop(); add(ranked()[place].id); });
    key.append(name, bar, share);
    return { key, name, share, bar: bar.firstChild };
  });
  list.append(...rows.map((row) => row.key));

  const shares = () => net.following(net.read(state.ids), state.tenths / 10);
  const ranked = () => shares().map((share, id) => ({ id, share })).sort((a, b) => b.share - a.share);
  function show() {
    // Whose key the reader holds may be gone or shut after this, and the focus with it.
    const held = next.contains(document.activeElement);
    line.replaceChildren(...state.ids.map((id, i) => {
      const key = press(word(id), () => { time.stop(); state.ids = state.ids.slice(0, i + 1); show(); focus(i); });
      key.className = "cl-word";
      key.setAttribute("aria-label", `${word(id)}: go back to it`);
      return key;
    }), make("span", { class: "cl-end" }, [make("span", { class: "cl-gap", "aria-hidden": "true" }, [over() ? "" : "…"]),
      ...(state.ids.length ? [clear] : [])]));
    const h = net.read(state.ids);
    bars.replaceChildren(...h.map((part) => {
      const unit = make("span", { class: part < 0 ? "cl-unit cl-below" : "cl-unit" });
      unit.style.setProperty("--size", Math.abs(part).toFixed(2));
      return unit;
    }));
    bars.setAttribute("aria-label", `The state, ${h.length} numbers: ${h.map((part) => part.toFixed(1)).join(", ")}`);
    const all = shares(), best = ranked();
    [next, added].forEach((part) => part.classList.toggle("cl-over", over()));
    others.disabled = over();
    sums.forEach(({ ids, share, bar }) => {
      const total = ids.reduce((sum, id) => sum + all[id], 0);
      share.textContent = total.toFixed(2);
      bar.style.setProperty("--size", total.toFixed(3));
    });
    // A sentence that begins otherwise is the reader's own.
    const kept = data.beginnings[state.begun].every((id, i) => state.ids[i] === id);
    menu.selectedIndex = kept ? state.begun : data.names.length;
    rows.forEach((row, i) => {
      const { id, share } = best[i];
      row.key.disabled = over();
      row.name.textContent = word(id);
      row.share.textContent = share.toFixed(2);
      row.key.setAttribute("aria-label", `${word(id)}, probability ${share.toFixed(2)}`);
      row.bar.style.setProperty("--size", share.toFixed(3));
    });
    if (over() && held) time.keys[0].focus();
    figure.say(said(best[0]));
    figure.remember();
  }
  function said(best) {
    if (over()) return "The sentence is over. Play writes another one from the same beginning.";
    const last = state.ids.length ? `Having read “${word(state.ids[state.ids.length - 1])}”` : "Before the first word";
    return `${last}, the net gives most to “${word(best.id)}” (${best.share.toFixed(2)}).`;
  }
  const focus = (i) => line.children[i].focus();
  const clear = press("×", () => { time.stop(); state.ids = []; show(); rows[0].key.focus(); });
  clear.className = "cl-clear";
  clear.setAttribute("aria-label", "Take all words away");
  function add(id) { state.ids = [...state.ids, id]; show(); }
  function sample() {
    let left = draw();
    const all = shares(), found = all.findIndex((share) => (left -= share) < 0);
    return found < 0 ? all.indexOf(Math.max(...all)) : found;
  }
  const begin = () => { state.ids = [...data.beginnings[state.begun]]; };
  const last = data.most;
  const time = timeKeys(last, 700, () => (over() ? last : Math.min(state.ids.length, last - 1)), (to) => {
    if (to === 0 && over()) { begin(); show(); return; }
    do { state.ids = [...state.ids, sample()]; } while (to === last && !over());
    show();
  }, () => {
    draw = draws(1);
    start(0);
    heat.set(10);
  });
  const heat = slide("temperature", { min: 2, max: 20, step: 1, value: 10 }, (n) => (n / 10).toFixed(1), (n) => {
    state.tenths = n;
    show();
  });
  const menu = make("select", {}, [...data.names.map((name) => make("option", {}, [name])),
    make("option", { hidden: "" }, ["(your own)"])]);
  function start(which) {
    time.stop();
    state.begun = which;
    begin();
    show();
  }
  menu.addEventListener("change", () => start(menu.selectedIndex));
  figure.remember = () => {};
  figure.controls.append(...time.keys, heat.label,
    make("label", {}, [make("span", { class: "cl-note" }, ["beginning"]), menu]));
  // What the words do stands right below them: on a phone a reader sees both at once.
  figure.stage.append(line, figure.line, make("p", { class: "cl-note" }, ["The state, one bar a number, up to 1 or down to −1:"]),
    bars, added, next);
  figure.numbers.before(foldNumbers(figure.root));
  show();
  reserve(figure, () => ["The sentence is over. Play writes another one from the same beginning.",
    "Having read “teachers”, the net gives most to “children” (0.00)."]);
  keepInAddress(figure, () => `${state.begun}.${state.tenths}~${state.ids.join(".")}`, (text) => {
    const [chosen, ids] = text.split("~");
    const numbers = wholes(chosen, [data.names.length, 21]);
    const given = ids ? wholes(ids, ids.split(".").map(() => data.words.length)) : [];
    if (!numbers || numbers[1] < 2 || !given || given.includes(0) || given.length > data.most) return;
    time.stop();
    start(numbers[0]);
    heat.set(numbers[1]);
    state.ids = given;
    show();
  });
}
