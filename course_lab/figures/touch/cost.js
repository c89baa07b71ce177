// What a layer costs at a length: bars of which the longest is full, each with a mark where half the
// words would end, and a cache that fills.

function costFigure(figure, data) {
  const state = { at: data.at, what: 0 }, last = data.lengths.length - 1;
  const bars = data.names.map((name) => barRow("li", name, { marked: true }));
  const kept = data.cache.names.map((name) => barRow("li", name));
  const list = (rows) => make("ul", { class: "cl-bar-rows" }, rows.map((each) => each.row));
  const note = (text) => make("p", { class: "cl-note" }, [text]);
  const title = note("");
  figure.stage.append(title, list(bars), note(data.cache.title), list(kept));
  const put = (bar, value, most, text, before) => {
    bar.show(value || 0, { most, before });
    bar.mark.hidden = before === undefined;
    bar.row.lastChild.textContent = text;
  };

  const sentence = () => {
    const { name, texts } = data.quantities[state.what];
    return `${data.lengths[state.at]} words, ${name}: ${data.names.map((one, i) =>
      `${one} ${texts[i][state.at]}`).join(", ")}.`;
  };

  function draw() {
    const { name, values, texts } = data.quantities[state.what];
    const now = values.map((row) => row[state.at]), most = Math.max(...now.map((value) => value || 0)) || 1;
    title.textContent = `One layer, ${data.lengths[state.at]} words: ${name}`;
    bars.forEach((bar, i) => put(bar, now[i], most, texts[i][state.at], (values[i][data.half[state.at]] ?? undefined)));
    kept.forEach((bar, i) => put(bar, data.cache.shares[i][state.at], 1, data.cache.texts[i][state.at]));
    figure.say(sentence());
    figure.remember();
  }

  const length = slide("words", { min: 0, max: last, step: 1, value: state.at },
    (i) => data.lengths[i], (i) => { state.at = i; draw(); });
  const what = choose(figure, "count", data.quantities.map((each) => each.name), 0,
    (i) => { state.what = i; draw(); });
  const time = stepper(last, 900, () => state.at, (i) => length.set(i),
    () => { what.set(0); length.set(data.at); }, true);
  figure.controls.append(what.label, length.label, ...time.keys);
  draw();
  reserve(figure, () => data.quantities.map((_, i) => {
    const now = state.what;
    state.what = i;
    const told = sentence();
    state.what = now;
    return told;
  }));
  keepNumbers(figure, [last + 1, data.quantities.length], () => [state.at, state.what],
    (at, kind) => { what.set(kind); length.set(at); });
}
