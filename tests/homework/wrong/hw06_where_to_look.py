"""Slips that students make in homework 6, and what they are told."""

from tests.homework.answers import Wrong

WRONG = [
    Wrong(
        "q1",
        "the ends of the window are left out",
        """
def window(center, real, radius):
    near = (torch.arange(real.shape[1]) - center[:, :, None]).abs() < radius
    return near & real[:, None, :]
""",
        says="Both ends of the window belong to it",
    ),
    Wrong(
        "q1",
        "the window turned round",
        """
def window(center, real, radius):
    return ~((torch.arange(real.shape[1]) - center[:, :, None]).abs() <= radius)
""",
        says="True means that a position is seen.",
    ),
    Wrong(
        "q1",
        "masked after the softmax",
        """
def local_weights(scores, seen):
    return scores.softmax(-1) * seen
""",
        says="The softmax must not count what is unseen",
    ),
    Wrong(
        "q1",
        "unseen scores set to zero",
        """
def local_weights(scores, seen):
    return (scores * seen).softmax(-1)
""",
        says="which one has the exponential 0?",
    ),
    Wrong(
        "q1",
        "padding is seen",
        """
def window(center, real, radius):
    return (torch.arange(real.shape[1]) - center[:, :, None]).abs() <= radius
""",
        says="You see padding",
        hidden=True,
    ),
    Wrong(
        "q1",
        "nan where nothing is seen",
        """
def local_weights(scores, seen):
    return scores.masked_fill(~seen, -torch.inf).softmax(-1)
""",
        says="A softmax over minus infinity alone is 0/0.",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a share for a position",
        """
def predicted_position(states, W_p, v_p, lengths):
    return torch.sigmoid(torch.tanh(states @ W_p.T) @ v_p)
""",
        says="how many words has the sentence?",
    ),
    Wrong(
        "q2",
        "no tanh",
        """
def predicted_position(states, W_p, v_p, lengths):
    return lengths[:, None] * torch.sigmoid(states @ W_p.T @ v_p)
""",
        says="The tanh is missing.",
    ),
    Wrong(
        "q2",
        "σ is D",
        """
def bell(center, size, radius):
    away = torch.arange(size) - center[:, :, None]
    return torch.exp(-(away**2) / (2 * radius**2))
""",
        says="σ is D/2, not D.",
    ),
    Wrong(
        "q2",
        "the lengths meet the target positions",
        """
def predicted_position(states, W_p, v_p, lengths):
    return lengths * torch.sigmoid(torch.tanh(states @ W_p.T) @ v_p)
""",
        says="(B,) is not (B, 1)",
        hidden=True,
    ),
    Wrong(
        "q2",
        "a rounded position",
        """
def bell(center, size, radius):
    away = torch.arange(size) - center.detach()[:, :, None]
    return torch.exp(-2 * (away / radius) ** 2) + 0 * center[:, :, None]
""",
        says="is something rounded, or detached?",
        hidden=True,
    ),
    Wrong(
        "q3",
        "it looks before it moves",
        """
def decode(words, state, annotations, real, parts):
    fed, found, maps = torch.zeros_like(state[0]), [], []
    for word in words.unbind(dim=1):
        scores = (annotations @ state[0][:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -torch.inf).softmax(dim=-1)
        state = lstm_step(torch.cat([word, fed], dim=-1), state, parts)
        context = (weights[:, None, :] @ annotations)[:, 0]
        fed = torch.tanh(torch.cat([context, state[0]], dim=-1) @ parts["W_c"].T)
        found.append(fed)
        maps.append(weights)
    return {"attentional": torch.stack(found, 1), "weights": torch.stack(maps, 1)}
""",
        says="Here the LSTM moves first.",
    ),
    *(
        Wrong(
            "q3",
            slip,
            f"""
def decode(words, state, annotations, real, parts):
    fed, found, maps = torch.zeros_like(state[0]), [], []
    for word in words.unbind(dim=1):
        state = lstm_step(torch.cat([word, fed], dim=-1), state, parts)
        scores = (annotations @ state[0][:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, {fill}).softmax(dim=-1)
        context = (weights[:, None, :] @ annotations)[:, 0]
        joined = torch.cat({joined}, dim=-1) @ parts["W_c"].T
        out = {out}
        fed = {fed}
        found.append(out)
        maps.append(weights)
    return {{"attentional": torch.stack(found, 1), "weights": torch.stack(maps, 1)}}
""",
            says=says,
            hidden=hidden,
        )
        for slip, fill, joined, out, fed, says, hidden in (
            (
                "no tanh",
                "-torch.inf",
                "[context, state[0]]",
                "joined",
                "out",
                "The tanh is missing.",
                False,
            ),
            (
                "state and context swapped",
                "-torch.inf",
                "[state[0], context]",
                "torch.tanh(joined)",
                "out",
                "in this order",
                False,
            ),
            (
                "the state is fed",
                "-torch.inf",
                "[context, state[0]]",
                "torch.tanh(joined)",
                "state[0]",
                "not the LSTM's own state",
                False,
            ),
            (
                "nothing is fed",
                "-torch.inf",
                "[context, state[0]]",
                "torch.tanh(joined)",
                "0 * out",
                "The first step is right and the second is not",
                False,
            ),
            (
                "padding has weight",
                "0.0",
                "[context, state[0]]",
                "torch.tanh(joined)",
                "out",
                "Padding has weight.",
                True,
            ),
            (
                "what is fed is cut off",
                "-torch.inf",
                "[context, state[0]]",
                "torch.tanh(joined)",
                "out.detach()",
                "the first word has no influence",
                True,
            ),
        )
    ),
    *(
        Wrong(
            "q4",
            slip,
            f"""
def estimate(scores, rewards, baseline, drawn):
    alpha = scores.softmax(dim=-1)
    one = torch.eye(len(scores), dtype=scores.dtype)[drawn]
    gain = (rewards[drawn] - baseline)[:, None]
    return {code}
""",
            says=says,
            hidden=hidden,
        )
        for slip, code, says, hidden in (
            (
                "only the drawn score moves",
                "(gain * one).mean(dim=0)",
                "every other score has one too",
                False,
            ),
            (
                "the sign of a loss",
                "-(gain * (one - alpha)).mean(dim=0)",
                "a reward is to grow, it is no loss",
                False,
            ),
            (
                "no baseline",
                "(rewards[drawn][:, None] * (one - alpha)).mean(dim=0)",
                "Where is the baseline?",
                False,
            ),
            (
                "the gradient of α and not of log α",
                "(gain * (one - alpha) * alpha[drawn][:, None] * len(scores)).mean(dim=0)",
                "the gradient of log α, or that of α?",
                False,
            ),
            (
                "a sum over the draws",
                "(gain * (one - alpha)).sum(dim=0)",
                "a mean over the draws, not a sum",
                True,
            ),
            (
                "rewards that were not drawn are read",
                "((one * rewards - one * baseline).sum(-1, True) * (one - alpha)).mean(dim=0)",
                "You read a reward that was not drawn.",
                True,
            ),
        )
    ),
    Wrong(
        "q4",
        "the second moment for the variance",
        """
def variance(scores, rewards, baseline):
    one = [estimate(scores, rewards, baseline, torch.tensor([a])) for a in range(len(scores))]
    return (scores.softmax(-1) @ torch.stack(one).square().sum(-1)).item()
""",
        says="The exact gradient is taken away before squaring.",
        hidden=True,
    ),
    Wrong(
        "q5",
        "links to one side only",
        """
def missed(links, radius):
    out = [[j - i > radius for j, i in sentence] for sentence in links]
    return sum(map(sum, out)) / sum(map(len, out)), sum(map(any, out)) / len(out)
""",
        says="A link may lie on either side of the window",
    ),
    Wrong(
        "q5",
        "the edge is outside",
        """
def missed(links, radius):
    out = [[abs(j - i) >= radius for j, i in sentence] for sentence in links]
    return sum(map(sum, out)) / sum(map(len, out)), sum(map(any, out)) / len(out)
""",
        says="A link at distance D is seen.",
    ),
    Wrong(
        "q5",
        "an answer without a number",
        """
def written_answer():
    return "the radius grows with the length of the sentence because verbs travel far " * 2
""",
        says="name the radius that you found, as a number",
    ),
    Wrong(
        "q5",
        "less than the share",
        """
def radius_for(links, share):
    radius = 0
    while missed(links, radius)[1] >= share and radius < 9:
        radius += 1
    return radius
""",
        says="exactly this share is good enough",
        hidden=True,
    ),
]
