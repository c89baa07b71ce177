// A soft look-up in the plane: keys with a query to drag, values with their average.

// One query and one key each. The same as SCORES beside this file.
const LOOKUP_SCORES = {
  "dot product": dot,
  "distance": (q, k) => -2 * ((q[0] - k[0]) ** 2 + (q[1] - k[1]) ** 2),
};

function lookupFigure(figure, data) {
  const names = Object.keys(LOOKUP_SCORES), opening = names.indexOf(data.score);
  const state = { q: data.q, score: opening, cold: 0 };

  const [keys, values] = ["key", "value"].map((kind) => dragPlane(300, 16, data.reach, `cl-map cl-${kind}s`));
  const star = values.mark("cl-star", "star", 0, 23,
    [shape("path", { d: "M0-9L2.3-3 9-3 3.7 1 5.6 7.4 0 3.6-5.6 7.4-3.7 1-9-3-2.3-3Z" })], { "text-anchor": "middle" });
  values.put(star, data.star);
  values.svg.append(values.hull(data.hull.map((j) => data.v[j])), star);
  const keyRays = keys.dots("cl-dot-key", data.k, data.words), valueRays = values.dots("cl-dot-value", data.v, data.words);
  const handle = keys.draggable("cl-q", "q", -24, 5, 10, "query", () => state.q, (q) => { state.q = q; show(); });
  const context = values.mark("cl-c", "c", 10, 5, [shape("circle", { r: 7 })]);
  values.svg.append(context);
  const titled = (text, drawn) => make("div", {}, [make("p", { class: "cl-title" }, [text]), drawn]);

  const cells = data.words.map(() => ({ score: make("td"), bar: barCell(6) }));
  const table = tableOf(["", "score", "weight"],
    cells.map(({ score, bar }, j) => rowOf(data.words[j], [score, bar.cell])));
  const sum = make("p", { class: "cl-sum" });
  figure.stage.append(make("div", { class: "cl-two" }, [
    titled("keys: where the query looks", keys.svg), titled("values: what is read", values.svg),
    make("div", {}, [table, sum])]));

  function draw() {
    const scores = data.k.map((k) => LOOKUP_SCORES[names[state.score]](state.q, k));
    const weights = softmax(scores, 2 ** state.cold), c = average(weights, data.v);
    cells.forEach(({ score, bar }, j) => {
      score.textContent = scores[j].toFixed(2);
      bar.show(weights[j]);
      const width = (0.3 + 6 * weights[j]).toFixed(1);
      keys.setRay(keyRays[j], state.q, width);
      values.setRay(valueRays[j], c, width);
    });
    keys.put(handle, state.q);
    values.put(context, c);
    const apart = Math.hypot(c[0] - data.star[0], c[1] - data.star[1]);
    sum.textContent = `c = ${pairText(c)}; ${apart.toFixed(2)} from the star. The hull comes no nearer than ${data.gap.toFixed(2)}.`;
    const most = argmax(weights);
    return `Query ${pairText(state.q)}, ${names[state.score]}: most weight, ${weights[most].toFixed(2)}, on ${data.words[most]}.`;
  }

  const show = () => figure.answer(draw());
  const chosen = choose(figure, "score", names, state.score, (i) => { state.score = i; show(); });
  const heat = slide("temperature", { min: -5, max: 4, step: 0.5, value: 0 },
    (x) => (2 ** x).toFixed(x < 0 ? 2 : 1), (x) => { state.cold = x; show(); });
  const put = (q, score, cold) => {
    state.q = q;
    chosen.set(score);
    heat.set(cold);
  };
  figure.controls.append(chosen.label, heat.label, press("Reset", () => put(data.q, opening, 0)));
  show();
  keepInAddress(figure, () => [...state.q, state.score, state.cold].join("~"), (text) => {
    const parts = text.split("~").map(Number);
    if (parts.length !== 4 || parts.some(Number.isNaN) || !names[parts[2]]) return;
    put(parts.slice(0, 2).map(keys.clip), parts[2], parts[3]);
  });
}
