// Formulas are in the page. What is left to do: those wider than their column, as some tables are, and
// what is copied. Then paper: what is folded is printed open, and a dark page light.
(function () {
  var SMALLEST = 0.85;

  function tooWide(box) { return box.scrollWidth > box.clientWidth; }

  // A little too wide: a little smaller. Wider: it scrolls alone, and the arrow keys reach it too.
  function fit(box) {
    var isTable = box.matches(".cl-table-box");
    box.style.fontSize = "";
    if (tooWide(box) && !isTable) {
      var ratio = box.clientWidth / box.scrollWidth - 0.01;
      if (ratio >= SMALLEST) box.style.fontSize = 100 * ratio + "%";
    }
    if (tooWide(box)) {
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", isTable ? "Table" : "Formula");
    } else {
      ["tabindex", "role", "aria-label"].forEach(function (name) { box.removeAttribute(name); });
    }
  }

  function fitAll() { document.querySelectorAll(".bd-article div.math, .cl-table-box").forEach(fit); }

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

  document.addEventListener("keydown", turn);
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", afterPrint);
  document.addEventListener("copy", copy);
  document.fonts.ready.then(fitAll);
  window.addEventListener("resize", fitAll);
})();
