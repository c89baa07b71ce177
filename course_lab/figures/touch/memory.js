// A memory that is one matrix: pairs are stored one after the other, and one is asked for.
function memoryFigure(figure, data) {
  const [rule, width, pairs, asked] = data.opening, all = data.words.length;
  const state = { rule, width, pairs, asked };

  // What comes back for a key, after the first `count` pairs.
  function read(query, count) {
    const [keys, values] = data.vectors[state.width].map((part) => part.slice(0, count)), name = data.rules[state.rule];
    if (name === "attention") return average(softmax(keys.map((key) => data.sharp * dot(key, query))), values);
    const kept = name === "decay" ? data.kept : 1;
    let memory = keys[0].map(() => values[0].map(() => 0));
    keys.forEach((key, i) => {
      const before = memory.map((line) => line.map((number) => kept * number)), old = average(key, before);
      const written = values[i].map((number, j) => (name === "delta" ? number - old[j] : number));
      memory = before.map((line, k) => line.map((number, j) => number + key[k] * written[j]));
    });
    return average(query, memory);
  }
  const matchesOf = (i) => {
    const [keys, values] = data.vectors[state.width], found = read(keys[i], state.pairs);
    return values.map((value) => dot(value, found));
  };

  const rows = data.words.map(([key, value], i) => {
    const radio = radioKey(figure.root.id + "-asked", make("span", {}, [key]), () => { state.asked = i; draw(); });
    const bar = barCell(4), answer = make("td");
    return { radio, bar, answer, row: rowOf(make("th", { scope: "row" }, [radio.label]), [value, bar.cell, answer]) };
  });
  const table = tableOf(["ask for", "word", "match", "answer"], rows.map((each) => each.row));
  const sizes = [barRow("li", ""), barRow("li", "attention")];
  figure.stage.append(scrollBox("Pairs and answers", [table]), make("p", { class: "cl-note" }, ["Numbers kept:"]), barList(sizes));

  function draw() {
    const d = data.widths[state.width], name = data.rules[state.rule], found = matchesOf(state.asked);
    let right = 0;
    rows.forEach((each, i) => {
      const stored = i < state.pairs, best = stored ? argmax(matchesOf(i)) : -1;
      alter(each.row, { on: { "cl-off": !stored, "cl-asked": i === state.asked, "cl-spoiled": stored && best !== i } });
      each.radio.input.disabled = !stored;
      each.radio.input.checked = i === state.asked;
      each.bar.show(Math.min(2, Math.max(0, found[i])) / 2, signed(found[i], 2));
      each.answer.textContent = !stored ? "" : best === i ? "✓" : `✗ ${data.words[best][1]}`;
      right += Number(best === i);
    });
    const keeps = state.pairs * 2 * d;
    [name === "attention" ? keeps : d * d, keeps].forEach((count, i) =>
      sizes[i].show(count, { most: 2 * d * all, text: String(count) }));
    sizes[0].label.textContent = name === "attention" ? "attention" : "one matrix";
    const best = argmax(found), [key, value] = data.words[state.asked];
    const verdict = best === state.asked ? `${value} comes back, which is right`
      : `${data.words[best][1]} comes back, but ${value} was stored`;
    figure.answer(`${state.pairs} ${state.pairs > 1 ? "pairs" : "pair"}, width ${d}, ${name}. Ask for ${key}: ${verdict}. `
      + `${right} of ${state.pairs} answers ${right === 1 ? "is" : "are"} right.`);
  }

  const rules = choose(figure, "rule", data.rules, state.rule, (i) => { state.rule = i; draw(); });
  const widths = choose(figure, "width of the key", data.widths.map(String), state.width, (i) => { state.width = i; draw(); });
  const stored = slide("pairs", { min: 1, max: all, step: 1, value: state.pairs }, String, (count) => {
    state.pairs = count;
    state.asked = Math.min(state.asked, count - 1);
    draw();
  });
  const put = (newRule, newWidth, newPairs, newAsked) => {
    if (newPairs < 1 || newAsked >= newPairs) return;
    Object.assign(state, { rule: newRule, width: newWidth, asked: newAsked });
    rules.mark(newRule);
    widths.mark(newWidth);
    stored.set(newPairs);
  };
  const time = stepper(figure, all - 1, 900, () => state.pairs - 1, (i) => stored.set(i + 1), () => put(...data.opening));
  figure.controls.append(...time, stored.label, widths.label, rules.label);
  draw();
  keepNumbers(figure, [data.rules.length, data.widths.length, all + 1, all],
    () => [state.rule, state.width, state.pairs, state.asked], put);
}
