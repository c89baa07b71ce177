"""Drawings of chapter 10: where the norm stands, and what a decoder is fed."""

from course_lab.figures.drawn import no_shift
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Gate, Group
from course_lab.figures.drawn.shelf import drawing


def test_with_pre_norm_nothing_but_sums_stands_on_the_straight_way() -> None:
    parts = drawing("before_or_behind").parts
    norms = [part for part in parts if isinstance(part, Box) and part.text == "norm"]
    ways = sorted({part.x for part in parts if isinstance(part, Gate)})
    assert [sum(norm.x == way for norm in norms) for way in ways] == [0, 2]
    assert len(norms) == 4


def test_each_sub_layer_reads_from_the_straight_way_and_adds_to_it() -> None:
    parts = drawing("before_or_behind").parts
    sums = [part for part in parts if isinstance(part, Gate)]
    ends = [part.points[-1] for part in parts if isinstance(part, Arrow)]
    for part in parts:
        if isinstance(part, Box) and part.text != "norm":
            (own,) = (each for each in sums if each.y == part.y and 0 < part.x - each.x < 100)
            assert (own.x + own.radius, own.y) in ends
            assert (part.x, part.y + part.high / 2) in ends


def test_without_the_shift_the_answer_is_among_what_a_place_may_look_at() -> None:
    parts = drawing("no_shift").parts
    boxes = [part for part in parts if isinstance(part, Box)]
    ways = [part for part in parts if isinstance(part, Arrow)]
    count = len(no_shift.WORDS) - 1
    rows = sorted({box.y for box in boxes})
    written, fed, again, itself = (
        [box.text for box in sorted(boxes, key=lambda box: box.x) if box.y == row] for row in rows
    )
    assert len(written) == count
    assert fed == ["START", *written[:-1]]
    assert again == itself == written
    # An arrow from every place up to its own; one that carries the answer has the mark of a slip.
    for row, given, slip in ((rows[1], fed, []), (rows[3], itself, ["Frau"])):
        arrows = [way for way in ways if way.points[0][1] == row - 14]
        told = [
            box.text for way in arrows for box in boxes if (box.x, box.y) == (way.points[0][0], row)
        ]
        assert told == given[: no_shift.ASKED + 1]
        marked = [word for word, way in zip(told, arrows, strict=True) if way.role == "frame"]
        assert marked == slip == [word for word in told if word == written[no_shift.ASKED]]


def test_each_mask_has_five_by_five_cells_and_hides_the_right_ones() -> None:
    rows: dict[tuple[float, float], dict[str, int]] = {}
    for part in drawing("three_uses").parts:
        if isinstance(part, Cells):
            mask = round((part.x - 70) / 116)
            rows.setdefault((mask, part.y), {})[part.role] = part.count
    seen = [
        [row["weight"] for (m, _), row in sorted(rows.items()) if m == mask] for mask in range(3)
    ]
    assert seen == [[4] * 5, [1, 2, 3, 4, 5], [4] * 5]
    assert all(sum(row.values()) == 5 for row in rows.values())


def test_the_memory_leaves_the_last_layer_through_a_norm() -> None:
    parts = drawing("transformer_layers").parts
    source, target = (part for part in parts if isinstance(part, Group))
    above = [p for p in parts if isinstance(p, Box) and p.text == "norm" and p.y < source.top]
    (last,) = (box for box in above if box.x < target.left)
    ways = [part.points for part in parts if isinstance(part, Arrow)]
    assert any(way[-1] == (last.x - last.wide / 2, last.y) for way in ways)
    (memory,) = (way for way in ways if way[0] == (last.x + last.wide / 2, last.y))
    (cross,) = (p for p in parts if isinstance(p, Box) and p.text == "cross-attention")
    assert memory[-1] == (cross.x - cross.wide / 2, cross.y)
    # Every part of a layer stands in its frame.
    for box in parts:
        if isinstance(box, Box) and box is not last:
            frame = source if box.x < target.left else target
            assert frame.left < box.x - box.wide / 2
            assert box.x + box.wide / 2 < frame.left + frame.wide
            assert frame.top < box.y - box.high / 2
