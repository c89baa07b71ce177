// The GPT of chapter 14 from its weights. The names are those of course_lib/models/gpt.py, with its
// five changes: RMSNorm, rotary positions, SwiGLU, no biases, heads that share keys and values.

function gptNet(tensors, heads) {
  const { row, linear } = layersOf(tensors), width = tensors["embed.table.weight"].columns;
  let layers = 0;
  while (tensors[`layers.${layers}.self_attention.queries.weight`]) layers += 1;
  const part = tensors["layers.0.self_attention.queries.weight"].rows / heads;
  // So many heads of queries read the same keys and values.
  const shared = heads * part / tensors["layers.0.self_attention.keys.weight"].rows;

  function norm(name, x) {
    const size = Math.sqrt(dot(x, x) / x.length + 1e-5), gain = tensors[`${name}.weight`].values;
    return x.map((value, i) => value / size * gain[i]);
  }
  // Each pair of numbers of each head is turned by the angle of the place.
  function turned(x, place) {
    const found = new Float64Array(x.length);
    for (let i = 0; i < x.length; i += 2) {
      const angle = place * 10000 ** (-(i % part) / part), cos = Math.cos(angle), sin = Math.sin(angle);
      found[i] = x[i] * cos - x[i + 1] * sin;
      found[i + 1] = x[i] * sin + x[i + 1] * cos;
    }
    return found;
  }
  // What the heads read at a place, and the weights of each; keys and values of the place come to `cache`.
  function attend(name, x, cache, place) {
    cache.keys.push(turned(linear(`${name}.keys`, x), place));
    cache.values.push(linear(`${name}.values`, x));
    const { read, weights } = readHeads(turned(linear(`${name}.queries`, x), place), cache, heads, { shared });
    return { found: linear(`${name}.output`, read), weights };
  }
  function think(name, x) {
    const gate = linear(`${name}.gate`, x), inner = linear(`${name}.inner`, x);
    return linear(`${name}.outer`, inner.map((value, i) => value * gate[i] * sigmoid(gate[i])));
  }

  let ids = [], places = [], caches = [];
  // One token on: the logits of the next one, and the weights of all heads, layer by layer.
  function step(id) {
    const looks = [], place = places.length;
    let x = Float64Array.from(row("embed.table.weight", id), (value) => Math.sqrt(width) * value);
    for (let n = 0; n < layers; n += 1) {
      const name = `layers.${n}`;
      const { found, weights } = attend(`${name}.self_attention`, norm(`${name}.around_self.norm`, x), caches[n], place);
      x = plus(x, found);
      x = plus(x, think(`${name}.feed_forward`, norm(`${name}.around_feed_forward.norm`, x)));
      looks.push(...weights);
    }
    places.push({ logits: linear("embed.table", norm("norm", x)), looks });
    ids.push(id);
  }
  // What `step` finds at each place of a text. Of the text before it, what is the same is kept.
  function read(wanted) {
    let same = 0;
    while (same < ids.length && same < wanted.length && ids[same] === wanted[same]) same += 1;
    ids.length = places.length = same;
    caches = Array.from({ length: layers }, (_, n) => ({
      keys: caches[n] ? caches[n].keys.slice(0, same) : [], values: caches[n] ? caches[n].values.slice(0, same) : [] }));
    wanted.slice(same).forEach(step);
    return places.slice();
  }
  return { read };
}
