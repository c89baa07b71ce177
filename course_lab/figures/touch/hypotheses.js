// Where the boxes of a tree of hypotheses stand: a column a step, or, where columns have no room, a
// row a step. There is room for every search of the figure, so nothing moves when another is shown.

const NODE = { high: 54, between: 12, broad: 104, edge: 4 };
// Room for the branches from one step to the next, and between boxes side by side in a row.
const BRANCH = { least: 20, most: 44, beside: 6 };

// `steps` are the hypotheses of each step, those of all searches together, as texts: the word and
// the number below it. The largest column or row has `rows` boxes.
function hypothesisPlaces(tree, steps, rows) {
  const most = steps.length;
  let down = false, place = null;
  function widthOf(text, kind) {
    const probe = tree.appendChild(shape("text", { class: kind }, [text]));
    const width = probe.getComputedTextLength();
    probe.remove();
    return width;
  }
  const widest = (texts, kind) => Math.max(...[...new Set(texts)].map((text) => widthOf(text, kind)));

  // The widths of columns: as wide as their words, or all that are wider cut to one width.
  function columns(free) {
    const least = 6 + widest(steps.flat().map(([, number]) => number), "cl-total");
    const wanted = steps.map((nodes) => 10 + widest(nodes.map(([word]) => word), "cl-word"));
    for (let limit = NODE.broad; limit >= least; limit -= 1) {
      const widths = wanted.map((width) => Math.max(least, Math.min(limit, width)));
      if (sumOf(widths) <= free) return widths;
    }
    return null;
  }
  function layOut(room) {
    const free = room - 2 * NODE.edge - (most - 1) * BRANCH.least;
    const widths = columns(free);
    down = !widths;
    if (down) {
      const share = (room - 2 * NODE.edge + BRANCH.beside) / rows - BRANCH.beside;
      const wide = Math.min(NODE.broad, Math.floor(share));
      place = (t, j) => ({ x: NODE.edge + j * (wide + BRANCH.beside), wide,
        y: NODE.edge + t * (NODE.high + BRANCH.least) });
    } else {
      const gap = Math.min(BRANCH.most, BRANCH.least + (free - sumOf(widths)) / Math.max(1, most - 1));
      const lefts = widths.map((_, t) => NODE.edge + sumOf(widths.slice(0, t)) + t * gap);
      place = (t, j) => ({ x: lefts[t], wide: widths[t], y: NODE.edge + j * (NODE.high + NODE.between) });
    }
    const corner = place(most - 1, rows - 1);
    tree.setAttribute("width", corner.x + corner.wide + NODE.edge);
    tree.setAttribute("height", corner.y + NODE.high + NODE.edge);
  }
  // The path of a branch from one box to another.
  function branch(from, to) {
    const half = NODE.high / 2;
    const [a, b, c, d] = down
      ? [from.x + from.wide / 2, from.y + NODE.high, to.x + to.wide / 2, to.y]
      : [from.x + from.wide, from.y + half, to.x, to.y + half];
    const [h, v] = down ? [0, (d - b) / 2] : [(c - a) / 2, 0];
    return `M${a} ${b}C${a + h} ${b + v} ${c - h} ${d - v} ${c} ${d}`;
  }
  return { layOut, branch, place: (t, j) => place(t, j), isDown: () => down };
}
