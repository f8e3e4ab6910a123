"""A release shows what it names, whatever comes after it: a run, a topic, a batch, a judgment."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.access import NotThere, Refused, can, check
from agreement.tallies import as_of, so_far
from assess.models.assigning import Assignment
from campaigns.access.topics import current_round, topics_seen
from campaigns.models.people import Role, Team
from collection.access import Topics
from evaluation.releasing import not_in
from evaluation.services import release, take_back_release
from overview.services.rounds import begin_round, change_round
from pooling import services as pooling
from pooling.access import batches_seen
from qrels.services.publishing import publish_qrels
from runs.access.runs import Runs, released_to
from runs.access.teams import may_yet_submit
from runs.services.runs import describe_run, reinstate_run, withdraw_run
from runs.services.teams import extend_deadline
from tests import make
from tests.db.scoring import score
from tests.db.test_rounds import fresh
from tests.releasing import ALL, TEAMS

VISITOR = AnonymousUser()
PARTICIPANT = {Role.PARTICIPANT}


@pytest.fixture
def released(olga, campaign):
    """Release something of the campaign to the teams, or to others."""

    def act(what, subject=None, audience=TEAMS, **values):
        asked = {"campaign": campaign, "what": what, "audience": audience, "subject_id": subject}
        return release(user=olga, **asked, **values)

    return act


def tags(user, campaign) -> set[str]:
    return {run.tag for run in released_to(user, campaign)}


def seen(roles, campaign) -> set[str]:
    campaign.refresh_from_db()
    return {topic.number for topic in topics_seen(roles, campaign)}


def test_a_run_sent_after_the_release_of_the_runs_is_in_none(olga, pat, campaign, released):
    quinn, bow = make.user("quinn"), Team.objects.create(campaign=campaign, name="Bow")
    campaign.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=bow)
    make.run(campaign, pat, {"1": "d1"}, "early")
    row = released("runs")
    later = make.run(campaign, pat, {"1": "d2"}, "later")
    begin_round(user=olga, campaign=campaign)
    secret = make.run(campaign, pat, {"1": "d3"}, "secret")
    assert tags(quinn, campaign) == {"early"}
    assert not_in(row) == "2 other valid runs are not in it."
    for run in (later, secret):
        assert not can(Runs.download, quinn, run)
    assert tags(olga, campaign) == {"early", "later", "secret"}, "organizers see all"
    released("runs", subject=2)
    assert tags(quinn, campaign) == {"secret"}
    withdraw_run(user=olga, run=secret)
    assert tags(quinn, campaign) == set()


def test_a_topic_imported_later_is_in_no_release(campaign, released):
    released("topics", audience=ALL)
    make.imported(campaign, "topics", b"3\tsecret")
    assert seen((), campaign) == {"1", "2"}
    assert seen(PARTICIPANT, campaign) == {"1", "2", "3"}, "the only round has all topics"
    assert seen({Role.ASSESSOR}, campaign) == {"1", "2", "3"}


def test_the_teams_see_the_topics_of_a_round_from_its_date(olga, pat, campaign):
    soon = timezone.now() + timedelta(days=1)
    make.imported(campaign, "topics", b"3\tthree\n4\tfour")
    campaign.topics_open_at = soon
    campaign.save()
    assert not can(Topics.see, pat, campaign)
    campaign.topics_open_at = timezone.now()
    campaign.save()
    begin_round(user=olga, campaign=campaign, topics=["3"], topics_open_at=soon)
    change_round(user=olga, row=campaign.rounds.get(number=1), topics=["1", "2"])
    assert seen(PARTICIPANT, campaign) == {"1", "2"}
    assert can(Topics.see, pat, campaign)
    assert current_round(PARTICIPANT, campaign) == "Round 2"
    assert current_round({Role.ORGANIZER}, campaign) == "Round 2 of topic 3"
    campaign.topics_open_at = timezone.now()
    campaign.save()
    assert seen(PARTICIPANT, campaign) == {"1", "2", "3"}, "4 is in no round"
    assert current_round(PARTICIPANT, campaign) == "Round 2 of topic 3"
    assert seen((), campaign) == set()
    with pytest.raises(NotThere):
        check(Topics.see, AnonymousUser(), campaign)


def test_a_released_version_of_the_pool_does_not_grow_and_is_not_taken_back(
    olga, pat, campaign, released
):
    run = make.run(campaign, pat, {"1": "d1 d2 d3"}, "early")
    with pytest.raises(Refused, match="Choose the version of the pool"):
        released("pool", subject=1)
    first = make.frozen_pool(campaign, [run]).last_batch
    row = released("pool", subject=1)
    assert not_in(row) == ""
    with pytest.raises(Refused, match="Version 1 of the pool is released to the teams"):
        pooling.take_back_batch(user=olga, batch=first)
    make.frozen(make.batch(campaign, [run], depth=3))
    assert [each.version for each in batches_seen(pat, campaign)] == [1]
    assert [each.version for each in batches_seen(olga, campaign)] == [2, 1]
    assert not_in(row) == "The pool is at version 2 now."
    pooling.take_back_batch(user=olga, batch=campaign.pool.last_batch)
    take_back_release(user=olga, campaign=campaign, what="pool", audience=TEAMS)
    assert list(batches_seen(pat, campaign)) == []
    pooling.take_back_batch(user=olga, batch=first)


def test_agreement_as_of_a_version_is_that_of_the_judgments_kept_with_it(
    olga, ada, ben, pat, campaign
):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, ada)
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    for assignment, grades in ((first, (2, 0)), (second, (1, 0))):
        for docno, grade in zip(("d1", "d2"), grades, strict=True):
            make.judgment(assignment, docno, grade)
    then = _rows(so_far(campaign))
    qrels = publish_qrels(user=olga, campaign=campaign)
    for assignment in (first, second):
        make.judgment(assignment, "d3", 3)
    kept = _rows(as_of(qrels, campaign.every_criterion))
    assert kept == then != _rows(so_far(campaign))


def _rows(tallies) -> dict[str, list]:
    """The rows of ratings by name, whatever order they are in."""
    return {
        name: sorted(
            (its.topics[topic], tuple(its.raters[n] for n in who), tuple(places), n, week)
            for topic, who, places, n, week in zip(
                *(each.tolist() for each in (its.topic, its.rater, its.place, its.n, its.week)),
                strict=True,
            )
        )
        for name, its in tallies.by_criterion.items()
    }


def test_no_release_begins_in_the_past(olga, campaign, judged, sent, released):
    board = score(olga, campaign, sent)
    with pytest.raises(Refused, match="That is past: nobody saw it then"):
        released("scores", board.pk, from_at=timezone.now() - timedelta(minutes=1))


def test_what_a_release_replaced_stays_on_record(olga, campaign, judged, sent, released):
    boards = [score(olga, campaign, sent), score(olga, campaign, sent, measures=["P@5"])]
    for each in boards:
        released("scores", each.pk)
    take_back_release(user=olga, campaign=campaign, what="scores", audience=TEAMS)
    ended = campaign.releases.order_by("pk")
    assert [each.subject_id for each in ended] == [each.pk for each in boards]
    assert all(each.ended_at >= each.from_at for each in ended)
    seen = campaign.releases.seen_before("scores", TEAMS)
    assert [each.subject_id for each in seen] == [boards[1].pk, boards[0].pk]


@pytest.mark.parametrize(
    ("what", "subject", "said"),
    [
        ("runs", 3, "There is no round 3."),
        ("runs", None, "There is no valid run to release."),
        ("agreement", 10**9, "Choose the version"),
        ("topics", 3, "There is no round 3."),
    ],
)
def test_what_there_is_not_is_not_released(campaign, released, what, subject, said):
    with pytest.raises(Refused, match=said):
        released(what, subject, audience=ALL)


def test_the_form_says_who_may_still_submit(olga, pat, campaign):
    now, team = timezone.now(), Team.objects.get(membership__user=pat)
    assert may_yet_submit(campaign) == "Submission has no deadline."
    campaign.submission_closes_at = now + timedelta(days=1)
    assert may_yet_submit(campaign).startswith("Submission is open until ")
    campaign.submission_opens_at = now + timedelta(hours=1)
    assert may_yet_submit(campaign).startswith("Submission opens on ")
    campaign.submission_opens_at = None
    campaign.save()
    extend_deadline(user=olga, team=team, closes_at=now + timedelta(days=2))
    assert "An extension is open for Aldgate until " in may_yet_submit(campaign)
    campaign.submission_closes_at = now - timedelta(days=1)
    campaign.save()
    extend_deadline(user=olga, team=fresh(team), closes_at=None)
    assert may_yet_submit(campaign) == ""
    extend_deadline(user=olga, team=fresh(team), closes_at=now + timedelta(days=1))
    assert may_yet_submit(campaign).startswith("An extension is open for Aldgate until ")


# Runs belong to their round


ACTS = {
    "withdraw": withdraw_run,
    "describe": lambda user, run: describe_run(user=user, run=run, changes={"description": "x"}),
}


@pytest.mark.parametrize("act", ACTS)
def test_what_was_handed_in_by_the_deadline_of_a_round_its_team_cannot_change(
    olga, pat, campaign, act
):
    run = make.run(campaign, pat, {"1": "d1"}, "early")
    begin_round(user=olga, campaign=campaign)
    run.refresh_from_db()
    with pytest.raises(Refused, match=r"Round 1 is over\. Run early is of that round"):
        ACTS[act](user=pat, run=run)
    ACTS[act](user=olga, run=run)


def test_an_extension_opens_no_run_that_was_handed_in_before(olga, pat, campaign):
    early = make.run(campaign, pat, {"1": "d1"}, "early")
    campaign.submission_closes_at = timezone.now()
    campaign.save()
    until = timezone.now() + timedelta(days=1)
    extend_deadline(user=olga, team=early.team, closes_at=until)
    late = make.run(campaign, pat, {"1": "d1"}, "late")
    for run in (early, late):
        run.refresh_from_db()
    assert late.is_late
    with pytest.raises(Refused, match=r"closed on .* for all\. Run early was handed in"):
        withdraw_run(user=pat, run=early)
    withdraw_run(user=pat, run=late)
    late.refresh_from_db()
    reinstate_run(user=pat, run=late)
    begin_round(user=olga, campaign=campaign, submission_closes_at=timezone.now())
    late.refresh_from_db()
    with pytest.raises(Refused, match="Round 1 closed on"):
        withdraw_run(user=pat, run=late)
    late.campaign.rounds.update(submission_closes_at=until)
    with pytest.raises(Refused, match="Round 1 is over"):  # though its deadline is to come
        withdraw_run(user=pat, run=late)
    # The extension was of round 1; also where the round begins while a run is sent.
    for now in (campaign, fresh(campaign)):
        with pytest.raises(Refused, match="Submission closed on"):
            make.run(now, pat, {"1": "d1"}, "other")
