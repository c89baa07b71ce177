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
  const chips = {};
  const rows = Object.keys(COLUMNS).map((side) => {
    chips[side] = data.words[side].map((text, i) => {
      const chip = press(text, () => pick(side, i), { class: "cl-chip" });
      const gloss = side === "target" && data.gloss[i] !== text && data.gloss[i];
      if (gloss) chip.append(make("span", { class: "cl-gloss", lang: "en" }, [gloss]));
      return chip;
    });
    return make("div", { class: "cl-stack-words cl-" + side, role: "group", "aria-label": LANGUAGES[side] },
      [make("span", { class: "cl-note" }, [LANGUAGES[side]]), ...chips[side]]);
  });

  // The stack, bottom to top, as the paper draws it. A number in front of a name is its layer's.
  const layerOf = (station) => /^\d+/.exec(station.name)?.[0];
  const bare = (station) => station.name.replace(/^\d+ /, "");
  const keys = data.stations.map((station, i) => press(bare(station), () => go(i, WHOLE),
    { class: station.heads ? "cl-station cl-attends" : "cl-station" }));
  // Stations of one side, from the top down; those of one layer stand in a frame.
  function column(side) {
    const made = [], frames = {};
    data.stations.forEach((station, i) => {
      const layer = layerOf(station);
      if (station.side !== side) return;
      if (layer && !frames[layer]) {
        frames[layer] = make("div", { class: "cl-layer", role: "group", "aria-label": "layer " + layer },
          [make("span", { class: "cl-note", "aria-hidden": "true" }, ["layer " + layer])]);
        made.unshift(frames[layer]);
      }
      if (layer) frames[layer].prepend(keys[i]); else made.unshift(keys[i]);
    });
    return make("div", { class: "cl-column cl-" + side, role: "group", "aria-label": COLUMNS[side] + ", from the top down" },
      [...made, make("span", { class: "cl-note" }, [COLUMNS[side]])]);
  }
  // From the last station of the one side to those of the other that read it.
  const memory = data.stations.map((station) => station.side).lastIndexOf("source");
  const readers = [...keys.keys()].filter((i) => data.stations[i].side === "target" && data.stations[i].heads?.reads === "source");
  const lines = readers.map(() => shape("path", { class: "cl-wire" }));
  const wires = shape("svg", { class: "cl-wires", "aria-hidden": "true" }, lines);
  const stack = make("div", { class: "cl-columns" }, [...Object.keys(COLUMNS).map(column), wires]);
  function lay() {
    const outer = stack.getBoundingClientRect();
    const place = (key, side) => {
      const box = key.getBoundingClientRect();
      return [box[side] - outer.left, (box.top + box.bottom) / 2 - outer.top];
    };
    wires.setAttribute("viewBox", `0 0 ${outer.width} ${outer.height}`);
    readers.forEach((reader, n) => {
      const [a, b] = place(keys[memory], "right"), [c, d] = place(keys[reader], "left");
      lines[n].setAttribute("d", `M${a} ${b}H${(a + c) / 2}V${d}H${c}m-6 -4l6 4l-6 4`);
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
    return shape("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", class: "cl-bars",
      style: `fill:var(--cl-${role})`, role: "img", "aria-label": `${name}: ${text.length} numbers` },
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
    const choice = heads.weights.map((_, i) => press(String(i + 1), () => {
      state.head = i;
      draw();
      inside.querySelectorAll(".cl-choice button")[i].focus();  // a new one, where the old one was
      figure.remember();
    }, { "aria-label": `head ${i + 1}`, "aria-pressed": String(i === h) }));
    const vector = (text, role, scale) => bars(text, role, role, undefined, scale);
    const cell = (part, ...content) => make("td", { class: shown(part) }, content);
    const names = [["key", 0], ["score", 0], ["weight", 1], ["value", 2], ["× weight", 2]];
    const rows = seen.map((read, k) => {
      const amount = heads.weights[h][place][k], value = heads.values[h][k], weight = share(amount);
      weight.classList.toggle("cl-unseen", state.part < 1);
      return rowOf(read, [cell(0, vector(heads.keys[h][k], "key")),
        cell(0, signed(heads.scores[h][place][k], 1)), weight,
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
    guesses.map(([next, score, amount]) => rowOf(next, [signed(score, 1), share(amount)])))]);

  function insideOf(station, place) {
    const parts = station.inside.map(({ label, rows: vectors }, i) =>
      strip(label, vectors[place], i === station.inside.length - 1 && station.heads ? "context" : station.side));
    if (station.heads) parts.splice(-1, 0, ...headParts(station, place));
    if (station.guesses) parts.push(guessTable(station.guesses[place]));
    const past = make("div", { class: station.leaving ? "cl-past" : "cl-plain" }, parts);
    const sum = station.leaving ? [strip("⊕ what goes on: the sum", station.leaving[place], station.side)] : [];
    if (station.heads && state.part < WHOLE) for (const made of [parts[parts.length - 1], ...sum]) made.classList.add("cl-unseen");
    const comes = station.leaving ? "what comes in; the line leads it past" : "what comes in";
    return [...(station.entering ? [strip(comes, station.entering[place], station.side)] : []), past, ...sum];
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
    keys.forEach((key, i) => alter(key, { "aria-current": i === state.at ? "step" : "false" }));
    Object.keys(COLUMNS).forEach((side) => chips[side].forEach((chip, i) => {
      alter(chip, { "aria-pressed": i === state.chosen[side],
        on: { "cl-followed": side === station.side && i === place, "cl-later": side === "target" && i > state.chosen.target } });
    }));
    readers.forEach((reader, n) => {
      const lit = state.at === memory || state.at === reader;
      lines[n].classList.toggle("cl-lit", lit);
      if (lit) wires.append(lines[n]);  // in front of the others
    });
    title.textContent = layerOf(station) ? `layer ${layerOf(station)}: ${bare(station)}` : station.name;
    const words = station.side === "source" ? data.words.source.length : place + 1;
    shapes.textContent = `${words} word${words > 1 ? "s" : ""}${station.side === "source" ? "" : " so far"}, ${station.shape} each`;
    alter(link, { href: "#" + station.link, "aria-label": "where it is built: " + station.name });
    alter(panel, { on: { "cl-source": station.side === "source", "cl-target": station.side === "target" } });
    inside.replaceChildren(...insideOf(station, place));
    keepRoom(inside);
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
  whenResized(panel, () => { inside.style.minHeight = ""; keepRoom(inside); });
  figure.say(sentence(here()));
  const most = Math.max(1, ...data.stations.map((station) => station.heads?.weights.length || 0));
  keepNumbers(figure, [data.stations.length, data.words.source.length, data.words.target.length, most, WHOLE + 1],
    () => [state.at, state.chosen.source, state.chosen.target, state.head, state.part], (at, source, target, head, part) => {
        state.chosen = { source, target };
      state.head = head;
      go(at, part);
    });
}
