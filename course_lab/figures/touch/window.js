// The sliding window: a map of a sentence pair, the window laid over it, and one step in bars.

function windowFigure(figure, data) {
  const KINDS = ["local-m", "local-p"];
  const opened = { shown: 0, kind: 0, radius: data.radius, step: null };
  const state = { ...opened };
  const CELL = 22, HEAD = 74, SIDE = 96, TAIL = 22;

  function look(t) {
    const one = data.examples[state.shown], scores = one.scores[t];
    const center = state.kind ? one.positions[t] : t;
    const open = scores.map((_, s) => Math.abs(s - center) <= state.radius);
    const bell = scores.map((_, s) => (state.kind ? Math.exp(-2 * ((s - center) / state.radius) ** 2) : 1));
    return {
      center, open, bell,
      whole: softmax(scores.map((score) => score / data.unit)),
      near: softmax(scores.map((score, s) => (open[s] ? score / data.unit : -Infinity))).map((weight, s) => weight * bell[s]),
    };
  }
  const missed = () => data.examples[state.shown].links.filter(([s, t]) => !look(t).open[s]);
  // The page opens on the first step whose gold link is out of sight.
  const firstMissed = () => { const out = missed(); return out.length ? Math.max(...out.map((link) => link[1])) : 0; };

  const map = make("div", { class: "cl-window-map" });
  const bars = make("div", { class: "cl-window-bars" });
  figure.stage.append(make("div", { class: "cl-two" }, [map, bars]));
  const count = make("p", { class: "cl-window-count" });
  figure.stage.prepend(count);

  function drawMap() {
    const one = data.examples[state.shown];
    const wide = SIDE + CELL * one.source.length + TAIL, high = HEAD + CELL * one.target.length + 2;
    const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img",
      "aria-label": "the map under the window, source across and target down; the keys beside it name each step" });
    one.source.forEach((word, s) => svg.append(shape("text", { class: "cl-from",
      transform: `translate(${SIDE + CELL * (s + 0.7)} ${HEAD - 6}) rotate(-52)` }, [word])));
    const links = new Set(one.links.map(([s, t]) => s + " " + t));
    one.target.forEach((word, t) => {
      const seen = look(t), y = HEAD + CELL * t;
      const row = shape("g", { class: t === state.step ? "cl-row cl-picked" : "cl-row" });
      row.append(shape("rect", { x: 0, y, width: wide - TAIL, height: CELL, class: "cl-hit" }),
        shape("text", { x: SIDE - 6, y: y + 15, "text-anchor": "end", class: "cl-to" }, [word]));
      one.source.forEach((_, s) => {
        const x = SIDE + CELL * s;
        const cell = shape("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2,
          class: seen.open[s] ? "cl-cell" : "cl-cell cl-shut" });
        cell.style.setProperty("--w", seen.near[s].toFixed(2));
        row.append(cell);
        if (!links.has(s + " " + t)) return;
        const [a, b] = [x + CELL / 2, y + CELL / 2];
        row.append(shape("circle", { cx: a, cy: b, r: 7, class: seen.open[s] ? "cl-gold" : "cl-gold cl-lost" }));
        if (!seen.open[s]) {
          row.append(shape("path", { d: `M${a - 4} ${b - 4}l8 8m0-8l-8 8`, class: "cl-lost" }));
        }
      });
      if (state.kind) {
        const x = SIDE + CELL * (seen.center + 0.5);
        row.append(shape("path", { d: `M${x} ${y + 2}v${CELL - 4}`, class: "cl-center" }));
      }
      if (t === state.step) {
        row.append(shape("rect", { x: 1, y: y, width: wide - TAIL, height: CELL, rx: 3, class: "cl-frame" }));
      }
      row.addEventListener("click", () => pick(t));
      svg.append(row);
    });
    map.replaceChildren(svg);
  }

  let keys = [];
  function offerSteps() {
    const one = data.examples[state.shown], group = figure.root.id + "-step";
    keys = one.target.map((word, t) => radioKey(group, make("span", {}, [word]), () => pick(t)));
    steps.replaceChildren(make("legend", {}, ["Step"]), ...keys.map((key) => key.label));
  }
  const steps = make("fieldset", { class: "cl-window-steps" });
  figure.stage.append(steps);

  function drawBars() {
    const one = data.examples[state.shown], t = state.step, seen = look(t);
    const gold = new Set(one.links.filter((link) => link[1] === t).map((link) => link[0]));
    const rows = one.source.map((word, s) => {
      const bar = (name, weight) => {
        const line = make("i", { class: name });
        line.style.width = (100 * weight).toFixed(1) + "%";
        return line;
      };
      const parts = [bar("cl-whole", seen.whole[s]), bar("cl-near", seen.near[s])];
      if (state.kind && seen.open[s]) {
        const edge = make("i", { class: "cl-bell" });
        edge.style.left = (100 * seen.bell[s]).toFixed(1) + "%";
        parts.push(edge);
      }
      const mark = gold.has(s) ? (seen.open[s] ? "◆" : "✕") : "";
      return rowOf(word, [make("td", { class: "cl-mark" }, [mark]), make("td", { class: "cl-lines" }, parts),
        seen.whole[s].toFixed(2), seen.near[s].toFixed(2)], seen.open[s] && "cl-open");
    });
    const total = rowOf("sum", ["", "", sumOf(seen.whole).toFixed(2), sumOf(seen.near).toFixed(2)]);
    bars.replaceChildren(tableOf(["source", "gold", "weight", "all", "window"], [...rows, total]));
  }

  function told() {
    const one = data.examples[state.shown], t = state.step, seen = look(t);
    const place = state.kind ? `predicted position ${seen.center.toFixed(1)}` : `position ${t}`;
    const words = one.source.filter((_, s) => seen.open[s]);
    const gold = one.links.filter((link) => link[1] === t).map((link) => link[0]);
    const out = gold.filter((s) => !seen.open[s]).map((s) => "“" + one.source[s] + "”");
    const name = "“" + one.target[t] + "”" + (one.gloss[t] && one.gloss[t] !== one.target[t] ? ` (${one.gloss[t]})` : "");
    return `Step ${t}, ${name}: ${place}, the window holds ${words.length ? "“" + words.join(" ") + "”" : "nothing"}. ` +
      (out.length ? `Its gold link ${out.join(", ")} is outside.` : gold.length ? "Its gold link is inside." : "It has no gold link.");
  }
  function draw() {
    const one = data.examples[state.shown], out = missed();
    keys.forEach((key, t) => {
      key.input.checked = t === state.step;
      key.label.classList.toggle("cl-missed", out.some((link) => link[1] === t));
    });
    count.textContent = `${out.length} of ${one.links.length} gold links fall outside the window; ` +
      `a step scores at most ${Math.min(2 * state.radius + 1, one.source.length)} of ${one.source.length} positions.`;
    drawMap();
    drawBars();
    figure.say(told());
    figure.remember();
  }

  const end = () => data.examples[state.shown].target.length - 1;
  const pick = (t) => { time.stop(); state.step = t; draw(); };
  const longest = Math.max(...data.examples.map((one) => one.target.length)) - 1;
  const time = stepper(longest, 1400, () => (state.step >= end() ? longest : state.step),
    (t) => { state.step = Math.min(t, end()); draw(); }, () => {
      Object.assign(state, opened);
      state.step = firstMissed();
      menu.selectedIndex = state.shown;
      offerSteps();
      kinds.set(state.kind);
      radius.set(state.radius);
    }, true);
  const menu = menuOf(data.examples.map((one) => one.source.join(" ")), (i) => {
    time.stop();
    state.shown = i;
    state.step = firstMissed();
    offerSteps();
    draw();
  });
  const kinds = choose(figure, "Window", KINDS, state.kind, (i) => { time.stop(); state.kind = i; draw(); });
  const radius = slide("Radius D", { min: 1, max: data.largest, step: 1, value: state.radius }, String,
    (value) => { state.radius = value; draw(); });
  if (data.examples.length > 1) figure.controls.append(labelled("Sentence", menu));
  figure.controls.append(kinds.label, radius.label, ...time.keys);
  if (state.step === null) state.step = firstMissed();
  offerSteps();
  draw();
  keepNumbers(figure, [data.examples.length, 2, data.largest + 1, 1000],
    () => [state.shown, state.kind, state.radius, state.step], (...found) => {
    if (found[2] < 1 || found[3] >= data.examples[found[0]].target.length) return;
    [state.shown, state.kind, state.radius, state.step] = found;
    menu.selectedIndex = state.shown;
    offerSteps();
    kinds.set(state.kind);
    radius.set(state.radius);
  });
}
