// EM step by step: lines between the words of each pair, as thick as the posterior, beside the table t.

function emFigure(figure, data) {
  let step = data.opened, room = 0;
  const last = data.steps.length - 1;
  const pictures = data.pairs.map(() => make("div", { class: "cl-pair" }));
  const pairs = scrollBox("Sentence pairs", pictures, "cl-pairs");
  const host = make("div", { class: "cl-chart" });
  const table = data.grid.steps ? gridOf(data.grid) : null;
  figure.stage.append(table
    ? make("div", { class: "cl-two" }, [pairs, make("div", { class: "cl-em-right" }, [table.box, host])])
    : make("div", {}, [pairs, host]));
  const drawPairs = () => data.pairs.forEach((pair, i) =>
    pictures[i].replaceChildren(drawPair(pair, data.steps[step][i], room)));
  whenResized(pairs, (width) => { room = width; drawPairs(); });

  const axis = roundAxis(Math.min(...data.likelihoods), Math.max(...data.likelihoods));
  const redraw = whenResized(host, (width) => {
    host.replaceChildren(chart({
      x: data.likelihoods.map((value, i) => i),
      labels: data.likelihoods.map((value, i) => String(i)),
      xName: "iterations",
      yName: "log-likelihood (natural logarithm)",
      y: axis.span,
      ticks: axis.ticks,
      current: step,
      lines: [{ middle: data.likelihoods }],
    }, Math.min(width, 560), 165));
  });
  const slider = slide("rounds done", { min: 0, max: last, step: 1, value: step }, String, (to) => {
    step = to;
    drawPairs();
    if (table) table.show(step);
    redraw();
    figure.answer(data.words[step]);
  });
  const time = stepper(figure, last, 1000, () => step, slider.set, () => slider.set(data.opened));
  if (last > 0) figure.controls.append(...time, slider.label);
  slider.set(step);
  keepNumbers(figure, [last + 1], () => [step], slider.set);
}

// Likelihoods lie close together: the axis goes from one round number to another, no further than
// it must, and its ticks are round too.
function roundAxis(low, high) {
  const rough = (high - low) / 3, power = 10 ** Math.floor(Math.log10(rough));
  const apart = power * [1, 2, 5, 10].find((times) => times * power >= rough * 0.999);
  const from = Math.floor(low / apart + 1e-9), to = Math.ceil(high / apart - 1e-9);
  const digitsBehind = Math.max(0, -Math.floor(Math.log10(apart) + 1e-9));
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => (from + i) * apart)
    .map((value) => [value, signed(value, digitsBehind)]);
  return { span: [from * apart, to * apart], ticks };
}

// The table t(f | e): a row for each source word, a column for each target word. Its cells stay where
// they are; a step changes their numbers and shades. Two words that never meet have an empty cell.
function gridOf(grid) {
  const cells = grid.source.map((e, i) =>
    grid.target.map((f, k) => make("td", grid.steps[0][i][k] === null ? { class: "cl-never" } : {})));
  const head = (scope, kind, text) => make("th", { scope, class: kind }, [text]);
  const table = tableOf(["e ↓  f →", ...grid.target.map((f) => head("col", "cl-f", f))],
    grid.source.map((e, i) => rowOf(head("row", "cl-e", e), cells[i])), { caption: "The table t(f | e); a row sums to 1" });
  const box = scrollBox("Table t: how likely each source word is written as each target word", [table], "cl-t");
  const show = (step) => cells.forEach((row, i) => row.forEach((cell, k) => {
    const value = grid.steps[step][i][k];
    if (value === null) return;
    cell.textContent = digits(value);
    paint(cell, value);
  }));
  return { box, show };
}

// Source words above, target words below, and below each target word the number of its strongest
// link. A link that is stronger than all others of its word is drawn in full colour.
function drawPair(pair, matrix, room) {
  const letters = Math.max(...[...pair.source, ...pair.target].map((word) => word.length));
  const longer = Math.max(pair.source.length, pair.target.length);
  const gap = Math.max(9 * letters + 14, Math.min(64, room / longer));
  const width = gap * longer, height = 178, top = 30, bottom = 126;
  const place = (words, i) => width / 2 + gap * (i - (words.length - 1) / 2);
  const svg = shape("svg", { width: width, height: height, viewBox: `0 0 ${width} ${height}`,
    role: "img", "aria-label": pair.source.join(" ") + " – " + pair.target.join(" ") });
  const best = matrix.map((row) => Math.max(...row));
  // Rounded to four digits: what differs by less is a tie, and no link of it stands out.
  const ties = matrix.map((row, t) => row.filter((weight) => weight > best[t] - 2e-4).length);
  const lines = matrix.flatMap((row, t) => row.map((weight, s) => ({ weight, s, t })));
  for (const { weight, s, t } of lines.filter((line) => line.weight >= 0.005).sort((a, b) => a.weight - b.weight)) {
    const strong = ties[t] === 1 && weight === best[t];
    svg.append(shape("line", { class: strong ? "cl-link cl-strong" : "cl-link",
      "stroke-width": (0.8 + 9 * weight).toFixed(1),
      x1: place(pair.source, s), y1: top, x2: place(pair.target, t), y2: bottom }));
  }
  const write = (texts, y, name) => texts.forEach((text, i) => svg.append(shape("text",
    { class: name, "text-anchor": "middle", x: place(texts, i), y: y }, [text])));
  write(pair.source, top - 12, "cl-word cl-e");
  write(pair.target, bottom + 22, "cl-word cl-f");
  write(best.map(digits), bottom + 42, "cl-number");
  return svg;
}
