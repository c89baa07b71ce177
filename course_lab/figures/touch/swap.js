// Sentences at one step of a decoder: the tables are Python's, and a key shows one of them.
function swapFigure(figure, data) {
  const tables = onStage(figure);
  let shown = 0;
  const choice = choose(figure, "try", data.names, shown, (trial) => {
    shown = trial;
    tables.forEach((table, i) => table.classList.toggle("cl-gone", i !== shown));
    figure.answer(data.says[shown]);
  });
  figure.controls.append(choice.label, press("Reset", () => choice.set(0)));
  choice.set(0);
  keepNumbers(figure, [tables.length], () => [shown], choice.set);
}
