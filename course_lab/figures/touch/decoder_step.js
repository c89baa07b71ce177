// One step of a decoder: the words that were the most probable, with bars.

// `show(step)` draws a step: what it has just read, its most probable words with their shares, which
// of them was chosen, and the right one where it is known. The panel keeps the room of a full one.
function oddsPanel(sense, most) {
  const title = make("p", { class: "cl-note" });
  const rows = Array.from({ length: most + 1 }, () => {
    const word = make("span", { class: "cl-text" }), gloss = make("small", {});
    const bar = make("span", { class: "cl-bar", "aria-hidden": "true" }), share = make("span", { class: "cl-share" });
    const mark = make("span", { class: "cl-mark" });
    return { row: make("li", {}, [word, gloss, bar, share, mark]), word, gloss, bar, share, mark };
  });
  const panel = make("div", { class: "cl-odds", role: "group", "aria-label": "one step of the decoder" },
    [title, make("ol", {}, rows.map((each) => each.row))]);

  function show({ place, read, words, chosen, right }) {
    title.textContent = `Step ${place + 1}. It has just read ${read}. The most probable next words:`;
    const shown = words.slice(0, most);
    if (right && !shown.some(([word]) => word === right[0])) shown.push(right);
    rows.forEach((each, i) => {
      each.row.classList.toggle("cl-unseen", i >= shown.length);
      const [word, share] = shown[i] || ["\u00a0", 0], wanted = right && word === right[0];
      each.word.textContent = word;
      each.gloss.textContent = sense(word);
      each.bar.style.setProperty("--p", share.toFixed(3));
      each.share.textContent = share >= 0.01 ? share.toFixed(2) : "< 0.01";
      each.mark.textContent = [word === chosen ? "chosen" : "", wanted ? "right" : ""].filter(Boolean).join(", ");
      each.row.classList.toggle("cl-wrong", word === chosen && Boolean(right) && !wanted);
    });
  }
  return { panel, show };
}
