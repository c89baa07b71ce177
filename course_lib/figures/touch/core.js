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

// A choice of one: keys in a row while they are few and short, a menu otherwise.
function choose(figure, name, options, chosen, onChange) {
  const letters = options.reduce((sum, option) => sum + option.length + 4, 0);
  if (letters > 60) {
    const menu = make("select", {}, options.map((text, i) => make("option", { value: i }, [text])));
    menu.selectedIndex = chosen;
    menu.addEventListener("change", () => onChange(menu.selectedIndex));
    return make("label", {}, [make("span", { class: "cl-note" }, [name]), menu]);
  }
  const group = figure.root.id + "-" + name;
  const keys = options.map((text, i) => {
    const input = make("input", { type: "radio", name: group, value: i });
    input.checked = i === chosen;
    input.addEventListener("change", () => onChange(i));
    return make("label", { class: "cl-key" }, [input, make("span", {}, [text])]);
  });
  return make("fieldset", {}, [make("legend", {}, [name]), ...keys]);
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

// Builds the figure around its tables. The running script stands inside the figure's root; where
// a front end runs it from elsewhere, the first figure of that id that has not started is meant.
// The same figure may stand on a page twice: the second one then gets an id of its own.
function startFigure(id, build, data) {
  const script = document.currentScript;
  let root = script && script.closest(".cl-fig");
  if (!root) root = document.querySelector('[id="' + id + '"]:not([data-on])');
  if (!root || root.hasAttribute("data-on")) return;
  root.setAttribute("data-on", "");
  for (let copy = 2; document.querySelectorAll('[id="' + root.id + '"]').length > 1; copy += 1) {
    root.id = id + "-" + copy;
  }
  const numbers = root.querySelector(".cl-numbers");
  const figure = {
    root: root,
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
