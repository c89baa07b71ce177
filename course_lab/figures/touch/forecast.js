// Watch a recurrent net write. The names are those of course_lab/experiments/recurrence/in_page.py.

// h' = tanh(W_ih x + b_ih + W_hh h + b_hh), where x is 1 at the word's own place.
function wordNet(tensors) {
  const { linear } = layersOf(tensors), size = tensors["layer.weight_hh_l0"].rows;
  const { values, columns } = tensors["layer.weight_ih_l0"], shift = tensors["layer.bias_ih_l0"].values;
  const step = (id, h) => linear("layer", h, "weight_hh_l0", "bias_hh_l0")
    .map((sum, i) => Math.tanh(values[i * columns + id] + shift[i] + sum));
  // The state after START and these words.
  const read = (ids) => [...[0, ...ids].reduce((h, id) => step(id, h), new Float64Array(size))];
  // The probability of each next word; START is never written.
  const following = (h, temperature) =>
    softmax([...linear("readout", h)].map((score, id) => (id ? score : -Infinity)), temperature);
  return { read, following };
}

function forecastFigure(figure, data) {
  const net = wordNet(readTensors(data.net).tensors);
  const state = { begun: 0, ids: [], tenths: 10 };
  const over = () => state.ids[state.ids.length - 1] === data.stop || state.ids.length >= data.most;
  const word = (id) => data.words[id];
  const line = make("div", { class: "cl-line", role: "group", "aria-label": "The sentence" });
  const bars = make("div", { class: "cl-state", role: "img" });
  const sums = data.sums.map(([name, ids]) => ({ ids, ...barRow("p", name) }));
  const names = data.words.map((name, id) => [name, id]).slice(1).sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const others = menuOf(["choose", ...names.map(([name]) => name)], (i) => {
    others.selectedIndex = 0;
    if (i) add(names[i - 1][1]);
  });
  const rows = Array.from({ length: data.shown }, (_, place) => {
    const made = barRow("button", "", { attributes: { type: "button" } });
    made.row.addEventListener("click", () => add(ranked()[place].id));
    return made;
  });
  const next = make("div", {}, [
    make("p", { class: "cl-note" }, ["What may come next. Choose a word yourself, or let the net draw:"]),
    make("div", { class: "cl-next", role: "group", "aria-label": "Words that may come next" }, rows.map((each) => each.row)),
    labelled("any other word", others)]);
  const added = make("div", { class: "cl-sums" }, sums.map((sum) => sum.row));

  const shares = () => net.following(net.read(state.ids), state.tenths / 10);
  const ranked = () => shares().map((share, id) => ({ id, share })).sort((a, b) => b.share - a.share);
  function show() {
    // Whose key the reader holds may be gone or shut after this, and the focus with it.
    const held = next.contains(document.activeElement);
    line.replaceChildren(...state.ids.map((id, i) => press(word(id), () => {
      put(state.ids.slice(0, i + 1));
      line.children[i].focus();
    }, { class: "cl-word", "aria-label": `${word(id)}: go back to it` })), make("span", { class: "cl-end" }, [
      make("span", { class: "cl-gap", "aria-hidden": "true" }, [over() ? "" : "…"]), ...(state.ids.length ? [clear] : [])]));
    const h = net.read(state.ids), all = shares(), best = ranked();
    bars.replaceChildren(...h.map((part) => make("span", {
      class: part < 0 ? "cl-unit cl-below" : "cl-unit", style: `--size:${Math.abs(part).toFixed(2)}` })));
    bars.setAttribute("aria-label", `The state, ${h.length} numbers: ${h.map((part) => part.toFixed(1)).join(", ")}`);
    [next, added].forEach((part) => part.classList.toggle("cl-unseen", over()));
    others.disabled = over();
    sums.forEach((sum) => sum.show(sumOf(sum.ids.map((id) => all[id]))));
    // A sentence that begins otherwise is the reader's own.
    const kept = data.beginnings[state.begun].every((id, i) => state.ids[i] === id);
    menu.mark(kept ? state.begun : null);
    rows.forEach((row, i) => {
      const { id, share } = best[i];
      row.row.disabled = over();
      row.label.textContent = word(id);
      row.row.setAttribute("aria-label", `${word(id)}, probability ${share.toFixed(2)}`);
      row.show(share);
    });
    if (over() && held) time[0].focus();
    const last = state.ids.length ? `Having read “${word(state.ids[state.ids.length - 1])}”` : "Before the first word";
    figure.answer(over() ? "The sentence is over. Play writes another one from the same beginning."
      : `${last}, the net gives most to “${word(best[0].id)}” (${best[0].share.toFixed(2)}).`);
  }
  const clear = press("×", () => { put([]); rows[0].row.focus(); }, { class: "cl-clear", "aria-label": "Take all words away" });
  const put = (ids) => { state.ids = ids; show(); };
  const add = (id) => put([...state.ids, id]);
  const start = (which) => { state.begun = which; put(data.beginnings[which]); };
  const last = data.most;
  const time = stepper(figure, last, 700, () => (over() ? last : Math.min(state.ids.length, last - 1)), (to) => {
    if (to === 0 && over()) { start(state.begun); return; }
    do { state.ids = [...state.ids, drawnFrom(shares(), Math.random())]; } while (to === last && !over());
    show();
  }, () => { start(0); heat.set(10); });
  const heat = slide("temperature", { min: 2, max: 20, step: 1, value: 10 }, (n) => (n / 10).toFixed(1), (n) => {
    state.tenths = n;
    show();
  });
  const menu = sentenceMenu(data.names, start);
  figure.controls.append(...time, heat.label, labelled("beginning", menu.menu));
  // What the words do stands right below them: on a phone a reader sees both at once.
  figure.stage.append(line, figure.line, make("p", { class: "cl-note" }, ["The state, one bar a number, up to 1 or down to −1:"]),
    bars, added, next);
  start(0);
  keepInAddress(figure, () => `${state.begun}.${state.tenths}~${state.ids.join(".")}`, (text) => {
    const [chosen, ids] = text.split("~");
    const numbers = wholes(chosen, [data.names.length, 21]);
    const given = ids ? wholes(ids, ids.split(".").map(() => data.words.length)) : [];
    if (!numbers || numbers[1] < 2 || !given || given.includes(0) || given.length > data.most) return;
    start(numbers[0]);
    heat.set(numbers[1]);
    put(given);
  });
}
