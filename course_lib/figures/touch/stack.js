// A word's way through the stack: two columns of stations, layers framed, the memory led across to
// all that read it, and what happens at the station that is open.

const SHADES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const COLUMNS = { source: "Encoder", target: "Decoder" };
const LANGUAGES = { source: "English", target: "German so far" };

function stackFigure(figure, data) {
  const state = { at: data.opened, chosen: { ...data.chosen } };
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

  // The stack, bottom to top, as the paper draws it.
  const keys = data.stations.map((station, i) => {
    const key = press(station.name, () => { time.stop(); go(i); });
    key.classList.add("cl-station");
    key.classList.toggle("cl-attends", Boolean(station.weights));
    return key;
  });
  const columns = Object.keys(COLUMNS).map((side) => make("div",
    { class: "cl-column cl-" + side, role: "group", "aria-label": COLUMNS[side] + ", from the top down" },
    [...floors(side).reverse(), make("span", { class: "cl-note" }, [COLUMNS[side]])]));
  const wires = shape("svg", { class: "cl-wires", "aria-hidden": "true" });
  const stack = make("div", { class: "cl-columns" }, [...columns, wires]);

  // Stations of one side, bottom to top; those whose names begin with one number are a layer.
  function floors(side) {
    const made = [];
    let open = null;
    data.stations.forEach((station, i) => {
      if (station.side !== side) return;
      const layer = /^\d+/.exec(station.name)?.[0];
      if (!layer) made.push(keys[i]);
      else if (open && open.dataset.layer === layer) open.prepend(keys[i]);
      else {
        open = make("div", { class: "cl-layer", "data-layer": layer, role: "group", "aria-label": "layer " + layer }, [keys[i]]);
        made.push(open);
      }
    });
    return made;
  }

  // From the last station of the one side to those of the other that read it.
  const memory = data.stations.map((station) => station.side).lastIndexOf("source");
  const readers = data.stations.map((_, i) => i).filter((i) =>
    data.stations[i].side === "target" && data.stations[i].reads === "source");
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

  // What happens at the open station.
  const title = make("strong"), shapes = make("span", { class: "cl-note" });
  const link = make("a", {}, ["where it is built"]);
  const strip = shape("svg", { viewBox: "0 0 256 22", class: "cl-strip", role: "img" });
  const size = make("p", { class: "cl-note" });
  const table = make("table"), box = make("div", { class: "cl-scroll", tabindex: 0, role: "group",
    "aria-label": "what each head reads" }, [table]);
  const panel = make("div", { class: "cl-panel" },
    [make("p", {}, [title, " ", shapes]), strip, size, box, make("p", {}, [link])]);
  figure.stage.append(...rows, make("div", { class: "cl-stack-two" },
    [stack, panel]));

  function drawStrip(station, place) {
    const shown = station.vectors ? [...station.vectors[place]] : [];
    const step = 256 / Math.max(1, shown.length);
    strip.replaceChildren(...shown.map((digit, i) => {
      const level = SHADES.indexOf(digit) / data.levels - 1;
      return shape("rect", { x: i * step, y: 0, width: step * 0.86, height: 22, rx: 0.6,
        class: level < 0 ? "cl-minus" : "cl-plus", "fill-opacity": (0.06 + 0.94 * Math.abs(level)).toFixed(2) });
    }));
    strip.setAttribute("aria-label", shown.length ? shown.length + " numbers of the word's vector" : "no vector");
    size.textContent = shown.length
      ? `${shown.length} numbers, length ${station.sizes[place].toFixed(1)}; blue is plus, orange is minus` : "\u00a0";
  }

  // A row for each word that is read and a column a head: a column is as narrow as its name, and
  // the words stand one below the other as the stations do.
  function drawTable(station, place) {
    const cell = (share) => {
      const made = make("td", {}, [share ? digits(share / 100) : ""]);
      paint(made, share / 100, data.turns);
      return made;
    };
    const line = (name, cells) => make("tr", {}, [make("th", { scope: "row" }, [name]), ...cells]);
    const top = (names) => make("thead", {}, [make("tr", {}, [make("td"),
      ...names.map((name) => make("th", { scope: "col" }, [name]))])]);
    if (station.weights) {
      table.replaceChildren(top(station.weights.map((_, h) => `head ${h + 1}`)), make("tbody", {},
        data.words[station.reads].map((word, k) => line(word, station.weights.map((head) => cell(head[place][k]))))));
    } else if (station.guesses) {
      table.replaceChildren(top(["share"]), make("tbody", {},
        station.guesses[place].map(([next, share]) => line(next, [cell(share)]))));
    } else {
      table.replaceChildren();
    }
    box.classList.toggle("cl-off", !station.weights && !station.guesses);
  }

  const sentence = (station) => station.told.replaceAll("{word}", `“${word(station.side)}”`);

  function draw() {
    const station = here(), place = state.chosen[station.side];
    keys.forEach((key, i) => {
      if (i === state.at) key.setAttribute("aria-current", "step");
      else key.removeAttribute("aria-current");
    });
    Object.keys(COLUMNS).forEach((side) => chips[side].forEach((chip, i) => {
      chip.setAttribute("aria-pressed", String(i === state.chosen[side]));
      chip.classList.toggle("cl-followed", side === station.side && i === place);
    }));
    readers.forEach((reader, n) => {
      const lit = state.at === memory || state.at === reader;
      for (const part of [lines[n], tips[n]]) part.classList.toggle("cl-lit", lit);
      if (lit) wires.append(lines[n], tips[n]);  // in front of the others
    });
    title.textContent = station.name;
    shapes.textContent = station.shape;
    link.href = "#" + station.link;
    link.setAttribute("aria-label", "where it is built: " + station.name);
    drawStrip(station, place);
    drawTable(station, place);
  }

  const go = (i) => {
    state.at = i;
    draw();
    figure.say(sentence(here()));
    figure.remember();
  };
  // A word of the other side takes its own column's station of about the same height.
  const pick = (side, i) => {
    time.stop();
    state.chosen[side] = i;
    const own = data.stations.map((station, n) => n).filter((n) => data.stations[n].side === side);
    go(here().side === side ? state.at : own[0]);
  };
  const time = timeKeys(data.stations.length - 1, 2000, () => state.at, go, () => {
    state.chosen = { ...data.chosen };
    go(data.opened);
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
  figure.say(sentence(here()));
  reserve(figure, () => data.stations.map(sentence));
  keepInAddress(figure,
    () => [state.at, state.chosen.source, state.chosen.target].join("."),
    (text) => {
      const numbers = wholes(text, [data.stations.length, data.words.source.length, data.words.target.length]);
      if (!numbers) return;
      time.stop();
      state.chosen = { source: numbers[1], target: numbers[2] };
      go(numbers[0]);
    });
}
