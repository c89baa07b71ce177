// A GPT from its weights, by the names of course_lib/models/gpt.py and linear_gpt.py: RMSNorm, SwiGLU,
// no biases, rotary positions or none, and softmax attention or the delta rule, after a convolution or not.

function gptNet(tensors, heads, { rotary = true } = {}) {
  const { row, linear } = layersOf(tensors), width = tensors["embed.table.weight"].columns;
  let layers = 0;
  while (tensors[`layers.${layers}.self_attention.queries.weight`]) layers += 1;
  const part = tensors["layers.0.self_attention.queries.weight"].rows / heads;
  // So many heads of queries read the same keys and values.
  const shared = heads * part / tensors["layers.0.self_attention.keys.weight"].rows;

  const scaled = (x) => {
    const size = Math.sqrt(dot(x, x) / x.length + 1e-5);
    return x.map((value) => value / size);
  };
  const norm = (name, x) => scaled(x).map((value, i) => value * tensors[`${name}.weight`].values[i]);
  const silu = (x) => x.map((value) => value * sigmoid(value));
  // Each pair of numbers of each head is turned by the angle of the place.
  function turned(x, place) {
    if (!rotary) return x;
    const found = new Float64Array(x.length);
    for (let i = 0; i < x.length; i += 2) {
      const angle = place * 10000 ** (-(i % part) / part), cos = Math.cos(angle), sin = Math.sin(angle);
      found[i] = x[i] * cos - x[i + 1] * sin;
      found[i + 1] = x[i] * sin + x[i + 1] * cos;
    }
    return found;
  }
  // What the heads read at a place, the weights of each, and the keys and values up to here.
  function attend(name, x, past, place) {
    const keys = [...past.keys || [], turned(linear(`${name}.keys`, x), place)];
    const values = [...past.values || [], linear(`${name}.values`, x)];
    const { read, weights } = readHeads(turned(linear(`${name}.queries`, x), place), { keys, values }, heads, { shared });
    return { found: linear(`${name}.output`, read), weights, kept: { keys, values } };
  }
  // The delta rule: each head writes into its rows of the memory what is missing there, and reads them.
  function write(name, x, past) {
    const [query, key, value] = ["queries", "keys", "values"].map((which) => linear(`${name}.${which}`, x));
    const beta = linear(name, x, "beta").map(sigmoid), deep = value.length / heads, memory = [], read = [];
    const unit = (y) => { const size = Math.max(1e-12, Math.hypot(...y)); return y.map((one) => one / size); };
    for (let h = 0; h < heads; h += 1) {
      const own = (y, size) => y.slice(h * size, (h + 1) * size), k = unit(silu(own(key, part)));
      const before = Array.from(k, (_, i) => past.memory?.[h * part + i] || new Float64Array(deep));
      const old = average(k, before), missing = own(value, deep).map((one, j) => beta[h] * (one - old[j]));
      const after = before.map((line, i) => line.map((one, j) => one + k[i] * missing[j]));
      memory.push(...after);
      read.push(...scaled(average(unit(silu(own(query, part))), after)));
    }
    return { found: linear(`${name}.output`, read), weights: [], kept: { memory } };
  }
  // Each number of the last few vectors by its own weights.
  function convolved(name, x, recent = []) {
    if (!tensors[`${name}.weight`]) return { y: x, recent };
    const { rows } = tensors[`${name}.weight`], seen = [...recent, x].slice(-rows);
    const y = x.map((_, i) => sumOf(seen.map((one, j) => one[i] * row(`${name}.weight`, rows - seen.length + j)[i])));
    return { y, recent: seen.slice(1 - rows) };
  }
  function think(name, x) {
    const gate = silu(linear(`${name}.gate`, x));
    return linear(`${name}.outer`, linear(`${name}.inner`, x).map((value, i) => value * gate[i]));
  }

  // One token on: the logits of the next one, the weights of all heads, layer by layer, and what each
  // layer keeps of the tokens so far.
  function step(id, place, past) {
    const looks = [], kept = [];
    let x = Float64Array.from(row("embed.table.weight", id), (value) => Math.sqrt(width) * value);
    for (let n = 0; n < layers; n += 1) {
      const name = `layers.${n}`, before = past?.[n] || {}, attention = `${name}.self_attention`;
      const { y, recent } = convolved(`${name}.convolution`, norm(`${name}.around_self.norm`, x), before.recent);
      const mixed = (tensors[`${attention}.beta`] ? write : attend)(attention, y, before, place);
      x = plus(x, mixed.found);
      x = plus(x, think(`${name}.feed_forward`, norm(`${name}.around_feed_forward.norm`, x)));
      looks.push(...mixed.weights);
      kept.push({ ...mixed.kept, recent });
    }
    return { logits: linear("embed.table", norm("norm", x)), looks, kept };
  }
  let ids = [], places = [];
  // What `step` finds at each place of a text. Of the text before it, what is the same is kept.
  function read(wanted) {
    let same = 0;
    while (same < ids.length && same < wanted.length && ids[same] === wanted[same]) same += 1;
    places = places.slice(0, same);
    wanted.slice(same).forEach((id) => places.push(step(id, places.length, places[places.length - 1]?.kept)));
    ids = [...wanted];
    return places.slice();
  }
  return { read };
}
