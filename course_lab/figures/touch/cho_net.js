// The network with one vector of chapter 2, from its weights: a sentence into the vector, and out of
// it word by word. The names are those of course_lib/models/cho.py.

function oneVectorNet(tensors) {
  const { row, linear } = layersOf(tensors);
  const next = (name, input, hidden) => gru(linear(name, input, "weight_ih_l0", "bias_ih_l0"),
    linear(name, hidden, "weight_hh_l0", "bias_hh_l0"), hidden);
  const width = tensors["summary.weight"].rows;

  // The one vector c of a sentence that ends in END.
  function read(ids) {
    let hidden = new Float32Array(width);
    for (const id of ids) hidden = next("encoder.layers", row("embed.table.weight", id), hidden);
    return linear("summary", hidden).map(Math.tanh);
  }

  // How probable each word is at each step, from the vector alone, and which one is chosen: the most
  // probable. It reads its own choices, until it chooses the end mark; or `told`, to their end.
  function write(vector, told = null, most = 40) {
    const steps = [];
    let token = START, hidden = linear("decoder.bridge", vector).map(Math.tanh);
    while (steps.length < (told ? told.length : most)) {
      const word = row("decoder.embed.table.weight", token);
      hidden = next("decoder.cell", join(word, vector), hidden);
      const pool = linear("decoder.output.pool", join(hidden, word, vector)), half_ = pool.length / 2;
      const larger = pool.subarray(0, half_).map((a, i) => Math.max(a, pool[half_ + i]));
      const shares = softmax(linear("decoder.output.words", larger));
      const chosen = order(shares).find((id) => id !== PAD && id !== START);
      if (chosen === END && !told) break;
      steps.push({ token: chosen, shares });
      token = told ? told[steps.length - 1] : chosen;
    }
    return steps;
  }
  return { read, write };
}

// The words from the most to the least probable.
const order = (shares) => shares.map((_, id) => id).sort((a, b) => shares[b] - shares[a]);
