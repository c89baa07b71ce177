// What temperature, top-k and top-p make of one distribution, one after the other, with a dial for each.

// Shares after each dial, as `kept_probabilities` of course_lib/decoding/sample.py finds them.
function dialled(logits, { temperature, topK, topP }) {
  const warm = softmax(logits, temperature);
  const falling = warm.map((_, id) => id).sort((a, b) => warm[b] - warm[a] || a - b);
  const kept = (shares, keeps) => {
    const left = shares.map((share, id) => (keeps(id) ? share : 0)), total = sumOf(left);
    return left.map((share) => share / total);
  };
  const few = new Set(falling.slice(0, topK)), some = kept(warm, (id) => few.has(id));
  const nucleus = new Set();
  let before = 0;
  for (const id of falling) {
    if (topP < 1 && before >= topP) break;
    nucleus.add(id);
    before += some[id];
  }
  return [warm, some, kept(some, (id) => nucleus.has(id))];
}

// The table of a figure with dials, for one distribution.
const fillDialled = (figure, name, dials, logits, nameOf) =>
  refill(figure, name, ["", ...dials.columns()], dials.table(logits).map(({ id, shares }) =>
    rowOf(id < 0 ? "others" : nameOf(id), shares.map((share) => weightCell(share, share.toFixed(2))))));

// Three dials, and under each what is left of the distribution. `rows` tokens have a row of their own.
// `all`: how many there are; a top-k of `steps` or more keeps them all.
function dialBoard({ rows, steps, all, opening, onChange }) {
  const state = { ...opening };
  const two = (value) => value.toFixed(2);
  const turn = (name) => (value) => { state[name] = value; onChange(); };
  const dials = [
    slide("temperature", { min: 0.1, max: 2, step: 0.05, value: opening.temperature }, two, turn("temperature")),
    slide("top-k", { min: 1, max: steps, value: Math.min(opening.topK, steps) }, (k) => (k < steps ? String(k) : "all"),
      (k) => turn("topK")(k < steps ? k : all)),
    slide("top-p", { min: 0.05, max: 1, step: 0.05, value: opening.topP }, two, turn("topP")),
  ];
  const lines = Array.from({ length: rows + 1 }, () => {
    const name = make("span", { class: "cl-name" });
    const bars = dials.map(() => { const bar = barRow("span", "", { marked: true }); bar.label.remove(); return bar; });
    return { name, bars };
  });
  const element = make("div", { class: "cl-dials" }, [make("span", { class: "cl-name" }),
    ...dials.map((dial) => dial.label), ...lines.flatMap(({ name, bars }) => [name, ...bars.map((bar) => bar.row)])]);
  // The rows of a distribution: its most probable tokens, and all others as one.
  function table(logits) {
    const plain = softmax(logits), stages = dialled(logits, state);
    const ids = plain.map((_, id) => id).sort((a, b) => plain[b] - plain[a] || a - b).slice(0, rows);
    const rest = (shares) => 1 - sumOf(ids.map((id) => shares[id]));
    return [...ids.map((id) => ({ id, shares: [plain, ...stages].map((stage) => stage[id]) })),
      { id: -1, shares: [plain, ...stages].map((stage) => Math.max(0, rest(stage))) }];
  }
  // `drawn` is the token that came, if one did.
  function show(logits, nameOf, drawn = null) {
    const found = table(logits), listed = found.some(({ id }) => id === drawn);
    found.forEach(({ id, shares: [plain, ...stages] }, i) => {
      const { name, bars } = lines[i], here = drawn !== null && (id === drawn || (id < 0 && !listed));
      alter(name, { text: id < 0 ? "others" : nameOf(id), on: { "cl-drawn": here } });
      bars.forEach((bar, k) => {
        const cut = stages[k] === 0 || (id < 0 && stages[k] < 1e-9);
        bar.show(stages[k], { before: k ? stages[k - 1] : plain, text: cut ? "cut" : stages[k].toFixed(2) });
        bar.row.classList.toggle("cl-cut", cut);
      });
    });
  }
  // The names of what `table` holds.
  const columns = () => ["as it is", `temperature ${two(state.temperature)}`,
    `then top-k ${state.topK < steps ? state.topK : "all"}`, `then top-p ${two(state.topP)}`];
  const set = (values) => ["temperature", "topK", "topP"].forEach((name, i) => dials[i].set(values[name]));
  // In steps of the sliders, for the address; `limits` is what each lies below.
  const told = () => [Math.round(20 * state.temperature), Math.min(state.topK, steps), Math.round(20 * state.topP)];
  const restore = ([warm, k, p]) => set({ temperature: Math.max(2, warm) / 20, topK: Math.max(1, k), topP: Math.max(1, p) / 20 });
  return { element, show, table, columns, set, told, restore, limits: [41, steps + 1, 21],
    shares: (logits) => dialled(logits, state)[2] };
}
