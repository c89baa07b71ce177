// The attention model of chapter 4, from its int8 weights: encode a sentence, then step by step.
// The names are those of course_lib/models/bahdanau.py.

// The tensors and the metadata of a safetensors file in base64: 8 bytes of length, a JSON header,
// then the bytes that it names.
function readTensors(base64) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const raw = {};
  for (const name in header) {
    if (name === "__metadata__") continue;
    const [from, to] = header[name].data_offsets.map((offset) => 8 + length + offset);
    const part = bytes.slice(from, to);
    raw[name] = header[name].dtype === "I8"
      ? new Int8Array(part.buffer)
      : Float32Array.from(new Uint16Array(part.buffer), half);
    raw[name].shape = header[name].shape;
  }
  const tensors = {};
  for (const name in raw) {
    if (name.endsWith("/scale")) continue;
    const scale = raw[name + "/scale"], values = Float32Array.from(raw[name]);
    const [rows, columns] = raw[name].shape;
    if (scale) values.forEach((value, i) => { values[i] = value * scale[Math.floor(i / columns)]; });
    tensors[name] = { values, rows, columns: columns || 1 };
  }
  return { tensors, told: JSON.parse(header.__metadata__.told) };
}

// A half-precision number from its 16 bits.
function half(bits) {
  const sign = bits >> 15 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = (bits & 1023) / 1024;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
}

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

const join = (...parts) => {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) { all.set(part, place); place += part.length; }
  return all;
};

const PAD = 0, UNKNOWN = 1, START = 2, END = 3;

function attentionNet(tensors) {
  const row = (name, i) => {
    const { values, columns } = tensors[name];
    return values.subarray(i * columns, (i + 1) * columns);
  };

  // W x + b
  function linear(name, x, kind = "weight", bias = "bias") {
    const { values, rows, columns } = tensors[`${name}.${kind}`];
    const shift = tensors[`${name}.${bias}`], found = new Float32Array(rows);
    for (let i = 0, place = 0; i < rows; i += 1) {
      let sum = shift ? shift.values[i] : 0;
      for (let j = 0; j < columns; j += 1, place += 1) sum += values[place] * x[j];
      found[i] = sum;
    }
    return found;
  }

  // r, z, n as in course_lib/recurrent/cells.py: h' = (1 - z) n + z h
  function gru(x, h, hidden) {
    const size = hidden.length;
    return hidden.map((before, i) => {
      const reset = sigmoid(x[i] + h[i]), update = sigmoid(x[size + i] + h[size + i]);
      const fresh = Math.tanh(x[2 * size + i] + reset * h[2 * size + i]);
      return (1 - update) * fresh + update * before;
    });
  }

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

  // One step: where it looks, and what it thinks of each word. `covered` holds positions that may
  // not be looked at; `look` is the one position that must be, if it is a number.
  function step(memory, token, hidden, covered, look) {
    const query = linear("score.queries", hidden), energy = tensors["score.energy.weight"].values;
    const scores = memory.keys.map((key, j) => covered && covered.has(j) ? -Infinity
      : key.reduce((sum, part, i) => sum + energy[i] * Math.tanh(query[i] + part), 0));
    const most = Math.max(...scores), powers = scores.map((score) => Math.exp(score - most));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const weights = powers.map((power, j) => look == null ? power / total : Number(j === look));
    const context = new Float32Array(memory.annotations[0].length);
    weights.forEach((weight, j) => {
      memory.annotations[j].forEach((part, i) => { context[i] += weight * part; });
    });
    const word = row("target_embed.table.weight", token);
    const gates = linear("word_gates", word), more = linear("context_gates", context);
    const next = gru(gates.map((gate, i) => gate + more[i]), linear("recurrent_gates", hidden), hidden);
    const pool = linear("output.pool", join(next, word, context)), size = pool.length / 2;
    const logits = linear("output.words", pool.subarray(0, size).map((a, i) => Math.max(a, pool[size + i])));
    logits[PAD] = logits[START] = -Infinity;
    return { hidden: next, weights, token: logits.indexOf(Math.max(...logits)) };
  }

  // Greedy search over a sentence that ends in END; `looks` maps steps to forced positions.
  function write(ids, { covered = new Set(), looks = new Map(), most = 100 } = {}) {
    const memory = encode(ids), steps = [];
    let token = START, hidden = memory.first;
    while (steps.length < most) {
      const found = step(memory, token, hidden, covered, looks.get(steps.length));
      ({ token, hidden } = found);
      if (token === END) break;
      steps.push({ token, weights: found.weights });
    }
    return steps;
  }

  return { encode, step, write };
}
