// The Transformer of chapter 10 from its weights: it reads a sentence at once and writes word by word.
// The names are those of course_lib/models/transformer.py, with its norms before the sub-layers.

function transformerNet(tensors, heads) {
  const { norm, placed, think, projectKV, attend, attendEachOther, scored, layersIn } = transformerLayers(tensors);
  const layers = layersIn("encoder");
  const each = (build) => Array.from({ length: layers }, (_, n) => build(n));
  // Where one table serves both languages it has the target's name.
  const sides = { target: "target", source: tensors["source_embed.table.weight"] ? "source" : "target" };
  const embed = (side, id, place) => placed(`${sides[side]}_embed.table.weight`, id, place);

  // Once: the encoder's looks, [layer][head][asks][is asked], and what the decoder's layers ask.
  // Places in `hidden` cannot be looked at.
  function encode(ids, off = new Set(), hidden = new Set()) {
    let x = ids.map((id, place) => embed("source", id, place));
    const looks = each((n) => {
      const name = `encoder.${n}`;
      const { found, weights } = attendEachOther(name, x, heads, (h) => off.has(`${name}.${h}`), hidden);
      x = x.map((vector, i) => think(name, plus(vector, found[i])));
      return weights;
    });
    const memory = x.map((vector) => norm("encoder_norm", vector));
    return { looks, memories: each((n) => projectKV(`decoder.${n}.cross_attention`, memory, hidden)) };
  }

  const start = () => each(() => ({ keys: [], values: [] }));
  // One word on. `caches` holds the keys and values of the words before, by layer, and grows.
  // `forced`, if given, is where every head of the decoder looks in the source.
  function step(memories, caches, token, place, off = new Set(), forced = null) {
    let x = embed("target", token, place);
    const own = [], cross = [];
    each((n) => {
      const name = `decoder.${n}`;
      let entered = norm(`${name}.around_self.norm`, x);
      const fresh = projectKV(`${name}.self_attention`, [entered]);
      caches[n].keys.push(...fresh.keys);
      caches[n].values.push(...fresh.values);
      const read = attend(`${name}.self_attention`, entered, caches[n], heads, (h) => off.has(`decoder.${n}.${h}`));
      x = plus(x, read.found);
      entered = norm(`${name}.around_cross.norm`, x);
      const over = attend(`${name}.cross_attention`, entered, memories[n], heads, (h) => off.has(`cross.${n}.${h}`), forced);
      x = think(name, plus(x, over.found));
      own.push(read.weights);
      cross.push(over.weights);
    });
    return { logits: scored("target_embed.table.weight", norm("decoder_norm", x)), own, cross };
  }

  // Greedy search over a sentence that ends in END. A step for each word, the last of them END if
  // it comes within `most`; the looks of all three uses; `off` holds heads such as "cross.1.0".
  function write(ids, { off = new Set(), most = 40 } = {}) {
    const { looks, memories } = encode(ids, off), caches = start();
    const steps = [], all = { encoder: looks };
    ["decoder", "cross"].forEach((use) => { all[use] = each(() => Array.from({ length: heads }, () => [])); });
    for (let token = START; token !== END && steps.length < most;) {
      const found = step(memories, caches, token, steps.length, off);
      found.logits[PAD] = found.logits[START] = -Infinity;
      const shares = softmax(found.logits);
      token = argmax(shares);
      steps.push({ token, shares });
      each((n) => found.own[n].forEach((row, h) => { all.decoder[n][h].push(row); }));
      each((n) => found.cross[n].forEach((row, h) => { all.cross[n][h].push(row); }));
    }
    return { steps, looks: all };
  }

  return { write, encode, start, step, layers };
}
