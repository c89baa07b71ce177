// A soft look-up in the plane: keys with a query to drag, values with their average.

const SIDE = 300, EDGE = 16;
// One query and one key each; `j` is the key's place. The same as SCORES beside this file.
const LOOKUP_SCORES = {
  "dot product": (q, k) => q[0] * k[0] + q[1] * k[1],
  "scaled dot product": (q, k) => (q[0] * k[0] + q[1] * k[1]) / Math.SQRT2,
  "cosine, times 4": (q, k) => {
    const long = (v) => Math.max(Math.hypot(...v), 1e-9);
    return 4 * (q[0] * k[0] + q[1] * k[1]) / long(q) / long(k);
  },
  "general, W a quarter turn": (q, k) => q[0] * k[1] - q[1] * k[0],
  "additive": (q, k) => Math.tanh(q[0] + k[0]) + Math.tanh(q[1] + k[1]),
  "distance": (q, k) => -2 * ((q[0] - k[0]) ** 2 + (q[1] - k[1]) ** 2),
  "location, no key is read": (q, k, j, data) => q[0] * data.rows[j][0] + q[1] * data.rows[j][1],
};

function lookupFigure(figure, data) {
  const names = Object.keys(LOOKUP_SCORES);
  const first = { q: data.q, score: names.indexOf(data.score), cold: 0 };
  const state = { ...first, q: [...first.q] };
  const place = (x) => EDGE + (x + data.reach) / (2 * data.reach) * (SIDE - 2 * EDGE);
  const at = ([x, y]) => [place(x), SIDE - place(y)];
  const clip = (x) => Math.max(-data.reach, Math.min(data.reach, Math.round(x * 20) / 20));
  const pair = (v) => `(${v.map((x) => (Math.abs(x) < 0.005 ? 0 : x).toFixed(2)).join(", ")})`;

  // A plane with its axes and its points, each point with a ray that a weight will thicken.
  function plane(kind, points, before) {
    const svg = shape("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, class: `cl-map cl-${kind}s` });
    const [left, right] = [place(-data.reach), place(data.reach)], middle = SIDE / 2;
    svg.append(shape("line", { x1: left, y1: middle, x2: right, y2: middle, class: "cl-axis" }),
      shape("line", { x1: middle, y1: left, x2: middle, y2: right, class: "cl-axis" }), ...before);
    const rays = points.map((point) => {
      const [x, y] = at(point);
      const ray = shape("line", { x2: x, y2: y, class: "cl-ray" });
      svg.append(ray);
      return ray;
    });
    points.forEach((point, j) => {
      const [x, y] = at(point);
      const name = shape("text", { x: x + (point[0] > 1 ? -9 : 9), y: y + (point[1] < 0 ? 17 : -9),
        "text-anchor": point[0] > 1 ? "end" : "start" }, [data.words[j]]);
      svg.append(shape("circle", { cx: x, cy: y, r: 5, class: `cl-dot-${kind}` }), name);
    });
    return { svg, rays };
  }
  const keys = plane("key", data.k, []);
  const [sx, sy] = at(data.star);
  const star = shape("g", { class: "cl-star", transform: `translate(${sx} ${sy})` }, [
    shape("path", { d: "M0-9L2.3-3 9-3 3.7 1 5.6 7.4 0 3.6-5.6 7.4-3.7 1-9-3-2.3-3Z" }),
    shape("text", { y: 23, "text-anchor": "middle" }, ["star"])]);
  const values = plane("value", data.v, [
    shape("polygon", { points: data.hull.map((j) => at(data.v[j]).join(",")).join(" "), class: "cl-hull" }), star]);
  const handle = shape("g", { class: "cl-q", tabindex: 0, role: "application",
    "aria-label": "query, arrow keys move it" }, [
    shape("circle", { r: 18, class: "cl-grip" }), shape("path", { d: "M0-10L10 0 0 10-10 0Z" }),
    shape("text", { x: -24, y: 5 }, ["q"])]);
  const context = shape("g", { class: "cl-c" }, [shape("circle", { r: 7 }), shape("text", { x: 10, y: 5 }, ["c"])]);
  keys.svg.append(handle);
  values.svg.append(context);
  const titled = (text, drawn) => make("div", {}, [make("p", { class: "cl-title" }, [text]), drawn]);

  const cells = data.words.map((word) => {
    const score = make("td"), bar = make("span", { class: "cl-bar" }), number = make("span");
    const row = make("tr", {}, [make("th", { scope: "row" }, [word]), score,
      make("td", { class: "cl-barred" }, [bar, number])]);
    return { row, score, bar, number };
  });
  const table = make("table", {}, [
    make("thead", {}, [make("tr", {}, [make("td"), ...["score", "weight"].map((text) => make("th", { scope: "col" }, [text]))])]),
    make("tbody", {}, cells.map((cell) => cell.row))]);
  const sum = make("p", { class: "cl-sum" });
  figure.stage.append(make("div", { class: "cl-lookup-row" }, [
    titled("keys: where the query looks", keys.svg), titled("values: what is read", values.svg),
    make("div", {}, [table, sum])]));

  function draw() {
    const heat = 2 ** state.cold;
    const scores = data.k.map((k, j) => LOOKUP_SCORES[names[state.score]](state.q, k, j, data));
    const top = Math.max(...scores), powers = scores.map((e) => Math.exp((e - top) / heat));
    const total = powers.reduce((a, b) => a + b, 0), weights = powers.map((p) => p / total);
    const c = [0, 1].map((i) => data.v.reduce((all, v, j) => all + weights[j] * v[i], 0));
    cells.forEach((cell, j) => {
      cell.score.textContent = scores[j].toFixed(2);
      cell.number.textContent = weights[j].toFixed(2);
      cell.bar.style.width = `${(6 * weights[j]).toFixed(3)}em`;
      for (const [ray, from] of [[keys.rays[j], state.q], [values.rays[j], c]]) {
        const [x, y] = at(from);
        ray.setAttribute("x1", x);
        ray.setAttribute("y1", y);
        ray.setAttribute("stroke-width", (0.3 + 6 * weights[j]).toFixed(1));
      }
    });
    handle.setAttribute("transform", `translate(${at(state.q)})`);
    context.setAttribute("transform", `translate(${at(c)})`);
    const apart = Math.hypot(c[0] - data.star[0], c[1] - data.star[1]);
    sum.textContent = `c = ${pair(c)}; ${apart.toFixed(2)} from the star. The hull comes no nearer than ${data.gap.toFixed(2)}.`;
    const most = weights.indexOf(Math.max(...weights));
    return `Query ${pair(state.q)}, ${names[state.score]}: most weight, ${weights[most].toFixed(2)}, on ${data.words[most]}.`;
  }

  function show() {
    figure.say(draw());
    figure.remember();
  }
  const move = (q) => { state.q = q.map(clip); show(); };

  let held = false;
  handle.addEventListener("pointerdown", (event) => { held = true; handle.setPointerCapture(event.pointerId); });
  handle.addEventListener("pointermove", (event) => {
    if (!held) return;
    const box = keys.svg.getBoundingClientRect(), scale = SIDE / box.width;
    const back = (pixels) => ((pixels * scale - EDGE) / (SIDE - 2 * EDGE)) * 2 * data.reach - data.reach;
    move([back(event.clientX - box.left), -back(event.clientY - box.top)]);
  });
  ["pointerup", "pointercancel"].forEach((name) => handle.addEventListener(name, () => { held = false; }));
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    move(state.q.map((x, i) => x + by[i]));
  });

  const chosen = choose(figure, "score", names, state.score, (i) => { state.score = i; show(); });
  const heat = slide("temperature", { min: -5, max: 4, step: 0.5, value: 0 },
    (x) => { const t = 2 ** x; return t < 1 ? t.toFixed(2) : t.toFixed(1); }, (x) => { state.cold = x; show(); });
  const reset = press("Reset", () => {
    state.q = [...first.q];
    chosen.set(first.score);
    heat.set(0);
  });
  figure.controls.append(chosen.label, heat.label, reset);
  figure.numbers.before(foldNumbers(figure.root));
  figure.say(draw());
  keepInAddress(figure, () => [...state.q, state.score, state.cold].join("~"), (text) => {
    const parts = text.split("~").map(Number);
    if (parts.length !== 4 || parts.some(Number.isNaN) || !names[parts[2]]) return;
    state.q = parts.slice(0, 2).map(clip);
    chosen.set(parts[2]);
    heat.set(parts[3]);
  });
}
