// What a layer costs at a length: bars of which the longest is full, each with a mark where half the
// words would end, and a cache that fills.
function costFigure(figure, data) {
  const state = { at: data.at, what: 0 }, last = data.lengths.length - 1;
  const bars = data.names.map((name) => barRow("li", name, { marked: true }));
  const kept = data.cache.names.map((name) => barRow("li", name));
  const note = (text) => make("p", { class: "cl-note" }, [text]);
  const title = note("");
  figure.stage.append(title, barList(bars), note(data.cache.title), barList(kept));

  function draw() {
    const { name, values, texts } = data.quantities[state.what], length = data.lengths[state.at];
    const most = Math.max(...values.map((row) => row[state.at] || 0)) || 1;
    title.textContent = `One layer, ${length} words: ${name}`;
    bars.forEach((bar, i) => {
      const before = values[i][data.half[state.at]] ?? undefined;
      bar.show(values[i][state.at] || 0, { most, before, text: texts[i][state.at] });
      bar.mark.hidden = before === undefined;
    });
    kept.forEach((bar, i) => bar.show(data.cache.shares[i][state.at], { text: data.cache.texts[i][state.at] }));
    figure.answer(`${length} words, ${name}: ${data.names.map((one, i) => `${one} ${texts[i][state.at]}`).join(", ")}.`);
  }
  const length = slide("words", { min: 0, max: last, step: 1, value: state.at },
    (i) => data.lengths[i], (i) => { state.at = i; draw(); });
  const what = choose(figure, "count", data.quantities.map((each) => each.name), 0, (i) => { state.what = i; draw(); });
  const put = (at, kind) => { what.set(kind); length.set(at); };
  const time = stepper(figure, last, 900, () => state.at, length.set, () => put(data.at, 0), true);
  figure.controls.append(what.label, length.label, ...time);
  draw();
  keepNumbers(figure, [last + 1, data.quantities.length], () => [state.at, state.what], put);
}
