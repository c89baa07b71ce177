// A beam search, one column a step: hypotheses as a tree, and below it the cache of each beam.

const CELL = { height: 58, gapX: 8, gapY: 10, top: 8, left: 4 };
// A box is as wide as lets the whole tree be seen, within these bounds.
const NARROW = 62, BROAD = 104;
const SLOT = { width: 15, height: 15, gap: 3 };

function beamsFigure(figure, data) {
  const opening = data.widths.findIndex((width) => width > 1);
  const state = { width: opening, step: 0, node: 0 };
  const search = () => data.searches[state.width];
  const most = Math.max(...data.searches.map((found) => found.steps.length));
  const beams = Math.max(...data.widths);
  const signed = (value) => value.toFixed(2).replace("-", "−");
  let wide = BROAD;
  const place = (t, j) => [CELL.left + t * (wide + CELL.gapX), CELL.top + j * (CELL.height + CELL.gapY)];

  const line = (t, j) => {
    const path = [];
    for (let at = j; t >= 0; t -= 1) { path.unshift([t, at]); at = search().steps[t][at][1]; }
    return path;
  };
  const words = (t, j) => line(t, j).map(([a, b]) => search().steps[a][b][0]);
  // Of the steps so far the best ended hypothesis, or else the best of the last step.
  function best() {
    let found = [state.step, 0];
    let total = -Infinity;
    search().steps.slice(0, state.step + 1).forEach((nodes, t) => nodes.forEach((node, j) => {
      if (node[3] && node[2] > total) { total = node[2]; found = [t, j]; }
    }));
    return found;
  }

  const tree = shape("svg", { class: "cl-tree" });
  const treeBox = make("div", { class: "cl-scroll", tabindex: "0", role: "group",
    "aria-label": "The tree of the search" }, [tree]);
  const cache = shape("svg", { class: "cl-cache", role: "img",
    width: 64 + (most + 1) * (SLOT.width + SLOT.gap) });
  figure.stage.append(
    make("p", { class: "cl-read" }, ["Source: ", make("b", {}, [data.source.join(" ")])]),
    treeBox,
    make("p", { class: "cl-view-name" }, ["Cache: one square for the keys and values of one word"]),
    make("div", { class: "cl-scroll", tabindex: "0", role: "group", "aria-label": "The cache" }, [cache]));

  // Room for as many rows as there are beams: nothing moves while the search goes on.
  const fitRows = () => {
    const rows = data.widths[state.width];
    tree.setAttribute("height", CELL.top + rows * (CELL.height + CELL.gapY));
    cache.setAttribute("height", 4 + rows * (SLOT.height + SLOT.gap));
  };

  function drawTree() {
    fitRows();
    const picked = new Set(line(state.at[0], state.at[1]).map(([t, j]) => t + "." + j));
    const lines = [], boxes = [];
    const shown = search().steps.slice(0, state.step + 1);
    shown.forEach((nodes, t) => {
      const alive = new Set((shown[t + 1] || []).map((node) => node[1]));
      nodes.forEach((node, j) => {
        const [x, y] = place(t, j), on = picked.has(t + "." + j);
        const dead = t < state.step && !node[3] && !alive.has(j);
        if (t > 0) {
          const [px, py] = place(t - 1, node[1]);
          const [a, b] = [px + wide, py + CELL.height / 2];
          const [c, d] = [x, y + CELL.height / 2], half = CELL.gapX / 2;
          lines.push(shape("path", { class: "cl-branch" + (on ? " cl-on" : ""),
            d: `M${a} ${b}C${a + half} ${b} ${c - half} ${d} ${c} ${d}` }));
        }
        const own = node[2] - (t ? shown[t - 1][node[1]][2] : 0);
        const name = `${words(t, j).join(" ")}, ${signed(node[2])}` + (dead ? ", dropped" : "");
        const box = shape("g", { class: "cl-node" + (on ? " cl-on" : "") + (dead ? " cl-dead" : "") +
          (node[3] ? " cl-ended" : ""), role: "button", tabindex: "0", "aria-label": name,
          "aria-pressed": String(t === state.at[0] && j === state.at[1]) }, [
          shape("rect", { x: x, y: y, width: wide, height: CELL.height, rx: 5 }),
          shape("text", { x: x + wide / 2, y: y + 18, "text-anchor": "middle", class: "cl-word" }, [node[0]]),
          shape("text", { x: x + wide / 2, y: y + 34, "text-anchor": "middle", class: "cl-sum" }, [signed(own)]),
          shape("text", { x: x + wide / 2, y: y + 50, "text-anchor": "middle", class: "cl-total" },
            [`= ${signed(node[2])}`])]);
        const pick = () => { state.at = [t, j]; show(); focusOn(t, j); };
        box.addEventListener("click", pick);
        box.addEventListener("keydown", (event) => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); }
        });
        box.dataset.at = t + "." + j;
        boxes.push(box);
      });
    });
    tree.replaceChildren(...lines, ...boxes);
    // Letters are wider on some machines than on others; none reaches over the edge of its box.
    tree.querySelectorAll(".cl-word").forEach((word) => {
      if (word.getComputedTextLength() <= wide - 6) return;
      word.setAttribute("textLength", wide - 6);
      word.setAttribute("lengthAdjust", "spacingAndGlyphs");
    });
  }
  const focusOn = (t, j) => tree.querySelector(`[data-at="${t}.${j}"]`).focus({ preventScroll: true });

  // Before step t is chosen each beam has read START and t words. A beam that was continued twice
  // stands in two rows; one that was not is gone.
  function drawCache() {
    const parts = [], t = state.step;
    const parents = t ? search().steps[t - 1] : null;
    const rows = t ? parents.map((node, j) => ({ j, live: !node[3] })).filter((row) => row.live)
      .map((row) => line(t - 1, row.j).map(([a, b]) => search().steps[a][b][0])) : [[]];
    rows.forEach((read, r) => {
      const y = r * (SLOT.height + SLOT.gap) + 2;
      parts.push(shape("text", { x: 0, y: y + 12, class: "cl-sum" }, [`beam ${r + 1}`]));
      ["START", ...read].forEach((word, k) => parts.push(shape("rect", {
        x: 60 + k * (SLOT.width + SLOT.gap), y: y, width: SLOT.width, height: SLOT.height,
        class: k === read.length ? "cl-new" : "cl-kept" }, [shape("title", {}, [word])])));
    });
    cache.replaceChildren(...parts);
    const kept = rows.length * t;
    const again = rows.length * (t + 1);
    cache.setAttribute("aria-label", `Step ${t + 1}: ${rows.length} new squares, ${kept} kept`);
    return `This step read ${rows.length} new word${rows.length > 1 ? "s" : ""} and kept ${kept}; ` +
      `without the cache it would read ${again}.`;
  }

  function told() {
    const [t, j] = state.at;
    const path = line(t, j), chosen = search().steps;
    const sums = path.map(([a, b], i) =>
      signed(chosen[a][b][2] - (i ? chosen[path[i - 1][0]][path[i - 1][1]][2] : 0)));
    const text = words(t, j).join(" ");
    const ended = chosen[t][j][3];
    const right = ended ? (words(t, j).slice(0, -1).join(" ") === data.right.join(" ")
      ? " This is the right translation." : " This is not the right translation.") : "";
    return `“${text}”: ${sums.join(" ")} = ${signed(chosen[t][j][2])}.${right}`;
  }

  function show() {
    drawTree();
    const read = drawCache();
    figure.say(`${told()} ${read}`);
    if (figure.remember) figure.remember();
  }
  const last = () => search().steps.length - 1;
  // The newest column is brought into the box where the tree is wider than it.
  const follow = () => {
    const right = place(state.step, 0)[0] + wide + CELL.gapX;
    treeBox.scrollLeft = Math.max(0, right - treeBox.clientWidth);
  };
  const go = (to) => {
    state.step = Math.min(to, last());
    state.at = best();
    show();
    follow();
  };
  const controls = choose(figure, "Beams", data.widths.map(String), state.width, (i) => {
    time.stop();
    state.width = i;
    go(last());
  });
  const time = timeKeys(most - 1, 1100, () => (state.step >= last() ? most - 1 : state.step), go, () => {
    controls.set(opening);
  });
  figure.controls.append(...time.keys, controls.label);
  figure.numbers.before(foldNumbers(figure.root));
  state.step = last();
  state.at = best();
  whenResized(treeBox, () => {
    const room = treeBox.clientWidth || most * BROAD;
    wide = Math.max(NARROW, Math.min(BROAD, Math.floor((room - CELL.left) / most) - CELL.gapX));
    tree.setAttribute("width", CELL.left + most * (wide + CELL.gapX));
    drawTree();
  });
  show();
  reserve(figure, () => [figure.line.textContent + " and room for a longer hypothesis."]);
  keepInAddress(figure, () => [state.width, state.step, ...state.at].join("."), (text) => {
    const found = wholes(text, [data.widths.length, most, most, beams]);
    if (!found) return;
    const steps = data.searches[found[0]].steps;
    if (found[1] >= steps.length || found[2] > found[1] || found[3] >= steps[found[2]].length) return;
    controls.set(found[0]);
    state.step = found[1];
    state.at = [found[2], found[3]];
    show();
  });
}
