"""What is read from the judgments: pairs graded by two, official grades, published qrels."""

import hashlib
from datetime import UTC, datetime

import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from campaigns.models.campaign import Campaign
from qrels.models import Qrels
from qrels.services import publishing
from tests import make
from tests.asked import graded_by
from tests.db.judging import answer
from tests.several import twice_judged


def publish(topic, olga, **given) -> Qrels:
    return publishing.publish_qrels(user=olga, campaign=topic.campaign, **given)


def test_published_qrels_hold_the_primary_grades_and_nothing_unjudged(topic, olga, ben, primary):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(primary, "d2", 0)
    make.judgment(primary, "d1", 2)
    make.judgment(second, "d3", 3)
    answer(primary, "d4", "later")
    answer(primary, "d5", "cannot_judge", reason="unreadable")
    qrels = publish(topic, olga)
    assert make.content(qrels.file) == b"1 0 d1 2\n1 0 d2 0\n"
    assert qrels.sha256 == hashlib.sha256(b"1 0 d1 2\n1 0 d2 0\n").hexdigest()
    assert (qrels.number, qrels.n_judgments, qrels.n_relevant, qrels.n_unjudged) == (1, 2, 1, 6)
    make.judgment(primary, "d3", 1)
    assert publish(topic, olga).number == 2
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
    official, campaign = OfficialGrade.objects.grades, topic.campaign
    with django_assert_num_queries(1):
        assert official(campaign, ["1"]) == {"1": {"d1": 2}}
    assert official(campaign, ["1", "2"]) == {"1": {"d1": 2}, "2": {"d2": 1}}
    assert Assignment.objects.n_official(topic.campaign) == 2
    make.judgment(second, "d3", 1)
    assert twice_judged(topic.campaign) == [("1", "d1", "ada", 2, "ben", 3)]


def test_a_version_equal_to_the_last_is_refused_unless_its_level_differs(topic, olga, primary):
    campaign = topic.campaign
    with pytest.raises(Refused, match="nothing to publish"):
        publish(topic, olga)
    make.judgment(primary, "d1", 2)
    publish(topic, olga, seen="0")
    with pytest.raises(Refused, match="This would be v1 again: the same 1 judgment,"):
        publish(topic, olga)
    with pytest.raises(Refused, match="changed while you had the page open"):
        publish(topic, olga, level=2, seen="0")
    other = publish(topic, olga, level=2, seen="1")
    assert (other.number, other.level, other.n_relevant) == (2, 2, 1)
    campaign.criteria = graded_by(campaign.scale.fixed, 3)
    campaign.save()
    assert Qrels.objects.get(number=2).level == 2


def test_the_same_grades_are_a_new_version_once_more_is_known_of_the_rest(topic, olga, primary):
    make.judgment(primary, "d1", 2)
    for level in (0, 4, -1):
        with pytest.raises(Refused, match="from 1 to 3, the highest there is"):
            publish(topic, olga, level=level)
    first = publish(topic, olga)
    assert first.is_preliminary
    for entry in primary.entries.exclude(item__key="d1"):
        answer(primary, entry.docno, "cannot_judge", reason="unreadable")
    second = publish(topic, olga)
    assert (second.number, second.sha256) == (2, first.sha256)
    assert second.n_cannot_judge > 0
    with pytest.raises(Refused, match="This would be v2 again"):
        publish(topic, olga)


def test_a_version_is_preliminary_until_every_pooled_document_is_decided(topic, olga, ben, primary):
    campaign = topic.campaign
    other = make.assignment(campaign.topic_set.get(number="2"), ben)
    docnos = {
        each: list(each.entries.values_list("item__key", flat=True)) for each in (primary, other)
    }
    answer(primary, docnos[primary].pop(), "cannot_judge", reason="unreadable")
    last = docnos[other].pop()
    for assignment, names in docnos.items():
        for docno in names:
            make.judgment(assignment, docno, 1)
    first = publish(topic, olga)
    assert (first.is_preliminary, first.n_open, first.n_unjudged) == (True, 1, 2)
    make.judgment(other, last, 0)
    second = publish(topic, olga)
    assert (second.is_preliminary, second.n_open, second.n_unjudged) == (False, 0, 1)
    assert second.n_judgments == second.n_pooled - 1


@pytest.mark.parametrize("text", [" \u00a0", "\ufffd\ufffd\x01"])
def test_a_grade_of_what_nobody_can_read_is_not_published(topic, olga, primary, text):
    make.judgment(primary, "d1", 2)
    document = topic.campaign.document_set.filter(docno="d1")
    document.update(title="", text=text)
    with pytest.raises(Refused, match="d1 has a grade for topic 1, but nothing in it"):
        publish(topic, olga)
    document.update(text="The text.")
    assert publish(topic, olga).n_judgments == 1


def test_a_withdrawn_version_stays_and_comes_back(topic, olga, primary):
    campaign = topic.campaign
    make.judgment(primary, "d1", 2)
    qrels = publish(topic, olga)
    with pytest.raises(Refused, match="Say why"):
        publishing.withdraw_qrels(user=olga, qrels=qrels, reason=" ")
    publishing.withdraw_qrels(user=olga, qrels=qrels, reason="Topic 1 was wrong.")
    with pytest.raises(Refused, match="Qrels v1 have been withdrawn already"):
        publishing.withdraw_qrels(user=olga, qrels=qrels, reason="Again.")
    qrels.refresh_from_db()
    assert (qrels.is_withdrawn, qrels.why_withdrawn) == (True, "Topic 1 was wrong.")
    assert make.content(qrels.file) == b"1 0 d1 2\n"
    assert Qrels.objects.newest(campaign) is None
    Qrels.objects.update(withdrawn_at=datetime(2026, 3, 1, 20, tzinfo=UTC))
    Campaign.objects.update(time_zone="Asia/Tokyo")
    assert Qrels.objects.get().withdrawal == "2026-03-02: Topic 1 was wrong."
    # Its number is not given again; the same grades may be published again.
    assert publish(topic, olga).number == 2
    publishing.reinstate_qrels(user=olga, qrels=qrels)
    with pytest.raises(Refused, match="Qrels v1 are not withdrawn"):
        publishing.reinstate_qrels(user=olga, qrels=qrels)
