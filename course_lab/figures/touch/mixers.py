"""Language models that differ in the mixer: what each recalls of a text, and what it keeps."""

from collections.abc import Mapping, Sequence

from course_lab.figures.touch.core import Interactive, plain, row, sheet, stored


def mixers(
    net: bytes,
    orders: Mapping[str, str],
    answers: Mapping[str, Sequence[str]],
    kept: Mapping[str, tuple[int, int]],
    heads: int,
) -> Interactive:
    """Shows a text of N orders, and how networks go on when they are asked for each of them.

    Args:
        net: a safetensors file; the names of its tensors begin with that of the network.
        orders: the text: names with their dishes, in the order of their ids.
        answers: of each network, the dish that it gives to each name.
        kept: of each network, how many numbers it keeps at first, and how many more of each token.
        heads: H, of a layer.
    """
    told = zip(orders.items(), *answers.values(), strict=True)
    rows = [row([name], plain([dish, *given])) for (name, dish), *given in told]
    name = "What was ordered, and what each network answers"
    return Interactive(
        "mixers",
        f"{len(answers)} language models of {len(net) / 1000:.0f} kB in all, "
        "which differ in the mixer",
        tables=[sheet(name, ["ordered", *answers], rows), stored(net)],
        parts=["net", "bars", "table", "gpt_net"],
        data={
            "names": list(orders),
            "dishes": list(orders.values()),
            "mixers": list(answers),
            "first": [list(given) for given in answers.values()],
            "kept": [list(numbers) for numbers in kept.values()],
            "heads": heads,
        },
    )
