// The controls that figures share: keys, menus, sliders, the stepper, a box for a sentence.

// A button.
function press(text, onPress, attributes) {
  const button = make("button", { type: "button", ...attributes }, text ? [text] : []);
  button.addEventListener("click", onPress);
  return button;
}

// A control with its name in front.
const labelled = (name, ...controls) =>
  make("label", {}, [make("span", { class: "cl-note" }, [name]), ...controls]);

function menuOf(options, onChange, attributes) {
  const menu = make("select", attributes, options.map((text, i) => make("option", { value: i }, [text])));
  menu.addEventListener("change", () => onChange(menu.selectedIndex));
  return menu;
}

// Radio buttons drawn as keys: arrow keys walk through them, Tab passes them by. `face` is what a
// key shows.
function radioKey(group, face, onChange, kind = "") {
  const input = make("input", { type: "radio", name: group });
  input.addEventListener("change", onChange);
  return { input, label: make("label", { class: `cl-key ${kind}`.trim() }, [input, face]) };
}

// A choice of one: keys in a row while they are few and short, a menu otherwise. `set` chooses
// from outside, `mark` without a word of it.
function choose(figure, name, options, chosen, onChange) {
  let label, mark;
  if (options.join("    ").length > 56) {
    const menu = menuOf(options, onChange);
    label = labelled(name, menu);
    mark = (i) => { menu.selectedIndex = i; };
  } else {
    const group = figure.root.id + "-" + name;
    const keys = options.map((text, i) => radioKey(group, make("span", {}, [text]), () => onChange(i)));
    label = make("fieldset", {}, [make("legend", {}, [name]), ...keys.map((key) => key.label)]);
    mark = (i) => { keys[i].input.checked = true; };
  }
  mark(chosen);
  return { label, mark, set: (i) => { mark(i); onChange(i); } };
}

// A slider that says its value beside it and to screen readers, in the same words. `set` moves it from
// outside, as a reset does, and `show` without a word of it.
function slide(name, range, words, onInput) {
  const input = make("input", { type: "range", ...range }), output = make("output", {});
  const show = (value = input.value) => {
    input.value = value;
    const text = words(Number(input.value));
    output.textContent = text;
    alter(input, { "aria-valuetext": text });
  };
  const set = (value) => { show(value); onInput(Number(input.value)); };
  input.addEventListener("input", () => set(input.value));
  show();
  return { label: labelled(name, input, output), input, set, show };
}

// Play, Step and Reset for what goes from 0 to `last`: `at()` says where it is, `go(i)` leads there.
// Where little motion is wanted, Play goes to the end at once, and from the end to the beginning.
// `anew`: Play begins at 0 wherever it is. Whatever else the reader does ends the play.
function stepper(figure, last, pause, at, go, reset, anew = false) {
  let timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const on = () => go(at() < last ? at() + 1 : 0);
  // "Pause" is the longer word: with its width the keys beside it stay where they are.
  const play = press("Play", () => {
    if (timer) { stop(); return; }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { go(at() < last ? last : 0); return; }
    if (anew) go(0); else on();
    play.textContent = "Pause";
    timer = setInterval(() => { on(); if (at() >= last) stop(); }, pause);
  }, { class: "cl-play" });
  for (const kind of ["click", "input", "change", "keydown"]) {
    figure.root.addEventListener(kind, (event) => { if (event.target !== play && event.key !== "Tab") stop(); }, true);
  }
  figure.stop = stop;
  return [play, press("Step", on), press("Reset", reset)];
}

// Calls `move(right, down)` at an arrow key, and keeps the key from the page; says whether it was one.
function onArrow(event, move) {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!by) return false;
  event.preventDefault();
  event.stopPropagation();
  move(...by);
  return true;
}

// The button behind which the tables are folded away.
function foldNumbers(root) {
  const button = press("", () => fold(!root.classList.contains("cl-folded")), { class: "cl-fold" });
  const fold = (folded) => {
    alter(root, { on: { "cl-folded": folded } });
    alter(button, { text: folded ? "Show all numbers" : "Hide the numbers", "aria-expanded": !folded });
  };
  fold(true);
  return button;
}
