// One self-attention, step by step. Every number is computed here, from the words' vectors on.

const ASK_STEPS = ["X", "QKV", "QKᵀ", "÷√dₖ", "mask", "softmax", "×V", "out"];
const [AT_X, AT_QKV, AT_SCORES, AT_SCALE, AT_MASK, AT_SOFTMAX, AT_VALUES, AT_OUT] = ASK_STEPS.keys();

// Each step for words by number. `earlier`: no word looks at a later one.
function askEachOther(net, ids, positions, earlier) {
  const through = (rows, matrix) => rows.map((row) => matrix.map((line) => dot(line, row)));
  const width = net.words[0].length;
  const x = ids.map((id, t) => {
    return net.words[id].map((value, c) => value + (positions ? positional(t, c, width) : 0));
  });
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
  const opening = { step: AT_SOFTMAX, sentence: 0, net: 0, bare: 0, i: data.sentences[0].words.lastIndexOf("_"), j: 0 };
  opening.j = opening.i + 1;
  const state = { ...opening };
  const sentence = () => data.sentences[state.sentence];
  const earlier = () => names[state.net].startsWith("earlier");
  const minus = (value, places) => (value === -Infinity ? "−∞"
    : signed(value, places));
  let now = null;

  function compute() {
    const ids = sentence().words.map((word) => data.words.indexOf(word));
    now = askEachOther(data.nets[state.net], ids, !state.bare, earlier());
  }
  // A blank is named with its number, or two rows would have one name.
  const blanksBefore = (t) => sentence().words.slice(0, t).filter((word) => word === "_").length;
  function shown(t) {
    const word = sentence().words[t];
    return word === "_" ? `_${"₁₂₃"[blanksBefore(t)]}` : word;
  }
  // The same in a sentence, and where it is read out: no sign stands for a word there.
  function named(t) {
    const word = sentence().words[t];
    return word === "_" ? `blank ${blanksBefore(t) + 1}` : word === "." ? "the full stop" : word;
  }
  const opens = (t) => named(t).replace(/^(blank|the full)/, (name) => name[0].toUpperCase() + name.slice(1));
  const rowHead = (t) => make("th", { scope: "row", "aria-label": named(t) }, [shown(t)]);
  const columnHead = (t) => make("th", { scope: "col", "aria-label": named(t) }, [shown(t)]);

  // ---- the sentence; the blanks are filled in where the last step has found out with what
  const line = make("p", { class: "cl-asked" });
  const gloss = make("p", { class: "cl-note" });
  function drawLine() {
    line.replaceChildren(...sentence().words.map((word, t) => {
      if (word !== "_") return make("span", { class: "cl-plain" }, [word]);
      if (state.step !== AT_OUT) {
        return make("span", { class: "cl-filled cl-open" }, [make("b", {}, [shown(t)]), make("small", {}, ["\u00a0"])]);
      }
      const wanted = sentence().wanted[blanksBefore(t)], share = now.shares[t];
      const said = data.answers[argmax(share)];
      const mark = said === wanted ? "✓" : `✗ ${wanted}`;
      return make("span", { class: "cl-filled" + (said === wanted ? "" : " cl-wrong") }, [
        make("b", {}, [said]), make("small", {}, [`${share[argmax(share)].toFixed(2)} ${mark}`])]);
    }));
    gloss.textContent = `In English: ${sentence().gloss}`;
  }

  // ---- panels: one lies upon the other, so that the figure keeps its height
  const panels = make("div", { class: "cl-piled" });
  function vectors(name, role, rows, lit) {
    return tableOf(["", ...rows[0].map((_, c) => String(c + 1))], rows.map((row, t) =>
      rowOf(rowHead(t), row.map((value) => minus(value, 1)), lit === t && "cl-lit")), { kind: `cl-role-${role}`, caption: name });
  }

  const MATRICES = {
    [AT_SCORES]: ["Q Kᵀ: the query of each word (down) times the key of each (across)", "scores"],
    [AT_SCALE]: ["Q Kᵀ / √dₖ", "scaled"],
    [AT_MASK]: ["Q Kᵀ / √dₖ, after the mask", "masked"],
    [AT_SOFTMAX]: ["The weights: each row sums to one", "weights"],
  };
  // All names lie one upon the other: the longest keeps its room, so that no step moves the table.
  const matrixNames = Object.fromEntries(Object.entries(MATRICES).map(([step, [name]]) => [step, make("span", {}, [name])]));
  let cells = [];
  const matrix = make("table", { class: "cl-matrix" });
  const matrixBox = scrollBox("Scores and weights", [matrix]);
  function buildMatrix() {
    const size = sentence().words.length;
    const tops = [...Array(size).keys()].map(columnHead);
    cells = [];
    const rows = [...Array(size).keys()].map((i) => {
      const row = [...Array(size).keys()].map((j) => {
        const button = press("", () => pick(i, j), { tabindex: "-1" });
        button.addEventListener("keydown", (event) => onArrow(event, (right, down) => {
          const clip = (value) => Math.max(0, Math.min(size - 1, value));
          pick(clip(state.i + down), clip(state.j + right));
          cells[state.i][state.j].button.focus();
        }));
        return { button, td: make("td", {}, [button]) };
      });
      cells.push(row);
      return make("tr", {}, [rowHead(i), ...row.map((cell) => cell.td)]);
    });
    matrix.replaceChildren(make("caption", {}, [make("span", { class: "cl-piled" }, Object.values(matrixNames))]),
      make("thead", {}, [make("tr", {}, [make("td"), ...tops])]), make("tbody", {}, rows));
    cells.tops = tops;
  }
  function drawMatrix() {
    const at = state.step in MATRICES ? state.step : AT_SOFTMAX, part = MATRICES[at][1];
    for (const step in matrixNames) matrixNames[step].classList.toggle("cl-unseen", Number(step) !== at);
    cells.tops.forEach((top, j) => top.classList.toggle("cl-lit", j === state.j));
    cells.forEach((row, i) => {
      row[0].td.parentElement.classList.toggle("cl-lit", i === state.i);
      row.forEach(({ button, td }, j) => {
        const value = now[part][i][j], here = i === state.i && j === state.j;
        const text = part === "weights" ? digits(value) || "0" : minus(value, 1);
        button.textContent = text;
        button.setAttribute("aria-label", `${named(i)} attends to ${named(j)}: ${text}`);
        button.setAttribute("aria-pressed", String(here));
        button.tabIndex = here ? 0 : -1;
        td.classList.toggle("cl-lit", j === state.j);
        td.classList.toggle("cl-picked", here);
        td.classList.toggle("cl-hidden", value === -Infinity || (part === "weights" && earlier() && j > i));
        paint(td, part === "weights" ? value : 0, data.turns);
      });
    });
  }

  // More digits than elsewhere: whoever adds up what stands here comes to the sum that stands here.
  function mixed() {
    const { weights, v, context } = now, { i } = state;
    const body = v.map((row, j) => rowOf(rowHead(j), [
      weightCell(weights[i][j], data.turns, weights[i][j].toFixed(3)), ...row.map((value) => minus(value, 2))]));
    const sum = rowOf("sum ≈", ["1", ...context[i].map((value) => minus(value, 1))], "cl-total");
    const name = `What ${named(i)} reads: the values, by its weights`;
    return scrollBox(name, [tableOf(["", "weight", ...v[0].map((_, c) => `v ${c + 1}`)], [...body, sum],
      { kind: "cl-role-context", caption: name })]);
  }
  function outcome() {
    const body = sentence().words.flatMap((word, t) => (word !== "_" ? []
      : rowOf(rowHead(t), now.shares[t].map((share) => weightCell(share, data.turns, share.toFixed(2))))));
    const name = "What the blanks become (probability)";
    return scrollBox(name, [tableOf(["", ...data.answers], body, { caption: name })]);
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
  function words(step) {
    const { i, j } = state, who = opens(i), whom = named(j);
    // Three digits a factor: with one, the sum by hand would not come to the score of the table.
    const factor = (value) => (value < 0 ? `(${minus(value, 3)})` : minus(value, 3));
    const sum = (a, b) => a.map((value, c) => `${minus(c ? Math.abs(value) : value, 3)}·${factor(b[c])}`)
      .reduce((whole, term, c) => `${whole} ${a[c] < 0 ? "−" : "+"} ${term}`);
    switch (step) {
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
  // All that can be said of any sentence, net and cell: the line keeps room for the longest.
  function everything() {
    const kept = { ...state }, told = [];
    data.sentences.forEach(({ words: all }, which) => names.forEach((_, net) => [0, 1].forEach((bare) => {
      Object.assign(state, { sentence: which, net, bare });
      compute();
      all.forEach((__, i) => all.forEach((___, j) => {
        Object.assign(state, { i, j });
        told.push(...[...ASK_STEPS.keys()].map(words));
      }));
    })));
    Object.assign(state, kept);
    compute();
    return told;
  }
  function draw() {
    drawMatrix();
    drawPanels();
    drawLine();
    figure.say(words(state.step));
    figure.remember();
  }
  function pick(i, j) {
    time.stop();
    state.i = i;
    state.j = j;
    draw();
  }
  function choice(part) {
    return (value) => {
      state[part] = value;
      if (part === "sentence") {
        state.i = sentence().words.lastIndexOf("_");
        state.j = state.i + 1;
        compute();
        buildMatrix();
      }
      compute();
      draw();
    };
  }

  const stepKeys = choose(figure, "step", ASK_STEPS, state.step, (step) => { time.stop(); state.step = step; draw(); });
  const options = [
    ["sentence", choose(figure, "sentence", data.sentences.map((each) => each.words.join(" ")), 0, choice("sentence"))],
    ["net", choose(figure, "attends to", names, 0, choice("net"))],
    ["bare", choose(figure, "positions", ["added", "left out"], 0, choice("bare"))],
  ];
  const time = stepper(AT_OUT, 1800, () => state.step,
    (step) => { stepKeys.mark(step); state.step = step; draw(); },
    () => put(opening));
  function put(wanted) {
    for (const [part, keys] of options) if (state[part] !== wanted[part]) keys.set(wanted[part]);
    Object.assign(state, wanted);
    stepKeys.mark(state.step);
    draw();
  }

  figure.controls.append(...options.map(([, keys]) => keys.label),
    make("div", { class: "cl-time" }, time.keys), stepKeys.label);
  figure.stage.append(line, gloss, panels);
  compute();
  buildMatrix();
  draw();
  reserve(figure, everything);
  const most = Math.max(...data.sentences.map((each) => each.words.length));
  keepNumbers(figure, [ASK_STEPS.length, data.sentences.length, names.length, 2, most, most],
    () => [state.step, state.sentence, state.net, state.bare, state.i, state.j], (step, which, net, bare, i, j) => {
      const size = data.sentences[which].words.length;
      if (i >= size || j >= size) return;
      time.stop();
      put({ step, sentence: which, net, bare, i, j });
    });
}
