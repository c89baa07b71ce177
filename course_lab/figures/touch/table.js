// Tables that a script builds: a matrix of weights, a list with numbers.

// What is no element yet becomes a head or a cell; "" has no head.
const headCell = (scope, text) => (text instanceof Node ? text : text === "" ? make("td")
  : make("th", { scope }, [text]));
const plainCell = (text) => (text instanceof Node ? text : make("td", {}, [text]));
const weightCell = (weight, text = digits(weight)) => {
  const cell = make("td", {}, [text]);
  paint(cell, weight);
  return cell;
};
const rowOf = (name, cells, kind) =>
  make("tr", kind ? { class: kind } : {}, [headCell("row", name), ...cells.map(plainCell)]);
const headsOf = (columns) => columns.map((text) => headCell("col", text));

// `rows` are made by `rowOf`.
function tableOf(columns, rows, { kind, caption } = {}) {
  return make("table", kind ? { class: kind } : {}, [
    ...(caption ? [make("caption", {}, [make("span", {}, [caption].flat())])] : []),
    make("thead", {}, [make("tr", {}, headsOf(columns))]), make("tbody", {}, rows)]);
}

// Another name, where there is one, and other words and numbers for the table that Python wrote.
function refill(figure, name, columns, rows) {
  const table = figure.numbers.querySelector("table");
  if (name) table.caption.firstChild.textContent = name;
  table.tHead.rows[0].replaceChildren(...headsOf(columns));
  table.tBodies[0].replaceChildren(...rows);
}
