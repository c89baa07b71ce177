// The mathematics that figures share.

// Positive weights that sum to one. -Infinity is hidden; where everything is, nothing is found.
function softmax(scores, temperature = 1) {
  const most = Math.max(...scores);
  if (most === -Infinity) return Array.from(scores, () => 0);
  const powers = Array.from(scores, (score) => Math.exp((score - most) / temperature));
  const total = sumOf(powers);
  return powers.map((power) => power / total);
}

const sumOf = (row) => row.reduce((sum, value) => sum + value, 0);
const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
const plus = (x, y) => x.map((value, i) => value + y[i]);
// The place of the largest number.
const argmax = (row) => row.indexOf(Math.max(...row));
// The place whose share of the whole a number in 0..1 falls in.
function drawnFrom(shares, number) {
  const found = shares.findIndex((share) => (number -= share) < 0);
  return found < 0 ? argmax(shares) : found;
}
// The average of the vectors by these weights.
const average = (weights, vectors) => vectors[0].map((_, k) =>
  weights.reduce((sum, weight, i) => sum + weight * vectors[i][k], 0));

// A number of an original position, from the sines and cosines of its place, in pairs.
const positional = (place, k, width) => {
  const angle = place * 10000 ** (-(k - k % 2) / width);
  return k % 2 ? Math.cos(angle) : Math.sin(angle);
};

// Numbers as they are printed: a true minus sign, and none before a zero.
const signed = (value, places) =>
  value.toFixed(places).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
// (x, y)
const pairText = (v) => `(${v.map((x) => (Math.abs(x) < 0.005 ? 0 : x).toFixed(2)).join(", ")})`;

// Of the words of `made` which ones are in `wanted`, where as many as possible are, in order. Where
// either of two words could stay, `later` prefers the later one.
function inOrder(made, wanted, later = false) {
  const longest = Array.from({ length: made.length + 1 }, () => new Uint16Array(wanted.length + 1));
  for (let i = made.length - 1; i >= 0; i -= 1) {
    for (let j = wanted.length - 1; j >= 0; j -= 1) {
      longest[i][j] = made[i] === wanted[j] ? longest[i + 1][j + 1] + 1
        : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const found = made.map(() => false);
  for (let i = 0, j = 0; i < made.length && j < wanted.length;) {
    const skip = longest[i][j + 1] - longest[i + 1][j];
    if (made[i] === wanted[j]) { found[i] = true; i += 1; j += 1; }
    else if (skip > 0 || (later && skip === 0)) j += 1;
    else i += 1;
  }
  return found;
}
