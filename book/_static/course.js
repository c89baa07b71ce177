// Wide formulas and tables scroll by keys, formulas are copied as TeX, and paper is light and unfolded.
(function () {
  // What is wider than its column scrolls alone: with the focus on it, the arrow keys reach it too.
  // Each is asked when it has been laid out, so that nothing is laid out in order to be measured.
  var WIDE = "div.math, .cl-table-box, .pst-scrollable-table-container, pre, .cell_output > .output";
  var KINDS = { pre: "Code", "div.math": "Formula", ".output": "Output" };

  function mark(box, wide) {
    if (wide === box.hasAttribute("tabindex")) return;
    var kind = KINDS[Object.keys(KINDS).find(function (kind) { return box.matches(kind); })] || "Table";
    var signs = { tabindex: "0", role: "group", "aria-label": kind };
    Object.keys(signs).forEach(function (name) {
      if (wide) box.setAttribute(name, signs[name]); else box.removeAttribute(name);
    });
  }

  function watchWide() {
    var watch = new ResizeObserver(function (seen) {
      seen.map(function (one) { return [one.target, one.target.scrollWidth > one.target.clientWidth]; })
        .forEach(function (one) { mark(one[0], one[1]); });
    });
    document.querySelectorAll(".bd-article :is(" + WIDE + ")").forEach(function (box) { watch.observe(box); });
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
  window.addEventListener("load", function () { document.fonts.ready.then(watchWide); });
})();
