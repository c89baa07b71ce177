// A decoder at work: a table for each step.

function unfoldFigure(figure, data) {
  const written = make("p", { class: "cl-written", ...GERMAN });
  figure.stage.append(written);
  const stages = (step) => {
    const gloss = data.gloss[step], word = data.written[step];
    return [
      `“${data.read[step]}” stands written. The state asks every annotation.`,
      `The softmax turns the answers into weights: most is on “${data.most[step]}”.`,
      "The context: the average of the annotations, by these weights.",
      `The GRU reads the context and “${data.read[step]}”, and the state changes.`,
      `The layer out scores every word. “${word}”${gloss && gloss !== word ? ` (${gloss})` : ""} comes out, `
        + "and the next step reads it.",
    ];
  };
  const count = stages(0).length;
  figure.say("Press Play, and the sentence is written from its first word on.");
  steppedRows(figure, count, 1300, count * (data.opened + 1) - 1, (step, stage) => stages(step)[stage], (shown) =>
    written.replaceChildren(...data.written.map((word, i) =>
      make("span", { class: i < shown ? "cl-word" : "cl-word cl-later" }, [word]))));
}
