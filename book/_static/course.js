// A formula wider than the page scrolls in its own box; this lets the arrow keys reach it too.
(function () {
  function mark() {
    document.querySelectorAll(".bd-article div.math").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth) {
        box.setAttribute("tabindex", "0");
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "Formula");
      } else {
        ["tabindex", "role", "aria-label"].forEach(function (name) { box.removeAttribute(name); });
      }
    });
  }
  window.addEventListener("load", function () {
    if (!window.MathJax || !MathJax.startup) return;
    MathJax.startup.promise.then(mark);
    window.addEventListener("resize", mark);
  });
})();
