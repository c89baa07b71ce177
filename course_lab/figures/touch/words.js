// Rows of words: keys that keep their place, and arcs from one row to another.

// As many children as `count`: those that are there stay, so that focus and pointer keep their place.
function fill(host, count, build) {
  while (host.children.length < count) host.append(build(host.children.length));
  while (host.children.length > count) host.lastChild.remove();
  return [...host.children];
}

const wordRow = (kind, name, more = {}) =>
  make("div", { class: `cl-words ${kind}`.trim(), role: "group", "aria-label": name, ...more });

// A word to press, or with no `act` to read: a part for each kind, such as its gloss.
function wordKey(act, ...kinds) {
  const parts = kinds.map((kind) => make("span", { class: `cl-${kind}` }));
  if (!act) return make("span", { class: "cl-word" }, parts);
  const key = press("", act, { class: "cl-word" });
  key.append(...parts);
  return key;
}

// What stands below a foreign word; the room is kept where it would say the same.
const glossOf = (word, glosses) => (glosses[word] !== word && glosses[word]) || "\u00a0";

// Arcs are drawn over, or behind, a board with rows of words.
const arcsOf = () => shape("svg", { class: "cl-arcs", "aria-hidden": "true" });

// An English sentence above, a German one below, and arcs between.
function wordBoard() {
  const above = wordRow("cl-above", "English"), below = wordRow("cl-below", "German", GERMAN), arcs = arcsOf();
  return { above, below, arcs, board: make("div", { class: "cl-board" }, [arcs, above, below]) };
}

// Fits the arcs to their board; gives a function for the middle of a word's edges.
function fitArcs(arcs, board) {
  const place = board.getBoundingClientRect();
  arcs.setAttribute("viewBox", `0 0 ${place.width || 1} ${place.height || 1}`);
  return (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2 - place.left, top: box.top - place.top, bottom: box.bottom - place.top };
  };
}

// An arc that leaves and arrives upright, as thick as its weight.
const arc = (x, y, a, b, out, back, weight, thickest, attributes) => shape("path", {
  d: `M${x} ${y}C${x} ${y + out} ${a} ${b + back} ${a} ${b}`,
  "stroke-width": (0.5 + thickest * weight).toFixed(1), ...attributes });

// From a word of the lower row to those of the upper row, by their weights.
function arcsUp(place, from, row, above, attributes) {
  const { x, top } = place(from);
  return row.flatMap((weight, j) => {
    if (weight < 0.05 || !above.children[j]) return [];
    const to = place(above.children[j]), bend = (to.bottom - top) / 2;
    return [arc(x, top, to.x, to.bottom, bend, -bend, weight, 5, attributes && attributes(weight))];
  });
}

// The share that a word is given, as a strip below it and a number.
function lit(part, share) {
  part.textContent = share >= 0.05 ? digits(share) : "\u00a0";
  part.style.setProperty("--w", share.toFixed(2));
}

// The place in a row of the word under a pointer; -1 where it is over none.
const wordUnder = (event, row) =>
  [...row.children].indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest(".cl-word"));
