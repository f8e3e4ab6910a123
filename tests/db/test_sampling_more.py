"""More documents for a second assessor: drawn from the seed, at any time, none twice."""

import pytest

from accounts.access import Invalid, Refused
from assess.services.sampling import sample_more
from cleverdon.trec.versions import version
from tests import make
from tests.db.judging import answer


@pytest.fixture
def second(topic, ben):
    return make.assignment(topic, ben, "second", share=1 / 6)


def docnos(assignment) -> list[str]:
    return list(assignment.entries.order_by("position").values_list("item__key", flat=True))


def more(assignment, n: int, **seen) -> int:
    user = make.organizer_of(assignment.topic.campaign)
    return sample_more(user=user, assignment=assignment, n=n, **seen)


def test_they_come_behind_what_there_is_and_none_comes_twice(primary, second):
    first = docnos(second)
    answer(second, first[0], grade=1)
    assert more(second, 2) == 2
    assert docnos(second)[:1] == first
    second.refresh_from_db()
    assert (second.n_entries, second.n_judged) == (3, 1)
    assert more(second, 99) == 3, "as many as there are"
    assert sorted(docnos(second)) == ["d1", "d2", "d3", "d4", "d5", "d6"]
    with pytest.raises(Refused, match="Ben has every document of topic 1 already"):
        more(second, 1)


def test_which_ones_follows_from_the_seed(second):
    more(second, 2)
    drawn = docnos(second)
    second.entries.filter(position__gt=0).delete()
    second.refresh_from_db()
    type(second).objects.filter(pk=second.pk).update(n_entries=1)
    more(second, 2)
    assert docnos(second) == drawn


def test_nobody_else_has_a_sample(primary, second):
    with pytest.raises(Refused, match="A sample is drawn for a second assessor"):
        more(primary, 1)
    with pytest.raises(Invalid, match="Draw at least one document"):
        more(second, 0)


def test_a_second_click_draws_no_more(second):
    seen = version(second.n_entries)
    more(second, 1, seen=seen)
    with pytest.raises(Refused, match="The assignment, now of 2,"):
        more(second, 1, seen=seen)
