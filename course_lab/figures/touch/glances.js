// Two ways to look at a scene. Left all patches by their weights, right one patch, drawn again and
// again; below, what each glance says about the scores: of each digit's patch, and of all others.

const PATCH = 44, GAP = 4, CHART = { width: 560, height: 220, edge: 8, foot: 36 };

function glancesFigure(figure, data) {
  figure.line.classList.add("cl-for-ears");
  const places = data.scenes[0].ink.length;
  const rows = places / data.columns;
  // It opens on the last digit, which the hard reader finds less surely than the first.
  const last = data.names.length - 1;
  const state = { scene: 0, look: last, based: 0, drawn: [] };
  const look = () => data.scenes[state.scene].looks[state.look];
  const where = (k) => `row ${Math.floor(k / data.columns) + 1}, column ${k % data.columns + 1}`;
  const corner = (k) => [GAP + (k % data.columns) * (PATCH + GAP), GAP + Math.floor(k / data.columns) * (PATCH + GAP)];

  // Of a glance at k: (R - b) (1 - α) at k, -(R - b) α elsewhere.
  const expected = () => dot(look().hard, look().reward);
  const teaches = (k, based) => {
    const gain = look().reward[k] - (based ? expected() : 0);
    return look().hard.map((share, j) => gain * ((j === k) - share));
  };
  function variance(based) {
    const exact = look().hard.map((share, j) => share * (look().reward[j] - expected()));
    const square = (row) => dot(row, row);
    const whole = look().hard.reduce((sum, share, k) => sum + share * square(teaches(k, based)), 0);
    return Math.max(0, whole - square(exact));
  }

  function sceneView(name) {
    const size = [GAP + data.columns * (PATCH + GAP), GAP + rows * (PATCH + GAP)];
    const svg = shape("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, class: "cl-scene", role: "img" });
    const cells = Array.from({ length: places }, (_, k) => {
      const [x, y] = corner(k);
      const [paper, veil, bar, frame] = ["paper", "veil", "chance", "frame"].map((name) =>
        shape("rect", { x, y, width: PATCH, height: PATCH, class: `cl-${name}` }));
      const ink = shape("g", { class: "cl-ink" });
      svg.append(paper, ink, veil, bar, frame);
      return { ink, veil, frame, bar, x, y };
    });
    const words = make("p", { class: "cl-read" });
    const box = make("div", { class: "cl-view" }, [make("p", { class: "cl-title" }, [name]), svg, words]);
    return { svg, cells, words, box };
  }
  const soft = sceneView("Soft: all patches at once, by weight");
  const hard = sceneView("Hard: one patch, by chance");

  function paintInk(view) {
    const step = PATCH / data.side;
    data.scenes[state.scene].ink.forEach((pixels, k) => {
      const cell = view.cells[k];
      cell.ink.replaceChildren(...[...pixels].flatMap((sign, p) => {
        const dark = parseInt(sign, 17) / 16;
        return dark ? [shape("rect", { x: cell.x + (p % data.side) * step,
          y: cell.y + Math.floor(p / data.side) * step, width: step + 0.1, height: step + 0.1,
          "fill-opacity": dark.toFixed(2) })] : [];
      }));
    });
  }

  const chart = shape("svg", { class: "cl-lesson", role: "img" });
  const board = make("div", { class: "cl-board" }, [chart]);
  const chartName = make("p", { class: "cl-title" });
  const bars = ["hard, no baseline", "hard, with a baseline"].map((name) => barRow("div", name));
  figure.stage.append(
    make("div", { class: "cl-two" }, [soft.box, hard.box]),
    make("div", { class: "cl-lessons" }, [chartName, board,
      make("p", { class: "cl-note" }, ["Dots: what single glances say; red: the last one. Short line: their " +
        "average so far. Wide bar: the exact gradient."]),
      make("p", { class: "cl-title" }, ["Variance of one glance’s gradient"]),
      ...bars.map((bar) => bar.row),
      make("p", { class: "cl-bar-none" }, ["soft: none, it draws nothing"])]));

  // A column for each digit's patch, and one for the scores of all other patches, added up.
  function columns() {
    const digits = data.scenes[state.scene].looks;
    const rest = look().hard.map((_, k) => k).filter((k) => digits.every((each) => each.place !== k));
    const found = digits.map((each, i) => ({ at: [each.place],
      lines: [`the ${each.true}`, i === state.look ? "to report" : ""] }));
    return rest.length ? [...found, { at: rest, lines: [`${rest.length} others`, "together"] }] : found;
  }

  const paintLesson = whenResized(board, (room) => {
    if (!state.drawn.length) return;
    const width = Math.min(room, CHART.width), groups = columns();
    const sums = (row) => groups.map(({ at }) => sumOf(at.map((k) => row[k])));
    const exact = sums(look().hard.map((share, j) => share * (look().reward[j] - expected())));
    const lessons = new Map([...new Set(state.drawn)].map((k) => [k, [0, 1].map((based) => sums(teaches(k, based)))]));
    // Without and with a baseline on one scale, so that the dots, not the bars, are seen to move.
    const every = [0, ...exact, ...[...lessons.values()].flat(2)];
    const [low, high] = [Math.min(...every), Math.max(...every)];
    const floor = CHART.height - CHART.foot - CHART.edge;
    const up = (value) => CHART.edge + (high - value) / (high - low || 1) * (floor - CHART.edge);
    const wide = width / groups.length;
    const across = (x, span, y, name) => shape("line", { x1: x - span / 2, x2: x + span / 2, y1: y, y2: y, class: name });
    const parts = [across(width / 2, width, up(0), "cl-axis")];
    groups.forEach((group, j) => {
      const centre = (j + 0.5) * wide;
      const [top, bottom] = [Math.min(up(exact[j]), up(0)), Math.max(up(exact[j]), up(0))];
      parts.push(shape("rect", { x: centre - wide / 4, width: wide / 2, y: top, height: Math.max(1, bottom - top), class: "cl-exact" }));
      const said = state.drawn.map((k) => lessons.get(k)[state.based][j]);
      said.forEach((value, i) => parts.push(shape("circle", { r: 3, cy: up(value),
        cx: centre + 0.84 * wide * ((i * 0.618) % 1 - 0.5), class: i === said.length - 1 ? "cl-dot cl-last" : "cl-dot" })));
      parts.push(across(centre, wide / 4, up(sumOf(said) / said.length), "cl-mean"));
      group.lines.forEach((text, row) => parts.push(shape("text", { x: centre, y: floor + 20 + 15 * row,
        "text-anchor": "middle", class: "cl-foot" }, [text])));
    });
    alter(chart, { viewBox: `0 0 ${width} ${CHART.height}`, width, height: CHART.height });
    chart.replaceChildren(...parts);
  });

  function drawLesson() {
    paintLesson();
    const count = state.drawn.length;
    chartName.textContent = `Raise each score, or lower it? ${count} glance${count === 1 ? "" : "s"} ` +
      (state.based ? "with a baseline" : "without a baseline");
    chart.setAttribute("aria-label", chartName.textContent);
    const spread = [variance(0), variance(1)];
    bars.forEach((bar, i) => bar.show(spread[i], { most: Math.max(...spread, 1e-9) }));
  }

  function draw() {
    const { soft: weights, hard: chances, says, reward, softSays, place } = look();
    const newest = state.drawn[state.drawn.length - 1];
    const strongest = Math.max(...weights);
    soft.cells.forEach((cell, k) => {
      cell.veil.style.opacity = (0.6 * (1 - weights[k] / strongest)).toFixed(2);
      cell.frame.style.strokeOpacity = Math.sqrt(weights[k]).toFixed(2);
      cell.bar.setAttribute("height", 0);
    });
    hard.cells.forEach((cell, k) => {
      cell.veil.style.opacity = k === newest ? 0 : 0.6;
      cell.frame.style.strokeOpacity = k === newest ? 1 : 0;
      alter(cell.bar, { height: (chances[k] * PATCH).toFixed(1), y: (cell.y + PATCH * (1 - chances[k])).toFixed(1) });
    });
    const verdict = (said) => (said === look().true ? "right" : `wrong, it is ${look().true}`);
    soft.words.textContent = `It reads the average, and says ${softSays}: ${verdict(softSays)}.`;
    hard.words.textContent = newest === undefined ? "It has not looked yet."
      : `It looks at ${where(newest)} and says ${says[newest]}: ${verdict(says[newest])}. Reward ${reward[newest].toFixed(2).replace("-", "\u2212")}.`;
    soft.svg.setAttribute("aria-label", `Scene with the soft reader’s weights; the strongest is ${strongest.toFixed(2)} at ${where(argmax(weights))}`);
    hard.svg.setAttribute("aria-label", `Scene with the hard reader’s chances; ${chances[place].toFixed(2)} at the digit, ${where(place)}`);
    drawLesson();
  }

  const glance = (times) => {
    for (let i = 0; i < times; i += 1) {
      const turn = (7 * state.scene + 3 * state.look + state.drawn.length) % data.draws.length;
      state.drawn.push(drawnFrom(look().hard, data.draws[turn]));
    }
    state.drawn = state.drawn.slice(-200);
  };
  function show() {
    draw();
    const distinct = new Set(state.drawn).size, count = state.drawn.length;
    figure.answer(`The ${data.names[state.look]} digit. ${count} glance${count === 1 ? "" : "s"} at ` +
      `${distinct} patch${distinct === 1 ? "" : "es"}. ` + hard.words.textContent);
  }
  // Leads to a scene and a digit, after so many glances.
  function put(scene, at, based, count) {
    Object.assign(state, { scene, look: at, based, drawn: [] });
    glance(count);
    [soft, hard].forEach(paintInk);
    scenes.mark(scene);
    digit.mark(at);
    baseline.mark(based);
    show();
  }
  const scenes = choose(figure, "Scene", data.scenes.map((_, i) => String(i + 1)), 0, (i) => put(i, state.look, state.based, 1));
  const digit = choose(figure, "Digit", data.names, last, (i) => put(state.scene, i, state.based, 1));
  const baseline = choose(figure, "Baseline", ["none", "expected reward"], 0, (i) => { state.based = i; show(); });
  const opening = () => put(0, last, 0, 30);
  const [play, step, reset] = stepper(figure, last, 2000, () => state.look, digit.set, opening, true);
  const again = (name, times) => press(name, () => { glance(times); show(); });
  figure.controls.append(play, step, again("Look again", 1), again("Draw 20 glances", 20), reset,
    make("div", { class: "cl-choices" }, [scenes.label, digit.label, baseline.label]));
  opening();
  keepInAddress(figure, () => [state.scene, state.look, state.based, state.drawn.length].join("-"), (text) => {
    const found = wholes(text.replaceAll("-", "."), [data.scenes.length, data.names.length, 2, 201]);
    if (found && found[3]) put(...found);
  });
}
