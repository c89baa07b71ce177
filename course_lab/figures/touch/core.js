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

// Changes an element: its text, classes `on` or off, and attributes; what is not named stays.
function alter(element, { text, on = {}, ...attributes }) {
  if (text !== undefined) element.textContent = text;
  for (const name in on) element.classList.toggle(name, Boolean(on[name]));
  furnished(element, attributes);
}

// For a screen reader, and so that a browser that translates the page leaves it alone.
const GERMAN = { lang: "de", translate: "no" };

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

// The weight 0..1 as a shade.
function paint(element, weight) {
  element.classList.add("cl-w");
  element.style.setProperty("--w", weight.toFixed(2));
}

// A weight as the static figures print it: two digits, no leading zero, nothing for zero.
function digits(weight) {
  const text = weight.toFixed(2);
  return text === "0.00" ? "" : text === "1.00" ? "1" : text.slice(1);
}

// What stands below it moves at most once: an element keeps the most room that it has had.
function keepRoom(element) {
  element.style.minHeight = Math.max(parseFloat(element.style.minHeight) || 0, element.offsetHeight) + "px";
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
  whenNear(root, () => {
    root.setAttribute("data-on", "");
    buildFigure(root, id.split("-")[1], build, data);
  });
}

function buildFigure(root, kind, build, data) {
  const numbers = root.querySelector(".cl-numbers"), line = make("p", { class: "cl-say" });
  const place = [...document.querySelectorAll(".cl-fig.cl-" + kind)].indexOf(root);
  const figure = {
    root, numbers, line,
    // Names the figure in the address: its kind, with a number from the second of a page on.
    key: place > 0 ? kind + (place + 1) : kind,
    controls: make("div", { class: "cl-controls" }),
    stage: make("div", { class: "cl-stage" }),
    // Writes the state into the address, once `keepInAddress` was called.
    remember: () => {},
    // Ends what plays, where a `stepper` does.
    stop: () => {},
    // Whether a button folds the tables away.
    folds: true,
    say: (text) => {
      if (line.textContent === text) return;
      line.textContent = text;
      keepRoom(line);
    },
    // Says what came of something that the reader did.
    answer: (text) => { figure.say(text); figure.remember(); },
  };
  numbers.before(figure.controls, figure.stage, line);
  build(figure, data);
  if (figure.folds && numbers.isConnected) numbers.before(foldNumbers(root));
  // Only now, so that a page full of figures is not read out as it loads.
  alter(line, { role: "status", "aria-live": "polite" });
}
