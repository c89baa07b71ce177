"""Chapter 12: points under a roofline, each with its counted intensity and its stored rate."""

from course_lab.experiments.at_scale import speed
from course_lab.experiments.at_scale.counts import NUMBER, layer_cost


def points() -> dict[str, tuple[float, float]]:
    """Operations a byte, and operations a second, of five pieces of work on one machine."""
    one, many = 384, 64
    layers = {
        "attention": (layer_cost("attention", one), speed.column("length", "attention")[one]),
        "blockwise": (layer_cost("blockwise", 1024), speed.column("length", "blockwise")[1024]),
        "GRU, 1 sentence": (layer_cost("recurrent", one), speed.column("length", "recurrent")[one]),
        f"GRU, {many} sentences": (
            layer_cost("recurrent", speed.BATCH_LENGTH, batch=many),
            speed.column("batch", "recurrent", by="batch")[many],
        ),
    }
    points_by_name = {
        name: (cost.intensity, cost.operations / seconds)
        for name, (cost, seconds) in layers.items()
    }
    (step,) = (r for r in speed.load()["rows"] if (r["part"], r["name"]) == ("cache", "8"))
    operations = 4 * speed.CACHED * speed.HEADS * speed.HEAD_WIDTH
    # Each cached number is read once, multiplied and added.
    points_by_name["decoder's step"] = (2 / NUMBER, operations / step["seconds"])
    return points_by_name
