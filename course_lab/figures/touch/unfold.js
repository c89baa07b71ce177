// A decoder at work: the tables are Python's, a step each, and show row by row.

// READ, MOST and NEW stand for words of the step.
const UNFOLD_STAGES = [
  "“READ” stands written. The state asks every annotation.",
  "The softmax turns the answers into weights: most is on “MOST”.",
  "The context: the average of the annotations, by these weights.",
  "The GRU reads the context and “READ”, and the state changes.",
  "The layer out scores every word. NEW comes out, and the next step reads it.",
];

function unfoldFigure(figure, data) {
  const written = make("p", { class: "cl-written" });
  figure.stage.append(written);
  const tables = onStage(figure), stages = UNFOLD_STAGES.length;
  const last = tables.length * stages - 1, opened = stages * (data.opened + 1) - 1;
  let at = opened;
  const told = (step, stage) => {
    const gloss = data.gloss[step], name = data.written[step];
    return UNFOLD_STAGES[stage].replace("READ", () => data.read[step])
      .replace("MOST", () => data.most[step])
      .replace("NEW", () => `“${name}”${gloss && gloss !== name ? ` (${gloss})` : ""}`);
  };
  const draw = () => {
    const step = Math.floor(at / stages), stage = at % stages;
    tables.forEach((table, i) => {
      table.classList.toggle("cl-gone", i !== step);
      table.querySelectorAll("tbody tr").forEach((row, k) => {
        row.classList.toggle("cl-off", i === step && k > stage);
        row.classList.toggle("cl-now", i === step && k === stage);
      });
    });
    const out = data.written.slice(0, step + Number(stage === stages - 1));
    written.replaceChildren(...data.written.map((word, i) =>
      make("span", { class: i < out.length ? "cl-word" : "cl-word cl-later" }, [word])));
    return told(step, stage);
  };
  const go = (next) => {
    at = next;
    figure.say(draw());
    figure.remember();
  };
  const time = stepper(last, 1300, () => at, go, () => go(opened));
  figure.controls.append(...time.keys);
  draw();
  figure.say("Press Play, and the sentence is written from its first word on.");
  reserve(figure, () => tables.flatMap((_, step) => UNFOLD_STAGES.map((_, stage) => told(step, stage))));
  keepNumbers(figure, [last + 1], () => [at], (next) => {
    time.stop();
    go(next);
  });
}
