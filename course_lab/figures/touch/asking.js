// One self-attention, step by step. Every number is computed here, from the words' vectors on.

const ASK_STEPS = ["X", "QKV", "QKᵀ", "÷√dₖ", "mask", "softmax", "×V", "out"];
const [AT_X, AT_QKV, AT_SCORES, AT_SCALE, AT_MASK, AT_SOFTMAX, AT_VALUES, AT_OUT] = ASK_STEPS.keys();

// Each step for words by number. `earlier`: no word looks at a later one.
function askEachOther(net, ids, positions, earlier) {
  const through = (rows, matrix) => rows.map((row) => matrix.map((line) => dot(line, row)));
  const width = net.words[0].length;
  const x = ids.map((id, t) => net.words[id].map((value, c) => value + (positions ? positional(t, c, width) : 0)));
  const [q, k, v] = ["queries", "keys", "values"].map((name) => through(x, net[name]));
  const scores = q.map((query) => k.map((key) => dot(query, key)));
  const scaled = scores.map((row) => row.map((score) => score / Math.sqrt(q[0].length)));
  const masked = scaled.map((row, i) => row.map((score, j) => (earlier && j > i ? -Infinity : score)));
  const weights = masked.map((row) => softmax(row));
  const context = weights.map((row) => average(row, v));
  const shares = through(context, net.answers).map((row) => softmax(row));
  return { x, q, k, v, scores, scaled, masked, weights, context, shares };
}

function askingFigure(figure, data) {
  const names = data.nets.map((net) => net.name);
  const lastBlank = (which) => data.sentences[which].words.lastIndexOf("_");
  const opening = { step: AT_SOFTMAX, sentence: 0, net: 0, bare: 0, i: lastBlank(0), j: lastBlank(0) + 1 };
  const state = { ...opening };
  const sentence = () => data.sentences[state.sentence];
  const earlier = () => names[state.net].startsWith("earlier");
  const minus = (value, places) => (value === -Infinity ? "−∞" : signed(value, places));
  let now = null;

  // A blank is named with its number, or two rows would have one name.
  const blanksBefore = (t) => sentence().words.slice(0, t).filter((word) => word === "_").length;
  const shown = (t) => sentence().words[t].replace("_", () => `_${"₁₂₃"[blanksBefore(t)]}`);
  // The same in a sentence, and where it is read out: no sign stands for a word there.
  const named = (t) => ({ _: `blank ${blanksBefore(t) + 1}`, ".": "the full stop" })[sentence().words[t]] || sentence().words[t];
  const opens = (t) => named(t).replace(/^(blank|the full)/, (name) => name[0].toUpperCase() + name.slice(1));
  const head = (scope, t) => make("th", { scope, "aria-label": named(t) }, [shown(t)]);
  const rowHead = (t) => head("row", t);

  // ---- the sentence; the blanks are filled in where the last step has found out with what
  const line = make("p", { class: "cl-asked", ...GERMAN });
  const gloss = make("p", { class: "cl-note" });
  function drawLine() {
    line.replaceChildren(...sentence().words.map((word, t) => {
      if (word !== "_") return make("span", { class: "cl-plain" }, [word]);
      const wanted = sentence().wanted[blanksBefore(t)], share = now.shares[t], said = data.answers[argmax(share)];
      const [kind, text, below] = state.step !== AT_OUT ? [" cl-open", shown(t), "\u00a0"]
        : said === wanted ? ["", said, `${Math.max(...share).toFixed(2)} ✓`]
          : [" cl-wrong", said, `${Math.max(...share).toFixed(2)} ✗ ${wanted}`];
      return make("span", { class: "cl-filled" + kind }, [make("b", {}, [text]), make("small", {}, [below])]);
    }));
    gloss.textContent = `In English: ${sentence().gloss}`;
  }

  // ---- panels: one lies upon the other, so that the figure keeps its height
  const panels = make("div", { class: "cl-piled" });
  const vectors = (name, role, rows, lit) => tableOf(["", ...rows[0].map((_, c) => String(c + 1))], rows.map((row, t) =>
    rowOf(rowHead(t), row.map((value) => minus(value, 1)), lit === t && "cl-lit")), { kind: `cl-role-${role}`, caption: name });

  const MATRICES = {
    [AT_SCORES]: ["Q Kᵀ: the query of each word (down) times the key of each (across)", "scores"],
    [AT_SCALE]: ["Q Kᵀ / √dₖ", "scaled"],
    [AT_MASK]: ["Q Kᵀ / √dₖ, after the mask", "masked"],
    [AT_SOFTMAX]: ["The weights: each row sums to one", "weights"],
  };
  // All names lie one upon the other: the longest keeps its room, so that no step moves the table.
  const matrixNames = Object.fromEntries(Object.entries(MATRICES).map(([step, [name]]) => [step, make("span", {}, [name])]));
  const matrix = make("table", { class: "cl-matrix" });
  const matrixBox = scrollBox("Scores and weights", [matrix]);
  let cells = [], tops = [];
  function buildMatrix() {
    const places = [...sentence().words.keys()], clip = (value) => Math.max(0, Math.min(places.length - 1, value));
    tops = places.map((t) => head("col", t));
    cells = places.map((i) => places.map((j) => {
      const button = press("", () => pick(i, j));
      button.addEventListener("keydown", (event) => onArrow(event, (right, down) => {
        pick(clip(state.i + down), clip(state.j + right));
        cells[state.i][state.j].button.focus();
      }));
      return { button, td: make("td", {}, [button]) };
    }));
    matrix.replaceChildren(make("caption", {}, [make("span", { class: "cl-piled" }, Object.values(matrixNames))]),
      make("thead", {}, [make("tr", {}, [make("td"), ...tops])]),
      make("tbody", {}, cells.map((row, i) => make("tr", {}, [rowHead(i), ...row.map((cell) => cell.td)]))));
  }
  function drawMatrix() {
    const at = state.step in MATRICES ? state.step : AT_SOFTMAX, part = MATRICES[at][1];
    for (const step in matrixNames) matrixNames[step].classList.toggle("cl-unseen", Number(step) !== at);
    tops.forEach((top, j) => top.classList.toggle("cl-lit", j === state.j));
    cells.forEach((row, i) => {
      row[0].td.parentElement.classList.toggle("cl-lit", i === state.i);
      row.forEach(({ button, td }, j) => {
        const value = now[part][i][j], here = i === state.i && j === state.j;
        const text = part === "weights" ? digits(value) || "0" : minus(value, 1);
        const hidden = value === -Infinity || (part === "weights" && earlier() && j > i);
        alter(button, { text, "aria-label": `${named(i)} attends to ${named(j)}: ${text}`, "aria-pressed": here, tabindex: here ? 0 : -1 });
        alter(td, { on: { "cl-lit": j === state.j, "cl-picked": here, "cl-hidden": hidden } });
        paint(td, part === "weights" ? value : 0);
      });
    });
  }

  // More digits than elsewhere: whoever adds up what stands here comes to the sum that stands here.
  function mixed() {
    const { weights, v, context } = now, { i } = state, name = `What ${named(i)} reads: the values, by its weights`;
    const body = v.map((row, j) => rowOf(rowHead(j), [
      weightCell(weights[i][j], weights[i][j].toFixed(3)), ...row.map((value) => minus(value, 2))]));
    const sum = rowOf("sum ≈", ["1", ...context[i].map((value) => minus(value, 1))], "cl-total");
    return scrollBox(name, [tableOf(["", "weight", ...v[0].map((_, c) => `v ${c + 1}`)], [...body, sum],
      { kind: "cl-role-context", caption: name })]);
  }
  function outcome() {
    const name = "What the blanks become (probability)", blanks = [...sentence().words.keys()].filter((t) => sentence().words[t] === "_");
    return scrollBox(name, [tableOf(["", ...data.answers], blanks.map((t) =>
      rowOf(rowHead(t), now.shares[t].map((share) => weightCell(share, share.toFixed(2))))), { caption: name })]);
  }

  const image = (name, does) => [`${name} = X W`, make("sub", {}, [name]), `: ${does}`];
  function drawPanels() {
    const three = scrollBox("Queries, keys and values", [
      vectors(image("Q", "queries"), "query", now.q, state.i), vectors(image("K", "keys"), "key", now.k, state.j),
      vectors(image("V", "values"), "value", now.v, state.j)], "cl-three");
    const each = [[AT_X, scrollBox("X", [vectors(["X: word plus position"], "source", now.x, state.i)])], [AT_QKV, three],
      [-1, matrixBox], [AT_VALUES, mixed()], [AT_OUT, outcome()]];
    const kept = document.activeElement;
    panels.replaceChildren(...each.map(([step, panel]) => {
      const here = step === state.step || (step < 0 && state.step in MATRICES);
      panel.classList.toggle("cl-unseen", !here);
      return panel;
    }));
    if (kept && matrix.contains(kept)) kept.focus({ preventScroll: true });
  }

  // ---- words to each step
  function words() {
    const { i, j } = state, who = opens(i), whom = named(j);
    // Three digits a factor: with one, the sum by hand would not come to the score of the table.
    const factor = (value) => (value < 0 ? `(${minus(value, 3)})` : minus(value, 3));
    const sum = (a, b) => a.map((value, c) => `${minus(c ? Math.abs(value) : value, 3)}·${factor(b[c])}`)
      .reduce((whole, term, c) => `${whole} ${a[c] < 0 ? "−" : "+"} ${term}`);
    switch (state.step) {
      case AT_X: return state.bare ? "A row for each word, without positions: both blanks have one and the same row."
        : "A row for each word: its vector plus that of its position. The blanks are one word, at two positions.";
      case AT_QKV: return "Three matrices turn each row into three vectors: its query, its key and its value.";
      case AT_SCORES: return `Query of ${named(i)} times key of ${whom}: ${sum(now.q[i], now.k[j])} ≈ ${minus(now.scores[i][j], 1)}.`;
      case AT_SCALE: return `Over √${now.q[0].length}: ${minus(now.scores[i][j], 2)} becomes ${minus(now.scaled[i][j], 2)}.`;
      case AT_MASK: return earlier() ? "No word may attend to a later one: those scores become −∞."
        : "In this network every word attends to every word: the mask hides nothing.";
      case AT_SOFTMAX: {
        const most = argmax(now.weights[i]);
        const rest = most === j ? "more than to any other" : `and most to ${named(most)}`;
        return `${who} gives ${whom} ${now.weights[i][j].toFixed(2)} of its attention, ${rest}.`;
      }
      case AT_VALUES: return `${who} reads the average of the values by its weights, mostly the value of ${named(argmax(now.weights[i]))}.`;
      default: return sentence().words.map((word, t) => [word, t]).filter(([word]) => word === "_")
        .map(([, t], n) => `${n ? named(t) : opens(t)} becomes ${data.answers[argmax(now.shares[t])]}`).join(", ") + ".";
    }
  }
  // Leads to a state that differs in these parts.
  function put(parts) {
    const other = parts.sentence !== undefined && parts.sentence !== state.sentence;
    Object.assign(state, other ? { i: lastBlank(parts.sentence), j: lastBlank(parts.sentence) + 1 } : {}, parts);
    if (other || !now) buildMatrix();
    now = askEachOther(data.nets[state.net], sentence().words.map((word) => data.words.indexOf(word)), !state.bare, earlier());
    for (const part in controls) controls[part].mark(state[part]);
    drawMatrix();
    drawPanels();
    drawLine();
    figure.answer(words());
  }
  const pick = (i, j) => put({ i, j });
  const control = (part, name, options) => choose(figure, name, options, state[part], (value) => put({ [part]: value }));
  const controls = {
    sentence: control("sentence", "sentence", data.sentences.map((each) => each.words.join(" "))),
    net: control("net", "attends to", names),
    bare: control("bare", "positions", ["added", "left out"]),
    step: control("step", "step", ASK_STEPS),
  };
  const time = stepper(figure, AT_OUT, 1800, () => state.step, (step) => put({ step }), () => put(opening));
  const { step, ...options } = controls;
  figure.controls.append(...Object.values(options).map((keys) => keys.label), make("div", { class: "cl-time" }, time), step.label);
  figure.stage.append(line, gloss, panels);
  put({});
  const most = Math.max(...data.sentences.map((each) => each.words.length));
  keepNumbers(figure, [ASK_STEPS.length, data.sentences.length, names.length, 2, most, most],
    () => [state.step, state.sentence, state.net, state.bare, state.i, state.j], (step, which, net, bare, i, j) => {
      const size = data.sentences[which].words.length;
      if (i < size && j < size) put({ step, sentence: which, net, bare, i, j });
    });
}
