"""Labels: inside, on no other, and off the lines where there is room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pictures.canvas import NARROW, Canvas
from cleverdon.pictures.labels import HEIGHT, LINE, WIDE, Box, Label, Labels, anchor_at
from tests.core.pictures.drawn import drawn

PLACES = st.tuples(st.floats(0, 1), st.floats(40, 200))


def boxes(canvas: Canvas, width: float) -> list[Box]:
    """Where each text of a picture of that width is, as wide as it may be."""
    found = []
    for mark in drawn(canvas.svg("lines", "s")).all("text"):
        x, cls = mark.get("x"), mark.get("class").split()
        at = float(x[:-1]) / 100 * width if x.endswith("%") else float(x) - canvas.left
        at += float(mark.get("dx", 0))
        wide = len(mark.text) * 7.5
        left = at - wide if "end" in cls else at - wide / 2 if "middle" in cls else at
        base = float(mark.get("y")) + float(mark.get("dy", 0))
        # Places are written with one decimal.
        found.append(Box(left, base - HEIGHT, left + wide, base - HEIGHT + LINE - 0.2))
    return found


@given(st.lists(PLACES, min_size=1, max_size=3), st.sampled_from([None, 500]))
def test_labels_lie_on_no_other_and_inside_at_every_width(places, width):
    canvas = Canvas(260, width=width)
    labels = Labels(canvas)
    for n, place in enumerate(places):
        labels.place(Label(place, (f"label {n}",)))
    for across in (NARROW, WIDE) if width is None else (500,):
        found = boxes(canvas, across)
        assert not [1 for n, box in enumerate(found) for other in found[:n] if box.meets(other)]
        assert all(box.left >= -1 and box.right <= across + 1 for box in found)


@pytest.mark.parametrize("place", [(0.0, 100), (1.0, 100), (0.5, 14), (0.5, 255), (1.0, 14)])
def test_a_label_at_an_edge_turns_inside(place):
    canvas = Canvas(260)
    Labels(canvas).place(Label(place, ("deadline 18 Dec", "in nine days")))
    for across in (NARROW, WIDE):
        for box in boxes(canvas, across):
            assert box.left >= -1
            assert box.right <= across + 1
            assert box.top >= -1
            assert box.bottom <= 261


@pytest.mark.parametrize("rises", [True, False])
def test_a_label_leaves_the_line_of_its_mark_free(rises):
    canvas = Canvas(260, width=500)
    labels = Labels(canvas)
    ends = [(0.0, 240.0), (1.0, 40.0)] if rises else [(0.0, 40.0), (1.0, 240.0)]
    labels.avoid_line(ends)
    labels.place(Label((0.5, 140.0), ("a name",)))
    [box] = boxes(canvas, 500)
    (x, y), (to_x, to_y) = ends
    for n in range(101):
        at = 500 * (x + (to_x - x) * n / 100), y + (to_y - y) * n / 100
        assert not box.meets(Box(at[0], at[1], at[0], at[1]))


def test_a_long_line_is_looked_at_all_along():
    labels = Labels(Canvas(260, width=500))
    labels.avoid_line([(n / 1000, 100.0) for n in range(1001)])
    [dots] = labels.dots
    assert min(dot.left for dot in dots) < 1
    assert max(dot.right for dot in dots) > 490
    assert len(dots) < 200


def test_the_label_of_a_limit_stands_where_the_line_does_not_pass():
    canvas = Canvas(260, width=500)
    labels = Labels(canvas)
    labels.avoid_line([(0.0, 90.0), (0.3, 100.0)])
    labels.place_along(100.0, "at most", "strong")
    [box] = boxes(canvas, 500)
    assert box.left > 150


def test_a_label_of_an_axis_is_centered_unless_it_would_stand_outside():
    bare, roomy = Canvas(99), Canvas(99, margin=6)
    anchors = [anchor_at(bare, part, "23 Nov") for part in (0, 0.05, 0.5, 0.95, 1)]
    assert anchors == ["start", "start", "middle", "end", "end"]
    assert anchor_at(roomy, 0, "23 Nov") == "middle"
    assert anchor_at(roomy, 1, "23 Nov") == "end"


def test_a_line_leads_to_a_label_that_is_far_from_its_mark():
    canvas = Canvas(260)
    labels = Labels(canvas)
    for n in range(12):
        labels.place(Label((0.5, 150), (f"label {n}",)), leader="leader")
    drawing = drawn(canvas.svg("lines", "s"))
    texts = [(float(mark.get("dx", 0)), float(mark.get("dy"))) for mark in drawing.all("text")]
    # From the mark to the near edge of the label.
    edges = [(x, base + LINE - HEIGHT if base < 0 else base - HEIGHT) for x, base in texts]
    far = [(x, y) for x, y in edges if abs(y) > LINE]
    assert 0 < len(far) < 12
    leaders = [mark.get("d") for mark in drawing.all("path", "leader")]
    assert leaders == [f"M0 0L{x:g} {y:g}" for x, y in far]


@pytest.mark.parametrize("upright", [0.55, 0.7, 0.8])
def test_a_label_is_not_struck_through_by_an_upright(upright):
    """Its mark lies too near to the right edge for a place there, and on the far side of the line
    only on a phone.
    """
    canvas = Canvas(260)
    labels = Labels(canvas)
    labels.avoid_upright(upright, 240)
    labels.place(Label((0.78, 140.0), ("done 17 Dec", "16 Dec to 19 Dec")))
    for across in (NARROW, WIDE):
        for box in boxes(canvas, across):
            assert box.right <= across + 1
            assert not box.left < upright * across < box.right
