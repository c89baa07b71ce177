// Bars for numbers from 0 to 1.

// A name, a track with its bar and perhaps a mark of what was before, and the number.
function barRow(tag, name, { marked = false, attributes = {} } = {}) {
  const [label, bar, mark, share] = ["label", "bar", "mark", "share"].map((part) =>
    make("span", { class: `cl-${part}` }));
  label.textContent = name;
  const row = make(tag, attributes, [label,
    make("span", { class: "cl-track", "aria-hidden": "true" }, marked ? [bar, mark] : [bar]), share]);
  row.classList.add("cl-bar-row");
  const percent = (part) => `${(100 * part).toFixed(1)}%`;
  // `before` is where the mark stands; `most` the number of a full bar; `text` says the number.
  function show(value, { before, most = 1, text = value.toFixed(2) } = {}) {
    bar.style.width = percent(value / most);
    if (before !== undefined) mark.style.left = percent(before / most);
    share.textContent = text;
  }
  return { row, label, mark, show };
}
const barList = (bars, attributes) => make("ul", { class: "cl-bar-rows", ...attributes }, bars.map((bar) => bar.row));

// A bar and its number in a cell of a table; a full bar is `wide` em.
function barCell(wide) {
  const bar = make("span", { class: "cl-bar" }), number = make("span");
  const show = (weight, text = weight.toFixed(2)) => {
    bar.style.width = `${(wide * weight).toFixed(3)}em`;
    number.textContent = text;
  };
  return { cell: make("td", { class: "cl-barred" }, [bar, number]), show };
}
