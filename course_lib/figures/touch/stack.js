// A word's way through the stack: two columns of stations, and what happens at the one that is open.

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
    [...keys.filter((_, i) => data.stations[i].side === side).reverse(),
      make("span", { class: "cl-note" }, [COLUMNS[side]])]));

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
    [make("div", { class: "cl-columns" }, columns), panel]));

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
      table.replaceChildren(top(data.words[station.reads]), make("tbody", {},
        station.weights.map((head, h) => line(`head ${h + 1}`, head[place].map(cell)))));
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
