"""Answers to homework 2 that are wrong in the ways in which students' answers are."""

from tests.homework.answers import Wrong

WRITE = """
def write(weights, c, max_length):
    word, state = torch.full((len(c),), START), c
    ids, finished = [[] for _ in range(len(c))], [False] * len(c)
    for _ in range(max_length + 1):
        scores, state = step(word, state, weights)
        scores[:, [PAD, START]] = -torch.inf
        word = scores.argmax(dim=-1)
        for row, chosen in enumerate(word.tolist()):
            finished[row] |= chosen == END
            if not finished[row] and len(ids[row]) < max_length:
                ids[row].append(chosen)
        if all(finished):
            break
    return ids, finished
"""


def but(code: str, line: str, instead: str) -> str:
    """The code with one line changed."""
    if code.count(line) != 1:
        raise ValueError(f"want {line!r} once in the code, got it {code.count(line)} times")
    return code.replace(line, instead)


TEACHER = """
def teacher_forcing(sentences):
    width = max(len(ids) for ids in sentences) + 1
    pad = lambda ids: ids + [PAD] * (width - len(ids))
    target_in = torch.tensor([pad([START, *ids]) for ids in sentences])
    target_out = torch.tensor([pad([*ids, END]) for ids in sentences])
    mask = target_out != PAD
    return target_in, target_out, mask
"""

PERPLEXITY = """
def perplexity(batches):
    total, tokens = 0.0, 0
    for logits, target_out, mask in batches:
        scores, wanted = logits[mask], target_out[mask]
        log_p = scores - scores.logsumexp(-1, keepdim=True)
        total -= log_p.gather(1, wanted[:, None]).sum().item()
        tokens += len(wanted)
    nats = total / tokens
    return nats, math.exp(nats) if nats < 709 else math.inf, tokens
"""

# The sentence as one number, in the vector's own base; each number takes LEVELS values or more.
SHARED = """
def levels_for(length):
    return next(n for n in range(LEVELS, 1000) if n**8 >= 100**length)

def pack(words):
    levels = levels_for(words.shape[1])
    number = torch.zeros(len(words), dtype=torch.long)
    for word in words.unbind(1):
        number = 100 * number + word
    digits = []
    for _ in range(8):
        digits.append(number % levels)
        number = number // levels
    return torch.stack(digits, 1).float() * 2 / (levels - 1) - 1

def unpack(c, length):
    levels = levels_for(length)
    digits = ((c + 1) * (levels - 1) / 2).round().long().clamp(0, levels - 1)
    number = torch.zeros(len(c), dtype=torch.long)
    for digit in reversed(digits.unbind(1)):
        number = levels * number + digit
    words = []
    for _ in range(length):
        words.append(number % 100)
        number = number // 100
    return torch.stack(words[::-1], 1)
"""

# One number a word, a hundred values each: all eight words, but no noise.
ONE_EACH = """
def pack(words):
    c = torch.zeros(len(words), 8)
    c[:, : words.shape[1]] = words / 99 * 2 - 1
    return c

def unpack(c, length):
    return ((c[:, :length] + 1) * 99 / 2).round().long().clamp(0, 99)
"""

# One number a word for long sentences, two numbers with ten values each for short ones.
TWO_EACH = (
    ONE_EACH.replace("def pack", "def pack_long").replace("def unpack", "def unpack_long")
    + """
def pack(words):
    if words.shape[1] > 4:
        return pack_long(words)
    digits = torch.stack([words // 10, words % 10], 2).flatten(1)
    c = torch.zeros(len(words), 8)
    c[:, : digits.shape[1]] = digits / 9 * 2 - 1
    return c

def unpack(c, length):
    if length > 4:
        return unpack_long(c, length)
    digits = ((c + 1) * 9 / 2).round().long().clamp(0, 9)[:, : 2 * length]
    return digits[:, ::2] * 10 + digits[:, 1::2]
"""
)

# The sentence as one number, but as a float32 from five words on.
IN_FLOATS = (
    TWO_EACH.replace("def pack(", "def pack_even(").replace("def unpack(", "def unpack_even(")
    + """
def pack(words):
    if words.shape[1] != 5:
        return pack_even(words)
    number = torch.zeros(len(words))
    for word in words.unbind(1):
        number = number * 100 + word
    digits = []
    for _ in range(8):
        digits.append(number % 18)
        number = (number / 18).floor()
    return torch.stack(digits, 1) * 2 / 17 - 1

def unpack(c, length):
    if length != 5:
        return unpack_even(c, length)
    digits = ((c + 1) * 17 / 2).round().clamp(0, 17)
    number = torch.zeros(len(c))
    for digit in reversed(digits.unbind(1)):
        number = number * 18 + digit
    words = []
    for _ in range(5):
        words.append((number % 100).long())
        number = (number / 100).floor()
    return torch.stack(words[::-1], 1)
"""
)

WRONG = [
    Wrong(
        "q1",
        "both marks in one row",
        but(TEACHER, "[START, *ids]", "[START, *ids, END]").replace(") + 1", ") + 2"),
        says="START and END in one row make it a place too long",
    ),
    Wrong(
        "q1",
        "START is predicted",
        but(
            but(TEACHER, "[*ids, END]", "[START, *ids]"),
            "[START, *ids]) for ids in sentences])\n    target_out",
            "[*ids, END]) for ids in sentences])\n    target_out",
        ),
        says="who would ever write a start mark?",
    ),
    Wrong(
        "q1",
        "no shift",
        but(TEACHER, "pad([START, *ids])", "pad([*ids, END])"),
        says="what does step i read",
    ),
    Wrong(
        "q1",
        "shifted after padding, so that END is fed in the shorter rows",
        """
def teacher_forcing(sentences):
    width = max(len(ids) for ids in sentences) + 2
    whole = [[START, *ids, END] for ids in sentences]
    whole = torch.tensor([ids + [PAD] * (width - len(ids)) for ids in whole])
    return whole[:, :-1], whole[:, 1:], whole[:, 1:] != PAD
""",
        says="Look at the shorter row",
    ),
    Wrong(
        "q1",
        "two slices of one tensor, one of them changed",
        """
def teacher_forcing(sentences):
    width = max(len(ids) for ids in sentences) + 2
    whole = [[START, *ids, END] for ids in sentences]
    whole = torch.tensor([ids + [PAD] * (width - len(ids)) for ids in whole])
    target_in, target_out = whole[:, :-1], whole[:, 1:]
    mask = target_out != PAD
    target_in[target_in == END] = PAD
    return target_in, target_out, mask
""",
        says="slices of one tensor",
    ),
    Wrong(
        "q1",
        "END after the padding",
        """
def teacher_forcing(sentences):
    width = max(len(ids) for ids in sentences)
    padded = torch.tensor([ids + [PAD] * (width - len(ids)) for ids in sentences])
    mark = torch.ones(len(sentences), 1, dtype=torch.long)
    target_out = torch.cat([padded, END * mark], 1)
    return torch.cat([START * mark, padded], 1), target_out, target_out != PAD
""",
        says="the end mark comes after the padding",
    ),
    Wrong(
        "q1",
        "END is not in the mask",
        but(TEACHER, "target_out != PAD", "(target_out != PAD) & (target_out != END)"),
        says="the end mark is predicted too",
    ),
    Wrong(
        "q1",
        "UNKNOWN is masked like padding",
        but(TEACHER, "target_out != PAD", "target_out > UNKNOWN"),
        says="UNKNOWN (1) is a word like others",
        hidden=True,
    ),
    Wrong(
        "q2",
        "tensors are returned",
        but(PERPLEXITY, ".sum().item()", ".sum()").replace("math.exp(nats) if", "nats.exp() if"),
        says="makes a number of a tensor",
    ),
    Wrong(
        "q2",
        "the padding is counted",
        but(
            PERPLEXITY,
            "logits[mask], target_out[mask]",
            "logits.flatten(0, 1), target_out.flatten()",
        ),
        says="one of the four is padding",
    ),
    Wrong(
        "q2",
        "the padding's loss is in the sum",
        but(
            PERPLEXITY,
            "logits[mask], target_out[mask]",
            "logits.flatten(0, 1), target_out.flatten()",
        ).replace("len(wanted)", "int(mask.sum())"),
        says="the padding's loss is in the sum",
    ),
    Wrong(
        "q2",
        "a mean of sentences' means",
        """
def perplexity(batches):
    means, tokens = [], 0
    for logits, target_out, mask in batches:
        own = -logits.log_softmax(-1).gather(2, target_out[..., None])[..., 0]
        means.append((own * mask).sum(1) / mask.sum(1))
        tokens += int(mask.sum())
    nats = torch.cat(means).mean().item()
    return nats, math.exp(nats), tokens
""",
        says="two sentences' means",
    ),
    Wrong(
        "q2",
        "a mean of batches' means",
        """
def perplexity(batches):
    means, tokens = [], 0
    for logits, target_out, mask in batches:
        loss = torch.nn.functional.cross_entropy(logits[mask], target_out[mask])
        means.append(loss.item())
        tokens += int(mask.sum())
    nats = sum(means) / len(means)
    return nats, math.exp(nats), tokens
""",
        says="a mean of the batches' means",
    ),
    Wrong(
        "q2",
        "a mean of batches' perplexities",
        """
def perplexity(batches):
    total, tokens, seems = 0.0, 0, []
    for logits, target_out, mask in batches:
        loss = torch.nn.functional.cross_entropy(logits[mask], target_out[mask]).item()
        seems.append(math.exp(loss))
        total += loss * int(mask.sum())
        tokens += int(mask.sum())
    return total / tokens, sum(seems) / len(seems), tokens
""",
        says="a mean of the batches' perplexities",
    ),
    Wrong(
        "q2",
        "exp of the scores as they are",
        but(
            PERPLEXITY, "scores.logsumexp(-1, keepdim=True)", "scores.exp().sum(-1)[:, None].log()"
        ),
        says="exp(10000) is too large for a float",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a small number under the logarithm",
        but(
            PERPLEXITY,
            "scores - scores.logsumexp(-1, keepdim=True)",
            "(scores.softmax(-1) + 1e-9).log()",
        ),
        says="only hides that",
        hidden=True,
    ),
    Wrong(
        "q2",
        "the exponential of a large mean",
        but(PERPLEXITY, "math.exp(nats) if nats < 709 else math.inf", "math.exp(nats)"),
        says="too large for a float: want inf",
        hidden=True,
    ),
    Wrong(
        "q2",
        "the exponential of a float32",
        but(
            PERPLEXITY,
            "math.exp(nats) if nats < 709 else math.inf",
            "torch.tensor(nats).exp().item()",
        ),
        says="A float32 ends at e to the 88",
        hidden=True,
    ),
    Wrong(
        "q2",
        "inf for a perplexity that a float still holds",
        but(PERPLEXITY, "nats < 709", "nats < 700"),
        says="A Python float holds that",
        hidden=True,
    ),
    Wrong(
        "q2",
        "padding is multiplied by zero",
        """
def perplexity(batches):
    total, tokens = 0.0, 0
    for logits, target_out, mask in batches:
        own = -logits.double().log_softmax(-1).gather(2, target_out[..., None])[..., 0]
        total += (own * mask).sum().item()
        tokens += int(mask.sum())
    nats = total / tokens
    return nats, math.exp(nats) if nats < 709 else math.inf, tokens
""",
        says="choose, do not multiply",
        hidden=True,
    ),
    Wrong(
        "q3",
        "flip",
        """
def reverse_real(vectors, mask):
    return vectors.flip(1)
""",
        says="begins with its padding",
    ),
    Wrong(
        "q3",
        "the index is not spread over D",
        """
def reverse_real(vectors, mask):
    position = torch.arange(vectors.shape[1]).expand(mask.shape)
    source = torch.where(mask, mask.sum(1, keepdim=True) - 1 - position, position)
    return vectors.gather(1, source[..., None])
""",
        says="gather returns the shape of its index",
    ),
    Wrong(
        "q3",
        "the batch is reversed",
        """
def reverse_real(vectors, mask):
    return vectors.flip(0)
""",
        says="the sentences of the batch are swapped",
    ),
    Wrong(
        "q3",
        "the tensor that was given is changed",
        """
def reverse_real(vectors, mask):
    for row, n in enumerate(mask.sum(1).tolist()):
        vectors[row, :n] = vectors[row, :n].flip(0)
    return vectors
""",
        says="the tensor that you were given has changed",
    ),
    Wrong(
        "q3",
        "zeros in the padding",
        """
def reverse_real(vectors, mask):
    out = torch.zeros_like(vectors)
    for row, n in enumerate(mask.sum(1).tolist()):
        out[row, :n] = vectors[row, :n].flip(0)
    return out
""",
        says="have become zeros",
        hidden=True,
    ),
    Wrong(
        "q3",
        "flip and roll, which turns the padding round",
        """
def reverse_real(vectors, mask):
    rows = [v.flip(0).roll(int(m.sum()), 0) for v, m in zip(vectors, mask)]
    return torch.stack(rows)
""",
        says="have changed",
        hidden=True,
    ),
    Wrong(
        "q3",
        "vectors turned round in themselves",
        """
def reverse_real(vectors, mask):
    out = vectors.clone()
    for row, n in enumerate(mask.sum(1).tolist()):
        if n > 1:
            out[row, :n] = vectors[row, :n].flip((0, 1))
    return out
""",
        says="two real positions should change places",
        hidden=True,
    ),
    Wrong(
        "q4",
        "END is kept",
        but(
            WRITE,
            "            finished[row] |= chosen == END\n"
            "            if not finished[row] and len(ids[row]) < max_length:\n"
            "                ids[row].append(chosen)\n",
            "            if not finished[row] and len(ids[row]) < max_length:\n"
            "                ids[row].append(chosen)\n"
            "            finished[row] |= chosen == END\n",
        ),
        says="the end mark is no word of the translation",
    ),
    Wrong(
        "q4",
        "START is fed again",
        but(WRITE, "step(word, state", "step(torch.full_like(word, START), state"),
        says="START",
    ),
    Wrong(
        "q4",
        "one END stops all",
        but(WRITE, "if all(finished)", "if any(finished)"),
        says="has stopped all rows",
    ),
    Wrong(
        "q4",
        "END is left out and the row goes on",
        but(
            WRITE,
            "if not finished[row] and len(ids[row])",
            "if chosen != END and len(ids[row])",
        ),
        says="went on writing after its own end mark",
    ),
    Wrong(
        "q4",
        "no look at the step after the last word",
        but(WRITE, "range(max_length + 1)", "range(max_length)"),
        says="the step after the last allowed word",
        hidden=True,
    ),
    Wrong(
        "q4",
        "a word more than max_length",
        but(WRITE, "not finished[row] and len(ids[row]) < max_length", "not finished[row]"),
        says="max_length is 4",
    ),
    Wrong(
        "q4",
        "PAD and START may be written",
        but(WRITE, "        scores[:, [PAD, START]] = -torch.inf\n", ""),
        says="has the best score and is no word",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the marks' scores are made low, but not lowest",
        but(WRITE, "= -torch.inf", "= -1e4"),
        says="UNKNOWN (1) is the best",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the marks' scores are made very low, but not lowest",
        but(WRITE, "= -torch.inf", "= -1e9"),
        says="UNKNOWN (1) is the best",
        hidden=True,
    ),
    Wrong(
        "q4",
        "of equally probable words the last one",
        but(WRITE, "scores.argmax(dim=-1)", "scores.shape[1] - 1 - scores.flip(-1).argmax(dim=-1)"),
        says="want the smaller id",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the marks are forbidden in the weights",
        but(
            but(WRITE, "        scores[:, [PAD, START]] = -torch.inf\n", ""),
            "    for _ in range",
            '    weights["b"][[PAD, START]] = -torch.inf\n    for _ in range',
        ),
        says="the weights are not as they were",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the state is not handed on",
        but(WRITE, "scores, state = step(word, state", "scores, _ = step(word, state"),
        says="is not handed to the next step",
        hidden=True,
    ),
    Wrong(
        "q5",
        "a number of its own for each word",
        ONE_EACH,
        says="How far apart are two neighbouring values",
    ),
    Wrong(
        "q5",
        "a larger vector",
        ONE_EACH.replace("words / 99 * 2 - 1", "words.float()").replace(
            "((c[:, :length] + 1) * 99 / 2)", "c[:, :length]"
        ),
        says="should stay within -1 and 1",
    ),
    Wrong(
        "q5",
        "cut off, not rounded",
        TWO_EACH.replace("(c + 1) * 9 / 2).round()", "(c + 1) * 9 / 2 + 1e-4)"),
        says="cut off where the nearest level is wanted",
    ),
    Wrong(
        "q5",
        "two numbers of their own for each word",
        TWO_EACH,
        says="If each word has numbers of its own",
        hidden=True,
    ),
    Wrong(
        "q5",
        "counted in floats",
        IN_FLOATS,
        says="no noise",
    ),
    Wrong(
        "q5",
        "counted in floats at every length",
        SHARED.replace("dtype=torch.long", "dtype=torch.float32")
        .replace("number // levels", "(number / levels).floor()")
        .replace("append(number % 100)", "append((number % 100).long())")
        .replace("LEVELS", "2"),
        says="sentences of length 4, no noise",
    ),
    Wrong(
        "q5",
        "26 levels, which meet half-way",
        SHARED.replace("LEVELS", "26"),
        says="moves by 0.04 exactly",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the sentences are remembered beside the vectors",
        """
seen = {}
draw = torch.Generator().manual_seed(0)

def pack(words):
    c = torch.randint(0, 18, (len(words), 8), generator=draw) / 17 * 2 - 1
    seen.setdefault(words.shape[1], []).append((c, words))
    return c

def unpack(c, length):
    keys = torch.cat([k for k, _ in seen[length]])
    return torch.cat([w for _, w in seen[length]])[torch.cdist(c, keys).argmin(1)]
""",
        says="by which other way did the words come to unpack",
        hidden=True,
    ),
]
