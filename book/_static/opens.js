// A figure that comes when it is asked for. Its file is fetched, and it takes the place of its first state.
(function () {
  function open(link) {
    if (link.hasAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    var script = document.createElement("script");
    script.src = link.dataset.figure;
    script.addEventListener("error", function () { location.href = link.href; });
    script.addEventListener("load", function () {
      var box = link.closest(".opens");
      box.innerHTML = window.courseFigure;
      // Scripts in markup that is put in do not run; a copy does.
      box.querySelectorAll("script:not([type])").forEach(function (still) {
        var live = document.createElement("script");
        live.textContent = still.textContent;
        still.replaceWith(live);
      });
      box.setAttribute("tabindex", "-1");
      box.focus({ preventScroll: true });
    });
    document.head.append(script);
  }

  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[data-figure]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
  // An address with a state of it, such as one that a reader sent to another.
  var asked = document.querySelector("a[data-figure]");
  if (asked && location.hash.startsWith("#translator=")) open(asked);
})();
