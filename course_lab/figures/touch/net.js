// What the networks that run in pages share: their weights, their layers, and how they come.

// The tensors and the metadata of a safetensors file in base64: 8 bytes of length, a JSON header,
// then the bytes that it names.
function readTensors(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
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
    const scale = raw[name + "/scale"], values = new Float32Array(raw[name]);
    const [rows, columns] = raw[name].shape;
    for (let i = 0, place = 0; scale && i < rows; i += 1) {
      for (const end = place + columns; place < end; place += 1) values[place] *= scale[i];
    }
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

// r, z, n as in course_lib/recurrent/cells.py: h' = (1 - z) n + z h
function gru(x, h, hidden) {
  const size = hidden.length;
  return hidden.map((before, i) => {
    const reset = sigmoid(x[i] + h[i]), update = sigmoid(x[size + i] + h[size + i]);
    const fresh = Math.tanh(x[2 * size + i] + reset * h[2 * size + i]);
    return (1 - update) * fresh + update * before;
  });
}

// Layers by the names that PyTorch gives their weights.
function layersOf(tensors) {
  const row = (name, i) => {
    const { values, columns } = tensors[name];
    return values.subarray(i * columns, (i + 1) * columns);
  };
  // W x + b, where there is a b
  function linear(name, x, kind = "weight", bias = "bias") {
    const { values, rows, columns } = tensors[`${name}.${kind}`];
    const shift = tensors[`${name}.${bias}`], found = new Float64Array(rows);
    for (let i = 0, place = 0; i < rows; i += 1) {
      let sum = shift ? shift.values[i] : 0;
      for (let j = 0; j < columns; j += 1, place += 1) sum += values[place] * x[j];
      found[i] = sum;
    }
    return found;
  }
  return { row, linear };
}

const headName = (i, heads) => `layer ${Math.floor(i / heads) + 1}, head ${i % heads + 1}`;

// What the heads read for one query, end to end, and the weights of each. `shared` heads have the same
// keys and values; those of places in `hidden` cannot be looked at. A head that is off reads nothing.
// Where `looks` are given they are the weights of every head.
function readHeads(query, { keys, values, hidden }, heads, { shared = 1, isOff = () => false, looks } = {}) {
  const part = query.length / heads, read = new Float64Array(query.length);
  const weights = Array.from({ length: heads }, (_, h) => {
    const own = h * part, theirs = Math.floor(h / shared) * part;
    const row = looks || softmax(keys.map((key, j) => {
      if (hidden?.has(j)) return -Infinity;
      let sum = 0;
      for (let k = 0; k < part; k += 1) sum += query[own + k] * key[theirs + k];
      return sum / Math.sqrt(part);
    }));
    if (!isOff(h)) {
      row.forEach((weight, j) => {
        for (let k = 0; k < part; k += 1) read[own + k] += weight * values[j][theirs + k];
      });
    }
    return row;
  });
  return { read, weights };
}

// What the layers of a Transformer do, by the names of course_lib/models/transformer.py.
function transformerLayers(tensors) {
  const { row, linear } = layersOf(tensors);
  function norm(name, x) {
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const spread = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
    const gain = tensors[`${name}.weight`].values, shift = tensors[`${name}.bias`].values;
    return x.map((value, i) => (value - mean) / Math.sqrt(spread + 1e-5) * gain[i] + shift[i]);
  }
  // √D · E[token] + position
  const placed = (name, id, place) => Float64Array.from(row(name, id), (value, k) => {
    const width = tensors[name].columns;
    return Math.sqrt(width) * value + positional(place, k, width);
  });
  // What a layer of feed-forward adds, its norm before it.
  function think(name, x) {
    const inner = linear(`${name}.feed_forward.inner`, norm(`${name}.around_feed_forward.norm`, x));
    return plus(x, linear(`${name}.feed_forward.outer`, inner.map((value) => Math.max(0, value))));
  }
  const projectKV = (name, vectors, hidden) => ({
    keys: vectors.map((vector) => linear(`${name}.keys`, vector)),
    values: vectors.map((vector) => linear(`${name}.values`, vector)),
    hidden,
  });
  // What is found for one vector, and the weights of the heads; see `readHeads`.
  function attend(name, x, memory, heads, isOff, looks) {
    const { read, weights } = readHeads(linear(`${name}.queries`, x), memory, heads, { isOff, looks });
    return { found: linear(`${name}.output`, read), weights };
  }
  // Vectors that attend to each other, behind their norm: what each finds, and the weights by head.
  function attendEachOther(name, vectors, heads, isOff, hidden) {
    const attention = `${name}.self_attention`, entered = vectors.map((x) => norm(`${name}.around_self.norm`, x));
    const memory = projectKV(attention, entered, hidden);
    const read = entered.map((x) => attend(attention, x, memory, heads, isOff));
    return { found: read.map((one) => one.found),
      weights: Array.from({ length: heads }, (_, h) => read.map((one) => one.weights[h])) };
  }
  // A score for each row of a table.
  const scored = (name, x) => Array.from(linear(name.replace(/\.weight$/, ""), x));
  // How many layers have names that begin like this.
  const layersIn = (name) => {
    let layers = 0;
    while (tensors[`${name}.${layers}.feed_forward.inner.weight`]) layers += 1;
    return layers;
  };
  return { norm, placed, think, projectKV, attend, attendEachOther, scored, layersIn };
}

// wake(act) acts when the network is there; the first time it is fetched, and `build` is given what
// stands in its file. What is said meanwhile is `wait`, if anything.
function netOf(figure, build, wait) {
  const stored = figure.root.querySelector(".cl-net");
  let there = false, waiting = null;
  return (act, silently) => {
    if (there) { act(); return; }
    if (wait && !silently) figure.say(wait);
    waiting = waiting || new Promise((done, fail) => {
      // In a notebook the weights stand in the figure, in the book in a file beside the page.
      if (!stored.dataset.src) { done(stored.textContent.trim()); return; }
      const script = make("script", { src: stored.dataset.src });
      script.addEventListener("load", () => done(window.courseNet));
      script.addEventListener("error", fail);
      document.head.append(script);
    }).then((base64) => { build(readTensors(base64)); there = true; });
    waiting.then(act, () => { waiting = null; figure.say("The network could not be loaded."); });
  };
}
