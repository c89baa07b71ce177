// A link that leads into something folded opens it.
(function () {
  function target() {
    var name = decodeURIComponent(location.hash.slice(1));
    return name && document.getElementById(name);
  }

  function reveal() {
    var place = target(), opened = false;
    for (var part = place; part; part = part.parentElement) {
      if (part.tagName === "DETAILS" && !part.open) part.open = opened = true;
    }
    if (opened) place.scrollIntoView();
  }

  // The same link a second time changes no address, so it is listened to as well.
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a[href*='#']");
    if (link && link.href === location.href) reveal();
  });
  window.addEventListener("hashchange", reveal);

  reveal();
})();
