"""An assessor's own words are theirs alone, whatever becomes of the topic."""

import pytest

from accounts.access import NotThere, NotYours
from assess.services import handover
from desk import services
from desk.core.own_words import Marked, OwnWord, WordChange
from desk.models import TopicWord
from desk.web.words import words_of
from tests import make
from tests.db.actions import doing
from tests.worlds import once


@pytest.fixture
@once
def assignment(campaign, ada):
    return doing.judged(campaign)


def mark(user, assignment, *changes):
    return services.mark_words(
        user=user, assignment=assignment, changes=[WordChange(*each) for each in changes]
    )


def marked(user, assignment) -> Marked:
    return TopicWord.objects.marked(user, assignment.topic_id)


def test_words_are_kept_as_they_were_added_and_removed(assignment, ada):
    mark(ada, assignment, ("add", "Canopy", 2), ("add", "cool*", 3), ("off", "tree"))
    expected = Marked((OwnWord("Canopy", 2), OwnWord("cool*", 3)), ("tree",))
    assert marked(ada, assignment) == expected
    mark(ada, assignment, ("add", "CANOPY", 5), ("off", "Tree"))
    assert marked(ada, assignment) == expected
    mark(ada, assignment, ("remove", "canopy"), ("on", "TREE"), ("remove", "never"))
    assert marked(ada, assignment) == Marked((OwnWord("cool*", 3),))
    mark(ada, assignment, ("remove", "cool*"), ("add", "cool*", 4))
    assert marked(ada, assignment).own == (OwnWord("cool*", 4),)


def test_what_cannot_be_added_stops_none_of_the_others(assignment, ada):
    now, refused = mark(ada, assignment, ("add", "**"), ("add", "canopy"))
    assert [change.text for change, _ in refused] == ["*"]
    assert now == marked(ada, assignment) == Marked((OwnWord("canopy", 1),))


def test_the_next_assessor_of_a_topic_sees_their_own_words_alone(assignment, olga, ada, ben):
    mark(ada, assignment, ("add", "canopy"), ("off", "tree"))
    handover.hand_over(user=olga, assignment=assignment, assessor=ben)
    assignment.refresh_from_db()
    with pytest.raises(NotYours):
        mark(ada, assignment, ("remove", "canopy"))
    mark(ben, assignment, ("add", "shade"))
    assert words_of(assignment, None)["own"] == [{"text": "shade", "mark": 1}]
    assert words_of(assignment, None)["off"] == []
    handover.hand_over(user=olga, assignment=assignment, assessor=ada)
    assignment.refresh_from_db()
    assert words_of(assignment, None)["own"] == [{"text": "canopy", "mark": 1}]


def test_the_second_assessor_of_a_topic_sees_nothing_of_the_first(assignment, ada, ben):
    second = make.assignment(assignment.topic, ben, "second")
    mark(ada, assignment, ("add", "canopy"))
    assert words_of(second, None)["own"] == []
    with pytest.raises(NotThere):
        mark(ben, assignment, ("add", "shade"))


def test_words_go_with_the_account_of_their_author(assignment, ada, ben):
    TopicWord.objects.create(
        assessor=make.user("gone"), topic=assignment.topic, kind="own", text="canopy"
    )
    mark(ada, assignment, ("add", "canopy"))
    TopicWord.objects.get(assessor__username="gone").assessor.delete()
    assert marked(ada, assignment).own
    assert TopicWord.objects.count() == 1
