"""Slips that students make in homework 5, and what they are told."""

from tests.homework.answers import Wrong

_SCORES = """
def scores(kind, queries, keys):
    if kind == "distance":
        return {distance}
    if kind == "cosine":
        queries, keys = ({unit} for x in (queries, keys))
    products = queries @ keys.T
    return products / {scale} if kind == "scaled dot" else products
"""
_RIGHT = {
    "distance": "-(queries[:, None] - keys[None]).square().sum(dim=-1) / 2",
    "unit": "x / x.norm(dim=-1, keepdim=True).clamp(min=1e-12)",
    "scale": "math.sqrt(keys.shape[-1])",
}


def _scores(**slip: str) -> str:
    return _SCORES.format(**{**_RIGHT, **slip})


_SMOOTH = """
def smooth(queries, keys, values, bandwidth):
    apart = (queries[:, None] - keys[None]).square().sum(dim=-1)
    return {answer}
"""
_LEAVE = """
def leave_one_out(keys, values, bandwidth):
    scores = -(keys[:, None] - keys[None]).square().sum(dim=-1) / (2 * bandwidth**2)
    own = torch.eye(len(keys), dtype=torch.bool)
    return {answer}
"""
_NEAREST = """
def nearest_weights(values, target):
    {answer}
"""
_MOMENTS = """
def product_moments(d, q_mean, q_var, k_mean, k_var):
    mean = d * q_mean * k_mean
    among = d * k_var * (q_var + q_mean**2)
    return {answer}
"""
_SCALE = """
def right_scale(d, q_mean, q_var, k_mean, k_var):
    mean, variance, among = product_moments(d, q_mean, q_var, k_mean, k_var)
    return {answer}
"""
_ERROR = """
def look_up_error(keys, values, queries, which, temperature):
    scores = queries @ keys.T
    context = {weights} @ values
    return {answer}
"""
_CHOOSE = """
def choose_temperature(keys, values, queries, which):
    {answer}
"""
_FINDING = """
def finding():
    return {{"factor": {factor}, "why": {why}}}
"""
_LONG = '"because " + "the softmax of noisy dot products should be the posterior " * 3'

WRONG = [
    Wrong(
        "q1",
        "divided by d",
        _scores(scale="keys.shape[-1]"),
        says="You divide by d; the variance is d",
    ),
    Wrong(
        "q1",
        "divided by the root of the number of keys",
        _scores(scale="math.sqrt(len(keys))"),
        says="You divide by the root of the number of keys",
    ),
    Wrong(
        "q1",
        "transposed",
        "def scores(kind, queries, keys):\n    return keys @ queries.T\n",
        says="yours is transposed",
    ),
    Wrong(
        "q1",
        "the sign of the distance",
        _scores(distance=_RIGHT["distance"][1:]),
        says="there is a minus",
    ),
    Wrong(
        "q1",
        "the half is missing",
        _scores(distance=_RIGHT["distance"].removesuffix(" / 2")),
        says="It is half the squared distance",
    ),
    Wrong(
        "q1",
        "the distance is not squared",
        _scores(distance="-(queries[:, None] - keys[None]).norm(dim=-1)"),
        says="It is the distance squared",
    ),
    Wrong(
        "q1",
        "the cosine divides by the query alone",
        _SCORES.format(**_RIGHT).replace(
            "queries, keys = (x / x.norm(dim=-1, keepdim=True).clamp(min=1e-12) for x in "
            "(queries, keys))",
            "queries = queries / queries.norm(dim=-1, keepdim=True)",
        ),
        says="Divide by the lengths of both",
    ),
    Wrong(
        "q1",
        "a zero vector gives nan",
        _scores(unit="x / x.norm(dim=-1, keepdim=True)"),
        says="a length of zero must not be divided by",
        hidden=True,
    ),
    Wrong(
        "q1",
        "the distance by three products",
        _scores(
            distance="queries @ keys.T - queries.square().sum(-1)[:, None] / 2 "
            "- keys.square().sum(-1) / 2"
        ),
        says="subtract before you square",
        hidden=True,
    ),
    Wrong(
        "q1",
        "always single precision",
        _scores().replace("queries @", "queries.float() @").replace("keys.T", "keys.float().T"),
        says="want torch.float64",
        hidden=True,
    ),
    Wrong(
        "q2",
        "the bandwidth is not squared",
        _SMOOTH.format(answer="(-apart / (2 * bandwidth)).softmax(-1) @ values"),
        says="You divide by b, not by b²",
    ),
    Wrong(
        "q2",
        "multiplied by the bandwidth",
        _SMOOTH.format(answer="(-apart * bandwidth**2 / 2).softmax(-1) @ values"),
        says="a wide kernel must make far keys count more",
    ),
    Wrong(
        "q2",
        "no half",
        _SMOOTH.format(answer="(-apart / bandwidth**2).softmax(-1) @ values"),
        says="The half in the exponent is missing",
    ),
    Wrong(
        "q2",
        "the distance, not its square",
        _SMOOTH.format(answer="(-apart.sqrt() / (2 * bandwidth**2)).softmax(-1) @ values"),
        says="It is the squared distance",
    ),
    Wrong(
        "q2",
        "the own pair is kept",
        _LEAVE.format(answer="scores.softmax(-1) @ values"),
        says="own pair is still in the average",
    ),
    Wrong(
        "q2",
        "the own weight is cleared after the softmax",
        _LEAVE.format(answer="scores.softmax(-1).masked_fill(own, 0.0) @ values"),
        says="what is left sums to less than one",
    ),
    Wrong(
        "q2",
        "the own score is set to zero",
        _LEAVE.format(answer="scores.masked_fill(own, 0.0).softmax(-1) @ values"),
        says="own pair is still in the average",
    ),
    Wrong(
        "q2",
        "the fraction as it stands",
        """
def smooth(queries, keys, values, bandwidth):
    apart = (queries[:, None] - keys[None]).square().sum(dim=-1)
    kernel = (-apart / (2 * bandwidth**2)).exp()
    return kernel @ values / kernel.sum(-1, keepdim=True)
""",
        says="0/0 is nan",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a finite score for the own pair",
        _LEAVE.format(answer="scores.masked_fill(own, -1e4).softmax(-1) @ values"),
        says="each key reads its nearest neighbour",
        hidden=True,
    ),
    Wrong(
        "q3",
        "a linear sum",
        _NEAREST.format(answer="return torch.linalg.pinv(values.T) @ target"),
        says="as a linear sum",
    ),
    Wrong(
        "q3",
        "the nearest value alone",
        _NEAREST.format(
            answer="return torch.eye(len(values))[(values - target).norm(dim=-1).argmin()]"
        ),
        says="Is there a better average of two?",
    ),
    Wrong(
        "q3",
        "equal weights",
        _NEAREST.format(answer="return torch.full((len(values),), 1 / len(values))"),
        says="do your scores move at all?",
    ),
    Wrong(
        "q3",
        "weights by distance",
        _NEAREST.format(answer="return (-(values - target).square().sum(-1) / 2).softmax(-1)"),
        says="For the target [3.5, 3.0] the nearest average is 2.100 away",
    ),
    Wrong(
        "q3",
        "a linear sum, clipped and divided by its sum",
        """
def nearest_weights(values, target):
    found = (torch.linalg.pinv(values.T) @ target).clamp(min=1e-6)
    return found / found.sum()
""",
        says="the nearest average is",
    ),
    Wrong(
        "q3",
        "the best average of two values",
        """
def nearest_weights(values, target):
    best, weights = None, None
    for i in range(len(values)):
        for j in range(len(values)):
            for step in range(101):
                tried = torch.zeros(len(values))
                tried[i] += step / 100
                tried[j] += 1 - step / 100
                far = (tried @ values - target).norm()
                if best is None or far < best:
                    best, weights = far, tried
    return weights
""",
        says="For the target [1.0, 1.0]",
    ),
    Wrong(
        "q3",
        "too few steps",
        _NEAREST.format(
            answer="""scores = torch.zeros(len(values))
    for _ in range(150):
        scores = scores - 0.1 * (values @ (scores.softmax(-1) @ values - target))
    return scores.softmax(-1)"""
        ),
        says="a value lies further in the direction of the target",
        hidden=True,
    ),
    Wrong(
        "q4",
        "means left out of the variance",
        _MOMENTS.format(answer="mean, d * q_var * k_var, d * q_var * k_var"),
        says="A mean that is not zero adds to the variance",
    ),
    Wrong(
        "q4",
        "the square of the mean stays in",
        _MOMENTS.format(answer="mean, d * (q_var + q_mean**2) * (k_var + k_mean**2), among"),
        says="the square of the mean goes off",
    ),
    Wrong(
        "q4",
        "what is shared counts among the keys",
        _MOMENTS.format(
            answer="mean, among + d * q_var * k_mean**2, among + d * q_var * k_mean**2"
        ),
        says="is not among them",
    ),
    Wrong(
        "q4",
        "one over the variance",
        _SCALE.format(answer="1 / among"),
        says="scores have s² times their variance",
    ),
    Wrong(
        "q4",
        "to divide by, not to multiply by",
        _SCALE.format(answer="among**0.5"),
        says="You would divide by it",
    ),
    Wrong(
        "q4",
        "always one over the root of d",
        _SCALE.format(answer="d**-0.5"),
        says="your scale leaves a variance of",
        hidden=True,
    ),
    Wrong(
        "q4",
        "the whole variance is scaled to one",
        _SCALE.format(answer="variance**-0.5"),
        says="The softmax does not see that",
        hidden=True,
    ),
    Wrong(
        "q5",
        "multiplied by the temperature",
        _ERROR.format(
            weights="(scores * temperature).softmax(-1)",
            answer="(context - values[which]).square().mean().item()",
        ),
        says="scores are divided by it",
    ),
    Wrong(
        "q5",
        "the sum of the errors",
        _ERROR.format(
            weights="(scores / temperature).softmax(-1)",
            answer="(context - values[which]).square().sum().item()",
        ),
        says="not the sum",
    ),
    Wrong(
        "q5",
        "absolute errors",
        _ERROR.format(
            weights="(scores / temperature).softmax(-1)",
            answer="(context - values[which]).abs().mean().item()",
        ),
        says="The error is squared",
    ),
    Wrong(
        "q5",
        "as sharp as can be",
        _CHOOSE.format(answer="return 0.01"),
        says="sure of the wrong pair",
    ),
    Wrong(
        "q5",
        "a temperature of one",
        _CHOOSE.format(answer="return 1.0"),
        says="reads nearly the mean of all",
    ),
    Wrong(
        "q5",
        "a tensor",
        _CHOOSE.format(answer="return torch.tensor(0.1)"),
        says="want a plain number above 0",
    ),
    Wrong(
        "q5",
        "a grid that ends too soon",
        _CHOOSE.format(
            answer="tried = [0.06, 0.08, 0.1, 0.12]\n    return min(tried, key=lambda t: "
            "look_up_error(keys, values, queries, which, t))"
        ),
        says="Is your grid wide and fine enough?",
        hidden=True,
    ),
    Wrong(
        "q5",
        "the temperature grows like the noise",
        _FINDING.format(factor=2, why=_LONG),
        says="but like its variance",
        hidden=True,
    ),
    Wrong(
        "q5",
        "no reason is given",
        _FINDING.format(factor=4, why='"it was measured"'),
        says="15 words at least; yours has 3",
        hidden=True,
    ),
]
