// What all figures to touch share: elements, controls, and how a figure starts.

// An HTML element. Children are elements or strings; strings become text, never markup.
function make(tag, attributes, children) {
  const element = document.createElement(tag);
  for (const name in attributes || {}) element.setAttribute(name, attributes[name]);
  element.append(...(children || []));
  return element;
}

// An SVG element, made the same way.
function shape(tag, attributes, children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in attributes || {}) element.setAttribute(name, attributes[name]);
  element.append(...(children || []));
  return element;
}

// A button.
function press(text, onPress) {
  const button = make("button", { type: "button" }, [text]);
  button.addEventListener("click", onPress);
  return button;
}

// A choice of one: keys in a row while they are few and short, a menu otherwise. `set` chooses
// from outside.
function choose(figure, name, options, chosen, onChange) {
  const letters = options.reduce((sum, option) => sum + option.length + 4, 0);
  if (letters > 60) {
    const menu = make("select", {}, options.map((text, i) => make("option", { value: i }, [text])));
    menu.selectedIndex = chosen;
    menu.addEventListener("change", () => onChange(menu.selectedIndex));
    const set = (i) => { menu.selectedIndex = i; onChange(i); };
    return { label: make("label", {}, [make("span", { class: "cl-note" }, [name]), menu]), set };
  }
  const group = figure.root.id + "-" + name;
  const keys = options.map((text, i) => {
    const input = make("input", { type: "radio", name: group, value: i });
    input.checked = i === chosen;
    input.addEventListener("change", () => onChange(i));
    return make("label", { class: "cl-key" }, [input, make("span", {}, [text])]);
  });
  const set = (i) => { keys[i].firstChild.checked = true; onChange(i); };
  return { label: make("fieldset", {}, [make("legend", {}, [name]), ...keys]), set };
}

// A slider that says its value beside it and to screen readers, in the same words.
function slide(name, range, words, onInput) {
  const input = make("input", { type: "range", ...range });
  const output = make("output", {});
  const show = () => {
    const text = words(Number(input.value));
    output.textContent = text;
    input.setAttribute("aria-valuetext", text);
  };
  input.addEventListener("input", () => { show(); onInput(Number(input.value)); });
  show();
  const label = make("label", {}, [make("span", { class: "cl-note" }, [name]), input, output]);
  // Sets the slider from outside, as a reset does.
  const set = (value) => { input.value = value; show(); onInput(Number(input.value)); };
  return { label, set };
}

// Play, Step and Reset for what goes from 0 to `last`: `at()` says where it is, `go(i)` leads there.
// Where little motion is wanted, Play goes to the end at once, and from the end to the beginning.
function timeKeys(last, pause, at, go, reset) {
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const on = () => go(at() < last ? at() + 1 : 0);
  const play = press("Play", () => {
    if (timer) { stop(); return; }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { go(at() < last ? last : 0); return; }
    on();
    play.textContent = "Pause";
    timer = setInterval(() => { on(); if (at() >= last) stop(); }, pause);
  });
  const keys = [play, press("Step", () => { stop(); on(); }),
    press("Reset", () => { stop(); reset(); })];
  // "Pause" is the longer word: the keys beside it stay where they are.
  play.classList.add("cl-play");
  return { keys, stop };
}

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

// The button behind which the tables are folded away.
function foldNumbers(root) {
  const button = make("button", { type: "button", class: "cl-fold" });
  const fold = (folded) => {
    root.classList.toggle("cl-folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
    button.textContent = folded ? "Show all numbers" : "Hide the numbers";
  };
  button.addEventListener("click", () => fold(!root.classList.contains("cl-folded")));
  fold(true);
  return button;
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

// States of figures in an address such as `#plane=3.40.60&em=4`: text by key, still escaped.
function statesIn(hash) {
  return hash.slice(1).split("&").map((part) => part.split("=")).filter((part) => part.length === 2);
}

// The whole numbers of a text such as "3.40.60", each below its limit; null for any other text.
function wholes(text, limits) {
  const numbers = /^\d+(\.\d+)*$/.test(text) ? text.split(".").map(Number) : [];
  const fit = numbers.length === limits.length && numbers.every((number, i) => number < limits[i]);
  return fit ? numbers : null;
}

// Keeps the state of a figure in the address, so that what a reader made can be sent. `tell()` is
// the state as text; `restore(text)` leads to one, and leaves alone what it does not understand.
// `figure.remember()` is called after each change by the reader. What a figure opens on is never
// written, and once no figure has a state, the link of a section stands again where one stood.
function keepInAddress(figure, tell, restore) {
  const key = figure.key, opening = tell();
  // All figures of a page share what the address says, or each would write over the others.
  const page = window.courseStates || (window.courseStates = { texts: new Map(), section: "" });
  let busy = false, waiting = 0, changed = false;

  function write() {
    if (!changed) return;
    changed = false;
    const here = location.hash;
    if (!here.includes("=")) page.section = here;
    const told = [...page.texts].map((pair) => pair.join("=")).join("&");
    const hash = told ? "#" + told : page.section;
    if (hash === here) return;
    const address = location.href.split("#")[0] + hash;
    try { history.replaceState(history.state, "", address); } catch (error) { /* a frame without an address */ }
  }
  figure.remember = () => {
    if (busy) return;
    const text = tell(), now = text === opening ? undefined : encodeURIComponent(text);
    if (page.texts.get(key) === now) return;
    page.texts.delete(key);
    if (now !== undefined) page.texts.set(key, now);
    changed = true;
    // Not more often than browsers allow while something is dragged.
    if (waiting) return;
    write();
    waiting = setTimeout(() => { waiting = 0; write(); }, 200);
  };
  function recall() {
    const states = statesIn(location.hash);
    for (const [name, text] of states) page.texts.set(name, text);
    const own = states.filter(([name]) => name === key).pop();
    if (!own) return;
    let text;
    try { text = decodeURIComponent(own[1]); } catch (error) { return; }
    busy = true;
    if (text !== tell()) restore(text);
    busy = false;
    // The figure that was changed last is the one that is meant.
    if (states[states.length - 1] === own) showFigure(figure.root);
  }
  window.addEventListener("hashchange", recall);
  recall();
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
  };
  figure.say = (text) => {
    if (figure.line.textContent !== text) figure.line.textContent = text;
  };
  numbers.before(figure.controls, figure.stage, figure.line);
  build(figure, data);
  // Only now, so that a page full of figures is not read out as it loads.
  figure.line.setAttribute("role", "status");
  figure.line.setAttribute("aria-live", "polite");
}
