"""The pictures of the pool's page."""

from pooling.core.pictures import alike, overlap_strip
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
