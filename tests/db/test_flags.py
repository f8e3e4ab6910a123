"""Flags of a campaign: what they read, whose they are, and which documents they lead to."""

from datetime import UTC, datetime, timedelta

import pytest

from agreement.core import findings
from agreement.core.findings import NO_GRADE
from agreement.figures import Flagged, documents_of, flagged, flags, work_of
from assess.models import pacing
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import reopening
from assess.services.adjudicating import adjudicate
from collection.models.items import Item
from tests import make
from tests.db.controls import number_of, say
from tests.db.judging import act, answer, undo
from tests.db.practicing import LINES, answered
from tests.worlds import once

DOCNOS = [f"d{n:02}" for n in range(40)]
AT = datetime(2026, 5, 3, 9, tzinfo=UTC)


@pytest.fixture
@once
def campaign_judged(olga, ada, ben, pat):
    """Ada takes 4 s for each of ten documents and 40 s for thirty; Ben, second, 40 s for all."""
    made = make.campaign(olga, assessors=[ada, ben], participants={"T": [pat]}, docnos=DOCNOS)
    make.frozen_pool(made, [make.run(made, pat, {"1": " ".join(DOCNOS)})], depth=40)
    topic = made.topic_set.get(number="1")
    for person, kind in ((ada, "primary"), (ben, "second")):
        given = make.assignment(topic, person, kind)
        for n, docno in enumerate(DOCNOS):
            quick = person == ada and 15 <= n < 25
            make.judgment(given, docno, n % 2, active_ms=4000 if quick else 40_000)
            at = AT + timedelta(minutes=n)
            Judgment.objects.filter(assessor=person, item__key=docno).update(decided_at=at)
    return made


def told(campaign) -> list[tuple[str, str, str | None, int]]:
    return [
        (each.kind.key, each.assessor.username, each.number, len(each.found.ids))
        for each in flags(campaign)
    ]


def of_person(campaign, person):
    its = work_of(campaign).judged
    return its.only(its.assessor == person.pk)


def test_a_flag_leads_to_exactly_its_documents_in_order(campaign_judged, ada):
    [flag] = flags(campaign_judged)
    assert (flag.kind.key, flag.assessor, flag.number) == ("quick-documents", ada, "1")
    assert flag.since == AT + timedelta(minutes=15)
    rows = list(documents_of(flagged([flag])))
    assert [each.judgment.docno for each in rows] == DOCNOS[15:25]
    assert {each.judgment.assessor for each in rows} == {ada}
    assert {each.active_seconds for each in rows} == {4.0}
    assert rows[0].judgment.pk == flag.first
    assert rows[0].decided_at == flag.since


def test_what_is_judged_again_at_leisure_is_flagged_no_more(campaign_judged):
    given = Judgment.objects.counting().filter(assessor__username="ada").first().assignment
    answer(given, DOCNOS[15], grade=1, active_ms=30_000)
    assert told(campaign_judged) == []


def test_the_order_of_judging_is_that_of_the_first_decisions(primary, pooled, ada):
    for n, docno in enumerate(("d3", "d1", "d2")):
        answer(primary, docno, grade=n)
        at = AT + timedelta(minutes=-n)
        Judgment.objects.filter(item__key=docno).update(decided_at=at)
    answer(primary, "d3", grade=3)
    assert of_person(pooled, ada).grade.tolist() == [2, 1, 3]


def test_what_does_not_count_is_not_read(primary, pooled, ada):
    answer(primary, "d1", grade=1)
    answer(primary, "d2", grade=1)
    answer(primary, "d3", "later")
    answer(primary, "d4", "cannot_judge", reason="other")
    undo(primary)
    answer(primary, "d5", "cannot_judge", reason="other")
    assert of_person(pooled, ada).grade.tolist() == [1, 1, NO_GRADE]
    act(reopening.reset, primary)
    assert len(work_of(pooled).judged.at) == 0


def test_neither_controls_nor_practice_nor_adjudication_are_read_as_judging(mixed, ada, ben, olga):
    campaign, cleo = mixed.topic.campaign, make.user("cleo")
    campaign.membership_set.create(user=cleo, role="assessor")
    say(mixed, number_of(mixed, "known"), grade=3)
    say(mixed, number_of(mixed, "primary", "d1"), grade=3)
    answered(ben, make.practice(campaign, LINES))
    second = make.assignment(mixed.topic, ben, "second")
    answer(second, "d1", grade=0)
    [decided] = adjudicate(user=olga, campaign=campaign, assessor=cleo).made
    answer(decided, "d1", grade=1)
    its = work_of(campaign)
    assert its.judged.assessor.tolist() == sorted([ada.pk, ben.pk])
    assert [each.kind for each in its.answers] == ["known"], "answers to controls are"


def test_an_organizers_acts_have_no_time_of_the_assessor(primary, pooled, ada):
    answer(primary, "d1", grade=1, active_ms=3000)
    answer(primary, "d1", grade=2, active_ms=2000)
    assert of_person(pooled, ada).seconds.tolist() == [5]
    [_, last] = JudgmentEvent.objects.order_by("pk")
    make.rewrite(JudgmentEvent.objects.filter(pk=last.pk), by=make.organizer_of(pooled))
    assert of_person(pooled, ada).seconds.tolist() == [3]
    [shown] = documents_of([Flagged(None, last.judgment_id, "")])
    assert shown.active_seconds == 3


def test_a_judgment_knows_the_batch_that_brought_its_document(olga, ada, pat):
    """Not a draft of the same, nor a later batch, which has it as what is in the pool."""
    made = make.campaign(olga, assessors=[ada], participants={"T": [pat]})
    runs = [make.run(made, pat, {"1": "d1 d2 d3 d4"})]
    make.batch(made, runs, depth=3)
    first = make.batch(made, runs, depth=2)
    make.frozen(first)
    given = make.assignment(made.topic_set.get(number="1"), ada)
    answer(given, "d1", grade=1)
    later = make.batch(made, runs, depth=4)
    make.frozen(later)
    answer(given, "d4", grade=0)
    assert of_person(made, ada).batch.tolist() == [first.pk, later.pk]


def test_other_campaigns_and_other_items_than_documents_are_not_read(primary, pooled, olga, ada):
    answer(primary, "d1", grade=1)
    assert len(work_of(make.campaign(olga)).judged.at) == 0
    Item.objects.filter(key="d1").update(kind="claim")
    assert len(work_of(pooled).judged.at) == 0


def test_controls_that_are_missed_are_flagged_with_the_grade_expected(mixed, ada, monkeypatch):
    monkeypatch.setattr("agreement.core.flags.ENOUGH", 1)
    monkeypatch.setattr("agreement.core.accuracy.wilson", lambda hits, n: (0.0, hits / n))
    campaign = mixed.topic.campaign
    say(mixed, number_of(mixed, "known"), grade=0)
    assert told(campaign) == [], "everybody's share is no higher"
    second = make.assignment(mixed.topic, make.known("ben"), "second")
    known = number_of(second, "known")
    say(second, known, grade=2)
    [flag] = flags(campaign)
    assert (flag.kind.key, flag.assessor, flag.topic) == ("known-grades", ada, None)
    [row] = documents_of(flagged([flag]))
    assert (row.judgment.grade, row.note) == (0, "expected 2")


def test_names_of_people_and_topics_change_nothing(campaign_judged, ada):
    before = [(each.kind.key, each.found) for each in flags(campaign_judged)]
    ada.username = "zoe"
    ada.save()
    campaign_judged.topic_set.filter(number="1").update(number="x")
    after = flags(campaign_judged)
    assert [(each.kind.key, each.found) for each in after] == before
    assert (after[0].assessor.username, after[0].number) == ("zoe", "x")


def test_of_many_acts_flags_are_kept_for_minutes(campaign_judged, monkeypatch):
    monkeypatch.setattr(pacing, "MANY", 1)
    assert len(flags(campaign_judged)) == 1
    monkeypatch.setattr(findings, "LEAST_QUICK", 99)
    assert len(flags(campaign_judged)) == 1
    monkeypatch.setattr(pacing, "MANY", 1000)
    assert flags(campaign_judged) == []


def test_documents_that_are_gone_since_are_left_out(campaign_judged):
    [flag] = flags(campaign_judged)
    rows = flagged([flag])
    gone = [rows[0]._replace(judgment=0), *rows[1:]]
    assert len(list(documents_of(gone))) == len(rows) - 1
