// A memory that is one matrix: pairs are stored one after the other, and one is asked for.

function memoryFigure(figure, data) {
  const [rule, width, pairs, asked] = data.opening;
  const state = { rule, width, pairs, asked };
  const all = data.words.length;

  // What comes back for a key, after the first `count` pairs.
  function read(query, count) {
    const [keys, values] = data.vectors[state.width].map((part) => part.slice(0, count));
    if (data.rules[state.rule] === "attention") {
      return average(softmax(keys.map((key) => data.sharp * dot(key, query))), values);
    }
    const kept = data.rules[state.rule] === "decay" ? data.kept : 1;
    let memory = keys[0].map(() => values[0].map(() => 0));
    keys.forEach((key, i) => {
      const before = memory.map((line) => line.map((number) => kept * number));
      const old = average(key, before);
      const written = values[i].map((number, j) =>
        (data.rules[state.rule] === "delta" ? number - old[j] : number));
      memory = before.map((line, k) => line.map((number, j) => number + key[k] * written[j]));
    });
    return average(query, memory);
  }
  const matchesOf = (i) => {
    const [keys, values] = data.vectors[state.width];
    const found = read(keys[i], state.pairs);
    return values.map((value) => dot(value, found));
  };

  const group = figure.root.id + "-asked";
  const rows = data.words.map(([key, value], i) => {
    const radio = radioKey(group, make("span", {}, [key]), () => { state.asked = i; show(); });
    const bar = barCell(4), answer = make("td");
    return { radio, bar, answer, row: rowOf(make("th", { scope: "row" }, [radio.label]), [value, bar.cell, answer]) };
  });
  const table = tableOf(["ask for", "stored", "match", "answer"], rows.map((each) => each.row));
  const sizes = ["this memory", "attention"].map((name) => barRow("li", name));
  figure.stage.append(scrollBox("Pairs and answers", [table]),
    make("p", { class: "cl-note" }, ["Numbers kept:"]),
    make("ul", { class: "cl-bar-rows" }, sizes.map((size) => size.row)));

  function draw() {
    const d = data.widths[state.width], name = data.rules[state.rule];
    const found = matchesOf(state.asked);
    let right = 0;
    rows.forEach((each, i) => {
      const stored = i < state.pairs;
      each.row.classList.toggle("cl-off", !stored);
      each.row.classList.toggle("cl-asked", i === state.asked);
      each.radio.input.disabled = !stored;
      each.radio.input.checked = i === state.asked;
      each.bar.show(Math.min(2, Math.max(0, found[i])) / 2);
      each.bar.cell.lastChild.textContent = signed(found[i], 2);
      const best = stored ? argmax(matchesOf(i)) : -1;
      right += stored && best === i ? 1 : 0;
      each.row.classList.toggle("cl-spoiled", stored && best !== i);
      each.answer.textContent = stored ? (best === i ? "✓" : `✗ ${data.words[best][1]}`) : "";
    });
    const keeps = state.pairs * 2 * d, most = 2 * d * all;
    [name === "attention" ? keeps : d * d, keeps].forEach((count, i) => {
      sizes[i].show(count / most);
      sizes[i].label.textContent = i || name === "attention" ? "attention" : "one matrix";
      sizes[i].row.querySelector(".cl-share").textContent = String(count);
    });
    const best = argmax(found), [key, value] = data.words[state.asked];
    const verdict = best === state.asked ? `${value} comes back, which is right`
      : `${data.words[best][1]} comes back, but ${value} was stored`;
    figure.say(`${state.pairs} ${state.pairs > 1 ? "pairs" : "pair"}, width ${d}, ${name}. Ask for ${key}: ${verdict}. `
      + `${right} of ${state.pairs} answers ${right === 1 ? "is" : "are"} right.`);
  }

  function show() {
    draw();
    figure.remember();
  }

  const rules = choose(figure, "rule", data.rules, state.rule, (i) => { state.rule = i; show(); });
  const widths = choose(figure, "width of the key", data.widths.map(String), state.width,
    (i) => { state.width = i; show(); });
  const stored = slide("pairs", { min: 1, max: all, step: 1, value: state.pairs }, String, (count) => {
    state.pairs = count;
    state.asked = Math.min(state.asked, count - 1);
    show();
  });
  const restore = (newRule, newWidth, newPairs, newAsked) => {
    if (newPairs < 1 || newAsked >= newPairs) return;
    Object.assign(state, { rule: newRule, width: newWidth, asked: newAsked });
    rules.mark(newRule);
    widths.mark(newWidth);
    stored.set(newPairs);
  };
  const time = stepper(all - 1, 900, () => state.pairs - 1, (i) => stored.set(i + 1),
    () => restore(...data.opening));
  figure.controls.append(...time.keys, stored.label, widths.label, rules.label);
  draw();
  keepNumbers(figure, [data.rules.length, data.widths.length, all + 1, all],
    () => [state.rule, state.width, state.pairs, state.asked], restore);
}
