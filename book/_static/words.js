// A card beside a word of the glossary: by pointer, by focus, by a first touch. Escape takes it away.
(function () {
  var data = document.querySelector("script.glossary-cards");
  if (!data) return;
  var cards = JSON.parse(data.textContent), card = null, shown = null, timer = 0;

  function make() {
    card = document.createElement("div");
    card.className = "glossary-card";
    card.id = "glossary-card";
    card.setAttribute("role", "tooltip");
    card.addEventListener("pointerenter", function () { clearTimeout(timer); });
    card.addEventListener("pointerleave", later);
    document.body.append(card);
  }

  function show(word) {
    clearTimeout(timer);
    if (shown === word) return;
    hide();
    var text = cards[word.hash.slice(1)];
    if (!text) return;
    if (!card) make();
    card.innerHTML = text;
    card.hidden = false;
    shown = word;
    word.setAttribute("aria-describedby", card.id);
    var line = word.getClientRects()[0], room = document.documentElement.clientWidth;
    var left = Math.max(8, Math.min(line.left, room - card.offsetWidth - 8));
    var below = line.bottom + card.offsetHeight + 12 < window.innerHeight;
    card.style.left = left + window.scrollX + "px";
    card.style.top = (below ? line.bottom + 6 : line.top - card.offsetHeight - 6)
      + window.scrollY + "px";
  }

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    card.hidden = true;
    shown = null;
  }

  function later() { clearTimeout(timer); timer = setTimeout(hide, 200); }

  document.querySelectorAll("a.glossary-word").forEach(function (word) {
    var touched = false;
    word.addEventListener("pointerdown", function (event) {
      touched = event.pointerType === "touch" && shown !== word;
    });
    word.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") show(word);
    });
    word.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") later();
    });
    word.addEventListener("focus", function () { show(word); });
    word.addEventListener("blur", later);
    // The first touch shows the card, the second follows the link.
    word.addEventListener("click", function (event) {
      if (!touched) return;
      touched = false;
      event.preventDefault();
      show(word);
    });
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
  document.addEventListener("pointerdown", function (event) {
    if (shown && !shown.contains(event.target) && !card.contains(event.target)) hide();
  });
})();
