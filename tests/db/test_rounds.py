"""Rounds: the next begins and can be taken back; what is made meanwhile belongs to it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.access import Refused
from campaigns.models.rounds import Round, current_in_words, in_no_round, topics_in
from campaigns.models.trail import AuditEvent
from collection.models.texts import Topic
from evaluation.models.scores import Evaluation
from jobs.models import Job
from overview.services import copying
from overview.services.rehearsal import throw_away_rehearsal
from overview.services.rounds import begin_round, change_round, take_back_round
from pooling.models.batches import Batch
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from runs.checking import errors_csv
from runs.models import Run
from runs.services.runs import move_to_round, recheck_run, withdraw_run
from tests import make
from tests.db.scoring import scored

OPENS, CLOSES = datetime(2099, 1, 1, tzinfo=UTC), datetime(2099, 2, 1, tzinfo=UTC)


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def refusal(act, **values) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        act(**values)
    return str(refused.value)


@pytest.fixture
def past(campaign):
    """Its submission closed yesterday."""
    campaign.submission_closes_at = timezone.now() - timedelta(days=1)
    campaign.save()
    return campaign


@pytest.fixture
def second(past, olga):
    """Round 2 of topic 2 has begun; round 1 had both topics."""
    begin_round(user=olga, campaign=past, topics=["2"], submission_closes_at=CLOSES)
    return fresh(past)


def test_a_round_takes_the_dates_and_the_one_before_keeps_its_own(past, olga):
    closed_at = past.submission_closes_at
    dates = {"submission_opens_at": OPENS, "submission_closes_at": CLOSES}
    row = begin_round(user=olga, campaign=past, topics=["2"], **dates)
    now, first = fresh(past), Round.objects.get(number=1)
    assert (now.round, now.submission_opens_at, now.submission_closes_at) == (2, OPENS, CLOSES)
    assert (row.number, row.topics, row.submission_closes_at) == (2, ["2"], None)
    assert (first.topics, first.submission_closes_at) == (["1", "2"], closed_at)
    event = AuditEvent.objects.first()
    assert event.detail["after"]["round"] == 2


def test_topics_that_come_later_are_of_no_round_until_one_takes_them(past, olga):
    begin_round(user=olga, campaign=past)
    make.imported(past, "topics", b"3\tthree")
    assert (topics_in(fresh(past), 1), topics_in(fresh(past), 2)) == (["1", "2"], ["1", "2"])
    assert in_no_round(past) == ["3"]
    change_round(user=olga, row=past.rounds.get(number=2), topics=[])
    assert topics_in(fresh(past), 2) == ["1", "2", "3"]
    assert in_no_round(past) == []


def test_a_deleted_topic_is_of_no_round_and_the_others_stay(second):
    second.topic_set.filter(number="2").delete()
    assert topics_in(second, 2) == []
    assert topics_in(second, 1) == ["1"]


def test_a_round_in_words_is_said_of_several_alone(past, olga):
    assert current_in_words(past, names_topics=True) == ""
    begin_round(user=olga, campaign=past, topics=["1", "2"])
    now = fresh(past)
    assert current_in_words(now, names_topics=True) == "Round 2 of topics 1\N{EN DASH}2"
    assert current_in_words(now, names_topics=False) == "Round 2"


def test_a_round_has_topics_that_there_are_and_closes_after_it_opens(campaign, olga):
    begin = {"user": olga, "campaign": campaign}
    assert refusal(begin_round, **begin, topics=["7"]) == "There is no topic 7."
    closes = {"submission_opens_at": CLOSES, "submission_closes_at": OPENS}
    assert refusal(begin_round, **begin, **closes) == "Submission must close after it opens."
    bare = make.campaign(olga, topics=())
    assert refusal(begin_round, user=olga, campaign=bare).startswith("There are no topics yet")
    assert not Round.objects.exists()


def test_a_round_taken_back_leaves_what_was_before(past, olga):
    before = fresh(past)
    begin_round(user=olga, campaign=past, topics=["2"], submission_opens_at=OPENS)
    take_back_round(user=olga, campaign=past)
    now = fresh(past)
    assert not Round.objects.exists()
    assert vars(now) | {"_state": 0} == vars(before) | {"_state": 0}
    assert refusal(take_back_round, user=olga, campaign=past) == (
        "This is the first round: there is none before it."
    )


def test_the_third_round_goes_back_to_the_second(second, olga):
    begin_round(user=olga, campaign=second, submission_closes_at=CLOSES + timedelta(days=9))
    assert Round.objects.get(number=2).submission_closes_at == CLOSES
    take_back_round(user=olga, campaign=second)
    assert Round.objects.numbers(second) == [1, 2]
    assert (fresh(second).round, fresh(second).submission_closes_at) == (2, CLOSES)
    assert Round.objects.get(number=2).submission_closes_at is None


def test_a_round_that_has_something_is_not_taken_back(second, olga, pat, ada, sent):
    def why() -> str:
        return refusal(take_back_round, user=olga, campaign=second)

    run = make.run(second, pat, {"1": "d1", "2": "d2 d3"})
    assert why() == "Round 2 has 1 run, so it cannot be taken back."
    make.frozen_pool(second, [run])
    assert "Round 2 has 1 run and 1 batch of the pool," in why()
    make.judgment(make.assignment(second.topic_set.get(number="2"), ada), "d2", 1)
    qrels = publish_qrels(user=olga, campaign=second)
    assert "1 batch of the pool and qrels v1," in why()
    scored(olga, qrels, sent, round=2)
    assert "qrels v1 and 1 evaluation," in why()


@pytest.mark.parametrize("kind", ["batch", "qrels", "evaluation"])
def test_each_of_them_alone_keeps_a_round(second, olga, pat, kind):
    run = make.run(second, pat, {"1": "d1"})
    Run.objects.filter(pk=run.pk).update(round=1)
    batch = make.batch(second, [run])
    upload = make.imported_qrels(second, b"1 0 d1 1\n")
    if kind != "batch":
        Batch.objects.filter(pk=batch.pk).update(round=1)
    if kind != "qrels":
        Qrels.objects.filter(pk=upload.pk).update(round=1)
    if kind == "evaluation":
        asked = make.scope(upload, round=2)
        Evaluation.objects.create(**asked, qrels=upload, created_by=olga)
    assert "Round 2 has" in refusal(take_back_round, user=olga, campaign=second)


def test_the_topics_of_a_round_are_corrected_and_its_runs_checked_again(second, olga, pat):
    run = make.run(second, pat, {"1": "d1", "2": "d2"})
    assert run.report["warnings"] == ["1 topic of other rounds does not count: 1."]
    row = Round.objects.get(number=2)
    change_round(user=olga, row=row, topics=["1", "2"])
    make.worked("recheck_runs", second.pk)
    assert fresh(run).report["warnings"] == []
    assert refusal(change_round, user=olga, row=row, topics=["9"]) == "There is no topic 9."
    withdraw_run(user=olga, run=run)
    Run.objects.all().update(round=1)
    take_back_round(user=olga, campaign=second)
    gone = refusal(change_round, user=olga, row=row, topics=[])
    assert gone == "Round 2 has been taken back."


def test_a_copy_begins_with_one_round(second, olga):
    copy = copying.copy_campaign(user=olga, campaign=second, name="Next year")
    assert (fresh(copy).round, copy.rounds.count()) == (1, 0)


def test_a_rehearsal_that_is_thrown_away_leaves_the_rounds(second, olga, pat):
    run = make.run(second, pat, {"2": "d2"})
    make.frozen_pool(second, [run])
    throw_away_rehearsal(user=olga, campaign=second)
    assert (fresh(second).round, fresh(run).round, second.rounds.count()) == (2, 2, 2)


def test_a_run_is_of_the_round_in_which_it_is_taken(campaign, olga, pat):
    early = make.run(campaign, pat, {"1": "d1", "2": "d2"}, "early")
    begin_round(user=olga, campaign=campaign, topics=["2"])
    late = make.run(campaign, pat, {"2": "d2"}, "late")
    assert (early.round, late.round) == (1, 2)
    assert (early.report["n_missing"], late.report["n_missing"]) == (0, 0)


def test_a_run_is_checked_by_the_topics_of_its_round(second, pat):
    run = make.run(second, pat, {"1": "d1 d2"})
    assert run.state == "valid"
    assert (run.report["n_topics"], run.report["n_missing"]) == (0, 1)
    assert run.report["warnings"] == [
        "1 topic of the campaign missing from the run: 2.",
        "1 topic of other rounds does not count: 1.",
    ]


def test_a_report_tells_of_no_topic_that_teams_may_not_see(second, olga, pat):
    for number in ("7", "8"):
        Topic.objects.create(campaign=second, number=number, title="of a later round")
    run = make.run(second, pat, {"2": "d2", "7": "d1", "07": "d1", "9": "d1"})
    assert (run.state, run.report["warnings"]) == ("invalid", [])
    said = [f"There is no topic '{number}' in this campaign." for number in ("7", "07", "9")]
    assert [each["message"] for each in run.report["errors"]] == said
    with errors_csv(run) as file:
        assert [line.split(",")[2] for line in file.read().decode().splitlines()[1:]] == said
    begin_round(user=olga, campaign=second, topics=["7"], topics_open_at=OPENS)
    recheck_run(user=pat, run=run)
    assert make.worked("recheck_run", run.pk).outcome == "one is invalid, as before."
    assert [each["message"] for each in fresh(run).report["errors"]] == said


def test_a_run_stays_valid_when_a_topic_leaves_its_round(second, olga, pat):
    run = make.run(second, pat, {"2": "d2"})
    change_round(user=olga, row=Round.objects.get(number=1), topics=["1"])
    change_round(user=olga, row=Round.objects.get(number=2), topics=["1"])
    make.worked("recheck_runs", second.pk)
    now = fresh(run)
    assert (now.state, now.report["warnings"][-1]) == (
        "valid",
        "1 topic of other rounds does not count: 2.",
    )


def test_a_run_moves_to_another_round_and_is_late_there(second, olga, pat):
    run = make.run(second, pat, {"1": "d1", "2": "d2"})
    assert not run.is_late
    move_to_round(user=olga, run=run, number=1)
    make.worked("recheck_run", run.pk)
    now = fresh(run)
    assert (now.round, now.is_late, now.report["warnings"]) == (1, True, [])
    move_to_round(user=olga, run=run, number=2)
    assert (fresh(run).round, fresh(run).is_late) == (2, False)


def test_a_run_moves_only_to_another_round_that_there_is(second, olga, pat):
    run = make.run(second, pat, {"2": "d2"})
    move = {"user": olga, "run": run}
    assert refusal(move_to_round, **move, number=3) == "There is no round 3."
    assert refusal(move_to_round, **move, number=2) == f"Run {run} is already in round 2."
    waiting = make.submitted(second, pat, "2 Q0 d1 1 1 two\n", "two")
    why = refusal(move_to_round, user=olga, run=waiting, number=1)
    assert why == "Run two is being checked: move it to another round after that."
    Run.objects.filter(pk=waiting.pk).update(state="checking")
    assert refusal(move_to_round, user=olga, run=waiting, number=1) == why


def test_a_run_that_is_pooled_or_scored_stays_in_its_round(second, olga, pat, sent):
    run = make.run(second, pat, {"2": "d2"})
    make.frozen_pool(second, [run])
    why = refusal(move_to_round, user=olga, run=run, number=1)
    assert why == f"Run {run} is in the frozen pool, so it stays in round 2."
    other = make.run(second, pat, {"2": "d3"}, "two")
    scored(olga, make.imported_qrels(second, b"2 0 d3 1\n"), sent)
    why = refusal(move_to_round, user=olga, run=other, number=1)
    assert why == "Run two is on a leaderboard, so it stays in round 2."


def test_a_run_that_is_out_moves_without_a_check(second, olga, pat):
    run = make.run(second, pat, {"2": "d2"})
    withdraw_run(user=olga, run=run)
    move_to_round(user=olga, run=fresh(run), number=1)
    assert not Job.objects.filter(kind="recheck_run").exists()


def test_batches_and_versions_are_of_the_round_in_which_they_are_made(campaign, olga, pat, ada):
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})
    make.frozen_pool(campaign, [run], depth=1)
    judging = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgment(judging, "d1", 1)
    first = publish_qrels(user=olga, campaign=campaign)
    begin_round(user=olga, campaign=campaign)
    batch = make.batch(campaign, [run], depth=2)  # on a page from before the round
    make.frozen(batch)
    theirs = make.imported_qrels(campaign, b"1 0 d1 2\n")
    make.judgment(judging, "d2", 0)
    second = publish_qrels(user=olga, campaign=campaign)
    assert list(Batch.objects.order_by("pk").values_list("round", flat=True)) == [1, 2]
    assert [first.round, theirs.round, second.round] == [1, 2, 2]


def test_the_round_is_no_part_of_the_hash_of_a_batch(campaign, olga, pat):
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})
    before = make.batch(campaign, [run])
    begin_round(user=olga, campaign=campaign)
    after = make.batch(campaign, [run])
    assert (before.round, after.round) == (1, 2)
    assert before.sha256 == after.sha256
