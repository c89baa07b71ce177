// Formulas are in the page. What is left to do: those wider than their column, as some tables are, and
// what is copied. Then paper: what is folded is printed open, and a dark page light.
(function () {
  var SMALLEST = 0.85;

  // A little too wide: a little smaller. Wider: it scrolls alone, and the arrow keys reach it too.
  // All are asked before any is changed, or the browser would lay the page out again for each.
  function fit(boxes) {
    boxes.forEach(function (box) { if (box.style.fontSize) box.style.fontSize = ""; });
    var found = boxes.map(function (box) {
      return { box: box, kind: kindOf(box), ratio: box.clientWidth / box.scrollWidth };
    });
    found.forEach(function (one) {
      one.shrinks = one.kind === "Formula" && one.ratio < 1 && one.ratio - 0.01 >= SMALLEST;
      if (one.shrinks) one.box.style.fontSize = 100 * (one.ratio - 0.01) + "%";
    });
    found.forEach(function (one) {
      var wide = one.shrinks ? one.box.clientWidth < one.box.scrollWidth : one.ratio < 1;
      mark(one.box, wide, one.kind);
    });
  }

  function kindOf(box) {
    var kinds = { pre: "Code", "div.math": "Formula", ".output": "Output" };
    return kinds[Object.keys(kinds).find(function (kind) { return box.matches(kind); })] || "Table";
  }

  function mark(box, wide, kind) {
    if (wide === box.hasAttribute("tabindex")) return;
    if (!wide) {
      ["tabindex", "role", "aria-label"].forEach(function (name) { box.removeAttribute(name); });
      return;
    }
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", kind);
  }

  var WIDE = "div.math, .cl-table-box, .pst-scrollable-table-container, pre, .cell_output > .output";

  // Each when it has been laid out at another width than before: what is far down a phone's page, or
  // in a fold, when it comes near. So nothing is ever laid out in order to be measured.
  function fitWhenLaidOut() {
    var widths = new Map();
    var watch = new ResizeObserver(function (seen) {
      var boxes = seen.map(function (one) { return one.target; });
      boxes = boxes.filter(function (box) { return box.clientWidth && widths.get(box) !== box.clientWidth; });
      boxes.forEach(function (box) { widths.set(box, box.clientWidth); });
      fit(boxes);
    });
    function find() {
      document.querySelectorAll(".bd-article :is(" + WIDE + ")").forEach(function (box) { watch.observe(box); });
    }
    find();
    window.addEventListener("resize", find);
    // Letters that come later are of another width than those that stood in for them.
    document.fonts.addEventListener("loadingdone", function () { fit(Array.from(widths.keys())); });
  }

  function tex(math) {
    var source = math.querySelector("annotation");
    var sign = math.getAttribute("display") === "block" ? "$$" : "$";
    return source ? sign + source.textContent.trim() + sign : math.textContent;
  }

  // A formula that is copied arrives as the TeX that made it.
  function copy(event) {
    var selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    var range = selection.getRangeAt(0).cloneRange();
    ["start", "end"].forEach(function (end) {
      var node = range[end + "Container"];
      var inside = (node.nodeType === 1 ? node : node.parentNode).closest("math");
      if (!inside) return;
      if (end === "start") range.setStartBefore(inside); else range.setEndAfter(inside);
    });
    var copied = range.cloneContents();
    var formulas = copied.querySelectorAll("math");
    if (!formulas.length) return;
    formulas.forEach(function (math) { math.replaceWith(tex(math)); });
    var box = document.createElement("div");
    box.append(copied);
    event.clipboardData.setData("text/html", box.innerHTML);
    event.clipboardData.setData("text/plain", box.textContent);
    event.preventDefault();
  }

  var folded = [], scheme = "";

  function beforePrint() {
    folded = Array.from(document.querySelectorAll(".bd-article details:not([open], .cl-fig *)"));
    folded.forEach(function (fold) { fold.open = true; });
    scheme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
  }

  function afterPrint() {
    folded.forEach(function (fold) { fold.open = false; });
    document.documentElement.dataset.theme = scheme;
  }

  // To the page before and after, unless the key belongs to what has the focus, such as a slider.
  function turn(event) {
    var way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!way || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (document.activeElement !== document.body) return;
    var link = document.querySelector("link[rel=" + way + "]");
    if (link) location.href = link.href;
  }

  // The theme's arrow beside an entry with pages of its own has no words for a screen reader.
  function nameArrows() {
    document.querySelectorAll("summary > .toctree-toggle").forEach(function (arrow) {
      arrow.parentElement.setAttribute("aria-label", "Pages below this entry");
    });
  }

  document.addEventListener("DOMContentLoaded", nameArrows);
  document.addEventListener("keydown", turn);
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", afterPrint);
  document.addEventListener("copy", copy);
  window.addEventListener("load", function () { document.fonts.ready.then(fitWhenLaidOut); });
})();
