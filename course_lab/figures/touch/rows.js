// One look in six rows.

function rowsFigure(figure, data) {
  const stages = [
    "The encoder has left one annotation for each word.",
    "The decoder's state asks each of them the same thing: do you help with the next word?",
    "A score for each: how well does it answer the state?",
    "The softmax turns the scores into weights. They are positive and sum to one; "
      + `“${data.words[data.most]}” gets the most.`,
    "Each annotation times its weight: what gets little weight fades.",
    "Their sum is the context. The decoder reads it and writes the next word.",
  ];
  figure.say("Read it from top to bottom, or go through it step by step.");
  steppedRows(figure, stages.length, 2200, stages.length - 1, (_, stage) => stages[stage]);
}
