"""What an organizer is told a day ahead, or of work that nobody has begun or that lies about."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.access import Refused, Unconfirmed
from assess.models.assigning import Assignment
from assess.services.handover import take_back
from campaigns.services.campaign import change_campaign
from desk.web.todos import todos_of
from desk.web.workload import everybodys_work
from evaluation.services import release
from overview.reminders import reminders_of
from overview.services.rounds import begin_round
from pooling.models.batches import Batch
from tests import make
from tests.worlds import once

WAIT = "second opinion"  # of what is assigned, nothing else is asked here
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
@once
def pooled(campaign, pat):
    """Four documents of topic 1 in the pool; the run has six."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3 d4 d5 d6"})], depth=4)
    return campaign


def told(campaign) -> list[str]:
    campaign.refresh_from_db()
    now = timezone.now()
    needs = [*todos_of(campaign, everybodys_work(campaign, now), now), *reminders_of(campaign, now)]
    return [
        f"{each.title}: {each.why}"
        for each in needs
        if each.act != "Assign topics…" or WAIT in each.title
    ]


def close(campaign, **dates) -> None:
    type(campaign).objects.filter(pk=campaign.pk).update(
        **{name: timezone.now() + left for name, left in dates.items()}
    )


def test_who_has_not_begun_is_named_in_the_last_days_and_where_the_time_does_not_suffice(
    pooled, ada, ben
):
    make.assignment(pooled.topic_set.get(number="1"), ada)
    assert told(pooled) == []
    close(pooled, judging_closes_at=10 * DAY)
    assert told(pooled) == []
    close(pooled, judging_closes_at=2 * DAY + HOUR)
    assert told(pooled) == ["Ada has not started: 4 documents, 2 days left."]
    make.judgment(Assignment.objects.get(), "d1", 1)
    assert told(pooled) == []


def test_documents_left_when_judging_closed_are_told(pooled, ada):
    make.judgment(make.assignment(pooled.topic_set.get(number="1"), ada), "d1", 1)
    close(pooled, judging_closes_at=-HOUR)
    assert told(pooled) == [
        "3 documents were unjudged when judging closed: Nobody can judge any more."
    ]


def test_a_second_opinion_that_was_taken_back_waits_until_it_is_given(pooled, olga, ada, ben):
    topic = pooled.topic_set.get(number="1")
    make.assignment(topic, ada)
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    take_back(user=olga, assignment=second)
    assert told(pooled) == ["1 second opinion waits for an assessor: Of topic 1."]
    make.assignment(topic, ben, Assignment.Kind.SECOND)
    assert told(pooled) == []


def test_a_day_ahead_releases_and_a_deadline_are_told(pooled, olga, pat):
    soon = {"user": olga, "campaign": pooled, "what": "runs"}
    release(**soon, audience="participants", from_at=timezone.now() + HOUR)
    release(**soon, audience="everybody", from_at=timezone.now() + 2 * DAY)
    close(pooled, submission_closes_at=5 * HOUR + timedelta(minutes=1))
    [runs] = told(pooled)
    assert runs.startswith("1 run will be shown to the teams within a day: From ")
    pooled.team_set.create(name="Bow")
    assert told(pooled)[1:] == ["1 of 2 teams has no valid run: Submission closes in 5 hours."]
    begin_round(user=olga, campaign=pooled, submission_closes_at=timezone.now() + 2 * HOUR)
    assert "2 of 2 teams have no valid run: Submission closes in 1 hour." in told(pooled)


def test_old_drafts_beside_a_frozen_pool_are_told(pooled):
    make.batch(pooled, list(pooled.run_set.all()), depth=6)
    assert told(pooled) == []
    Batch.objects.filter(pool=None).update(created_at=timezone.now() - 2 * DAY)
    assert told(pooled) == [
        "1 draft of the pool is not frozen: Freeze or delete what you no longer need."
    ]
    pooled.archived_at = timezone.now()
    pooled.save()
    assert told(pooled) == []


@pytest.mark.parametrize(
    ("dates", "said"),
    [
        ({"topics_open_at": 2 * DAY, "submission_closes_at": DAY}, "so no team can submit"),
        ({"judging_closes_at": DAY, "submission_closes_at": 2 * DAY}, "Judging closes before"),
    ],
)
def test_dates_that_contradict_each_other_are_asked_about(campaign, olga, dates, said):
    changes = {name: timezone.now() + left for name, left in dates.items()}
    with pytest.raises(Unconfirmed, match=said) as asked:
        change_campaign(user=olga, campaign=campaign, changes=changes, accepts="")
    told = str(asked.value)
    change_campaign(user=olga, campaign=campaign, changes=changes, accepts=told)
    campaign.refresh_from_db()
    other = {"submission_opens_at": timezone.now() - DAY}
    change_campaign(user=olga, campaign=campaign, changes=other, accepts="")  # was so before


def test_a_round_shows_its_topics_before_its_submission_closes(campaign, olga):
    now = timezone.now()
    with pytest.raises(Refused, match="must be shown before submission closes"):
        begin_round(
            user=olga, campaign=campaign, topics_open_at=now, submission_closes_at=now - DAY
        )
