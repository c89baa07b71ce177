// Language models that differ in the mixer read the same orders and are asked for each of them.
function mixersFigure(figure, data) {
  const MARKS = 4, { names, dishes } = data, most = names.length, words = [...names, ...dishes];
  // How many order, how many steps of reading and answering are shown, and which orders they are.
  const opening = [most, 2 * most, 0];
  let [count, shown, draw] = opening, nets = null, answers = data.first;
  // The dishes turned, and dealt in steps of an odd number, so that each comes once.
  const dishOf = (i) => dishes[((2 * (draw % 8) + 1) * i + (draw >> 3)) % most];

  const note = (text) => make("p", { class: "cl-note" }, [text]), line = () => make("p", { class: "cl-line" });
  const told = line(), lines = data.mixers.map(line), bars = data.mixers.map((name) => barRow("li", name));
  figure.stage.append(note("All networks read"), told,
    ...data.mixers.flatMap((name, i) => [note(`${name}: asked for each name, it answers`), lines[i]]),
    note("Numbers kept"), barList(bars), figure.line);
  const orders = slide("orders", { min: 2, max: most, step: 1, value: most }, String, (n) => take(n, 2 * n, draw));
  const others = press("Other orders", () => take(count, 2 * count, (draw + 1) % (8 * most)));
  const time = stepper(figure, 2 * most, 500, () => (shown < 2 * count ? shown : 2 * most),
    (i) => { shown = Math.min(i, 2 * count); show(); },
    () => { [count, shown, draw] = opening; answers = data.first; orders.show(most); show(); });
  figure.controls.append(...time, orders.label, others);

  const wake = netOf(figure, ({ tensors }) => {
    const of = (name) => Object.fromEntries(Object.entries(tensors).filter(([key]) => key.startsWith(name + "."))
      .map(([key, tensor]) => [key.slice(name.length + 1), tensor]));
    nets = data.mixers.map((name) => gptNet(of(name), data.heads, { rotary: false }));
  }, "The networks are loading.");

  // Each name is given, and the network goes on with its own answer.
  function answer(net) {
    const idOf = (word) => words.indexOf(word) + MARKS, some = names.slice(0, count);
    const ids = some.flatMap((name, i) => [idOf(name), idOf(dishOf(i))]);
    for (const name of some) {
      ids.push(idOf(name));
      ids.push(MARKS + argmax(net.read(ids).pop().logits.slice(MARKS)));
    }
    return some.map((_, i) => words[ids[2 * (count + i) + 1] - MARKS]);
  }
  const take = (...wanted) => wake(() => {
    [count, shown, draw] = wanted;
    orders.show(count);
    answers = nets.map(answer);
    show();
  });

  // What is not read or answered yet keeps its room; a wrong answer has a mark.
  const write = (host, from, given) => host.replaceChildren(...names.slice(0, count).flatMap((name, i) => {
    const dish = given ? given[i] : dishOf(i), wrong = dish !== dishOf(i);
    const order = make("span", {}, [`${name} `, make("b", {}, [wrong ? `✗ ${dish}` : dish])]);
    alter(order, { on: { "cl-unseen": from + i >= shown, "cl-wrong": wrong } });
    return i ? [", ", order] : [order];
  }));
  function show() {
    const tried = Math.max(0, shown - count);
    write(told, 0);
    const said = data.mixers.map((name, i) => {
      const [fixed, each] = data.kept[i], numbers = fixed + 2 * each * shown, text = numbers.toLocaleString("en");
      write(lines[i], count, answers[i]);
      bars[i].show(numbers, { most: Math.max(...data.kept.map(([a, b]) => a + 4 * b * most)), text });
      const right = answers[i].slice(0, tried).filter((dish, k) => dish === dishOf(k)).length;
      return `${name}: ${right} of ${tried} right, ${text} numbers kept`;
    });
    refill(figure, "", ["", "ordered", ...data.mixers],
      names.slice(0, count).map((name, k) => rowOf(name, [dishOf(k), ...answers.map((one) => one[k])])));
    figure.answer(tried ? `${said.join("; ")}.` : `${shown} of ${count} orders are read, and nobody is asked for yet.`);
  }
  show();
  keepNumbers(figure, [most + 1, 2 * most + 1, 8 * most], () => [count, shown, draw], (n, steps, other) => {
    if (n > 1 && steps <= 2 * n) take(n, steps, other);
  });
}
