"""Slips that students make in homework 7, and what they are told."""

from tests.homework.answers import Wrong

WRONG = [
    Wrong(
        "q1",
        "softmax over the wrong dimension",
        """
def partners(e, a, b, mask_a, mask_b):
    rows = e.masked_fill(~mask_b[:, None, :], -torch.inf).softmax(dim=1)
    columns = e.masked_fill(~mask_a[:, :, None], -torch.inf).softmax(dim=1)
    return rows @ b, columns.transpose(1, 2) @ a
""",
        says="Your softmax runs over the premise (dimension 1)",
    ),
    Wrong(
        "q1",
        "one softmax for both sides",
        """
def partners(e, a, b, mask_a, mask_b):
    rows = e.masked_fill(~mask_b[:, None, :], -torch.inf).softmax(dim=2)
    return rows @ b, rows.transpose(1, 2) @ a
""",
        says="You turn the weights of beta round",
    ),
    Wrong(
        "q1",
        "no mask",
        """
def partners(e, a, b, mask_a, mask_b):
    return e.softmax(2) @ b, e.softmax(1).transpose(1, 2) @ a
""",
        says="of a real word changes when padding of b changes",
    ),
    Wrong(
        "q1",
        "the weights of alpha are not transposed",
        """
def partners(e, a, b, mask_a, mask_b):
    rows = e.masked_fill(~mask_b[:, None, :], -torch.inf).softmax(dim=2)
    columns = e.masked_fill(~mask_a[:, :, None], -torch.inf).softmax(dim=1)
    return rows @ b, columns @ a
""",
        says="partners stopped at e (2, 3, 4)",
    ),
    Wrong(
        "q1",
        "writes into the scores",
        """
def partners(e, a, b, mask_a, mask_b):
    rows = e.masked_fill(~mask_b[:, None, :], -torch.inf).softmax(dim=2)
    columns = e.masked_fill_(~mask_a[:, :, None], -torch.inf).softmax(dim=1)
    return rows @ b, columns.transpose(1, 2) @ a
""",
        says="writes into the scores",
        hidden=True,
    ),
    Wrong(
        "q2",
        "the partner first",
        """
def aggregate(compare, words, found, mask):
    compared = compare(torch.cat([found, words], dim=-1))
    return compared.masked_fill(~mask.unsqueeze(-1), 0.0).sum(dim=1)
""",
        says="The word stands first in the pair",
    ),
    Wrong(
        "q2",
        "a mean",
        """
def aggregate(compare, words, found, mask):
    compared = compare(torch.cat([words, found], dim=-1))
    return (compared * mask.unsqueeze(-1)).sum(dim=1) / mask.sum(dim=1, keepdim=True)
""",
        says="That is the mean of the two words",
    ),
    Wrong(
        "q2",
        "compared after the sum",
        """
def aggregate(compare, words, found, mask):
    pairs = torch.cat([words, found], dim=-1) * mask.unsqueeze(-1)
    return compare(pairs.sum(dim=1))
""",
        says="You add up first and compare then",
    ),
    Wrong(
        "q2",
        "zeros before the network instead of after it",
        """
def aggregate(compare, words, found, mask):
    pairs = torch.cat([words, found], dim=-1).masked_fill(~mask.unsqueeze(-1), 0.0)
    return compare(pairs).sum(dim=1)
""",
        says="Zeros in its place before G do not help",
    ),
    Wrong(
        "q2",
        "times the mask",
        """
def aggregate(compare, words, found, mask):
    compared = compare(torch.cat([words, found], dim=-1))
    return (compared * mask.unsqueeze(-1)).sum(dim=1)
""",
        says="0 times nan is nan",
        hidden=True,
    ),
    Wrong(
        "q3",
        "the partner's half",
        """
def blind(weight):
    return weight[:, weight.shape[1] // 2 :]


def equal(weight, bias, other, mask):
    return weight, bias
""",
        says="That half meets the partner",
    ),
    Wrong(
        "q3",
        "the mean over padding",
        """
def blind(weight):
    return weight[:, : weight.shape[1] // 2]


def equal(weight, bias, other, mask):
    half = weight.shape[1] // 2
    return weight[:, :half], bias + other.mean(dim=1) @ weight[:, half:].T
""",
        says="You average the padding too",
    ),
    Wrong(
        "q3",
        "divided by all positions",
        """
def blind(weight):
    return weight[:, : weight.shape[1] // 2]


def equal(weight, bias, other, mask):
    half = weight.shape[1] // 2
    mean = (other * mask.unsqueeze(-1)).mean(dim=1)
    return weight[:, :half], bias + mean @ weight[:, half:].T
""",
        says="You divide by all positions",
    ),
    Wrong(
        "q3",
        "the bias is lost",
        """
def blind(weight):
    return weight[:, : weight.shape[1] // 2]


def equal(weight, bias, other, mask):
    half = weight.shape[1] // 2
    real = mask.unsqueeze(-1)
    mean = (other * real).sum(dim=1) / real.sum(dim=1)
    return weight[:, :half], mean @ weight[:, half:].T
""",
        says="The layer's own bias is lost",
    ),
    Wrong(
        "q4",
        "j - i",
        """
def distance_bias(bias, size):
    most, place = len(bias) // 2, torch.arange(size)
    return bias[(place - place[:, None]).clamp(-most, most) + most]
""",
        says="Yours is turned round",
    ),
    Wrong(
        "q4",
        "far words have no bias",
        """
def distance_bias(bias, size):
    most, place = len(bias) // 2, torch.arange(size)
    apart = place[:, None] - place
    found = bias[apart.clamp(-most, most) + most]
    return found.masked_fill(apart.abs() > most, 0.0)
""",
        says="Words further apart than the biases go share the outermost one",
    ),
    Wrong(
        "q4",
        "numbers that forget where they come from",
        """
def distance_bias(bias, size):
    most, places = len(bias) // 2, range(size)
    apart = [[max(-most, min(most, i - j)) for j in places] for i in places]
    return torch.tensor([[bias[k + most].item() for k in row] for row in apart])
""",
        says="no gradient reaches the biases",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the hypothesis is not shuffled",
        """
def share_moved(model, pairs, seed):
    moved = [model(p, h) != model(p, h) for p, h in pairs]
    return sum(moved) / len(moved)
""",
        says="Do you shuffle the hypothesis",
    ),
    Wrong(
        "q5",
        "shuffled once, though that may change nothing",
        """
def share_moved(model, pairs, seed):
    moved = 0
    for premise, hypothesis in pairs:
        shuffled = sorted(hypothesis)
        moved += model(premise, hypothesis) != model(premise, shuffled)
    return moved / len(pairs)
""",
        says="Do you shuffle the hypothesis",
    ),
    Wrong(
        "q5",
        "pairs that cannot be shuffled are counted",
        """
def share_moved(model, pairs, seed):
    draw, moved = random.Random(seed), 0
    for premise, hypothesis in pairs:
        shuffled = list(hypothesis)
        while len(set(hypothesis)) > 1 and shuffled == hypothesis:
            draw.shuffle(shuffled)
        moved += model(premise, hypothesis) != model(premise, shuffled)
    return moved / len(pairs)
""",
        says="are left out of the share",
    ),
    Wrong(
        "q5",
        "any move counts",
        """
def share_moved(model, pairs, seed):
    draw, moved, tried = random.Random(seed), 0, 0
    for premise, hypothesis in pairs:
        if len(set(hypothesis)) < 2:
            continue
        shuffled = list(hypothesis)
        while shuffled == hypothesis:
            draw.shuffle(shuffled)
        moved += model(premise, hypothesis) != model(premise, shuffled)
        tried += 1
    return moved / tried
""",
        says="a move of less than 1e-4 is none",
        hidden=True,
    ),
    Wrong(
        "q5",
        "an answer without a reason",
        """
def finding():
    return {"plain": 0.0, "intra": 1.0, "why": "because of the sums"}
""",
        says="want 20 words or more",
        hidden=True,
    ),
]
