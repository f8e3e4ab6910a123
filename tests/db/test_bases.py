"""Versions of the qrels with other grades than the official ones."""

from types import SimpleNamespace

import numpy as np
import pytest

from accounts.access import Invalid, Refused, Unconfirmed
from assess.core.records import Basis, Given, JudgmentRecord
from assess.models.assigning import Assignment
from cleverdon.agreement.dawid_skene import estimate
from qrels.bases import dawid_skene
from qrels.from_above import Estimate, VersionBasis
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels, withdraw_qrels
from tests import make, records
from tests.db.judging import answer
from tests.db.sharing import judge_all, of, one_topic, shared

# A judgment of which nothing else matters.
OTHER = JudgmentRecord.carried("1", "a", 0, "existing", "")


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
    monkeypatch.setattr("qrels.bases.of_programs", lambda _: [row])
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


@pytest.fixture
def thrice(olga, ada, ben, cleo, pat):
    """A shared topic of 12 documents: Ada and Ben grade alike, Cleo says 0 of all that is 3."""
    campaign = one_topic(olga, pat, [ada, ben, cleo], 12)
    queue = shared(campaign, [ada, ben, cleo], n_wanted=3)
    for person in (ada, ben, cleo):
        assignment = of(queue, person)
        judge_all(assignment, 0)
        for n in range(0, 12, 2):
            if person != cleo:
                answer(assignment, f"d{n:02}", grade=3)
    return campaign


def test_the_likeliest_grades_by_all_judgments(thrice, olga, ada, cleo):
    qrels = publish_qrels(user=olga, campaign=thrice, grades="dawid-skene")
    assert qrels.grades() == {"1": {f"d{n:02}": 0 if n % 2 else 3 for n in range(12)}}
    found = qrels.estimated
    assert [found[name] for name in ("documents", "judgments", "judged_twice", "by_majority")] == [
        *(12, 36, 12, 12)
    ]
    assert found["by_nobody"] == 0
    assert (found["converged"], found["unlike_official"]) == (True, 0)
    assert found["prior"] == pytest.approx([0.5, 0, 0, 0.5], abs=1e-3)
    of_person = {each["assessor"]: each for each in found["assessors"]}
    assert of_person[cleo.pk]["right"] == pytest.approx(0.5, abs=1e-3)
    assert of_person[cleo.pk]["errors"][3] == pytest.approx([1, 0, 0, 0], abs=1e-3)
    assert of_person[ada.pk]["errors"][3] == pytest.approx([0, 0, 0, 1], abs=1e-3)
    assert of_person[ada.pk]["errors"][1] is None, "nothing can have grade 1"


def test_the_estimate_follows_from_the_judgments_kept_with_it(thrice, olga):
    qrels = publish_qrels(user=olga, campaign=thrice, grades="dawid-skene")
    rows = records.counting(records.read(records.kept(qrels.judgments)))
    items, names = (
        {each: n for n, each in enumerate(sorted({row[name] for row in rows}))}
        for name in ("docno", "assessor")
    )
    ratings = [(items[r["docno"]], names[r["assessor"]], int(r["grade"])) for r in rows]
    again = estimate(*np.array(ratings).T, 4)
    found = qrels.grades()["1"]
    assert [found[docno] for docno in items] == again.grades.tolist()


def test_what_was_judged_once_by_everybody_cannot_be_estimated(topic, olga, primary):
    make.judgment(primary, "d1", 2)
    with pytest.raises(Refused, match="No document has two independent judgments"):
        publish_qrels(user=olga, campaign=topic.campaign, grades="dawid-skene")


def test_what_nobody_judged_here_keeps_its_grade_and_a_duplicate_has_its_originals(ada, ben):
    judged = Basis(keeps_given=True)
    judged.given = [
        Given("1", "a", "ada", 1, is_earlier=True),
        Given("1", "a", "ben", 1, is_earlier=False),
        Given("1", "b", "ada", 0, is_earlier=False),
    ]
    judged.note(OTHER._replace(docno="a"), "adjudication", 0)
    judged.carry("1", "old", 3, "existing", "")
    judged.carry("1", "corrected", 2, "correction", "It was wrong.")
    judged.carry("1", "twin", 0, "duplicate", "a")
    scale = SimpleNamespace(grades=[SimpleNamespace(value=n) for n in range(4)])
    made = dawid_skene(SimpleNamespace(scale=scale), judged)
    assert made.grades == {"1": {"a": 1, "b": 0, "old": 3, "corrected": 2, "twin": 1}}
    assert made.counts == {"n_earlier": 1, "n_corrected": 1}
    assert (made.found["unlike_official"], made.found["with_official"]) == (1, 1)
