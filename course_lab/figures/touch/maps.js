// Small maps of attention: a row for each word that asks, a column for each that is asked.

const headMap = () => shape("svg", { class: "cl-map", viewBox: "0 0 100 100", "aria-hidden": "true" });

function drawMap(map, rows, columns, framed) {
  const wide = 100 / columns, high = 100 / rows.length;
  map.replaceChildren(...rows.flatMap((row, t) => row.map((weight, j) => (weight < 0.015 ? "" : shape("rect", {
    x: j * wide, y: t * high, width: wide, height: high, class: "cl-cell", style: `--w:${weight.toFixed(2)}` })))),
  shape("rect", { class: "cl-frame", x: 1, y: framed * high + 0.5, width: 98, height: high - 1 }));
}
