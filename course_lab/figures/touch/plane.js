// One attention step in the plane: what is shown grows step by step, and the state can be dragged.

const PLANE = 300, MARGIN = 14;
const STAGES = [
  "Three words, three annotations. The diamond is the decoder's state, which asks.",
  "Scores: how well does each annotation fit the state?",
  "Weights: the softmax makes the scores positive, and they sum to one.",
  "Context: the average of the annotations by these weights. It never leaves the triangle.",
];

function planeFigure(figure, data) {
  const state = { s: [...data.s], stage: STAGES.length - 1 };
  const place = (x) => MARGIN + (x + data.reach) / (2 * data.reach) * (PLANE - 2 * MARGIN);
  const at = ([x, y]) => [place(x), PLANE - place(y)];
  const clip = (x) => Math.max(-data.reach, Math.min(data.reach, Math.round(x * 20) / 20));

  const svg = shape("svg", { viewBox: `0 0 ${PLANE} ${PLANE}`, class: "cl-plane-map" });
  for (const [x1, y1, x2, y2] of [[-data.reach, 0, data.reach, 0], [0, -data.reach, 0, data.reach]]) {
    const [[a, b], [c, d]] = [at([x1, y1]), at([x2, y2])];
    svg.append(shape("line", { x1: a, y1: b, x2: c, y2: d, class: "cl-axis" }));
  }
  svg.append(shape("polygon", { points: data.h.map((h) => at(h).join(",")).join(" "), class: "cl-hull" }));
  const rays = data.h.map((h) => {
    const [x, y] = at(h);
    const ray = shape("line", { x2: x, y2: y, class: "cl-ray" });
    svg.append(ray);
    return ray;
  });
  data.h.forEach((h, j) => {
    const [x, y] = at(h);
    svg.append(shape("circle", { cx: x, cy: y, r: 5, class: "cl-h" }),
      shape("text", { x: x + (h[0] < 0 ? -8 : 11), y: y + (h[1] < 0 ? 18 : -10),
        "text-anchor": h[0] < 0 ? "start" : h[0] > 1 ? "end" : "start" }, [data.words[j]]));
  });
  const context = shape("g", { class: "cl-c" }, [shape("circle", { r: 6 }), shape("text", { x: 9, y: 4 }, ["c"])]);
  const handle = shape("g", { class: "cl-s", tabindex: 0, role: "application",
    "aria-label": "state s, arrow keys move it" }, [
    shape("circle", { r: 20, class: "cl-grip" }), shape("path", { d: "M0-11L11 0 0 11-11 0Z" }),
    shape("text", { x: -22, y: -4 }, ["s"]),
  ]);
  svg.append(context, handle);

  const cells = data.words.map((word) => {
    const score = make("td"), power = make("td"), weight = make("td");
    return { row: make("tr", {}, [make("th", { scope: "row" }, [word]), score, power, weight]), score, power, weight };
  });
  const head = ["", "score", "exp", "weight"].map((text) => (text ? make("th", { scope: "col" }, [text]) : make("td")));
  const table = make("table", {}, [make("thead", {}, [make("tr", {}, head)]),
    make("tbody", {}, cells.map((cell) => cell.row))]);
  const sum = make("p", { class: "cl-sum" });
  figure.stage.append(make("div", { class: "cl-plane-two" }, [svg, make("div", {}, [table, sum])]));

  function draw() {
    const scores = data.h.map((h) => h.reduce((total, x, i) => total + Math.tanh(state.s[i] + x), 0));
    const powers = scores.map(Math.exp), total = powers.reduce((a, b) => a + b, 0);
    const weights = powers.map((power) => power / total);
    const c = [0, 1].map((i) => data.h.reduce((sum, h, j) => sum + weights[j] * h[i], 0));
    const shown = (least) => state.stage >= least;
    cells.forEach((cell, j) => {
      cell.score.textContent = shown(1) ? scores[j].toFixed(3) : "\u2007";
      cell.power.textContent = shown(2) ? powers[j].toFixed(3) : "\u2007";
      cell.weight.textContent = shown(2) ? weights[j].toFixed(3) : "\u2007";
      paint(cell.weight, shown(2) ? weights[j] : 0, data.turns);
      const [x, y] = at(shown(3) ? c : state.s);
      const ray = rays[j];
      ray.setAttribute("x1", x);
      ray.setAttribute("y1", y);
      ray.setAttribute("stroke-width", shown(2) ? (0.5 + 6 * weights[j]).toFixed(1) : 1);
      ray.classList.toggle("cl-off", !shown(1));
    });
    context.setAttribute("transform", `translate(${at(c)})`);
    context.classList.toggle("cl-off", !shown(3));
    handle.setAttribute("transform", `translate(${at(state.s)})`);
    const pair = (v) => `(${v.map((x) => x.toFixed(2)).join(", ")})`;
    sum.textContent = shown(3) ? `c = ${pair(c)}` : `s = ${pair(state.s)}`;
    return `s = ${pair(state.s)}, weights ${weights.map((w) => w.toFixed(2)).join(", ")}, c = ${pair(c)}`;
  }

  const go = (stage) => {
    state.stage = stage;
    draw();
    figure.say(STAGES[stage]);
    figure.remember();
  };
  const move = (s) => {
    state.s = s.map(clip);
    figure.say(draw());
    figure.remember();
  };

  // Within a picture that scrolls the page, touch-action cannot make an exception for a part.
  handle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  let held = false;
  handle.addEventListener("pointerdown", (event) => {
    held = true;
    time.stop();
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!held) return;
    const box = svg.getBoundingClientRect(), scale = PLANE / box.width;
    const back = (pixels) => ((pixels * scale - MARGIN) / (PLANE - 2 * MARGIN)) * 2 * data.reach - data.reach;
    move([back(event.clientX - box.left), -back(event.clientY - box.top)]);
  });
  ["pointerup", "pointercancel"].forEach((name) => handle.addEventListener(name, () => { held = false; }));
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    move(state.s.map((x, i) => x + by[i]));
  });

  const time = timeKeys(STAGES.length - 1, 2200, () => state.stage, go,
    () => { state.s = [...data.s]; go(STAGES.length - 1); });
  figure.controls.append(...time.keys);
  // The table beside the picture has the numbers of now; that of the beginning is for paper.
  figure.root.classList.add("cl-folded");
  draw();
  figure.say("Drag the diamond, or go through it step by step.");
  reserve(figure, () => [...STAGES, draw().replace(/-?\d\.\d\d/g, "-0.00")]);
  // The state moves on a grid of twentieths.
  const grid = 2 * data.reach * 20 + 1;
  keepInAddress(figure,
    () => [state.stage, ...state.s.map((x) => Math.round((x + data.reach) * 20))].join("."),
    (text) => {
      const numbers = wholes(text, [STAGES.length, grid, grid]);
      if (!numbers) return;
      time.stop();
      state.s = numbers.slice(1).map((place) => clip(place / 20 - data.reach));
      go(numbers[0]);
    });
}
