"""Adjudication: what is in dispute, who decides it, what is official, and what is left open."""

import pytest

from accounts.access import Refused
from assess.access.answers import Stale
from assess.core.answers import Seen
from assess.models.assigning import Assignment
from assess.models.disputes import disputes, opinions, version_of
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.services import handover, reopening
from assess.services.adjudicating import adjudicate, bring
from campaigns.models.trail import AuditEvent
from overview.services.leaving import remove_member
from qrels.services.publishing import publish_qrels
from tests import make, records
from tests.db.judging import act, answer, undo
from tests.db.sharing import lent, of, one_topic, shared


@pytest.fixture
def cleo(db, pooled):
    cleo = make.user("cleo")
    pooled.membership_set.create(user=cleo, role="assessor")
    return cleo


@pytest.fixture
def twice(primary, topic, ben):
    """Ada and Ben differ on d1 by 2, on d2 by 1, on d4 by 3, and not on d3."""
    second = make.assignment(topic, ben, "second")
    for docno, one, other in (("d1", 2, 0), ("d2", 1, 2), ("d3", 1, 1), ("d4", 0, 3)):
        answer(primary, docno, grade=one)
        answer(second, docno, grade=other)
    return primary, second


def ask(campaign, olga, cleo, **how):
    [made] = adjudicate(user=olga, campaign=campaign, assessor=cleo, **how).made
    made.refresh_from_db()
    return made


def served(assignment) -> list[str]:
    """What an adjudicator has to decide, in the order that the page shows it."""
    left = assignment.entries.still_open().filter(judgment=None)
    return [each.docno for each in left.order_by("-priority", "position")]


def official(campaign) -> dict[str, int]:
    return OfficialGrade.objects.grades(campaign)["1"]


def test_whoever_judged_nothing_of_a_topic_gets_its_disputes_the_farthest_first(
    pooled, twice, olga, cleo
):
    made = ask(pooled, olga, cleo)
    assert (made.kind, made.n_entries, made.least_steps) == ("adjudication", 3, 1)
    assert served(made) == ["d4", "d1", "d2"]
    event = AuditEvent.objects.get(kind="adjudication.asked")
    assert event.subject == "Cleo: 3 documents of 1 topic"


def test_only_what_is_so_many_steps_apart_is_served_where_that_is_asked_for(
    pooled, twice, olga, cleo
):
    assert served(ask(pooled, olga, cleo, least_steps=2)) == ["d4", "d1"]


def test_what_an_adjudicator_decides_is_official_and_undone_it_is_not(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    before = official(pooled)
    answer(made, "d1", grade=1)
    now = OfficialGrade.objects.current().get(item__key="d1")
    assert (now.grade, now.rule, now.by) == (1, "adjudication", cleo)
    assert {each.grade for each in twice[0].judgments.filter(item__key="d1")} == {2}
    undo(made)
    assert official(pooled) == before
    answer(made, "d1", "cannot_judge", reason="language")
    assert official(pooled) == before, "who cannot judge decides nothing"


def test_a_judgment_that_changes_later_does_not_change_what_was_decided(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    answer(made, "d1", grade=1)
    answer(twice[0], "d1", grade=3)
    assert official(pooled)["d1"] == 1
    act(reopening.reopen, twice[0], docno="d1")
    assert official(pooled)["d1"] == 1
    act(reopening.reopen, made, docno="d1")
    assert "d1" not in official(pooled)
    answer(twice[0], "d1", grade=3)
    assert official(pooled)["d1"] == 3


def test_what_is_no_longer_in_dispute_is_given_up_and_comes_back_if_it_is_again(
    pooled, twice, olga, cleo
):
    made = ask(pooled, olga, cleo)
    primary, second = twice
    answer(second, "d1", grade=2)
    with pytest.raises(Stale, match=r"^d1 is no longer in dispute, so nothing was recorded\.$"):
        answer(made, "d1", grade=0)
    assert bring(assessor=cleo, assignment=made) == [1]
    assert (served(made), made.n_entries) == (["d4", "d2"], 2)
    answer(second, "d1", grade=1)
    answer(second, "d3", grade=3)
    assert bring(assessor=cleo, assignment=made) == [1, 3]
    assert (served(made), made.n_entries) == (["d4", "d3", "d1", "d2"], 4)
    assert bring(assessor=cleo, assignment=made) == []
    assert bring(assessor=primary.assessor, assignment=primary) == [], "of another kind"


def test_what_was_put_off_counts_no_longer_once_it_is_given_up(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    answer(made, "d1", "later")
    answer(twice[1], "d1", grade=2)
    bring(assessor=cleo, assignment=made)
    made.refresh_from_db()
    assert (made.n_entries, made.n_later) == (2, 0)


def test_what_rests_on_what_an_assessor_said_before_is_refused(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    shown = version_of(opinions(made.entries.get(item__key="d1")))
    answer(twice[0], "d1", grade=3)
    with pytest.raises(Stale, match="What the assessors say of d1 has changed: look at it again"):
        answer(made, "d1", grade=2, seen=Seen(opinions=shown))
    now = version_of(opinions(made.entries.get(item__key="d1")))
    answer(made, "d1", grade=3, seen=Seen(opinions=now))
    assert official(pooled)["d1"] == 3


def test_whoever_adjudicates_the_farthest_can_be_asked_for_the_rest(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo, least_steps=2)
    with pytest.raises(Refused, match="so far apart is decided, or has its adjudicator"):
        adjudicate(user=olga, campaign=pooled, assessor=cleo, least_steps=2)
    again = ask(pooled, olga, cleo, least_steps=1)
    assert (again.pk, again.least_steps) == (made.pk, 1)
    assert served(again) == ["d4", "d1", "d2"]


def test_what_one_could_not_judge_comes_to_the_next(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    answer(made, "d1", "cannot_judge", reason="language")
    answer(made, "d4", grade=3)
    act(handover.take_back, made)
    dora = make.user("dora")
    pooled.membership_set.create(user=dora, role="assessor")
    again = ask(pooled, olga, dora)
    assert served(again) == ["d1", "d2"]
    assert (again.n_judged, again.n_cannot_judge, again.n_entries) == (1, 0, 3)


def test_what_is_agreed_on_by_then_is_not_brought_back(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    for docno in ("d1", "d4"):
        answer(made, docno, grade=1)
    act(reopening.reset, made)
    answer(twice[1], "d1", grade=2)
    aside = made.judgments.exclude(set_aside_at=None).first().set_aside_at
    back = act(reopening.restore, made, set_aside_at=aside)
    assert (back.n, back.n_aside) == (1, 2)
    assert official(pooled)["d1"] == 2
    assert official(pooled)["d4"] == 1
    made.refresh_from_db()
    assert (made.n_entries, made.n_judged, made.n_left) == (2, 1, 1)


def test_nobody_decides_about_their_own_judgments(pooled, twice, olga, ben):
    with pytest.raises(Refused, match="Ben already judges topic 1"):
        adjudicate(user=olga, campaign=pooled, assessor=ben)


def test_an_adjudicator_gets_no_other_part_of_the_topic(pooled, primary, topic, olga, ben, cleo):
    second = make.assignment(topic, ben, "second")
    answer(primary, "d1", grade=0)
    answer(second, "d1", grade=1)
    ask(pooled, olga, cleo)
    with pytest.raises(Refused, match="Cleo already judges topic 1"):
        make.assignment(topic, cleo, "second")


def test_there_is_one_adjudicator_a_topic_and_the_next_goes_on(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    dora = make.user("dora")
    pooled.membership_set.create(user=dora, role="assessor")
    with pytest.raises(Refused, match="is decided, or has its adjudicator"):
        adjudicate(user=olga, campaign=pooled, assessor=dora)
    answer(made, "d4", grade=3)
    act(handover.take_back, made)
    again = ask(pooled, olga, dora)
    assert again.pk == made.pk
    assert served(again) == ["d1", "d2"]
    answer(again, "d4", grade=0)
    assert official(pooled)["d4"] == 0
    undo(again)
    assert official(pooled)["d4"] == 3, "cleo's counts again"


def test_once_all_is_decided_there_is_nothing_to_ask_for(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    for docno in served(made):
        answer(made, docno, grade=1)
    act(handover.take_back, made)
    with pytest.raises(Refused, match="is decided, or has its adjudicator"):
        adjudicate(user=olga, campaign=pooled, assessor=cleo)


def test_an_adjudicator_who_is_removed_leaves_the_topic_to_the_next(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    answer(made, "d4", grade=3)
    membership = pooled.membership_set.get(user=cleo, role="assessor")
    remove_member(user=olga, membership=membership, successor=None)
    made.refresh_from_db()
    assert made.taken_back_at
    assert official(pooled)["d4"] == 3


def test_a_document_of_a_shared_topic_is_in_dispute_once_it_has_its_judgments(
    olga, ada, ben, cleo, pat
):
    campaign = one_topic(olga, pat, [ada, ben, cleo], 2)
    queue = shared(campaign, [ada, ben], n_wanted=2)
    topics = [queue.topic_id]
    for person in (ada, ben):
        lent(of(queue, person))
    answer(of(queue, ada), "d00", grade=0)
    assert disputes(campaign, topics) == []
    answer(of(queue, ben), "d00", grade=3)
    [found] = disputes(campaign, topics)
    assert found.steps == 3
    made = ask(campaign, olga, cleo)
    answer(made, "d00", grade=2)
    assert official(campaign) == {"d00": 2}


def test_opinions_come_under_letters_and_have_names_once_the_document_is_decided(
    pooled, twice, olga, cleo
):
    answer(twice[0], "d1", grade=2, comment="Bridges, at length.")
    made = ask(pooled, olga, cleo)
    entry = made.entries.get(item__key="d1")
    hidden = opinions(entry)
    assert [each.letter for each in hidden] == ["A", "B"]
    assert {(each.name, each.grade, each.comment) for each in hidden} == {
        ("", 2, "Bridges, at length."),
        ("", 0, ""),
    }
    answer(made, "d1", "cannot_judge", reason="language")
    assert {each.name for each in opinions(made.entries.get(item__key="d1"))} == {""}
    answer(made, "d1", grade=1)
    named = opinions(made.entries.get(item__key="d1"))
    assert {each.name: each.grade for each in named} == {"Ada": 2, "Ben": 0}
    assert [each.grade for each in named] == [each.grade for each in hidden], "the same letters"


def test_who_is_a_is_drawn_for_each_document(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    first = set()
    for seed in range(8):
        Assignment.objects.filter(pk=made.pk).update(seed=seed)
        for entry in made.entries.select_related("assignment"):
            entry.assignment.refresh_from_db()
            first.add((entry.docno, opinions(entry)[0].grade))
    assert len(first) == 6, "either grade of each of three documents"


def test_the_qrels_follow_from_the_judgments_kept_with_them(pooled, twice, olga, cleo):
    made = ask(pooled, olga, cleo)
    answer(made, "d1", grade=1)
    answer(made, "d4", grade=2)
    qrels = publish_qrels(user=olga, campaign=pooled)
    rows = records.read(records.kept(qrels.judgments))
    assert {row["kind"] for row in rows} == {"primary", "second", "adjudication"}
    assert make.content(qrels.file) == records.RULES[qrels.rule](rows)
    assert b"1 0 d1 1\n" in make.content(qrels.file)
    assert (qrels.n_adjudicated, qrels.rule_in_words) == (2, "primary assessor; 2 adjudicated")


def test_what_was_adjudicated_since_a_text_was_replaced_is_of_no_earlier_one(
    pooled, twice, olga, cleo
):
    make.imported(pooled, "documents", b"d1\t\tAnother text.", takes_versions=True)
    assert Judgment.objects.n_on_earlier(pooled) == 1
    answer(ask(pooled, olga, cleo), "d1", grade=1, seen=Seen(document_version=2))
    assert Judgment.objects.n_on_earlier(pooled) == 0
    assert publish_qrels(user=olga, campaign=pooled).n_earlier == 0
