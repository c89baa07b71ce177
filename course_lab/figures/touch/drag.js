// A plane with points, and one of them to drag.

// Numbers from -reach to reach on both axes, in a square of `side` with a margin.
function dragPlane(side, margin, reach, kind) {
  const place = (x) => margin + (x + reach) / (2 * reach) * (side - 2 * margin);
  const back = (pixels) => (pixels - margin) / (side - 2 * margin) * 2 * reach - reach;
  const at = ([x, y]) => [place(x), side - place(y)];
  // On a grid of twentieths.
  const clip = (x) => Math.max(-reach, Math.min(reach, Math.round(x * 20) / 20));
  const line = (x1, y1, x2, y2, kind) => shape("line", { x1, y1, x2, y2, class: kind });
  const [near, far] = [place(-reach), place(reach)], middle = side / 2;
  const svg = shape("svg", { viewBox: `0 0 ${side} ${side}`, class: kind }, [
    line(near, middle, far, middle, "cl-axis"), line(middle, near, middle, far, "cl-axis")]);

  const hull = (points) => shape("polygon", { points: points.map((point) => at(point).join(",")).join(" "), class: "cl-hull" });
  // Points with their names, each with a ray that a weight will thicken.
  function dots(kind, points, names) {
    const rays = points.map((point) => {
      const [x2, y2] = at(point);
      return shape("line", { x2, y2, class: "cl-ray" });
    });
    svg.append(...rays, ...points.flatMap((point, j) => {
      const [x, y] = at(point), right = point[0] > 1;
      return [shape("circle", { cx: x, cy: y, r: 5, class: kind }),
        shape("text", { x: x + (right ? -9 : 9), y: y + (point[1] < 0 ? 17 : -9), "text-anchor": right ? "end" : "start" }, [names[j]])];
    }));
    return rays;
  }
  function setRay(ray, from, width) {
    const [x1, y1] = at(from);
    alter(ray, { x1, y1, "stroke-width": width });
  }
  const put = (mark, point) => mark.setAttribute("transform", `translate(${at(point)})`);
  // A mark with a name; `parts` are drawn around 0.
  const mark = (kind, text, x, y, parts, attributes) => shape("g", { class: kind, ...attributes },
    [...parts, shape("text", { x, y }, [text])]);

  // A mark to drag and to move by arrow keys, a tenth each: `now()` is its point, `move` gets the next.
  function draggable(kind, text, x, y, size, label, now, move) {
    const handle = mark(kind, text, x, y, [shape("circle", { r: size + 16, class: "cl-grip" }),
      shape("path", { d: `M0-${size}L${size} 0 0 ${size}-${size} 0Z` })],
    { tabindex: 0, role: "application", "aria-label": `${label}, arrow keys move it` });
    const to = (point) => move(point.map(clip));
    let held = false;
    // Within a picture that scrolls the page, touch-action cannot make an exception for a part.
    handle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    handle.addEventListener("pointerdown", (event) => {
      held = true;
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!held) return;
      const box = svg.getBoundingClientRect(), scale = side / box.width;
      to([back((event.clientX - box.left) * scale), -back((event.clientY - box.top) * scale)]);
    });
    ["pointerup", "pointercancel"].forEach((name) => handle.addEventListener(name, () => { held = false; }));
    handle.addEventListener("keydown", (event) => onArrow(event, (right, down) =>
      to([now()[0] + right / 10, now()[1] - down / 10])));
    svg.append(handle);
    return handle;
  }
  return { svg, at, clip, hull, dots, setRay, put, mark, draggable };
}
