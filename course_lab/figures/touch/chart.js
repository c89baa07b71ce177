// A small line chart as SVG, drawn for the width it has, so that its text keeps its size.

// plot: {x, labels, xName, yName, y: [low, high], ticks: [[value, text]], current, lines}
// line: {middle, low, high, faint, numbers}; null in `middle` is a gap.
function chart(plot, width, height) {
  const widest = Math.max(...plot.ticks.map((tick) => tick[1].length));
  const box = { left: 14 + 7.2 * widest, right: 16, top: 26, bottom: 40 };
  const span = plot.x[plot.x.length - 1] - plot.x[0] || 1;
  const inset = 14;
  const across = width - box.left - box.right - 2 * inset;
  const x = (i) => box.left + inset + across *
    (plot.x.length > 1 ? (plot.x[i] - plot.x[0]) / span : 0.5);
  const y = (value) => height - box.bottom -
    (height - box.top - box.bottom) * (value - plot.y[0]) / (plot.y[1] - plot.y[0]);
  const svg = shape("svg", { width: width, height: height, viewBox: `0 0 ${width} ${height}`,
    role: "img", "aria-label": `${plot.yName}, drawn over ${plot.xName}` });
  const text = (words, px, py, anchor, name) => svg.append(shape("text",
    { x: px, y: py, "text-anchor": anchor, class: name || "" }, [words]));

  for (const [value, words] of plot.ticks) {
    svg.append(shape("line", { class: "cl-grid", x1: box.left, x2: width - box.right,
      y1: y(value), y2: y(value) }));
    text(words, box.left - 6, y(value) + 4, "end", "cl-tick");
  }
  text(plot.yName, 2, 13, "start", "cl-axis");
  text(plot.xName, width - box.right, height - 4, "end", "cl-axis");
  // A label is left out where it would touch the one before it.
  let free = -Infinity;
  plot.labels.forEach((label, i) => {
    const half = 3.6 * label.length + 3;
    if (x(i) - half < free) return;
    free = x(i) + half;
    text(label, x(i), height - box.bottom + 16, "middle", "cl-tick");
  });
  if (plot.current !== undefined) {
    svg.append(shape("line", { class: "cl-here", x1: x(plot.current), x2: x(plot.current),
      y1: box.top, y2: height - box.bottom }));
  }
  // The chosen line comes last and lies on top.
  [...plot.lines].sort((a, b) => Boolean(b.faint) - Boolean(a.faint)).forEach((line) => {
    const known = line.middle.map((value, i) => i).filter((i) => line.middle[i] !== null);
    const runs = known.reduce((all, i) => {
      if (known.includes(i - 1)) all[all.length - 1].push(i);
      else all.push([i]);
      return all;
    }, []);
    const points = (indices, values) => indices.map((i) => `${x(i)},${y(values[i])}`).join(" ");
    for (const run of runs) {
      if (line.low && !line.faint) {
        svg.append(shape("polygon", { class: "cl-band",
          points: points(run, line.high) + " " + points([...run].reverse(), line.low) }));
      }
      svg.append(shape("polyline", { class: line.faint ? "cl-line cl-behind" : "cl-line",
        points: points(run, line.middle) }));
    }
    if (line.faint) return;
    known.forEach((i) => {
      svg.append(shape("circle", { class: i === plot.current ? "cl-dot cl-dot-here" : "cl-dot",
        cx: x(i), cy: y(line.middle[i]), r: i === plot.current ? 6 : 4 }));
      if (!line.numbers) return;
      // Above the point, but below it where the line comes down from the upper edge.
      const up = y(line.middle[i]) - box.top > 22;
      text(line.middle[i].toFixed(2), x(i), y(line.middle[i]) + (up ? -10 : 20), "middle",
        "cl-number");
    });
  });
  return svg;
}
