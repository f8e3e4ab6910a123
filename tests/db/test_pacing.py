"""Who judges how fast, read from events, and counted again by hand."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from statistics import median

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.core.pace import SHOWN
from assess.models import pacing
from assess.models.assigning import Assignment
from assess.models.days import JudgedDay, recount
from assess.models.history import JudgmentEvent
from assess.models.pacing import dwells, last_judged, paces, shared_pace, who_judged
from assess.models.serving import AssignmentEntry
from assess.services import reopening
from assess.web import strips
from campaigns.services.campaign import change_campaign
from overview.judging import decided_by_day
from tests import make
from tests.db.judging import answer, undo
from tests.worlds import once

NOW = datetime(2026, 12, 9, 3, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
@once
def given(campaign, pat, ada, ben):
    """A topic of six documents for Ada, and a share of it for Ben; days end at 5 o'clock of UTC."""
    campaign.time_zone = "America/New_York"
    campaign.save()
    docnos = "d1 d2 d3 d4 d5 d6"
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": docnos, "2": "d1"})], depth=6)
    topic = campaign.topic_set.get(number="1")
    return make.assignment(topic, ada), make.assignment(topic, ben, Assignment.Kind.SECOND)


def said(assignment, docno, state="judged", grade=1, ms=0, ago=0.0) -> None:
    """Give an answer that took this long, this many days ago."""
    reason = "missing" if state == "cannot_judge" else ""
    grade = grade if state == "judged" else None
    answer(assignment, docno, state, grade=grade, reason=reason, active_ms=ms)
    newest = JudgmentEvent.objects.latest("pk").pk
    make.rewrite(
        JudgmentEvent.objects.filter(pk=newest), at=NOW - ago * DAY, pressed_at=NOW - ago * DAY
    )


def test_the_pace_is_that_of_the_events(campaign, given, olga, ada, ben):
    adas, bens = given
    times = {"d1": 9000, "d2": 31000, "d3": 12000, "d4": 0}
    for n, (docno, ms) in enumerate(times.items()):
        said(adas, docno, ms=ms, ago=n * 3)
    said(adas, "d5", "later", ms=1000)
    said(adas, "d6", "cannot_judge", ms=99000, ago=SHOWN + 10)
    said(bens, "d1", ms=4000, ago=0.5)
    found = paces(campaign, NOW, times=dwells(campaign))
    assert set(found) == {ada.pk, ben.pk}
    decided = JudgmentEvent.objects.filter(judgment__assessor=ada).exclude(to_state="later")
    timed = [event.active_ms / 1000 for event in decided if event.active_ms]
    assert found[ada.pk].dwell == (len(timed), median(timed)) == (4, 21.5)
    zone = campaign.zone
    today = NOW.astimezone(zone).date()
    days = Counter((today - event.at.astimezone(zone).date()).days for event in decided)
    assert found[ada.pk].days == tuple(days[n] for n in reversed(range(SHOWN)))
    assert found[ada.pk].first_on == today - (SHOWN + 10) * DAY
    assert found[ada.pk].last_at == NOW
    assert found[ben.pk].dwell == (1, 4)
    assert paces(campaign, NOW, ben, dwells(campaign, ben)) == {ben.pk: found[ben.pk]}
    reopening.reopen(user=olga, assignment=bens, docno="d1")  # is nobody's judgment
    assert paces(campaign, NOW, times=dwells(campaign)) == found
    assert paces(make.campaign(olga), NOW) == {}


def test_a_document_has_the_time_of_all_that_was_done_to_it_and_counts_once(
    campaign, given, ada, ben
):
    adas, bens = given
    said(adas, "d1", "later", ms=20_000)
    said(adas, "d1", ms=10_000)
    said(adas, "d1", grade=2, ms=5_000)
    said(adas, "d2", ms=3_000)
    said(adas, "d3", ms=500_000)
    said(adas, "d4", "later", ms=70_000)
    said(bens, "d1", ms=7_000)
    other = make.assignment(campaign.topic_set.get(number="2"), ada)
    said(other, "d1", ms=1_000)
    found = dwells(campaign)
    one = adas.topic_id
    assert found.of_both == {
        (ada.pk, one): (3, 35),
        (ben.pk, one): (1, 7),
        (ada.pk, other.topic_id): (1, 1),
    }
    assert found.of_topics == {one: (4, 21), other.topic_id: (1, 1)}
    assert found.of_assessors == {ada.pk: (4, 19), ben.pk: (1, 7)}
    own = dwells(campaign, ben)
    assert own.of_assessors == {ben.pk: (1, 7)}
    assert set(own.of_both) == {(ben.pk, one)}


def test_what_was_judged_last_counts_what_was_put_off_and_not_what_others_did(
    campaign, given, ada, ben
):
    adas, bens = given
    said(adas, "d1", ago=2)
    said(adas, "d2", "later", ago=1)
    mine = Assignment.objects.filter(pk__in=[adas.pk, bens.pk])
    assert last_judged(mine, ada) == {adas.pk: NOW - DAY}
    Assignment.objects.filter(pk=bens.pk).delete()
    Assignment.objects.update(assessor=ben)
    assert last_judged(Assignment.objects.all(), ben) == {}


def test_marks_follow_the_order_served_and_hide_what_others_gave(campaign, given, ada, ben):
    adas, bens = given
    said(adas, "d1", grade=0)
    said(adas, "d2", grade=3)
    said(adas, "d3", "later")
    said(adas, "d4", "cannot_judge")
    marks = {"d1": "0", "d2": "3", "d3": "later", "d4": "cannot_judge"}
    order = adas.entries.order_by("position").values_list("item__key", flat=True)

    def of(blind: bool) -> list[str]:
        return AssignmentEntry.objects.marks([adas, bens], blind=blind)[adas.pk]

    expected = [marks.get(docno, "unjudged") for docno in order]
    assert of(blind=True) == of(blind=False) == expected
    bens.delete()
    Assignment.objects.update(assessor=ben)
    assert of(blind=False) == expected
    assert set(of(blind=True)) == {"before", "unjudged"}
    for blind in (True, False):
        counts = AssignmentEntry.objects.n_by_mark([adas], blind=blind)
        assert counts == {adas.pk: Counter(of(blind=blind))}
    assert AssignmentEntry.objects.n_by_grade([adas]) == {adas.pk: {0: 1, 3: 1}}


def test_many_documents_are_counted_by_mark_and_drawn_as_wide_as_they_are(
    campaign, given, monkeypatch
):
    adas, bens = given
    said(adas, "d1", grade=0)
    said(adas, "d2", grade=3)
    said(adas, "d3", "later")
    scale, entries, n = campaign.scale, AssignmentEntry.objects.all(), adas.n_entries
    each = strips.strip_of(strips.marks_of(entries, [adas], blind=True)[adas.pk], scale)
    monkeypatch.setattr(strips, "MOST_MARKS", n - 1)
    marks = strips.marks_of(entries, [adas, bens], blind=True)[adas.pk]
    assert marks == {"0": 1, "3": 1, "later": 1, "unjudged": n - 3}
    many = strips.strip_of(marks, scale)
    assert many.counts == each.counts
    sentence = f"{n} documents: 1 with grade 0, 1 with grade 3, 1 for later, {n - 3} open."
    assert sentence in many.picture
    assert sentence.replace("documents:", "documents in the order of judging:") in each.picture
    assert str(strips.strip_of({**marks, "unjudged": 10**6}, scale).picture).count("<rect") == 4


def kept() -> list[tuple]:
    """What is kept of each day."""
    names = ("assignment", "assessor", "day", "n_decided", "n_graded", "n_controls", "last_at")
    return sorted(JudgedDay.objects.values_list(*names))


def test_days_are_counted_by_each_act_as_they_would_be_from_all_events(campaign, given, olga, ada):
    adas, bens = given
    answer(adas, "d1", grade=1)
    answer(adas, "d2", "cannot_judge", reason="missing")
    answer(adas, "d3", "later")
    for docno, grade in (("d1", 2), ("d3", 1), ("d2", 1)):
        answer(adas, docno, grade=grade)
    undo(adas)
    answer(bens, "d1", grade=0)
    reopening.reopen(user=olga, assignment=bens, docno="d1")
    answer(bens, "d1", grade=1)
    counted = kept()
    assert [row[3:6] for row in counted] == [(3, 2, 0), (1, 1, 0)]
    recount(campaign)
    assert kept() == counted


def test_a_document_counts_towards_the_pace_once(campaign, given, ada):
    adas, _ = given
    said(adas, "d1", ago=3)
    said(adas, "d1", grade=2, ago=1)
    said(adas, "d2", ago=1)
    found = paces(campaign, NOW)[ada.pk]
    assert (found.days[-4], found.days[-2], sum(found.days)) == (1, 1, 2)
    assert found.last_at == NOW - DAY  # the day of the last decision, also of one made again


def test_days_are_those_of_the_zone_also_once_it_is_another(campaign, given, olga):
    adas, _ = given
    said(adas, "d1")  # at three o'clock of UTC, which is the evening before in New York
    [(_, _, before, *_)] = kept()
    change_campaign(user=olga, campaign=campaign, changes={"time_zone": "UTC"})
    [(_, _, after, *_)] = kept()
    assert after - before == DAY


def test_paces_read_what_is_kept_and_no_event(campaign, given, ada):
    adas, _ = given
    said(adas, "d1")
    with CaptureQueriesContext(connection) as captured:
        paces(campaign, NOW)
        shared_pace(campaign, NOW)
        assert who_judged(NOW - DAY, [(campaign.pk, ada.pk)]) == {(campaign.pk, ada.pk)}
        assert who_judged(NOW, [(campaign.pk, ada.pk)]) == set()
    assert len(captured) == 4
    assert not any("judgmentevent" in query["sql"] for query in captured)


def test_times_of_many_judgments_are_computed_now_and_then(campaign, given, ada, monkeypatch):
    adas, _ = given
    monkeypatch.setattr(pacing, "MANY", 2)
    said(adas, "d1", ms=10_000)
    assert dwells(campaign).of_assessors == {ada.pk: (1, 10)}
    said(adas, "d2", ms=20_000)  # as many as that
    assert dwells(campaign).of_assessors == {ada.pk: (2, 15)}
    said(adas, "d3", ms=30_000)
    assert dwells(campaign).of_assessors == {ada.pk: (2, 15)}
    assert dwells(campaign, ada).of_assessors == {ada.pk: (3, 20)}
    cache.clear()  # as some minutes later
    assert dwells(campaign).of_assessors == {ada.pk: (3, 20)}


def test_what_was_decided_by_day_adds_up_to_what_is_decided(campaign, given, olga, ada):
    adas, _ = given
    said(adas, "d1", ago=3)
    said(adas, "d2", ago=2)
    said(adas, "d3", ago=2)
    today = campaign.day_of(NOW)
    days = {today - 3 * DAY: 1, today - 2 * DAY: 2}
    assert decided_by_day(campaign, is_shared=False) == days
    reopening.reopen(user=olga, assignment=adas, docno="d1")
    assert decided_by_day(campaign, is_shared=False) == days | {today - 2 * DAY: 1}
