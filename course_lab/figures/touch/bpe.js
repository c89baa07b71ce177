// Byte-pair encoding as course_lib/data/tokens/bpe.py does it: words, then the merges in the order in
// which they were learned.
function bytePairs(tokens, merges, twins) {
  const SPACE = "▁", WORD = /[\p{L}\p{M}\p{N}_]+(?:['’-][\p{L}\p{M}\p{N}_]+)*|[^\p{L}\p{M}\p{N}_\s]/gu;
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const ranks = new Map(merges.map((pair, rank) => [pair.join(" "), rank]));

  function normal(text) {
    const plain = text.replaceAll(SPACE, "_").replace(/[\u200b\ufffc]/g, " ").replace(/[\u2010\u2011]/g, "-")
      .replace(/[\0\xad\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g, "");
    return plain.normalize("NFC").split(/\s+/).filter(Boolean).join(" ");
  }
  // Signs that training never saw are one unknown token, however many stand side by side.
  function pieces(word) {
    let parts = [];
    for (const sign of word) {
      const known = ids.has(sign) ? sign : twins[sign] || tokens[UNKNOWN];
      if (known !== tokens[UNKNOWN] || parts[parts.length - 1] !== known) parts.push(known);
    }
    for (;;) {
      const found = parts.slice(1).map((part, i) => ranks.get(`${parts[i]} ${part}`) ?? Infinity);
      const best = Math.min(...found);
      if (best === Infinity) return parts.map((part) => ids.get(part));
      const at = found.indexOf(best);
      parts.splice(at, 2, parts[at] + parts[at + 1]);
    }
  }

  // The words of a sentence, its tokens, and which word each of them belongs to.
  function encode(text) {
    const plain = normal(text), found = [...plain.matchAll(WORD)];
    const spelled = found.map(({ 0: word, index }) => pieces(index === 0 || plain[index - 1] === " " ? SPACE + word : word));
    return { words: found.map(([word]) => word), ids: spelled.flat(), wordOf: spelled.flatMap((part, i) => part.map(() => i)) };
  }
  const written = (id) => (id <= END ? "\ufffd" : tokens[id].replaceAll(SPACE, " "));
  // The words that tokens spell, and which of them each token belongs to.
  function words(all) {
    const text = all.map(written), starts = new Set([...text.join("").matchAll(WORD)].map(({ index }) => index));
    const found = [], wordOf = [];
    let place = 0;
    for (const piece of text) {
      const start = place + piece.length - piece.trimStart().length;
      if (!found.length || (found[found.length - 1].trim() && starts.has(start))) found.push("");
      found[found.length - 1] += piece;
      wordOf.push(found.length - 1);
      place += piece.length;
    }
    return { words: found.map((word) => word.trim()), wordOf };
  }
  const decode = (all) => all.map((id) => tokens[id].replaceAll(SPACE, " ")).join("").split(/\s+/).filter(Boolean).join(" ");

  return { encode, words, decode, written };
}
