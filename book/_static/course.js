// Formulas wider than the page. A little too wide: they get a little smaller. Wider than that: they
// scroll in their own box, and the arrow keys reach it too.
(function () {
  var SMALLEST = 0.85;

  function tooWide(box) { return box.scrollWidth > box.clientWidth; }

  function fit(box) {
    box.style.fontSize = "";
    if (tooWide(box)) {
      var ratio = box.clientWidth / box.scrollWidth - 0.01;
      if (ratio >= SMALLEST) box.style.fontSize = 100 * ratio + "%";
    }
    if (tooWide(box)) {
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Formula");
    } else {
      ["tabindex", "role", "aria-label"].forEach(function (name) { box.removeAttribute(name); });
    }
  }

  function fitAll() { document.querySelectorAll(".bd-article div.math").forEach(fit); }

  window.addEventListener("load", function () {
    if (!window.MathJax || !MathJax.startup) return;
    MathJax.startup.promise.then(fitAll);
    window.addEventListener("resize", fitAll);
  });
})();
