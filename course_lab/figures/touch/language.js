// Marks the German words of a figure, now and whenever its script writes, by the rule of
// figures/language.py. `kinds` names them: "de", or "de?" for a form that English has too, which is
// German beside a word that is German alone.
function markLanguages(root, kinds) {
  const sign = (word) => ({ de: "d", "de?": "?" })[Object.hasOwn(kinds, word) ? kinds[word] : ""] || "-";
  // From where to where each stretch of German goes.
  const stretches = (text) => [...text.matchAll(/\p{L}+(?: \p{L}+)*/gu)].flatMap((run) => {
    const words = run[0].split(" "), end = (count) => run.index + words.slice(0, count).join(" ").length;
    return [...words.map(sign).join("").matchAll(/[d?]*d[d?]*/g)]
      .map(({ index, 0: found }) => [end(index) + (index ? 1 : 0), end(index + found.length)]);
  });
  const ours = new WeakSet();
  function mark(node) {
    const text = node.data;
    let parent = node.parentElement;
    if (!parent || parent.closest("script,style,textarea")) return;
    if (ours.has(parent)) {
      const whole = stretches(text)[0];
      if (whole && whole[1] - whole[0] === text.length) return;
      // Something else has been written into the mark of before.
      parent.replaceWith(node);
      parent = node.parentElement;
    }
    const found = stretches(text);
    if (parent.tagName === "OPTION") {
      // It takes no elements: it is German as a whole, or not marked.
      if (found.length && found[0][1] - found[0][0] === text.length) parent.lang = "de";
      else parent.removeAttribute("lang");
      return;
    }
    const above = parent.closest("[lang]");
    if (!found.length || (above && root.contains(above))) return;
    const drawn = parent.namespaceURI !== root.namespaceURI, pieces = [];
    let done = 0;
    for (const [from, to] of found) {
      const piece = (drawn ? shape : make)(drawn ? "tspan" : "bdi", { lang: "de", translate: "no" }, [text.slice(from, to)]);
      ours.add(piece);
      pieces.push(text.slice(done, from), piece);
      done = to;
    }
    const filled = [...pieces, text.slice(done)].filter((piece) => piece !== "");
    // In a row of boxes each piece would become a box.
    const boxes = filled.length > 1 && !drawn && /flex|grid/.test(getComputedStyle(parent).display);
    node.replaceWith(...(boxes ? [make("bdi", {}, filled)] : filled));
  }
  function look(node) {
    const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = node.nodeType === Node.TEXT_NODE ? [node] : [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    texts.forEach(mark);
  }
  if (!Object.keys(kinds).length) return;
  look(root);
  new MutationObserver((seen) => seen.forEach((one) => {
    if (one.type === "characterData") look(one.target); else one.addedNodes.forEach(look);
  })).observe(root, { subtree: true, childList: true, characterData: true });
}
