// Small maps of attention: a row for each word that asks, a column for each that is asked.

// A key for each head, with its name and its map.
function headCards(count, named, pick) {
  return Array.from({ length: count }, (_, i) => {
    const map = shape("svg", { class: "cl-map", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    const button = press("", () => pick(i), { class: "cl-head" });
    button.append(make("span", { class: "cl-name" }, [named(i)]), map);
    return { button, map };
  });
}
const headGrid = (name, cards) =>
  make("div", { class: "cl-heads", role: "group", "aria-label": name }, cards.map((card) => card.button));

// The row that is `framed`, if any, has a frame.
function drawMap(map, rows, columns, framed) {
  const wide = 100 / columns, high = 100 / rows.length;
  map.replaceChildren(...rows.flatMap((row, t) => row.map((weight, j) => (weight < 0.015 ? "" : shape("rect", {
    x: j * wide, y: t * high, width: wide, height: high, class: "cl-cell", style: `--w:${weight.toFixed(2)}` })))));
  if (framed !== undefined) map.append(shape("rect", { class: "cl-frame", x: 1, y: framed * high + 0.5, width: 98, height: high - 1 }));
}
