// Sentences at one step of a decoder: the tables are Python's, and a key shows one of them.
function swapFigure(figure, data) {
  const tables = [...figure.numbers.querySelectorAll(".cl-scroll")];
  let shown = 0;
  // The tables are the picture. What says that there is no script goes.
  figure.stage.append(...tables);
  figure.numbers.remove();
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
