"""Hours of assessors: whose acts, of which day and which kind of work, and what had no time."""

from datetime import UTC, date, datetime

import pytest

from assess.models import pacing
from assess.models.history import JudgmentEvent
from assess.services import handover, reopening
from desk.core.hours import hours_of
from desk.figures import worked
from desk.web.hours import HOURS, hours_seen
from tests import make
from tests.db.controls import number_of, say
from tests.db.judging import act, answer, undo
from tests.db.practicing import LINES, answered


def told(campaign, person=None) -> dict[str, tuple[int, int, int]]:
    """By kind of work: seconds, documents, and those without a time."""
    return {row.kind: (row.seconds, row.n, row.n_untimed) for row in worked(campaign, person)}


def test_a_document_has_the_time_of_all_acts_on_it_and_counts_once(primary, pooled):
    answer(primary, "d1", "later", active_ms=4000)
    assert told(pooled) == {"primary": (4, 0, 0)}, "put off, it is not decided"
    answer(primary, "d1", grade=1, active_ms=9000)
    answer(primary, "d1", grade=2, active_ms=2000)
    undo(primary, active_ms=1000)
    assert told(pooled) == {"primary": (16, 1, 0)}


def test_what_was_reset_was_work_and_again_is_work_again(primary, pooled):
    answer(primary, "d1", grade=1, active_ms=9000)
    act(reopening.reset, primary)
    assert told(pooled) == {"primary": (9, 1, 0)}
    answer(primary, "d1", grade=1, active_ms=1000)
    assert told(pooled) == {"primary": (10, 2, 0)}


def test_an_organizer_who_reopens_has_worked_no_hour(primary, pooled, olga):
    answer(primary, "d1", grade=1, active_ms=9000)
    reopening.reopen(user=olga, assignment=primary, docno="d1")
    last = JudgmentEvent.objects.latest("pk")
    make.rewrite(JudgmentEvent.objects.filter(pk=last.pk), active_ms=5000)
    assert told(pooled) == {"primary": (9, 1, 0)}


def test_time_stays_whose_it_was_when_a_topic_passes_on(primary, pooled, ada, ben):
    answer(primary, "d1", grade=1, active_ms=9000)
    handed = act(handover.hand_over, primary, assessor=ben)
    answer(handed, "d2", grade=1, active_ms=5000)
    assert told(pooled, ada) == {"primary": (9, 1, 0)}
    assert told(pooled, ben) == {"primary": (5, 1, 0)}
    act(handover.take_back, handed)
    assert told(pooled, ben) == {"primary": (5, 1, 0)}


def test_a_document_without_any_time_is_said_not_guessed(primary, pooled):
    answer(primary, "d1", grade=1)
    answer(primary, "d2", grade=1, active_ms=5000)
    answer(primary, "d3", grade=1)
    answer(primary, "d3", grade=2, active_ms=1000)
    assert told(pooled) == {"primary": (6, 3, 1)}


def test_kinds_of_work_are_told_apart_and_controls_are_of_their_topic(mixed, ada, ben):
    campaign = mixed.topic.campaign
    say(mixed, number_of(mixed, "known"), grade=1, active_ms=2000)
    say(mixed, number_of(mixed, "primary"), grade=1, active_ms=3000)
    second = make.assignment(mixed.topic, ben, "second")
    answer(second, "d1", grade=0, active_ms=4000)
    practice = make.practice(campaign, LINES)
    answered(ben, practice)
    assert told(campaign, ada) == {"primary": (5, 2, 0)}
    assert told(campaign, ben) == {"second": (4, 1, 0), "practice": (5, 1, 0)}


def test_an_act_is_of_the_day_of_the_campaigns_zone(primary, pooled):
    answer(primary, "d1", "later", active_ms=4000)
    answer(primary, "d1", grade=1, active_ms=9000)
    answer(primary, "d1", grade=2, active_ms=2000)
    for change, hour in ((1, 22), (2, 23), (3, 24)):
        at = datetime(2026, 5, 3 + hour // 24, hour % 24, 30, tzinfo=UTC)
        make.rewrite(JudgmentEvent.objects.filter(change=change), pressed_at=at)

    def days() -> list[tuple[date, int, int]]:
        return [(row.day, row.seconds, row.n) for row in worked(pooled)]

    third, fourth = date(2026, 5, 3), date(2026, 5, 4)
    assert days() == [(third, 13, 1), (fourth, 2, 0)]
    pooled.time_zone = "Europe/Paris"
    assert days() == [(fourth, 15, 1)]


def test_the_order_in_which_acts_were_recorded_changes_nothing(primary, pooled):
    answer(primary, "d1", grade=1, active_ms=9000)
    answer(primary, "d1", grade=2, active_ms=2000)
    moments = [datetime(2026, 5, day, 12, tzinfo=UTC) for day in (3, 4)]
    expected = {(date(2026, 5, 3), 1), (date(2026, 5, 4), 0)}
    for order in (moments, moments[::-1]):
        for change, at in enumerate(order, 1):
            make.rewrite(JudgmentEvent.objects.filter(change=change), pressed_at=at)
        assert {(row.day, row.n) for row in worked(pooled)} == expected


def test_organizers_see_everybodys_hours_and_assessors_their_own(primary, pooled, olga, ada, ben):
    answer(primary, "d1", grade=1, active_ms=9000)
    second = make.assignment(primary.topic, ben, "second")
    answer(second, "d1", grade=1, active_ms=5000)
    assert {row.assessor for row in hours_seen(olga, pooled)} == {ada.pk, ben.pk}
    assert {row.assessor for row in hours_seen(ada, pooled)} == {ada.pk}
    asked = HOURS.filters({"assessor": "ben"})
    assert [each.user for each in HOURS.matching(olga, pooled, asked)] == [ben]
    assert HOURS.matching(ada, pooled, asked) == []
    assert HOURS.matching(olga, pooled, HOURS.filters({"assessor": "nobody"})) == []


def test_of_many_acts_hours_are_kept_for_minutes_by_zone(primary, pooled, monkeypatch):
    monkeypatch.setattr(pacing, "MANY", 1)
    answer(primary, "d1", grade=1, active_ms=9000)
    assert told(pooled) == {"primary": (9, 1, 0)}
    answer(primary, "d2", grade=1, active_ms=1000)
    assert told(pooled) == {"primary": (9, 1, 0)}, "as of some minutes ago"
    pooled.time_zone = "Europe/Paris"
    assert told(pooled) == {"primary": (10, 2, 0)}


def test_hours_are_those_of_one_campaign(primary, olga):
    answer(primary, "d1", grade=1, active_ms=9000)
    assert worked(make.campaign(olga)) == []


@pytest.mark.usefixtures("primary")
def test_nobody_has_hours_before_anything_is_judged(pooled):
    assert hours_of(worked(pooled)) == []
