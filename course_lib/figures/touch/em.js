// EM step by step: lines between the words of each pair, as thick as the posterior.

// With more source words than this their numbers would fill a whole row.
const READABLE = 3;

function emFigure(figure, data) {
  let step = 0, room = 0;
  const last = data.steps.length - 1;
  const pictures = data.pairs.map(() => make("div", { class: "cl-pair" }));
  const pairs = make("div", { class: "cl-scroll cl-pairs", tabindex: "0", role: "group",
    "aria-label": "Sentence pairs" }, pictures);
  const host = make("div", { class: "cl-chart" });
  figure.stage.append(pairs, host);
  whenResized(pairs, (width) => { room = width; drawPairs(); });

  // Likelihoods lie close together: the axis spans what they reach and no more.
  const low = Math.min(...data.likelihoods);
  const high = Math.max(...data.likelihoods);
  const spare = (high - low) * 0.08 || 0.5;
  const minus = (value) => value.toFixed(2).replace("-", "−");
  const redraw = whenResized(host, (width) => {
    host.replaceChildren(chart({
      x: data.likelihoods.map((value, i) => i),
      labels: data.likelihoods.map((value, i) => String(i)),
      xName: "iterations",
      yName: "log-likelihood (natural logarithm)",
      y: [low - spare, high + spare],
      ticks: (high > low ? [low, high] : [low]).map((value) => [value, minus(value)]),
      current: step,
      lines: [{ middle: data.likelihoods }],
    }, Math.min(width, 560), 170));
  });
  const go = (to) => {
    step = to;
    drawPairs();
    redraw();
    figure.say(data.words[step]);
    figure.remember();
  };
  figure.numbers.before(foldNumbers(figure.root));
  if (last > 0) {
    const slider = slide("Iterations", { min: 0, max: last, step: 1, value: 0 }, String,
      (value) => { if (value !== step) { time.stop(); go(value); } });
    const time = timeKeys(last, 1000, () => step,
      (to) => { go(to); slider.set(to); }, () => { go(0); slider.set(0); });
    figure.controls.append(...time.keys, slider.label);
    keepInAddress(figure, () => String(step), (text) => {
      const numbers = wholes(text, [last + 1]);
      if (numbers) slider.set(numbers[0]);
    });
  }
  function drawPairs() {
    data.pairs.forEach((pair, i) =>
      pictures[i].replaceChildren(drawPair(pair, data.steps[step][i], room)));
  }
  figure.say(data.words[step]);
  reserve(figure, () => data.words);
}

// Source words above, target words below. The numbers stand at 1 / (S + 1) of the way up from the
// target word: there all of them are equally far apart, so that none covers another. Where the room
// is too narrow for that, or the numbers are too many to be read, each target word has the number
// of its strongest link below it.
function drawPair(pair, matrix, room) {
  const wordWidth = (words) => Math.max(...words.map((word) => 9 * word.length + 18));
  const count = pair.source.length;
  const longer = Math.max(count, pair.target.length);
  const least = Math.max(wordWidth(pair.source), wordWidth(pair.target));
  const wide = Math.max(least, 25 * (count + 1));
  const narrow = count > READABLE || wide * longer > room;
  const gap = narrow ? Math.max(least, Math.min(wide, room / longer)) : wide;
  const width = gap * longer;
  const height = narrow ? 196 : 180;
  const top = 34;
  const bottom = 146;
  const place = (words, i) => width / 2 + gap * (i - (words.length - 1) / 2);
  const svg = shape("svg", { width: width, height: height, viewBox: `0 0 ${width} ${height}`,
    role: "img", "aria-label": pair.source.join(" ") + " – " + pair.target.join(" ") });
  const lines = matrix.flatMap((row, t) => row.map((weight, s) => ({ weight, s, t })))
    .filter((line) => line.weight >= 0.005)
    .sort((a, b) => a.weight - b.weight);
  for (const { weight, s, t } of lines) {
    svg.append(shape("line", { class: "cl-link", "stroke-width": (0.8 + 9 * weight).toFixed(1),
      x1: place(pair.source, s), y1: top, x2: place(pair.target, t), y2: bottom }));
  }
  const number = (weight, x, y) => svg.append(shape("text",
    { class: "cl-number", "text-anchor": "middle", x: x, y: y }, [digits(weight)]));
  if (narrow) {
    matrix.forEach((row, t) => number(Math.max(...row), place(pair.target, t), bottom + 40));
  } else {
    for (const { weight, s, t } of lines) {
      const from = place(pair.target, t);
      number(weight, from + (place(pair.source, s) - from) / (count + 1),
        bottom - (bottom - top) / (count + 1) + 4);
    }
  }
  const write = (words, y) => words.forEach((word, i) => svg.append(shape("text",
    { class: "cl-word", "text-anchor": "middle", x: place(words, i), y: y }, [word])));
  write(pair.source, top - 12);
  write(pair.target, bottom + 22);
  return svg;
}
