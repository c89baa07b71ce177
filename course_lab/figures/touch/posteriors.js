// Soft alignments: the attention explorer without its temperature, and with words of an aligner.
function posteriorsFigure(figure, data) {
  figure.root.classList.add("cl-attention");
  const say = figure.say;
  figure.say = (text) => say(text.replace(/^Step \d+ of \d+: (“.*?”) looks at nothing/, "$1 came from no word")
    .replace(/^Step \d+ of \d+: (“.*?”) looks at/, "$1 came from")
    .replace(/is looked at by nobody/, "wrote nothing")
    .replace(/is looked at by/, "wrote"));
  attentionFigure(figure, data);
  figure.controls.querySelector("input[type=range]").closest("label").remove();
}
