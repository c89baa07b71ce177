// The next word of a sentence that is being written, under three dials.

function nextwordFigure(figure, data) {
  let at = data.opened;
  const place = () => data.places[at], nameOf = (id) => data.words[id];
  const menu = menuOf(data.places.map((one) => one.after), (i) => { at = i; draw(); });
  menu.selectedIndex = at;
  const dials = dialBoard({ rows: data.rows, steps: data.steps, all: data.words.length, opening: data.dials,
    onChange: () => draw() });
  const marks = make("p", { class: "cl-note" }, ["A red mark is the probability before the dial above it."]);
  figure.controls.append(labelled("Written so far", menu), press("Reset", () => restore([data.opened, ...opening])));
  figure.stage.append(dials.element, marks);

  function draw() {
    const { after, logits } = place(), shares = dials.shares(logits), best = argmax(shares);
    const left = shares.filter((share) => share > 0).length;
    dials.show(logits, nameOf);
    fillDialled(figure, `The next word after “${after}”`, dials, logits, nameOf);
    figure.answer(`After “${after}” ${left} of ${shares.length} words can be drawn, “${nameOf(best)}” with probability `
      + `${shares[best].toFixed(2)}.`);
  }
  function restore([chosen, ...turned]) {
    at = menu.selectedIndex = chosen;
    dials.restore(turned);
  }
  const opening = dials.told();
  draw();
  keepNumbers(figure, [data.places.length, ...dials.limits], () => [at, ...dials.told()], (...all) => restore(all));
}
