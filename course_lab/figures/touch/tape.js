// The LSTMN's tapes: a place more at each step, and lines back to where the step looked.

const TAPE_HEIGHT = 216, TAPE_WORDS = 22, TAPE_READ = 132;

function tapeFigure(figure, data) {
  const state = { sentence: 0, step: data.sentences[0].words.length - 1 };
  const now = () => data.sentences[state.sentence];
  const last = Math.max(...data.sentences.map((each) => each.words.length)) - 1;
  const host = scrollBox("The tapes", []);
  let room = 0;

  function draw() {
    const { words, rows } = now(), { step } = state;
    const gap = Math.max(60, Math.min(92, (room - 24) / words.length));
    const width = 24 + gap * words.length, x = (i) => 24 + gap * (i + 0.5);
    const row = rows[step], strongest = argmax(row);
    const svg = shape("svg", { width: width, height: TAPE_HEIGHT, viewBox: `0 0 ${width} ${TAPE_HEIGHT}`,
      role: "img", "aria-label": words.slice(0, step + 1).join(" ") });
    const text = (words_, at, y, kind) => shape("text", { x: at, y: y, "text-anchor": "middle", class: kind }, [words_]);
    svg.append(text("h", 10, TAPE_READ + 20, "cl-tape-name"), text("c", 10, TAPE_READ + 52, "cl-tape-name"));
    // Lines from the step back to the places, weak ones below.
    row.map((weight, i) => ({ weight, i })).sort((a, b) => a.weight - b.weight).forEach(({ weight, i }) => {
      const [from, to] = [x(step), x(i)], top = TAPE_READ - 26 - 62 * (step - i) / Math.max(3, words.length - 1);
      svg.append(shape("path", { class: "cl-back", "stroke-width": (0.6 + 9 * weight).toFixed(1),
        d: `M${from} ${TAPE_READ - 6}C${from} ${top} ${to} ${top} ${to} ${TAPE_READ - 6}` }));
    });
    words.forEach((word, i) => {
      const on = i <= step, kind = i === step ? " cl-newest" : "";
      svg.append(text(word, x(i), TAPE_WORDS, on ? `cl-tape-word${kind}` : "cl-tape-word cl-later"));
      if (!on) return;
      for (const y of [TAPE_READ, TAPE_READ + 32]) {
        svg.append(shape("rect", { x: x(i) - gap / 2 + 3, y: y, width: gap - 6, height: 28, rx: 3, class: `cl-place${kind}` }));
      }
      // Step t writes h_t, and steps are counted from 1.
      const low = "₀₁₂₃₄₅₆₇₈₉", number = [...String(i + 1)].map((digit) => low[digit]).join("");
      svg.append(text(`h${number}`, x(i), TAPE_READ + 19, "cl-tape-cell"), text(`c${number}`, x(i), TAPE_READ + 51, "cl-tape-cell"));
      if (i < step) svg.append(text(digits(row[i]) || "0", x(i), TAPE_READ + 78, `cl-tape-weight${i === strongest ? " cl-most" : ""}`));
    });
    host.replaceChildren(svg);
    // Where the tapes are wider than the room, the newest place stays in sight.
    host.scrollLeft = Math.max(0, x(step) + gap - room);
  }
  // The last place and all further back together: what is said adds up to one.
  function told() {
    const { words, rows } = now(), { step } = state;
    if (!step) return `Step 1 reads “${words[0]}”. The tapes are empty; there is nowhere to look.`;
    const last = rows[step][step - 1].toFixed(2), rest = (1 - Number(last)).toFixed(2);
    const looks = step === 1 ? "all its weight goes" : `${last} of its weight goes`;
    const back = step === 1 ? "" : `, ${rest} further back`;
    return `Step ${step + 1} reads “${words[step]}”: ${looks} to the last place, “${words[step - 1]}”${back}. ` +
      `It writes one place more, and could not begin before step ${step} was done.`;
  }
  const end = () => now().words.length - 1;
  function put(sentence, step) {
    state.sentence = sentence;
    state.step = Math.max(0, Math.min(step, end()));
    menu.mark(sentence);
    draw();
    figure.answer(told());
  }
  const go = (step) => put(state.sentence, step);
  const menu = choose(figure, "sentence", data.sentences.map((each) => each.words.slice(1).join(" ")), 0, (which) => put(which, last));
  const time = stepper(figure, last, 1200, () => (state.step >= end() ? last : state.step), go, () => put(0, last));
  figure.controls.append(...time, press("Back", () => go(state.step - 1)), menu.label);
  figure.stage.append(host);
  whenResized(host, (width) => { room = width; draw(); });
  put(0, last);
  keepNumbers(figure, [data.sentences.length, last + 1], () => [state.sentence, state.step], put);
}
