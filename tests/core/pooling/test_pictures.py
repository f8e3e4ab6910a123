"""The pictures of the pool's page."""

from datetime import date

import numpy as np
import pytest

from cleverdon.pools.strategy.table import STRATEGIES
from pooling.core.pictures import alike, overlap_strip, size_by_depth, sketch, until_judged
from pooling.core.statistics import PoolSizes
from tests.core.pictures.drawn import drawn


def test_runs_stand_by_team_and_the_two_most_alike_are_named():
    shares = [[1, 0.5, 0.9], [0.5, 1, None], [0.9, None, 1]]
    picture = alike(["b2", "a1", "b1"], ["B", "A", "B"], shares)
    assert (
        picture.sentence
        == "Two runs share 70\N{NO-BREAK SPACE}% of their documents (median); b1 and b2 share "
        "most, 90\N{NO-BREAK SPACE}%."
    )
    assert picture.rows == (("b2", "b1", "90"), ("b2", "a1", "50"), ("b1", "a1", "\u2013"))
    assert drawn(picture)


def test_runs_without_documents_cannot_be_compared():
    nothing = [[None] * 3] * 3
    assert alike(["a", "b", "c"], ["T"] * 3, nothing).sentence == "No two runs can be compared."
    apart = [[1.0, 0.0], [0.0, 1.0]]
    assert alike(["a", "b"], ["T", "U"], apart).sentence == "No two runs share a document."


def test_the_overlap_of_a_run_has_a_tick_for_each_other_and_a_dot_for_all_together():
    marks = drawn(overlap_strip(40, 10, {"a": 20, "b": 4, "c": 20}))
    assert (
        marks.root.get("aria-label")
        == "Other runs brought 75\N{NO-BREAK SPACE}% of its 40 documents too; a has most of "
        "them, 50\N{NO-BREAK SPACE}%."
    )
    assert [mark.get("x1") for mark in marks.all("line", "one")] == ["10%", "50%"]
    assert [mark.get("cx") for mark in marks.all("circle", "dot", "mine")] == ["75%"]
    alone = drawn(overlap_strip(3, 3, {"a": 0})).root.get("aria-label")
    assert alone == "Other runs brought 0\N{NO-BREAK SPACE}% of its 3 documents too."


def test_the_curve_marks_the_depth_that_still_fits_before_the_deadline():
    sizes = PoolSizes(("1", "2"), np.array([[3, 5, 9], [2, 4, 4]]))
    marks = drawn(size_by_depth(sizes, 1, most=(10, "fits before 18 December")))
    assert len(marks.all("circle", "dot", "hollow", "second")) == 1
    assert "fits before 18 December" in marks.texts
    far = drawn(size_by_depth(sizes, 1, most=(99, "fits before 18 December")))
    assert not far.all("circle", "hollow"), "a limit far above would flatten the curve"
    steep = PoolSizes(("1",), np.arange(1, 61)[None] * 100)
    assert len(size_by_depth(steep, 2, most=(1500, "x")).rows) == 30, "no deeper than is of use"
    assert len(size_by_depth(steep, 40, most=(0, "x")).rows) == 60
    assert len(size_by_depth(steep, 2, most=(0, "x")).rows) == 10
    none = drawn(size_by_depth(sizes, 1, most=(4, "fits before 18 December")))
    assert not none.all("circle", "hollow"), "not even depth 1 fits"


@pytest.mark.parametrize(
    ("ends", "deadline", "pool", "batch", "due"),
    [
        (date(2026, 12, 15), date(2026, 12, 19), "20%", "40%", "100%"),
        (date(2026, 12, 19), date(2026, 12, 14), "20%", "80%", "50%"),
        (date(2026, 12, 11), None, "100%", "0%", None),
    ],
)
def test_a_timeline_has_the_pool_the_batch_and_the_deadline(ends, deadline, pool, batch, due):
    marks = drawn(until_judged(date(2026, 12, 9), date(2026, 12, 11), ends, deadline))
    widths = [mark.get("width") for mark in marks.all("rect", "bar")]
    assert widths == ["100%", pool, batch]
    assert [mark.get("x1") for mark in marks.all("line", "upright")] == ([due] if due else [])


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_each_strategy_is_drawn_by_six_columns(strategy):
    columns = strategy.sketch.split()
    assert len(columns) == 6
    assert all(len(each) <= 7 and set(each) <= set("#-o.>") for each in columns)
    marks = drawn(sketch(strategy.sketch))
    cells = sum(mark.get("d").count("h8v4h-8z") for mark in marks.all("path"))
    assert cells == 7 * sum(each != ">" for each in columns)
    taken = [mark for mark in marks.all("path", "bar") if mark.get("class") == "bar"]
    assert taken[0].get("d").count("M") == strategy.sketch.count("#") > 0
