// Marks what is not English in a figure, now and whenever its script writes: the same rules as in
// figures/language.py. `kinds` names the language of each foreign word of the figure; "de?" is a form
// that English has too.
function markLanguages(root, kinds) {
  if (!Object.keys(kinds).length) return;
  const WORD = /\p{L}+(?:['’]\p{L}+)*|[,;.!?…]/gu, SOFT = /^[\s·–-]*$/, WEAK = /^(am|an|in)$/;
  const kindOf = (word) => /^\p{L}/u.test(word) ? (Object.hasOwn(kinds, word) ? kinds[word] : "") : ",";
  // The marks made here, each with its text.
  const ours = new WeakMap();

  // The words and signs of a text, parted where anything but blanks stands between two.
  function phrases(text) {
    const found = [];
    let end = 0;
    for (const word of text.matchAll(WORD)) {
      if (!found.length || !SOFT.test(text.slice(end, word.index))) found.push([]);
      end = word.index + word[0].length;
      found[found.length - 1].push({ text: word[0], from: word.index, to: end, kind: kindOf(word[0]) });
    }
    return found;
  }
  // The language of a word of a phrase; "" is English.
  function decide(phrase, at, node) {
    const kind = phrase[at].kind, own = kind.slice(0, 2);
    if (!kind.endsWith("?")) return kind === "," ? "" : kind;
    const run = [at, at];
    while (run[0] > 0 && phrase[run[0] - 1].kind === kind) run[0] -= 1;
    while (run[1] < phrase.length - 1 && phrase[run[1] + 1].kind === kind) run[1] += 1;
    const weak = phrase.slice(run[0], run[1] + 1).some((word) => WEAK.test(word.text));
    const beside = [phrase[run[0] - 1], phrase[run[1] + 1]]
      .filter((word) => word && (weak || word.kind !== ",")).map((word) => word.kind);
    if (!beside.length) return inGermanRow(node, own) ? own : "";
    return beside.every((one) => one === own) || (!weak && beside.includes(own)) ? own : "";
  }
  // A word alone in its element: German if an element like it beside it begins with a German word.
  function inGermanRow(node, own) {
    for (let part = node.parentElement; part && part !== root; part = part.parentElement) {
      const beside = [part.previousElementSibling, part.nextElementSibling]
        .filter((one) => one && one.tagName === part.tagName && /\p{L}/u.test(one.textContent));
      if (beside.length) {
        return beside.some((one) => kindOf((one.textContent.match(WORD) || [""])[0]) === own);
      }
    }
    return false;
  }
  // Neighbours of one language together: from, to, language.
  function parts(node) {
    const found = [];
    for (const phrase of phrases(node.data)) {
      let open = null;
      phrase.forEach((word, at) => {
        const lang = decide(phrase, at, node);
        if (open && open.lang === lang) open.to = word.to;
        else if (lang) found.push(open = { from: word.from, to: word.to, lang });
        else open = null;
      });
    }
    return found;
  }
  function mark(node) {
    let parent = node.parentElement;
    if (!parent || parent.closest("script,style,textarea")) return;
    if (ours.has(parent)) {
      if (ours.get(parent) === node.data) return;
      // Something else has been written into the mark of before.
      if (parent.tagName === "OPTION") ["lang", "translate"].forEach((name) => parent.removeAttribute(name));
      else { parent.replaceWith(node); parent = node.parentElement; }
    }
    const above = parent.closest("[lang]");
    if (above && root.contains(above)) return;
    const found = parts(node), text = node.data;
    if (!found.length) return;
    if (parent.tagName === "OPTION") {
      // It takes no elements: it is German as a whole, or not marked.
      if ((text.match(WORD) || []).some((word) => !kindOf(word))) return;
      parent.lang = found[0].lang;
      parent.translate = false;
      ours.set(parent, text);
      return;
    }
    const drawn = parent.namespaceURI !== root.namespaceURI, pieces = [];
    let done = 0;
    for (const { from, to, lang } of found) {
      const piece = (drawn ? shape : make)(drawn ? "tspan" : "bdi", { lang, translate: "no" }, [text.slice(from, to)]);
      ours.set(piece, piece.textContent);
      pieces.push(text.slice(done, from), piece);
      done = to;
    }
    pieces.push(text.slice(done));
    const filled = pieces.filter((piece) => piece !== "");
    // In a row of boxes each piece would become a box.
    const boxes = filled.length > 1 && !drawn && /flex|grid/.test(getComputedStyle(parent).display);
    node.replaceWith(...(boxes ? [make("bdi", {}, filled)] : filled));
  }
  function look(node) {
    if (node.nodeType === Node.TEXT_NODE) { mark(node); return; }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    texts.forEach(mark);
  }
  look(root);
  new MutationObserver((seen) => seen.forEach((one) => {
    if (one.type === "characterData") look(one.target); else one.addedNodes.forEach(look);
  })).observe(root, { subtree: true, childList: true, characterData: true });
}
