// A word's way through the stack: two columns of stations, layers framed, the memory led across to
// all that read it, and what happens at the station that is open.

const HEIGHTS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const COLUMNS = { source: "Encoder", target: "Decoder" };
const LANGUAGES = { source: "English", target: "German" };
const TALL = 28, WIDE = 256;  // a strip

function stackFigure(figure, data) {
  // Fresh: as it opened, which is in the middle. Play and Step then begin at the bottom.
  const state = { at: data.opened, chosen: { ...data.chosen }, head: data.head, fresh: true };
  const here = () => data.stations[state.at];
  const word = (side) => data.words[side][state.chosen[side]];

  // The words: one of each side is followed.
  const chips = { source: [], target: [] };
  const rows = Object.keys(COLUMNS).map((side) => {
    chips[side] = data.words[side].map((text, i) => {
      const chip = press(text, () => pick(side, i));
      chip.classList.add("cl-chip");
      return chip;
    });
    return make("div", { class: "cl-stack-words cl-" + side, role: "group", "aria-label": LANGUAGES[side] },
      [make("span", { class: "cl-note" }, [LANGUAGES[side]]), ...chips[side]]);
  });

  // The stack, bottom to top, as the paper draws it. A number in front of a name is its layer's.
  const layerOf = (station) => /^\d+/.exec(station.name)?.[0];
  const bare = (station) => station.name.replace(/^\d+ /, "");
  const keys = data.stations.map((station, i) => {
    const key = press(bare(station), () => { time.stop(); go(i); });
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
  const panel = make("div", { class: "cl-panel" }, [make("p", {}, [title, " ", shapes]), figure.line, inside, make("p", {}, [link])]);
  figure.stage.append(...rows, make("div", { class: "cl-stack-two" },
    [stack, panel]));

  // A vector: a bar up for plus and down for minus. The longest bar is the largest number around.
  function bars(text, role, name) {
    const each = WIDE / text.length, middle = TALL / 2;
    const parts = [...text].map((digit, i) => {
      const level = HEIGHTS.indexOf(digit) / data.levels - 1, tall = Math.abs(level) * middle;
      return shape("rect", { x: i * each, y: level > 0 ? middle - tall : middle, width: each * 0.8, height: tall });
    });
    return shape("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", class: "cl-bars cl-bars-" + role,
      role: "img", "aria-label": `${name}: ${text.length} numbers` },
    [shape("path", { class: "cl-zero", d: `M0 ${middle}H${WIDE}` }), ...parts]);
  }
  const strip = (label, text, role) => make("div", { class: "cl-strip" },
    [make("span", { class: "cl-note" }, [label]), bars(text, role, label)]);

  const line = (name, cells) => make("tr", {}, [make("th", { scope: "row" }, [name]), ...cells]);
  const share = (amount) => {
    const made = make("td", {}, [amount ? digits(amount / 100) : ""]);
    paint(made, amount / 100, data.turns);
    return made;
  };
  const scrolled = (label, parts) => make("div", { class: "cl-scroll", tabindex: 0, role: "group", "aria-label": label },
    [make("table", {}, parts)]);

  // The query stands above the keys that it meets, the sum below the values that make it. One head
  // shows its vectors; the weights of the others stand beside its own.
  function headsTable({ heads }, place) {
    const h = state.head, count = heads.weights.length;
    const seen = data.words[heads.reads].slice(0, heads.hides ? place + 1 : undefined);
    const names = heads.weights.map((_, i) => {
      const key = press(String(i + 1), () => {
        time.stop();
        state.head = i;
        draw();
        inside.querySelectorAll("thead button")[i].focus();  // a new one, where the old one was
        figure.remember();
      });
      key.setAttribute("aria-label", `head ${i + 1}`);
      key.setAttribute("aria-pressed", String(i === h));
      return make("th", { scope: "col" }, [key]);
    });
    const vector = (text, role) => make("td", { class: "cl-vector" }, [bars(text, role, role)]);
    const gap = () => make("td", { colspan: count });
    const column = (text) => make("th", { scope: "col", rowspan: 2 }, [text]);
    const hidden = data.words[heads.reads].length - seen.length;
    return scrolled("what each head reads", [
      make("thead", {}, [
        make("tr", {}, [make("td", { rowspan: 2 }), column("key"), make("th", { colspan: count }, ["weight by head"]), column("value")]),
        make("tr", {}, names)]),
      make("tbody", {}, [line("its query", [vector(heads.queries[h][place], "query"), gap(), make("td")]),
        ...seen.map((read, k) => line(read, [vector(heads.keys[h][k], "key"),
          ...heads.weights.map((head, i) => {
            const cell = share(head[place][k]);
            cell.classList.toggle("cl-open", i === h);
            return cell;
          }), vector(heads.values[h][k], "value")])),
        ...(hidden ? [line(`${hidden} later`, [make("td", { colspan: count + 2, class: "cl-hidden" }, ["hidden by the mask"])])] : []),
        line("it reads", [make("td"), gap(), vector(heads.read[h][place], "context")])]),
    ]);
  }

  const guessTable = (guesses) => scrolled("the likeliest words", [
    make("thead", {}, [make("tr", {}, [make("td"), make("th", { scope: "col" }, ["share"])])]),
    make("tbody", {}, guesses.map(([next, amount]) => line(next, [share(amount)]))),
  ]);

  function insideOf(station, place) {
    const parts = station.inside.map(({ label, rows: vectors }, i) =>
      strip(label, vectors[place], i === station.inside.length - 1 && station.heads ? "context" : "stream"));
    if (station.heads) parts.splice(-1, 0, headsTable(station, place));
    if (station.guesses) parts.push(guessTable(station.guesses[place]));
    const past = make("div", { class: station.leaving ? "cl-past" : "cl-plain" }, parts);
    return [...(station.entering ? [strip("what comes in", station.entering[place], "stream")] : []), past,
      ...(station.leaving ? [strip("= what goes on, the sum", station.leaving[place], "stream")] : [])];
  }

  const sentence = (station) => {
    const place = state.chosen[station.side];
    return station.told.replaceAll("{word}", `“${word(station.side)}”`)
      .replaceAll("{number}", station.numbers ? station.numbers[place] : "");
  };

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
    shapes.textContent = station.shape;
    link.href = "#" + station.link;
    link.setAttribute("aria-label", "where it is built: " + station.name);
    panel.classList.toggle("cl-source", station.side === "source");
    panel.classList.toggle("cl-target", station.side === "target");
    inside.replaceChildren(...insideOf(station, place));
  }

  const go = (i) => {
    state.fresh = false;
    state.at = i;
    draw();
    figure.say(sentence(here()));
    figure.remember();
  };
  // A word of the other side begins at the bottom of its own column.
  const pick = (side, i) => {
    time.stop();
    state.chosen[side] = i;
    const own = data.stations.map((station, n) => n).filter((n) => data.stations[n].side === side);
    go(here().side === side ? state.at : own[0]);
  };
  const time = timeKeys(data.stations.length - 1, 3000, () => (state.fresh ? -1 : state.at), go, () => {
    state.chosen = { ...data.chosen };
    state.head = data.head;
    go(data.opened);
    state.fresh = true;
  });
  figure.controls.append(...time.keys);
  figure.root.querySelector(".cl-stage").addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !event.target.classList.contains("cl-station")) return;
    const next = state.at + by;
    if (next < 0 || next >= keys.length) return;
    event.preventDefault();
    time.stop();
    go(next);
    keys[next].focus();
  });
  figure.numbers.before(foldNumbers(figure.root));
  draw();
  whenResized(stack, lay);
  // Room for the fullest of the stations, so that nothing below moves as one follows another.
  whenResized(panel, () => {
    const all = data.stations.map((station) => {
      inside.replaceChildren(...insideOf(station, state.chosen[station.side]));
      return inside.offsetHeight;
    });
    inside.style.minHeight = Math.max(...all) + "px";
    draw();
  });
  figure.say(sentence(here()));
  reserve(figure, () => data.stations.map(sentence));
  keepInAddress(figure,
    () => [state.at, state.chosen.source, state.chosen.target, state.head].join("."),
    (text) => {
      const heads = Math.max(1, ...data.stations.map((station) => station.heads?.weights.length || 0));
      const numbers = wholes(text, [data.stations.length, data.words.source.length, data.words.target.length, heads]);
      if (!numbers) return;
      time.stop();
      state.chosen = { source: numbers[1], target: numbers[2] };
      state.head = numbers[3];
      go(numbers[0]);
    });
}
