// One attention step in the plane: what is shown grows step by step, and the state can be dragged.

const STAGES = [
  "Three words, three annotations. The diamond is the decoder's state, which asks.",
  "Scores: how well does each annotation fit the state?",
  "Weights: the softmax makes the scores positive, and they sum to one.",
  "Context: the average of the annotations by these weights. It never leaves the triangle.",
];

function planeFigure(figure, data) {
  const last = STAGES.length - 1, state = { s: [...data.s], stage: last };
  const plane = dragPlane(300, 14, data.reach, "cl-plane-map");
  plane.svg.append(plane.hull(data.h));
  const rays = plane.dots("cl-h", data.h, data.words);
  const context = plane.mark("cl-c", "c", 9, 4, [shape("circle", { r: 6 })]);
  plane.svg.append(context);
  const handle = plane.draggable("cl-q", "s", -22, -4, 11, "state s", () => state.s, (s) => {
    figure.stop();
    state.s = s;
    figure.answer(draw());
  });

  const cells = data.words.map(() => Array.from({ length: 3 }, () => make("td")));
  const table = tableOf(["", "score", "exp", "weight"], cells.map((row, j) => rowOf(data.words[j], row)));
  const sum = make("p", { class: "cl-sum" });
  figure.stage.append(make("div", { class: "cl-two" }, [plane.svg, make("div", {}, [table, sum])]));

  function draw() {
    const scores = data.h.map((h) => sumOf(h.map((x, i) => Math.tanh(state.s[i] + x))));
    const weights = softmax(scores), c = average(weights, data.h);
    const shown = (least) => state.stage >= least;
    cells.forEach((row, j) => {
      const numbers = [shown(1) && scores[j], shown(2) && Math.exp(scores[j]), shown(2) && weights[j]];
      row.forEach((cell, i) => { cell.textContent = numbers[i] === false ? "\u2007" : numbers[i].toFixed(3); });
      paint(row[2], shown(2) ? weights[j] : 0);
      plane.setRay(rays[j], shown(3) ? c : state.s, shown(2) ? (0.5 + 6 * weights[j]).toFixed(1) : 1);
      rays[j].classList.toggle("cl-unseen", !shown(1));
    });
    plane.put(context, c);
    context.classList.toggle("cl-unseen", !shown(3));
    plane.put(handle, state.s);
    sum.textContent = shown(3) ? `c = ${pairText(c)}` : `s = ${pairText(state.s)}`;
    return `s = ${pairText(state.s)}, weights ${weights.map((w) => w.toFixed(2)).join(", ")}, c = ${pairText(c)}`;
  }
  const go = (stage, s = state.s) => {
    Object.assign(state, { stage, s });
    draw();
    figure.answer(STAGES[stage]);
  };
  figure.controls.append(...stepper(figure, last, 2200, () => state.stage, (stage) => go(stage), () => go(last, data.s)));
  // The table beside the picture has the numbers of now; that of the beginning is for paper.
  figure.folds = false;
  figure.root.classList.add("cl-folded");
  draw();
  figure.say("Drag the diamond, or go through it step by step.");
  // The state moves on a grid of twentieths.
  const grid = 2 * data.reach * 20 + 1;
  keepNumbers(figure, [STAGES.length, grid, grid],
    () => [state.stage, ...state.s.map((x) => Math.round((x + data.reach) * 20))],
    (stage, ...places) => go(stage, places.map((place) => plane.clip(place / 20 - data.reach))));
}
