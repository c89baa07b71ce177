// Tables of Python's that are the picture: a step shows the next row, and behind the last of a table
// the first of the next one. `say(table, row)` is what is said of it, `drawn(shown)` draws more for
// so many tables that are shown whole.
function steppedRows(figure, stages, pause, opened, say, drawn = () => {}) {
  const tables = onStage(figure), last = tables.length * stages - 1;
  let at = opened;
  const draw = () => {
    const step = Math.floor(at / stages), stage = at % stages;
    tables.forEach((table, i) => {
      table.classList.toggle("cl-gone", i !== step);
      table.querySelectorAll("tbody tr").forEach((row, k) =>
        alter(row, { on: { "cl-off": k > stage, "cl-now": k === stage && at < last } }));
    });
    drawn(step + Number(stage === stages - 1));
    return say(step, stage);
  };
  const go = (next) => { at = next; figure.answer(draw()); };
  figure.controls.append(...stepper(figure, last, pause, () => at, go, () => go(opened)));
  draw();
  keepNumbers(figure, [last + 1], () => [at], go);
}
