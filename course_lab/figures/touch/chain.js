// The unrolled chain: the last state at the right end, the past to the left (on a phone: below).
function chainFigure(figure, data) {
  let cell = 0;
  let scale = 0;
  const chain = make("ol", { class: "cl-chain-row" });
  const boxes = data.steps.map((step, i) => {
    const box = make("span", { class: "cl-box" });
    const name = step === 0 ? "last" : step + " back";
    const previous = i ? data.steps[i - 1] : step - 1;
    const arrow = make("span", { class: "cl-arrow", "aria-hidden": "true" },
      [step - previous > 1 ? "⇠" : "←"]);
    // The list runs forward in time, as the net does; the gradient runs back through it.
    chain.prepend(make("li", {}, [make("span", { class: "cl-step" }, [name]), box,
      ...(i ? [arrow] : [])]));
    return box;
  });
  const scroller = scrollBox("Unrolled chain", [chain]);

  // Another cell type may have other weight scales: keep the label if it is there, else the place.
  const scaleControl = make("div", {});
  function offerScales() {
    const scales = data.cells[cell].scales.map((one) => one.name);
    scaleControl.replaceChildren(choose(figure, "Weights", scales, scale, pickScale).label);
  }
  function pickCell(i) {
    const label = data.cells[cell].scales[scale].name;
    const scales = data.cells[i].scales.map((one) => one.name);
    const same = scales.indexOf(label);
    cell = i;
    scale = same >= 0 ? same : Math.min(scale, scales.length - 1);
    offerScales();
    draw();
    figure.remember();
  }
  function pickScale(i) {
    scale = i;
    draw();
    figure.remember();
  }
  function draw() {
    const shown = data.cells[cell].scales[scale];
    shown.boxes.forEach(([text, shade, grown], i) => {
      boxes[i].textContent = text;
      paint(boxes[i], shade, data.turns);
      boxes[i].classList.toggle("cl-grown", grown > 0);
      boxes[i].classList.toggle("cl-gone", shade === 0);
      // What explodes also swells, so that size tells it without colour.
      boxes[i].style.setProperty("--grown", grown);
    });
    figure.say(shown.words);
  }
  const key = (text, shade, name) => {
    const sample = make("span", { class: "cl-box " + name }, [text]);
    paint(sample, shade, data.turns);
    return sample;
  };
  figure.stage.append(scroller, make("p", { class: "cl-note cl-legend" }, [
    "Gradient, against the last state’s: ", key("1", 1, ""), key("10⁻³", 0.5, ""),
    key("10⁻⁶", 0, "cl-gone"), " it fades; ", key("10³", 1, "cl-grown"), " it has grown tenfold or more." +
    (data.steps.some((step, i) => i && step - data.steps[i - 1] > 1)
      ? " Dashed arrows pass over steps." : ""),
  ]));
  const cells = choose(figure, "Cell", data.cells.map((one) => one.name), cell, pickCell);
  const reset = () => { cells.set(0); pickScale(0); offerScales(); };
  // Another cell may have wider scales; what stands before them keeps its place.
  figure.controls.append(cells.label, press("Reset", reset), scaleControl);
  offerScales();
  draw();
  reserve(figure, () => data.cells.flatMap((one) => one.scales.map((other) => other.words)));
  scroller.scrollLeft = scroller.scrollWidth;
  keepNumbers(figure, [data.cells.length, Infinity], () => [cell, scale], (...numbers) => {
    if (numbers[1] >= data.cells[numbers[0]].scales.length) return;
    cells.set(numbers[0]);
    scale = numbers[1];
    offerScales();
    draw();
  });
}
