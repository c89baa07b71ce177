// Quality against length: the chosen curve with its band, the others faintly behind it.
function lengthFigure(figure, data) {
  let chosen = 0;
  const host = make("div", { class: "cl-chart" });
  host.style.setProperty("--cl-line", data.colour);
  figure.stage.append(host);
  const redraw = whenResized(host, (width) => {
    host.replaceChildren(chart({
      x: data.centres,
      labels: data.bins,
      xName: "source length (words)",
      yName: data.yName,
      y: [0, 1],
      ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => [value, String(value)]),
      lines: data.curves.map((curve, i) => ({
        middle: curve.middle,
        low: curve.seeds > 1 ? curve.low : null,
        high: curve.high,
        faint: i !== chosen,
        numbers: width / data.bins.length > 44,
      })),
    }, width, 300));
  });
  figure.stage.append(make("p", { class: "cl-note" }, [
    (data.curves.some((curve) => curve.seeds > 1) ? "Line: mean of the seeds; band: lowest to highest. " : "") +
    (data.curves.length > 1 ? "Thin lines: the other choices." : ""),
  ]));
  const choice = choose(figure, data.choose, data.curves.map((curve) => curve.name), chosen, (i) => {
    chosen = i;
    redraw();
    figure.answer(data.curves[chosen].words);
  });
  figure.controls.append(choice.label, press("Reset", () => choice.set(0)));
  choice.set(0);
  keepNumbers(figure, [data.curves.length], () => [chosen], choice.set);
}
