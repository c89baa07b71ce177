// A document heated on two levels. One sentence is open on its words; one sentence or one word can
// be covered at a time. Every answer was computed beforehand, by the network itself.

function heatFigure(figure, data) {
  const state = {};
  const now = () => data.documents[state.document];
  const two = (x) => x.toFixed(2);

  const lines = make("ol", { class: "cl-lines" });
  const about = make("p", { class: "cl-note" }), words = wordRow("", "Words");
  // The answers come first: on a phone they stay in sight while something is covered.
  const answers = data.classes.map((name) => barRow("div", name, { marked: true }));
  figure.stage.append(make("p", { class: "cl-question" }, [data.question]), make("div", { class: "cl-two" }, [
    make("div", { class: "cl-answers" }, [make("p", { class: "cl-note" }, ["The network says"]),
      ...answers.map((answer) => answer.row),
      make("p", { class: "cl-note" }, ["The thin mark is where a bar stood before " +
        "the cover. The weights are those before it, too."])]),
    make("div", { class: "cl-heat-text" }, [lines, make("div", { class: "cl-inside" }, [about, words])]),
  ]));

  const isCovered = (i, t) => state.covered !== null && state.covered[0] === i && state.covered[1] === t;
  const gone = (i, t) => isCovered(i, -1) || isCovered(i, t);

  function answer(covered) {
    if (covered === null) return now().answer;
    const [i, t] = covered;
    return t < 0 ? now().lines[i] : now().cuts[i][t];
  }

  // The rows are built anew only for another document, so that focus and places stay.
  let rows = [], inside = [];
  function build() {
    rows = now().sentences.map((sentence, i) => {
      const share = make("span", { class: "cl-share" }, [two(now().weights[i])]);
      const text = sentence.map((word) => make("span", {}, [word]));
      const parts = text.flatMap((word, t) => (t ? [" ", word] : [word]));
      const line = press("", () => { state.open = i; list(); draw(); }, { class: "cl-line" });
      line.append(share, make("span", {}, parts));
      line.style.setProperty("--share", now().weights[i]);
      const cover = press("Cover", () => toggle(i, -1), { class: "cl-cover", "aria-label": `Cover sentence ${i + 1}` });
      return { line, cover, text, item: make("li", {}, [line, cover]) };
    });
    lines.replaceChildren(...rows.map((row) => row.item));
    list();
  }

  function list() {
    const i = state.open;
    inside = now().sentences[i].map((word, t) => {
      const button = wordKey(() => toggle(i, t), "text", "share"), weight = now().words[i][t];
      button.children[0].textContent = word;
      button.children[1].textContent = digits(weight);
      paint(button, weight);
      return { button, text: button.firstChild };
    });
    words.replaceChildren(...inside.map((each) => each.button));
    about.textContent = `Words of sentence ${i + 1}, by their weight. Click a word to cover it.`;
  }

  function toggle(i, t) {
    state.covered = isCovered(i, t) ? null : [i, t];
    draw();
    figure.answer(told());
  }

  function draw() {
    const before = now().answer, after = answer(state.covered);
    answers.forEach((row, c) => {
      row.show(after[c], { before: before[c] });
      row.mark.hidden = state.covered === null;
    });
    rows.forEach((row, i) => {
      alter(row.line, { "aria-pressed": i === state.open, on: { "cl-struck": isCovered(i, -1) } });
      alter(row.cover, { "aria-pressed": isCovered(i, -1) });
      row.text.forEach((word, t) => word.classList.toggle("cl-gone", gone(i, t)));
    });
    inside.forEach((each, t) => {
      each.button.setAttribute("aria-pressed", String(isCovered(state.open, t)));
      each.text.classList.toggle("cl-gone", gone(state.open, t));
    });
  }

  function told() {
    const before = now().answer, best = argmax(before), after = answer(state.covered);
    if (state.covered === null) return `Nothing is covered: “${data.classes[best]}” has probability ${two(before[best])}.`;
    const [i, t] = state.covered, weight = t < 0 ? now().weights[i] : now().words[i][t];
    const what = t < 0 ? `Sentence ${i + 1}` : `“${now().sentences[i][t]}” in sentence ${i + 1}`;
    const top = argmax(after);
    const then = top === best ? "" : ` The answer is now “${data.classes[top]}”.`;
    return `${what}, weight ${two(weight)}, is covered: ${two(before[best])} becomes ${two(after[best])} for “${data.classes[best]}”.${then}`;
  }

  function put(number, open = argmax(data.documents[number].weights), covered = null) {
    Object.assign(state, { document: number, open, covered });
    menu.mark(number);
    build();
    draw();
    figure.answer(told());
  }
  const menu = choose(figure, "the document says", data.documents.map((each) => each.title), data.chosen, (i) => put(i));
  figure.controls.append(menu.label, press("Reset", () => put(data.chosen)));
  put(data.chosen);
  figure.say("Click a sentence to see its words. Cover a sentence or a word: the answer may move.");
  keepInAddress(figure, () => [state.document, state.open, ...(state.covered || [])].join("."), (text) => {
    const found = /^(\d+)\.(\d+)(?:\.(\d+)\.(-?\d+))?$/.exec(text);
    if (!found) return;
    const [number, open, i, t] = found.slice(1).map((part) => (part === undefined ? null : Number(part)));
    const lengths = data.documents[number]?.sentences.map((words) => words.length) || [];
    if (open < lengths.length) put(number, open, i !== null && t >= -1 && t < (lengths[i] ?? -1) ? [i, t] : null);
  });
}
