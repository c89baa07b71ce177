// The states of figures in the address of their page, such as `#plane=3.40.60&em=4`.

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
    const states = location.hash.slice(1).split("&").map((part) => part.split("=")).filter((part) => part.length === 2);
    for (const [name, text] of states) page.texts.set(name, text);
    const own = states.filter(([name]) => name === key).pop();
    if (!own) return;
    let text;
    try { text = decodeURIComponent(own[1]); } catch (error) { return; }
    busy = true;
    figure.stop();
    if (text !== tell()) restore(text);
    busy = false;
    // The figure that was changed last is the one that is meant.
    if (states[states.length - 1] === own) showFigure(figure.root);
  }
  window.addEventListener("hashchange", recall);
  recall();
}

// The same for a state of whole numbers: `tell()` gives them, `limits` what each lies below.
function keepNumbers(figure, limits, tell, restore) {
  keepInAddress(figure, () => tell().join("."), (text) => {
    const numbers = wholes(text, limits);
    if (numbers) restore(...numbers);
  });
}
