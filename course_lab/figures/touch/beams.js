// A beam search, step by step: hypotheses as a tree, and below it the cache of each beam.

// A box of the tree, its edge, the gaps along the branches (`least` to `most`) and beside each other.
const NODE = { narrow: 50, broad: 104, high: 54, edge: 4, least: 20, most: 44, between: 12, beside: 6 };

function beamsFigure(figure, data) {
  const opening = data.widths.findIndex((width) => width > 1);
  const state = { width: opening, step: 0, at: [0, 0] };
  // Behind the hypotheses that were kept stand those that were not, so parents keep their numbers.
  const searches = data.searches.map(({ steps, dropped, written }) => ({
    written, kept: steps.map((nodes) => nodes.length),
    steps: steps.map((nodes, t) => [...nodes, ...dropped[t]]) }));
  const search = () => searches[state.width];
  const most = Math.max(...searches.map((found) => found.steps.length));
  const rows = Math.max(...searches.flatMap((found) => found.steps.map((nodes) => nodes.length)));
  const last = () => search().steps.length - 1;

  const line = (t, j) => {
    const path = [];
    for (let at = j; t >= 0; t -= 1) { path.unshift([t, at]); at = search().steps[t][at][1]; }
    return path;
  };
  const words = (t, j) => line(t, j).map(([a, b]) => search().steps[a][b][0]);
  const own = (t, j) => {
    const [, parent, total] = search().steps[t][j];
    return total - (t ? search().steps[t - 1][parent][2] : 0);
  };
  // Kept, dropped at once, or kept and in the next of the steps shown not continued.
  const dropped = (t, j) => j >= search().kept[t];
  const followers = (t, j) => {
    const next = t < state.step ? search().steps[t + 1] : [];
    return next.map((_, k) => k).filter((k) => next[k][1] === j);
  };
  const dead = (t, j) => t < state.step && !dropped(t, j) && !search().steps[t][j][3] &&
    followers(t, j).every((k) => dropped(t + 1, k));
  // Of the steps so far the best ended hypothesis, or else the best of the last step.
  function best() {
    let found = [state.step, 0], total = -Infinity;
    search().steps.slice(0, state.step + 1).forEach((nodes, t) => nodes.forEach((node, j) => {
      if (node[3] && !dropped(t, j) && node[2] > total) { total = node[2]; found = [t, j]; }
    }));
    return found;
  }

  const tree = shape("svg", { class: "cl-tree" });
  const treeBox = make("div", { class: "cl-scroll", role: "group", "aria-label": "The tree of the search" }, [tree]);
  const legend = make("p", { class: "cl-note" });
  const cache = make("div", { class: "cl-cache", style: `--rows:${Math.max(...data.widths)}` });
  figure.stage.append(
    make("p", { class: "cl-read" }, ["Source: ", make("b", {}, [data.source.join(" ").replace(/ (?=\S$)/, "\u00a0")])]),
    legend, treeBox,
    make("p", { class: "cl-title" }, ["Cache: a row for each beam, a square for each word’s keys and values"]),
    scrollBox("The cache", [cache]));

  // ---- the tree: a column a step, or, where columns have no room, a row a step. There is room for
  // every search, so nothing moves when another is shown.
  let down = false, place = null;
  function layOut(room) {
    const free = room - 2 * NODE.edge;
    const column = Math.min(NODE.broad, Math.floor((free - (most - 1) * NODE.least) / most));
    down = column < NODE.narrow;
    const wide = down ? Math.min(NODE.broad, Math.floor((free + NODE.beside) / rows - NODE.beside)) : column;
    const gap = Math.min(NODE.most, (free - most * wide) / Math.max(1, most - 1));
    const [x, y] = down ? [wide + NODE.beside, NODE.high + NODE.least] : [wide + gap, NODE.high + NODE.between];
    place = (t, j) => ({ x: NODE.edge + (down ? j : t) * x, y: NODE.edge + (down ? t : j) * y, wide });
    const corner = place(most - 1, rows - 1);
    tree.setAttribute("width", corner.x + wide + NODE.edge);
    tree.setAttribute("height", corner.y + NODE.high + NODE.edge);
  }
  function branch(from, to) {
    const middle = from.wide / 2, half = NODE.high / 2;
    const [a, b, c, d] = down ? [from.x + middle, from.y + NODE.high, to.x + middle, to.y]
      : [from.x + from.wide, from.y + half, to.x, to.y + half];
    const [h, v] = down ? [0, (d - b) / 2] : [(c - a) / 2, 0];
    return `M${a} ${b}C${a + h} ${b + v} ${c - h} ${d - v} ${c} ${d}`;
  }
  function drawTree() {
    const picked = new Set(line(...state.at).map(([t, j]) => t + "." + j));
    const lines = [], boxes = [];
    search().steps.slice(0, state.step + 1).forEach((nodes, t) => nodes.forEach((node, j) => {
      const on = picked.has(t + "." + j), here = t === state.at[0] && j === state.at[1];
      const looks = (on ? " cl-on" : "") + (dropped(t, j) ? " cl-dropped" : "");
      const box = place(t, j), middle = { x: box.x + box.wide / 2, "text-anchor": "middle" };
      if (t > 0) {
        const path = shape("path", { class: "cl-branch" + looks, d: branch(place(t - 1, node[1]), box) });
        if (on) lines.push(path); else lines.unshift(path);
      }
      const end = dropped(t, j) ? ", not kept" : dead(t, j) ? ", dropped" : "";
      const group = shape("g", {
        class: "cl-node" + looks + (dead(t, j) ? " cl-dead" : "") + (node[3] ? " cl-ended" : ""),
        role: "button", tabindex: here ? "0" : "-1", "aria-pressed": String(here), "data-at": t + "." + j,
        "aria-label": `${words(t, j).join(" ")}, ${signed(node[2], 3)}${end}` }, [
        shape("rect", { x: box.x, y: box.y, width: box.wide, height: NODE.high, rx: 5 }),
        shape("text", { ...middle, y: box.y + 16, class: "cl-word" }, [node[0]]),
        shape("text", { ...middle, y: box.y + 31, class: "cl-sum" }, [signed(own(t, j), 3)]),
        shape("text", { ...middle, y: box.y + 47, class: "cl-total" }, [signed(node[2], 3)])]);
      group.addEventListener("click", () => pick(t, j));
      group.addEventListener("keydown", (event) => onKey(event, t, j));
      boxes.push(group);
    }));
    tree.replaceChildren(...lines, ...boxes);
    // Letters are wider on some machines than on others; none reaches over the edge of its box.
    tree.querySelectorAll(".cl-node").forEach((node) => {
      const word = node.querySelector(".cl-word");
      const room = node.querySelector("rect").width.baseVal.value - 5;
      if (word.getComputedTextLength() <= room) return;
      word.setAttribute("textLength", room);
      word.setAttribute("lengthAdjust", "spacingAndGlyphs");
    });
  }
  function pick(t, j) {
    state.at = [t, j];
    show();
    tree.querySelector(`[data-at="${t}.${j}"]`).focus({ preventScroll: true });
  }
  // One box is reached by Tab; the arrows lead along the branches, and from one way to the next.
  function onKey(event, t, j) {
    onArrow(event, (right, below) => {
      const [steps, ways] = down ? [below, right] : [right, below];
      if (steps < 0 && t > 0) return pick(t - 1, search().steps[t][j][1]);
      const next = dropped(t, j) ? [] : followers(t, j);
      if (steps > 0 && next.length) return pick(t + 1, next[0]);
      return pick(t, Math.max(0, Math.min(search().steps[t].length - 1, j + ways)));
    });
  }

  // ---- the cache
  // Before step t is chosen each beam has read START and t words. A beam that is continued twice
  // goes on in two rows; one that is not is gone.
  function drawCache() {
    const t = state.step, nodes = search().steps[t];
    const beams = t ? search().steps[t - 1].map((_, j) => j)
      .filter((j) => !dropped(t - 1, j) && !search().steps[t - 1][j][3]) : [0];
    const onTheWay = line(...state.at).filter(([step]) => step === t - 1).map(([, j]) => j);
    cache.replaceChildren(...beams.flatMap((j, r) => {
      const read = ["START", ...(t ? words(t - 1, j) : [])];
      const on = nodes.filter((node, k) => node[1] === j && !dropped(t, k)).map((node) => node[0]);
      return [
        make("span", { class: "cl-sum" + (t === 0 || onTheWay.includes(j) ? " cl-on" : "") }, [`${r + 1} ${read[t]}`]),
        make("span", {}, read.map((word, k) => make("span", { class: k === t ? "cl-new" : "cl-kept", title: word }))),
        make("span", { class: "cl-goes" }, [on.length ? `→ ${on.join(", ")}` : "dropped"])];
    }));
    return `Step ${t + 1} read ${beams.length} new word${beams.length > 1 ? "s" : ""} and kept `
      + `${beams.length * t}; without the cache it would read ${beams.length * (t + 1)}.`;
  }

  // ---- in words
  function told(t, j) {
    const sum = line(t, j).map(([a, b]) => signed(own(a, b), 3))
      .reduce((sum, one) => `${sum} ${one.startsWith("−") ? `− ${one.slice(1)}` : `+ ${one}`}`);
    return `“${words(t, j).join(" ")}”: ${sum} = ${signed(search().steps[t][j][2], 3)}.${fate(t, j)}`;
  }
  function fate(t, j) {
    const kept = search().kept[t];
    if (dropped(t, j)) return ` Not kept: ${kept > 1 ? `${kept} others are` : "another is"} more probable.`;
    if (dead(t, j)) return " Kept, then dropped: no way to continue it was among the best.";
    if (!search().steps[t][j][3]) return "";
    const right = words(t, j).slice(0, -1).join(" ") === data.right.join(" ");
    const first = String(best()) === String([t, j]);
    const rank = !first ? "Finished, less probable than another."
      : state.step < last() ? "Finished; the search goes on." : "The most probable that was found.";
    return ` ${rank} This is ${right ? "" : "not "}the right translation.`;
  }

  function show() {
    drawTree();
    figure.answer(`${told(...state.at)} ${drawCache()}`);
  }
  const go = (to) => {
    state.step = Math.min(to, last());
    state.at = best();
    const all = search().steps.every((nodes, t) => nodes.length === search().kept[t]);
    legend.textContent = "Box: word, its log-probability, sum so far (nearer 0: more probable). "
      + (all ? "All drawn were kept." : "Dashed: not kept.");
    show();
  };
  const controls = choose(figure, "beams", data.widths.map(String), state.width, (i) => {
    state.width = i;
    go(last());
  });
  figure.controls.append(...stepper(figure, most - 1, 1100, () => (state.step >= last() ? most - 1 : state.step), go,
    () => controls.set(opening)), controls.label);
  layOut(treeBox.clientWidth || 600);
  go(last());
  // A box's width comes rounded, and half a pixel too much would make it scroll.
  whenResized(treeBox, (room) => {
    layOut(room - 1);
    drawTree();
  });
  keepNumbers(figure, [data.widths.length, most, most, rows], () => [state.width, state.step, ...state.at], (width, step, t, j) => {
    const { steps } = searches[width];
    if (step >= steps.length || t > step || j >= steps[t].length) return;
    controls.set(width);
    Object.assign(state, { step, at: [t, j] });
    show();
  });
}
