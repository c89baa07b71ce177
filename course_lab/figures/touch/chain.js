// The unrolled chain: the last state at the right end, the past to the left (on a phone: below).
function chainFigure(figure, data) {
  let cell = 0, scale = 0;
  const chain = make("ol", { class: "cl-chain-row" });
  const skips = data.steps.map((step, i) => i > 0 && step - data.steps[i - 1] > 1);
  const boxes = data.steps.map((step, i) => {
    const box = make("span", { class: "cl-box" });
    const arrow = make("span", { class: "cl-arrow", "aria-hidden": "true" }, [skips[i] ? "⇠" : "←"]);
    // The list runs forward in time, as the net does; the gradient runs back through it.
    chain.prepend(make("li", {}, [make("span", { class: "cl-step" }, [step ? step + " back" : "last"]), box,
      ...(i ? [arrow] : [])]));
    return box;
  });
  const scroller = scrollBox("Unrolled chain", [chain]);
  const key = (text, shade, name) => {
    const sample = make("span", { class: "cl-box " + name }, [text]);
    paint(sample, shade);
    return sample;
  };
  figure.stage.append(scroller, make("p", { class: "cl-note cl-legend" }, [
    "Gradient, against the last state’s: ", key("1", 1, ""), key("10⁻³", 0.5, ""),
    key("10⁻⁶", 0, "cl-gone"), " it fades; ", key("10³", 1, "cl-grown"), " it has grown tenfold or more."
    + (skips.some(Boolean) ? " Dashed arrows pass over steps." : ""),
  ]));

  const scalesOf = (i) => data.cells[i].scales.map((one) => one.name);
  const scaleControl = make("div", {});
  // Another cell type may have other weight scales.
  function show(newCell, newScale) {
    [cell, scale] = [newCell, newScale];
    cells.mark(cell);
    scaleControl.replaceChildren(choose(figure, "Weights", scalesOf(cell), scale, (i) => show(cell, i)).label);
    const { boxes: found, words } = data.cells[cell].scales[scale];
    found.forEach(([text, shade, grown], i) => {
      paint(boxes[i], shade);
      alter(boxes[i], { text, on: { "cl-grown": grown > 0, "cl-gone": shade === 0 } });
      // What explodes also swells, so that size tells it without colour.
      boxes[i].style.setProperty("--grown", grown);
    });
    figure.answer(words);
  }
  // Keeps the label of the scale if it is there, else its place.
  const cells = choose(figure, "Cell", data.cells.map((one) => one.name), cell, (i) => {
    const same = scalesOf(i).indexOf(scalesOf(cell)[scale]);
    show(i, same >= 0 ? same : Math.min(scale, scalesOf(i).length - 1));
  });
  // Another cell may have wider scales; what stands before them keeps its place.
  figure.controls.append(cells.label, press("Reset", () => show(0, 0)), scaleControl);
  show(0, 0);
  scroller.scrollLeft = scroller.scrollWidth;
  keepNumbers(figure, [data.cells.length, Infinity], () => [cell, scale], (newCell, newScale) => {
    if (newScale < scalesOf(newCell).length) show(newCell, newScale);
  });
}
