// A word's way through the stack: two columns of stations, layers framed, the memory led across to
// all that read it, and what happens at the station that is open.

const HEIGHTS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const COLUMNS = { source: "Encoder", target: "Decoder" };
const LANGUAGES = { source: "English", target: "German" };
const TALL = 28, WIDE = 256;  // a strip
// An attention of the first layer is shown in parts, each with what is said of it.
const PARTS = [
  "The query of {word} meets every key: a dot product, over √{wide}, is a score.",
  "The softmax makes weights of the scores: none below zero, together 1.",
  "Each value times its weight; their sum is what this head reads.",
];
const WHOLE = PARTS.length;

function stackFigure(figure, data) {
  // Fresh: as it opened, which is in the middle. Play and Step then begin at the bottom.
  const state = { at: data.opened, part: WHOLE, chosen: { ...data.chosen }, head: data.head, fresh: true };
  const here = () => data.stations[state.at];
  const word = (side) => data.words[side][state.chosen[side]];

  // The words: one of each side is followed.
  const chips = { source: [], target: [] };
  const rows = Object.keys(COLUMNS).map((side) => {
    chips[side] = data.words[side].map((text, i) => {
      const chip = press(text, () => pick(side, i));
      chip.classList.add("cl-chip");
      const gloss = side === "target" && data.gloss[i] !== text && data.gloss[i];
      if (gloss) chip.append(make("span", { class: "cl-gloss" }, [gloss]));
      return chip;
    });
    return make("div", { class: "cl-stack-words cl-" + side, role: "group", "aria-label": LANGUAGES[side] },
      [make("span", { class: "cl-note" }, [LANGUAGES[side]]), ...chips[side]]);
  });

  // The stack, bottom to top, as the paper draws it. A number in front of a name is its layer's.
  const layerOf = (station) => /^\d+/.exec(station.name)?.[0];
  const bare = (station) => station.name.replace(/^\d+ /, "");
  const keys = data.stations.map((station, i) => {
    const key = press(bare(station), () => go(i, WHOLE));
    key.classList.add("cl-station");
    key.classList.toggle("cl-attends", Boolean(station.heads));
    return key;
  });
  const columns = Object.keys(COLUMNS).map((side) => make("div",
    { class: "cl-column cl-" + side, role: "group", "aria-label": COLUMNS[side] + ", from the top down" },
    [...floors(side).reverse(), make("span", { class: "cl-note" }, [COLUMNS[side]])]));
  const wires = shape("svg", { class: "cl-wires", "aria-hidden": "true" });
  const stack = make("div", { class: "cl-columns" }, [...columns, wires]);

  // Stations of one side, bottom to top; those of one layer stand in a frame.
  function floors(side) {
    const made = [];
    let open = null;
    data.stations.forEach((station, i) => {
      if (station.side !== side) return;
      const layer = layerOf(station);
      if (!layer) made.push(keys[i]);
      else if (open && open.dataset.layer === layer) open.prepend(keys[i]);
      else {
        open = make("div", { class: "cl-layer", "data-layer": layer, role: "group", "aria-label": "layer " + layer },
          [keys[i], make("span", { class: "cl-note", "aria-hidden": "true" }, ["layer " + layer])]);
        made.push(open);
      }
    });
    return made;
  }

  // From the last station of the one side to those of the other that read it.
  const memory = data.stations.map((station) => station.side).lastIndexOf("source");
  const readers = data.stations.map((_, i) => i).filter((i) =>
    data.stations[i].side === "target" && data.stations[i].heads?.reads === "source");
  const lines = readers.map(() => shape("path", { class: "cl-wire" }));
  const tips = readers.map(() => shape("path", { class: "cl-wire-head" }));
  wires.append(...lines, ...tips);
  function lay() {
    const outer = stack.getBoundingClientRect();
    const side = (key, which) => key.getBoundingClientRect()[which] - outer.left;
    const middle = (key) => (key.getBoundingClientRect().top + key.getBoundingClientRect().bottom) / 2 - outer.top;
    wires.setAttribute("viewBox", `0 0 ${outer.width} ${outer.height}`);
    readers.forEach((reader, n) => {
      const from = [side(keys[memory], "right"), middle(keys[memory])];
      const to = [side(keys[reader], "left"), middle(keys[reader])];
      const turn = (from[0] + to[0]) / 2;
      lines[n].setAttribute("d", `M${from}H${turn}V${to[1]}H${to[0] - 3}`);
      tips[n].setAttribute("d", `M${to}l-7 -4v8z`);
    });
  }

  // What happens at the open station: what comes in, what is made of it, and what goes on. Where the
  // last is a sum, a line leads past what stands between: the residual way.
  const title = make("strong"), shapes = make("span", { class: "cl-note" });
  const link = make("a", {}, ["where it is built"]);
  const inside = make("div", { class: "cl-inside" });
  const panel = make("div", { class: "cl-panel" }, [make("p", {}, [title, " ", link]), make("p", {}, [shapes]), figure.line, inside]);
  figure.stage.append(...rows, make("div", { class: "cl-two" }, [stack, panel]));

  // A vector: a bar up for plus and down for minus. The longest bar is the largest number around.
  // `lit` says which of the numbers stand out, without it all do; `scale` draws it smaller.
  function bars(text, role, name, lit = () => true, scale = 1) {
    const each = WIDE / text.length, middle = TALL / 2;
    const parts = [...text].map((digit, i) => {
      const level = HEIGHTS.indexOf(digit) / data.levels - 1, tall = scale * Math.abs(level) * middle;
      return shape("rect", { x: i * each, y: level > 0 ? middle - tall : middle, width: each * 0.8, height: tall,
        ...(lit(i) ? {} : { class: "cl-aside" }) });
    });
    return shape("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", class: "cl-bars cl-bars-" + role,
      role: "img", "aria-label": `${name}: ${text.length} numbers` },
    [shape("path", { class: "cl-zero", d: `M0 ${middle}H${WIDE}` }), ...parts]);
  }
  const strip = (label, text, role, lit) => make("div", { class: "cl-strip" },
    [make("span", { class: "cl-note" }, [label]), bars(text, role, label, lit)]);

  const share = (amount) => weightCell(amount / 100);

  // One head: its query above, below it a row for each word that is asked, and what is read.
  function headParts({ heads }, place) {
    const h = state.head, shown = (part) => (state.part < part ? "cl-unseen" : "");
    const seen = data.words[heads.reads].slice(0, heads.hides ? place + 1 : undefined);
    const hidden = data.words[heads.reads].length - seen.length;
    const wide = heads.queries[h][place].length;
    const choice = heads.weights.map((_, i) => {
      const key = press(String(i + 1), () => {
        state.head = i;
        draw();
        inside.querySelectorAll(".cl-choice button")[i].focus();  // a new one, where the old one was
        figure.remember();
      });
      key.setAttribute("aria-label", `head ${i + 1}`);
      key.setAttribute("aria-pressed", String(i === h));
      return key;
    });
    const vector = (text, role, scale) => bars(text, role, role, undefined, scale);
    const cell = (part, ...content) => make("td", { class: shown(part) }, content);
    const names = [["key", 0], ["score", 0], ["weight", 1], ["value", 2], ["× weight", 2]];
    const rows = seen.map((read, k) => {
      const amount = heads.weights[h][place][k], value = heads.values[h][k];
      const weight = share(amount);
      if (state.part < 1) weight.classList.add("cl-unseen");
      return rowOf(read, [cell(0, vector(heads.keys[h][k], "key")),
        cell(0, heads.scores[h][place][k].toFixed(1).replace("-", "−")), weight,
        cell(2, vector(value, "value")), cell(2, vector(value, "value", amount / 100))]);
    });
    const later = hidden ? [rowOf(`${hidden} later`,
      [make("td", { colspan: names.length, class: "cl-hidden" }, ["not written yet: hidden by the mask"])])] : [];
    const table = scrollBox("what the head reads", [tableOf(
      ["", ...names.map(([name, part]) => make("th", { scope: "col", class: shown(part) }, [name]))], [...rows, ...later,
        rowOf("sum", [make("td", { colspan: names.length - 1 }), cell(2, vector(heads.read[h][place], "context"))])])]);
    const beside = strip(`what the ${heads.weights.length} heads read, side by side`, heads.beside[place], "context",
      (i) => Math.floor(i / wide) === h);
    if (state.part < WHOLE) beside.classList.add("cl-unseen");
    return [make("div", { class: "cl-choice", role: "group", "aria-label": "head" },
      [make("span", { class: "cl-note" }, [`head, ${wide} numbers each`]), ...choice]),
    make("div", { class: "cl-query" }, [make("span", { class: "cl-note" }, ["its query"]),
      vector(heads.queries[h][place], "query")]), table, beside];
  }

  const guessTable = (guesses) => scrollBox("the likeliest words", [tableOf(["", "score", "share"],
    guesses.map(([next, score, amount]) => rowOf(next, [score.toFixed(1).replace("-", "−"), share(amount)])))]);

  function insideOf(station, place) {
    const parts = station.inside.map(({ label, rows: vectors }, i) =>
      strip(label, vectors[place], i === station.inside.length - 1 && station.heads ? "context" : "stream"));
    if (station.heads) parts.splice(-1, 0, ...headParts(station, place));
    if (station.guesses) parts.push(guessTable(station.guesses[place]));
    const past = make("div", { class: station.leaving ? "cl-past" : "cl-plain" }, parts);
    const sum = station.leaving ? [strip("⊕ what goes on: the sum", station.leaving[place], "stream")] : [];
    if (station.heads && state.part < WHOLE) for (const made of [parts[parts.length - 1], ...sum]) made.classList.add("cl-unseen");
    const comes = station.leaving ? "what comes in; the line leads it past" : "what comes in";
    return [...(station.entering ? [strip(comes, station.entering[place], "stream")] : []), past, ...sum];
  }

  const sentence = (station, part = WHOLE) => {
    const place = state.chosen[station.side];
    return (PARTS[part] || station.told).replaceAll("{word}", `“${word(station.side)}”`)
      .replaceAll("{number}", station.numbers ? station.numbers[place] : "")
      .replaceAll("{wide}", station.heads ? station.heads.queries[0][place].length : "");
  };
  // What is written is fed in, and the decoder goes up again.
  const fed = () => `“${word("target")}” was written and is fed in: up the decoder again. The encoder has read once.`;

  function draw() {
    const station = here(), place = state.chosen[station.side];
    keys.forEach((key, i) => {
      if (i === state.at) key.setAttribute("aria-current", "step");
      else key.removeAttribute("aria-current");
    });
    Object.keys(COLUMNS).forEach((side) => chips[side].forEach((chip, i) => {
      chip.setAttribute("aria-pressed", String(i === state.chosen[side]));
      chip.classList.toggle("cl-followed", side === station.side && i === place);
      chip.classList.toggle("cl-later", side === "target" && i > state.chosen.target);
    }));
    readers.forEach((reader, n) => {
      const lit = state.at === memory || state.at === reader;
      for (const part of [lines[n], tips[n]]) part.classList.toggle("cl-lit", lit);
      if (lit) wires.append(lines[n], tips[n]);  // in front of the others
    });
    title.textContent = layerOf(station) ? `layer ${layerOf(station)}: ${bare(station)}` : station.name;
    const words = station.side === "source" ? data.words.source.length : place + 1;
    shapes.textContent = `${words} word${words > 1 ? "s" : ""}${station.side === "source" ? "" : " so far"}, ${station.shape} each`;
    link.href = "#" + station.link;
    link.setAttribute("aria-label", "where it is built: " + station.name);
    panel.classList.toggle("cl-source", station.side === "source");
    panel.classList.toggle("cl-target", station.side === "target");
    inside.replaceChildren(...insideOf(station, place));
  }

  const go = (i, part, say) => {
    Object.assign(state, { fresh: false, at: i, part });
    draw();
    figure.answer(say || sentence(here(), part));
  };
  // A word of the other side begins at the bottom of its own column.
  const pick = (side, i) => {
    state.chosen[side] = i;
    const own = data.stations.map((station, n) => n).filter((n) => data.stations[n].side === side);
    if (here().side === side) go(state.at, state.part);
    else go(own[0], WHOLE);
  };
  // Where Play and Step stop, one after the other.
  const stops = data.stations.flatMap((station, i) =>
    [...(station.heads && layerOf(station) === "1" ? PARTS.keys() : []), WHOLE].map((part) => [i, part]));
  const now = () => (state.fresh ? -1 : stops.findIndex(([i, part]) => i === state.at && part === state.part));
  const last = stops.length - 1, decoder = stops.findIndex(([i]) => data.stations[i].side === "target");
  const move = (to) => {
    const next = state.chosen.target + 1;
    if (now() < last || to > 0 || next >= data.words.target.length) return go(...stops[to]);
    state.chosen.target = next;
    go(...stops[decoder], fed());
  };
  const [play, ...rest] = stepper(figure, last, 1200, now, move, () => {
    state.chosen = { ...data.chosen };
    state.head = data.head;
    go(data.opened, WHOLE);
    state.fresh = true;
  });
  const back = press("Back", () => go(...stops[Math.max(0, now() - 1)]));
  figure.controls.append(play, back, ...rest);
  figure.root.querySelector(".cl-stage").addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !event.target.classList.contains("cl-station")) return;
    const next = state.at + by;
    if (next < 0 || next >= keys.length) return;
    event.preventDefault();
    go(next, WHOLE);
    keys[next].focus();
  });
  draw();
  whenResized(stack, lay);
  // Room for the fullest of the stations, so that nothing below moves as one follows another.
  whenResized(panel, () => {
    inside.style.minHeight = "";
    const all = data.stations.map((station) => {
      inside.replaceChildren(...insideOf(station, state.chosen[station.side]));
      return inside.offsetHeight;
    });
    inside.style.minHeight = Math.max(...all) + "px";
    draw();
  });
  figure.say(sentence(here()));
  const most = Math.max(1, ...data.stations.map((station) => station.heads?.weights.length || 0));
  keepNumbers(figure, [data.stations.length, data.words.source.length, data.words.target.length, most, WHOLE + 1],
    () => [state.at, state.chosen.source, state.chosen.target, state.head, state.part], (at, source, target, head, part) => {
        state.chosen = { source, target };
      state.head = head;
      go(at, part);
    });
}
