// The sliding window: a map of a sentence pair, the window laid over it, and one step in bars.

function windowFigure(figure, data) {
  const KINDS = ["local-m", "local-p"], CELL = 22, HEAD = 74, SIDE = 96, TAIL = 22;
  const state = {};
  const now = () => data.examples[state.shown];

  function look(t) {
    const scores = now().scores[t], center = state.kind ? now().positions[t] : t;
    const open = scores.map((_, s) => Math.abs(s - center) <= state.radius);
    const bell = scores.map((_, s) => (state.kind ? Math.exp(-2 * ((s - center) / state.radius) ** 2) : 1));
    return {
      center, open, bell,
      whole: softmax(scores.map((score) => score / data.unit)),
      near: softmax(scores.map((score, s) => (open[s] ? score / data.unit : -Infinity))).map((weight, s) => weight * bell[s]),
    };
  }
  const missed = () => now().links.filter(([s, t]) => !look(t).open[s]);

  const count = make("p", { class: "cl-window-count" });
  const map = make("div", { class: "cl-window-map" }), bars = make("div", { class: "cl-window-bars" });
  const steps = make("fieldset", { class: "cl-window-steps" });
  figure.stage.append(count, make("div", { class: "cl-two" }, [map, bars]), steps);

  function drawMap() {
    const one = now(), wide = SIDE + CELL * one.source.length + TAIL, high = HEAD + CELL * one.target.length + 2;
    const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img",
      "aria-label": "the map under the window, source across and target down; the keys beside it name each step" });
    one.source.forEach((word, s) => svg.append(shape("text", { class: "cl-from",
      transform: `translate(${SIDE + CELL * (s + 0.7)} ${HEAD - 6}) rotate(-52)` }, [word])));
    const links = new Set(one.links.map(([s, t]) => s + " " + t));
    one.target.forEach((word, t) => {
      const seen = look(t), y = HEAD + CELL * t;
      const row = shape("g", { class: t === state.step ? "cl-row cl-picked" : "cl-row" }, [
        shape("rect", { x: 0, y, width: wide - TAIL, height: CELL, class: "cl-hit" }),
        shape("text", { x: SIDE - 6, y: y + 15, "text-anchor": "end", class: "cl-to" }, [word])]);
      one.source.forEach((_, s) => {
        const x = SIDE + CELL * s, open = seen.open[s], [a, b] = [x + CELL / 2, y + CELL / 2];
        row.append(shape("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2,
          class: open ? "cl-cell" : "cl-cell cl-shut", style: `--w:${seen.near[s].toFixed(2)}` }));
        if (!links.has(s + " " + t)) return;
        row.append(shape("circle", { cx: a, cy: b, r: 7, class: open ? "cl-gold" : "cl-gold cl-lost" }));
        if (!open) row.append(shape("path", { d: `M${a - 4} ${b - 4}l8 8m0-8l-8 8`, class: "cl-lost" }));
      });
      if (state.kind) {
        row.append(shape("path", { d: `M${SIDE + CELL * (seen.center + 0.5)} ${y + 2}v${CELL - 4}`, class: "cl-center" }));
      }
      if (t === state.step) row.append(shape("rect", { x: 1, y, width: wide - TAIL, height: CELL, rx: 3, class: "cl-frame" }));
      row.addEventListener("click", () => pick(t));
      svg.append(row);
    });
    map.replaceChildren(svg);
  }

  function drawBars() {
    const one = now(), t = state.step, seen = look(t);
    const gold = new Set(one.links.filter((link) => link[1] === t).map((link) => link[0]));
    const rows = one.source.map((word, s) => {
      const bar = (name, side, share) => make("i", { class: name, style: `${side}:${(100 * share).toFixed(1)}%` });
      const parts = [bar("cl-whole", "width", seen.whole[s]), bar("cl-near", "width", seen.near[s])];
      if (state.kind && seen.open[s]) parts.push(bar("cl-bell", "left", seen.bell[s]));
      const mark = gold.has(s) ? (seen.open[s] ? "◆" : "✕") : "";
      return rowOf(word, [make("td", { class: "cl-mark" }, [mark]), make("td", { class: "cl-lines" }, parts),
        seen.whole[s].toFixed(2), seen.near[s].toFixed(2)], seen.open[s] && "cl-open");
    });
    const total = rowOf("sum", ["", "", sumOf(seen.whole).toFixed(2), sumOf(seen.near).toFixed(2)]);
    bars.replaceChildren(tableOf(["source", "gold", "weight", "all", "window"], [...rows, total]));
  }

  function told() {
    const one = now(), t = state.step, seen = look(t), gloss = one.gloss[t];
    const place = state.kind ? `predicted position ${seen.center.toFixed(1)}` : `position ${t}`;
    const words = one.source.filter((_, s) => seen.open[s]);
    const gold = one.links.filter((link) => link[1] === t).map((link) => link[0]);
    const out = gold.filter((s) => !seen.open[s]).map((s) => `“${one.source[s]}”`);
    const name = `“${one.target[t]}”` + (gloss && gloss !== one.target[t] ? ` (${gloss})` : "");
    return `Step ${t}, ${name}: ${place}, the window holds ${words.length ? `“${words.join(" ")}”` : "nothing"}. ` +
      (out.length ? `Its gold link ${out.join(", ")} is outside.` : gold.length ? "Its gold link is inside." : "It has no gold link.");
  }
  function draw() {
    const one = now(), out = missed();
    // Arrow keys walk from step to step.
    const keys = one.target.map((word, t) => radioKey(figure.root.id + "-step", make("span", {}, [word]), () => pick(t),
      out.some((link) => link[1] === t) ? "cl-missed" : ""));
    const held = steps.contains(document.activeElement);
    steps.replaceChildren(make("legend", {}, ["Step"]), ...keys.map((key) => key.label));
    keys[state.step].input.checked = true;
    if (held) keys[state.step].input.focus();
    count.textContent = `${out.length} of ${one.links.length} gold links fall outside the window; ` +
      `a step scores at most ${Math.min(2 * state.radius + 1, one.source.length)} of ${one.source.length} positions.`;
    drawMap();
    drawBars();
    figure.answer(told());
  }
  const end = () => now().target.length - 1;
  const pick = (t) => { state.step = Math.min(t, end()); draw(); };
  // It opens on the last step whose gold link is out of sight.
  function put(shown, kind, radius, step) {
    Object.assign(state, { shown, kind, radius });
    state.step = step ?? Math.max(0, ...missed().map((link) => link[1]));
    menu.selectedIndex = shown;
    kinds.mark(kind);
    dial.set(radius);
  }
  const menu = menuOf(data.examples.map((one) => one.source.join(" ")), (i) => put(i, state.kind, state.radius));
  const kinds = choose(figure, "Window", KINDS, 0, (i) => { state.kind = i; draw(); });
  const dial = slide("Radius D", { min: 1, max: data.largest, step: 1, value: data.radius }, String,
    (value) => { state.radius = value; draw(); });
  const opening = () => put(0, 0, data.radius);
  const longest = Math.max(...data.examples.map((one) => one.target.length)) - 1;
  const time = stepper(figure, longest, 1400, () => (state.step >= end() ? longest : state.step), pick, opening, true);
  if (data.examples.length > 1) figure.controls.append(labelled("Sentence", menu));
  figure.controls.append(kinds.label, dial.label, ...time);
  opening();
  keepNumbers(figure, [data.examples.length, 2, data.largest + 1, 1000],
    () => [state.shown, state.kind, state.radius, state.step], (shown, kind, radius, step) => {
      if (radius > 0 && step < data.examples[shown].target.length) put(shown, kind, radius, step);
    });
}
