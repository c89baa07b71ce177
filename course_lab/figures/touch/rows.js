// One look in six rows: the table is Python's, and a step shows the next of its rows.

// MOST stands for the word with the largest weight.
const ROW_STAGES = [
  "The encoder has left one annotation for each word.",
  "The decoder's state asks each of them the same thing: do you help with the next word?",
  "A score for each: how well does it answer the state?",
  "The softmax turns the scores into weights. They are positive and sum to one; “MOST” gets the most.",
  "Each annotation times its weight: what gets little weight fades.",
  "Their sum is the context. The decoder reads it and writes the next word.",
];

function rowsFigure(figure, data) {
  const stages = ROW_STAGES.map((text) => text.replace("MOST", () => data.words[data.most]));
  const last = stages.length - 1;
  const rows = onStage(figure)[0].querySelectorAll("tbody tr");
  let stage = last;
  const go = (next) => {
    stage = next;
    rows.forEach((row, i) => {
      row.classList.toggle("cl-off", i > stage);
      row.classList.toggle("cl-now", i === stage && stage < last);
    });
    figure.say(stages[stage]);
    figure.remember();
  };
  const time = stepper(last, 2200, () => stage, go, () => go(last));
  figure.controls.append(...time.keys);
  figure.say("Read it from top to bottom, or go through it step by step.");
  reserve(figure, () => stages);
  keepNumbers(figure, [stages.length], () => [stage], (next) => {
    time.stop();
    go(next);
  });
}
