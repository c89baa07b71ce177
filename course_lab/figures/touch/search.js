// Beam search as course_lib/decoding/beam.py does it: one beam is greedy search.

// (5 + |Y|)^α / 6^α, Wu et al. 2016, equation 14
const penalty = (length, alpha) => ((5 + length) / 6) ** alpha;

// The places of the largest numbers, the largest first.
function largest(numbers, count) {
  const places = [];
  numbers.forEach((number, i) => {
    if (places.length === count && !(number > numbers[places[count - 1]])) return;
    if (places.length === count) places.pop();
    let at = places.length;
    while (at > 0 && number > numbers[places[at - 1]]) at -= 1;
    places.splice(at, 0, i);
  });
  return places;
}

// What the best hypothesis wrote: its tokens and, for each and for END, the looks [layer][head].
// `forced(t)` says where every head looks as token t is written, or null. After each step `told` is
// given the best so far, and waited for; where it answers false the search is given up.
const search = async (net, ids, { beams = 1, alpha, most, hidden = new Set(), forced = () => null, told = () => true }) => {
  const { memories } = net.encode(ids, new Set(), hidden);
  const copied = (caches) => caches.map(({ keys, values }) => ({ keys: [...keys], values: [...values] }));
  let live = [{ tokens: [], p: 0, caches: net.start(), looks: [], ended: false }];
  const done = [];
  for (let length = 1; live.length; length += 1) {
    const next = live.flatMap((one) => {
      const { logits, cross } = net.step(memories, one.caches, one.tokens[length - 2] ?? START, length - 1, new Set(), forced(length - 1));
      const top = Math.max(...logits), total = top + Math.log(logits.reduce((sum, x) => sum + Math.exp(x - top), 0));
      logits[PAD] = logits[START] = -Infinity;
      return largest(logits, beams).map((token) => ({ one, token, cross, p: one.p + logits[token] - total }));
    }).sort((a, b) => b.p - a.p).slice(0, beams - done.length);
    const found = next.map(({ one, token, cross, p }) => ({ tokens: token === END ? one.tokens : [...one.tokens, token], p,
      ended: token === END, caches: copied(one.caches), looks: [...one.looks, cross] }));
    done.push(...found.filter((one) => one.ended).map((one) => ({ ...one, score: one.p / penalty(length, alpha) })));
    if (length > most) return done.length ? best() : { ...live[0], ended: false };
    live = found.filter((one) => !one.ended);
    if (!(await told(done.length ? best() : live[0]))) return null;
    if (done.length && live.length && live[0].p / penalty(most + 1, alpha) <= best().score) break;
  }
  return best();

  function best() {
    return done.reduce((one, other) => (other.score > one.score ? other : one));
  }
};
