"""What is read from the judgments: pairs graded by two, official grades, published qrels."""

import pytest

from accounts.access import Refused
from assess import services
from assess.core.rules import QRELS_RULES
from assess.models import Assignment, Judgment, Qrels
from tests import make
from tests.db.judging import answer


def test_documents_graded_by_both_are_paired(topic, ada, ben, primary):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(primary, "d1", 2)
    make.judgment(primary, "d2", 1)
    make.judgment(second, "d1", 3)
    make.judgment(second, "d3", 1)
    assert list(Judgment.objects.twice_judged(topic.campaign)) == [
        ("1", "d1", "ada", 2, "ben", 3)
    ]


def test_published_qrels_hold_the_primary_grades_and_nothing_unjudged(
    topic, olga, ben, primary
):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(primary, "d2", 0)
    make.judgment(primary, "d1", 2)
    make.judgment(second, "d3", 3)
    answer(primary, "d4", "later")
    answer(primary, "d5", "cannot_judge", reason="unreadable")
    qrels = services.publish_qrels(user=olga, campaign=topic.campaign)
    assert make.content(qrels.file) == b"1 0 d1 2\n1 0 d2 0\n"
    assert (qrels.number, qrels.n_judgments, qrels.n_relevant, qrels.n_unjudged) == (
        1,
        2,
        1,
        6,
    )
    make.judgment(primary, "d3", 1)
    assert services.publish_qrels(user=olga, campaign=topic.campaign).number == 2
    assert make.content(Qrels.objects.get(number=1).file) == b"1 0 d1 2\n1 0 d2 0\n"


def test_the_board_reads_the_official_grades_of_the_topics_asked_for(
    topic, ben, primary, django_assert_num_queries
):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    other = make.assignment(topic.campaign.topic_set.get(number="2"), ben)
    make.judgment(primary, "d1", 2)
    make.judgment(second, "d1", 3)
    make.judgment(other, "d2", 1)
    answer(primary, "d2", "later")
    official, pool = Judgment.objects.official, primary.pool
    with django_assert_num_queries(1):
        assert official(pool, ["1"]) == {"1": {"d1": 2}}
    assert official(pool, ["1", "2"]) == {"1": {"d1": 2}, "2": {"d2": 1}}
    assert Assignment.objects.n_official(topic.campaign) == 2


def test_every_rule_that_can_be_stored_can_be_applied():
    assert list(QRELS_RULES) == Qrels.Rule.values


def test_the_hash_is_that_of_the_file(topic, olga, primary):
    import hashlib

    make.judgment(primary, "d2", 0)
    qrels = services.publish_qrels(user=olga, campaign=topic.campaign)
    assert qrels.sha256 == hashlib.sha256(make.content(qrels.file)).hexdigest()


def test_nothing_is_published_before_a_primary_judgment(topic, olga, primary):
    with pytest.raises(Refused, match="nothing to publish"):
        services.publish_qrels(user=olga, campaign=topic.campaign)
