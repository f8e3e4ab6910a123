"""Versions of the qrels with other grades than the official ones."""

import pytest

from accounts.access import Invalid, Refused, Unconfirmed
from assess.models.assigning import Assignment
from qrels.from_above import BASES, Estimate, VersionBasis
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels, withdraw_qrels
from tests import make
from tests.db.judging import answer


@pytest.fixture
def highest(monkeypatch):
    """A basis of an app above: every judged document has the highest grade that somebody gave."""
    made = {"n_calls": 0}

    def grades(_, judged):
        made["n_calls"] += 1
        found: dict[str, dict[str, int]] = {}
        for each in judged.given:
            its = found.setdefault(each.topic, {})
            its[each.docno] = max(each.grade, its.get(each.docno, 0))
        for (topic, docno), same in judged.carried.items():
            if same in found.get(topic, {}):
                found[topic][docno] = found[topic][same]
        n_earlier = sum(each.is_earlier for each in judged.given)
        return Estimate(found, {"grades": "the highest"}, {"n_earlier": n_earlier})

    row = VersionBasis(
        "highest", "the highest grade given", "the highest grade anybody gave", grades
    )
    monkeypatch.setattr(BASES, "_functions", [lambda _: [row]])
    return made


@pytest.fixture
def twice(topic, ben, primary):
    """d1 has grade 0 officially and 2 by a second assessor, who alone judged d2."""
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(primary, "d1", 0)
    make.judgment(second, "d1", 2)
    make.judgment(second, "d2", 1)
    answer(primary, "d2", "cannot_judge", reason="unreadable")
    answer(primary, "d3", "cannot_judge", reason="unreadable")
    return topic.campaign


def test_a_version_has_the_grades_that_were_asked_for(twice, olga, highest):
    official = publish_qrels(user=olga, campaign=twice)
    other = publish_qrels(user=olga, campaign=twice, grades="highest")
    assert (make.content(official.file), make.content(other.file)) == (
        b"1 0 d1 0\n",
        b"1 0 d1 2\n1 0 d2 1\n",
    )
    assert make.content(official.judgments) == make.content(other.judgments)
    assert (other.basis, other.rule, other.rule_in_words) == (
        "highest",
        "",
        "the highest grade anybody gave",
    )
    assert (other.estimated, str(other), other.marks) == (
        {"grades": "the highest"},
        "qrels v2 (highest)",
        ["preliminary", "highest"],
    )
    assert (official.basis, official.estimated, str(official)) == ("official", None, "qrels v1")
    # d2 has a grade here, though officially it cannot be judged.
    assert (official.n_cannot_judge, other.n_cannot_judge) == (2, 1)
    assert other.n_unjudged == official.n_unjudged - 1


def test_what_nobody_offers_cannot_be_published(twice, olga):
    with pytest.raises(Invalid, match="Choose one of official"):
        publish_qrels(user=olga, campaign=twice, grades="highest")


def test_official_grades_are_in_front_however_new_others_are(twice, olga, highest):
    other = publish_qrels(user=olga, campaign=twice, grades="highest")
    assert Qrels.objects.newest(twice) == other, "there is nothing else"
    imported = make.imported_qrels(twice, b"1 0 d1 2\n")
    assert Qrels.objects.newest(twice) == imported
    official = publish_qrels(user=olga, campaign=twice)
    publish_qrels(user=olga, campaign=twice, grades="highest", level=2)
    assert Qrels.objects.newest(twice) == official


def test_a_version_is_compared_with_the_last_of_its_basis(twice, olga, highest, primary):
    first, second = (
        publish_qrels(user=olga, campaign=twice, grades=each) for each in ("official", "highest")
    )
    for each in ("official", "highest"):
        with pytest.raises(Refused, match=f"This would be v{1 + (each == 'highest')} again"):
            publish_qrels(user=olga, campaign=twice, grades=each)
    make.judgment(primary, "d4", 1)
    third, fourth = (
        publish_qrels(user=olga, campaign=twice, grades=each) for each in ("official", "highest")
    )
    partners = dict(Qrels.objects.with_partners().values_list("number", "partner"))
    assert partners == {
        first.number: None,
        second.number: None,
        third.number: first.number,
        fourth.number: second.number,
    }
    answer(primary, "d4", "later")
    with pytest.raises(Unconfirmed, match="1 grade of v4 would be gone"):
        publish_qrels(user=olga, campaign=twice, grades="highest", accepts="")
    withdraw_qrels(user=olga, qrels=fourth, reason="Wrong.")
    with pytest.raises(Refused, match="This would be v2 again"):
        publish_qrels(user=olga, campaign=twice, grades="highest")
