// Sentences at one step of a decoder: the tables are Python's, and a key shows one of them.
function swapFigure(figure, data) {
  const tables = onStage(figure);
  let shown = 0;
  const show = (trial) => {
    shown = trial;
    tables.forEach((table, i) => table.classList.toggle("cl-gone", i !== shown));
    figure.say(data.says[shown]);
  };
  const choice = choose(figure, "try", data.names, shown, (i) => { show(i); figure.remember(); });
  figure.controls.append(choice.label, press("Reset", () => choice.set(0)));
  show(0);
  reserve(figure, () => data.says);
  keepNumbers(figure, [tables.length], () => [shown], choice.set);
}
