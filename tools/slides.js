// reveal.js would scale a slide by a transform, and a figure in it would be dragged wrongly. What a
// slide shows is zoomed instead, as far as it fits: below its sentence or, if it is larger so, beside it.
function fit() {
  const slide = Reveal.getCurrentSlide();
  const shown = slide.querySelector(".shown");
  const fits = (beside, zoom) => {
    slide.classList.toggle("beside", beside);
    slide.style.setProperty("--zoom", zoom);
    return shown.scrollHeight <= shown.clientHeight && shown.scrollWidth <= shown.clientWidth;
  };
  for (let zoom = 3; zoom > 0.4; zoom -= 0.1) if (fits(false, zoom) || fits(true, zoom)) return;
}
// A figure is drawn when it is seen, and grows when a reader opens something, but not under a drag.
const sizes = new ResizeObserver(() => {
  if (!document.querySelector(".cl-fig :active")) fit();
});
function watch() {
  sizes.disconnect();
  for (const shown of Reveal.getCurrentSlide().querySelectorAll(".shown > *")) sizes.observe(shown);
}
addEventListener("pointerup", fit);
addEventListener("resize", fit);
Reveal.on("slidechanged", watch);
Reveal.on("ready", watch);
Reveal.initialize({
  hash: true, disableLayout: true, display: "grid", transition: "none", plugins: [RevealNotes],
  // A key that a figure's own control takes turns no page.
  keyboardCondition: event => !document.activeElement?.closest(".cl-fig"),
});
