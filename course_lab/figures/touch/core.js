// What all figures to touch share: elements, room for them, and how a figure starts.

// An element with what belongs to it. Children are elements or strings; strings become text, never
// markup.
function furnished(element, attributes = {}, children = []) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  element.append(...children);
  return element;
}

const make = (tag, ...more) => furnished(document.createElement(tag), ...more);
const shape = (tag, ...more) => furnished(document.createElementNS("http://www.w3.org/2000/svg", tag), ...more);

// Tables that are the picture themselves: they stand on the stage, and what says that there is no
// script goes.
function onStage(figure) {
  const tables = [...figure.numbers.querySelectorAll(".cl-scroll")];
  figure.stage.append(...tables);
  figure.numbers.remove();
  return tables;
}

// A box that scrolls by itself, reached by the keyboard too.
const scrollBox = (name, children, kind = "") => make("div", { class: `cl-scroll ${kind}`.trim(),
  tabindex: "0", role: "group", "aria-label": name }, children);

// The weight 0..1 as a shade; the inks turn where Python's `ink` turns them.
function paint(element, weight, turns) {
  const shown = Math.round(weight * 100) / 100;
  element.classList.add("cl-w");
  element.style.setProperty("--w", shown.toFixed(2));
  element.classList.toggle("cl-turn-light", shown >= turns[0]);
  element.classList.toggle("cl-turn-dark", shown >= turns[1]);
}

// A weight as the static figures print it: two digits, no leading zero, nothing for zero.
function digits(weight) {
  const text = weight.toFixed(2);
  return text === "0.00" ? "" : text === "1.00" ? "1" : text.slice(1);
}

// Draws now, and again whenever the width of `host` changes.
function whenResized(host, draw) {
  let width = 0;
  const look = () => {
    const now = Math.floor(host.clientWidth);
    if (now === width || now === 0) return;
    width = now;
    draw(width);
  };
  look();
  if (window.ResizeObserver) new ResizeObserver(look).observe(host);
  return () => draw(width || 600);
}

// Room below a figure for the longest of the sentences that it may say, so that nothing under them
// moves when another is said.
function reserve(figure, sentences) {
  const line = figure.line;
  return whenResized(line, (width) => {
    const longest = [...sentences()].sort((a, b) => b.length - a.length).slice(0, 3);
    const probe = make("p", { class: "cl-say", "aria-hidden": "true",
      style: `position:absolute;visibility:hidden;width:${width}px` });
    line.before(probe);
    const heights = longest.map((text) => { probe.textContent = text; return probe.offsetHeight; });
    probe.remove();
    line.style.minHeight = Math.max(0, ...heights) + "px";
  });
}

// Brings a figure into sight, out of any fold; while the page loads, when its place is known.
function showFigure(root) {
  if (document.readyState !== "complete") {
    window.addEventListener("load", () => showFigure(root), { once: true });
    return;
  }
  for (let part = root; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  root.scrollIntoView({ block: "nearest" });
}

// Calls `start` once: when the figure comes near the screen, when the browser has nothing else to do,
// or before the page is printed. So a page full of figures opens as fast as one without. Where the
// address holds a figure's state, that figure has to be found, and all start at once.
function whenNear(root, start) {
  if (location.hash.includes("=")) { start(); return; }
  const once = () => {
    if (root.hasAttribute("data-on")) return;
    watch.disconnect();
    window.removeEventListener("beforeprint", once);
    start();
  };
  const watch = new IntersectionObserver(
    (seen) => { if (seen.some((one) => one.isIntersecting)) once(); }, { rootMargin: "50%" });
  watch.observe(root);
  if (window.requestIdleCallback) requestIdleCallback(once); else setTimeout(once, 1000);
  window.addEventListener("beforeprint", once);
}

// Builds the figure around its tables, which are folded away at once. The running script stands
// inside the figure's root; where a front end runs it from elsewhere, the first figure of that id
// that no script has found is meant. The same figure may stand on a page twice: the second one then
// gets an id of its own.
function startFigure(id, build, data) {
  const script = document.currentScript;
  let root = script && script.closest(".cl-fig");
  if (!root) root = document.querySelector('[id="' + id + '"]:not([data-found])');
  if (!root || root.hasAttribute("data-found")) return;
  root.setAttribute("data-found", "");
  for (const line of root.querySelectorAll(".cl-asleep")) line.remove();
  for (let copy = 2; document.querySelectorAll('[id="' + root.id + '"]').length > 1; copy += 1) {
    root.id = id + "-" + copy;
  }
  markLanguages(root, data.foreign);
  whenNear(root, () => {
    root.setAttribute("data-on", "");
    buildFigure(root, id.split("-")[1], build, data);
  });
}

function buildFigure(root, kind, build, data) {
  const numbers = root.querySelector(".cl-numbers");
  const place = [...document.querySelectorAll(".cl-fig.cl-" + kind)].indexOf(root);
  const figure = {
    root: root,
    // Names the figure in the address: its kind, with a number from the second of a page on.
    key: place > 0 ? kind + (place + 1) : kind,
    numbers: numbers,
    controls: make("div", { class: "cl-controls" }),
    stage: make("div", { class: "cl-stage" }),
    line: make("p", { class: "cl-say" }),
    // Called after each change by the reader; `keepInAddress` gives it something to do.
    remember: () => {},
    // Whether a button folds the tables away, or what stands on it.
    folds: true,
  };
  figure.say = (text) => {
    if (figure.line.textContent !== text) figure.line.textContent = text;
  };
  numbers.before(figure.controls, figure.stage, figure.line);
  build(figure, data);
  if (figure.folds && numbers.isConnected) numbers.before(foldNumbers(root, figure.folds === true ? undefined : figure.folds));
  // Only now, so that a page full of figures is not read out as it loads.
  figure.line.setAttribute("role", "status");
  figure.line.setAttribute("aria-live", "polite");
}
