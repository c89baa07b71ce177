// The attention model of chapter 4, from its int8 weights: encode a sentence, then step by step.
// The names are those of course_lib/models/bahdanau.py.

function attentionNet(tensors) {
  const { row, linear } = layersOf(tensors);

  function read(ids, direction) {
    const layer = "encoder.layers", end = `_l0${direction}`;
    let hidden = new Float32Array(tensors[`${layer}.weight_hh${end}`].columns);
    return ids.map((id) => {
      const x = linear(layer, row("source_embed.table.weight", id), `weight_ih${end}`, `bias_ih${end}`);
      hidden = gru(x, linear(layer, hidden, `weight_hh${end}`, `bias_hh${end}`), hidden);
      return hidden;
    });
  }

  // The annotations h_j, their keys U h_j, and the first state.
  function encode(ids) {
    const forward = read(ids, ""), back = read([...ids].reverse(), "_reverse").reverse();
    const annotations = forward.map((state, j) => join(state, back[j]));
    return {
      annotations,
      keys: annotations.map((annotation) => linear("score.keys", annotation)),
      first: linear("bridge", back[0]).map(Math.tanh),
    };
  }

  // One step: where it looks, the word that it writes, and how sure it is of it. `covered` holds positions that may
  // not be looked at; `look` is the one position that must be, if it is a number.
  function step(memory, token, hidden, covered, look) {
    const query = linear("score.queries", hidden), energy = tensors["score.energy.weight"].values;
    const scores = memory.keys.map((key, j) => covered && covered.has(j) ? -Infinity
      : key.reduce((sum, part, i) => sum + energy[i] * Math.tanh(query[i] + part), 0));
    const weights = softmax(scores).map((share, j) => (look == null ? share : Number(j === look)));
    const context = average(weights, memory.annotations);
    const word = row("target_embed.table.weight", token);
    const gates = linear("word_gates", word), more = linear("context_gates", context);
    const next = gru(plus(gates, more), linear("recurrent_gates", hidden), hidden);
    const pool = linear("output.pool", join(next, word, context)), size = pool.length / 2;
    const logits = linear("output.words", pool.subarray(0, size).map((a, i) => Math.max(a, pool[size + i])));
    logits[PAD] = logits[START] = -Infinity;
    const best = argmax(logits);
    return { hidden: next, weights, token: best, sure: softmax(logits)[best] };
  }

  // Greedy search over a sentence that ends in END; `looks` maps steps to forced positions.
  function write(ids, { covered = new Set(), looks = new Map(), most = 100 } = {}) {
    const memory = encode(ids), steps = [];
    let token = START, hidden = memory.first;
    while (steps.length < most) {
      const found = step(memory, token, hidden, covered, looks.get(steps.length));
      ({ token, hidden } = found);
      if (token === END) break;
      steps.push({ token, weights: found.weights, sure: found.sure });
    }
    return steps;
  }

  return { encode, step, write };
}
