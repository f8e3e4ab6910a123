"""When a shared document is settled."""

import pytest

from assess.core.rules import has_room, is_settled


@pytest.mark.parametrize(
    ("n_wanted", "n_judged", "n_impossible", "settled"),
    [(3, 3, 0, True), (3, 2, 2, False), (3, 2, 3, True), (1, 0, 1, True), (2, 0, 1, False)],
)
def test_a_document_is_settled_by_as_many_grades_as_wanted_or_as_many_who_cannot_judge(
    n_wanted, n_judged, n_impossible, settled
):
    assert is_settled(n_wanted, n_judged, n_impossible) is settled
    assert has_room(n_wanted, n_judged) is (n_judged < n_wanted)
