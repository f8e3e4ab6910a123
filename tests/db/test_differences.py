"""Two versions of the qrels document by document, with the rules by which grades came about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.access import NotThere
from assess.models.assigning import Assignment
from assess.services.adjudicating import adjudicate
from assess.services.correcting import correct
from qrels.core import KINDS, Graded, differences, rules_of
from qrels.nouns import DIFFERENCES, compared
from qrels.services.publishing import publish_qrels, withdraw_qrels
from tests import make
from tests.db.judging import answer
from tests.db.sharing import judge_all, of, one_topic, shared

GRADES = st.dictionaries(
    st.tuples(st.sampled_from("12"), st.sampled_from("abc")), st.integers(0, 3)
)


def by_topic(grades) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (topic, docno), grade in grades.items():
        found.setdefault(topic, {})[docno] = grade
    return found


@given(old=GRADES, new=GRADES, levels=st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_two_versions_differ_by_definition(old, new, levels):
    before, after = (
        Graded(by_topic(each), level, dict.fromkeys(each, name), "?")
        for each, level, name in zip((old, new), levels, ("primary", "median"), strict=True)
    )
    found = {(each.topic, each.docno): each for each in differences(before, after)}
    assert [*found] == sorted(found)
    for pair in {*old, *new}:
        its, n = found.get(pair), (pair in old) + 2 * (pair in new)
        flips = n == 3 and (old[pair] >= levels[0]) != (new[pair] >= levels[1])
        assert (its is None) == (old.get(pair) == new.get(pair) and not flips)
        if its:
            kind = {1: "removed", 2: "added"}.get(n) or (
                "changed" if old[pair] != new[pair] else "same"
            )
            assert (its.kind, its.flipped) == (kind, flips)
            assert (its.grade_before, its.grade_after) == (old.get(pair), new.get(pair))
            assert its.rule_before == ("primary" if pair in old else "")
            assert its.rule_after == ("median" if pair in new else "")
            assert [each for each in KINDS if its.is_of(each)] == [
                *([kind] if kind != "same" else []),
                *(["flipped"] if flips else []),
            ]
    only = list(differences(before, after, "1"))
    assert only == [each for each in found.values() if each.topic == "1"]


def test_the_rule_of_each_grade_is_read_from_the_judgments_kept(
    campaign, olga, ada, ben, cleo, pat
):
    campaign = one_topic(olga, pat, [ada, ben, cleo], 4)
    queue = shared(campaign, [ada, ben], n_wanted=2)
    for person, grade in ((ada, 1), (ben, 2)):
        judge_all(of(queue, person), grade)
    [topic] = campaign.topic_set.all()
    first = publish_qrels(user=olga, campaign=campaign)
    adjudicate(user=olga, campaign=campaign, assessor=cleo)
    answer(Assignment.objects.get(kind="adjudication"), "d01", grade=2)
    correct(user=olga, topic=topic, docno="d02", grade=0, reason="Another one.")
    second = publish_qrels(user=olga, campaign=campaign)
    third = publish_qrels(user=olga, campaign=campaign, grades="dawid-skene")
    found = {each.docno: each for each in DIFFERENCES.found(campaign, first.number, second.number)}
    assert {name: its[3:] for name, its in found.items()} == {
        "d01": (1, "median", 2, "adjudication", False),
        "d02": (1, "median", 0, "correction", True),
    }
    other = [*DIFFERENCES.found(campaign, second.number, third.number)]
    assert {each.rule_after for each in other} <= {"dawid-skene"}
    assert "d02" in {each.docno for each in other}


def test_rules_are_told_from_the_lines_of_any_order():
    head = "topic,docno,kind,state,set_aside_at"
    lines = [
        head,
        "1,a,primary,judged,",
        "1,a,second,judged,",
        "1,b,adjudication,judged,",
        "1,b,primary,judged,",
        "1,c,primary,judged,2026-01-01",
        "1,d,primary,cannot_judge,",
        "1,e,second,judged,",
        "1,f,shared,judged,",
        "1,b,correction,judged,",
        "1,g,existing,judged,",
        "1,'=h,duplicate,judged,",
    ]
    lines = [f"{each}\n" for each in lines]
    official = {
        ("1", "a"): "primary",
        ("1", "b"): "correction",
        ("1", "f"): "median",
        ("1", "g"): "existing",
        ("1", "=h"): "duplicate",
    }
    assert rules_of(lines, "median") == official
    assert rules_of([head, lines[3], lines[4]], "median") == {("1", "b"): "adjudication"}
    estimated = {(("1"), docno): "dawid-skene" for docno in "abef"}
    assert rules_of(lines, "", "dawid-skene") == estimated | {
        ("1", "g"): "existing",
        ("1", "=h"): "duplicate",
    }


def test_the_newest_version_is_compared_with_the_one_before_of_its_kind(topic, olga, primary):
    campaign = topic.campaign
    assert compared(campaign) is None
    make.judgment(primary, "d1", 2)
    first = publish_qrels(user=olga, campaign=campaign)
    assert compared(campaign) is None
    imported = make.imported_qrels(campaign, b"1 0 d1 1\n")
    assert compared(campaign) == (first, imported), "forwards"
    make.judgment(primary, "d2", 0)
    second = publish_qrels(user=olga, campaign=campaign)
    assert compared(campaign) == (first, second)
    assert compared(campaign, after=1) == (second, first), "there is none before it"
    withdraw_qrels(user=olga, qrels=second, reason="Wrong.")
    assert compared(campaign, 1, 3) == (first, second), "a withdrawn one if it is named"
    with pytest.raises(NotThere):
        compared(campaign, 1, 9)
    [row] = DIFFERENCES.found(campaign, 2, 1)
    assert (row.kind, row.rule_before, row.rule_after) == ("changed", "imported", "primary")
