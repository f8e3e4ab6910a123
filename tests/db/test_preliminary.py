"""The board that follows the judging."""

import weakref
from uuid import uuid4

import pytest

from assess.models.assigning import Assignment
from assess.services.handover import hand_over
from assess.services.reopening import reopen, reset, restore
from cleverdon.trec.ranking import DEFAULT_RULES
from evaluation import tasks, throttle
from evaluation.models.preliminary import Preliminary
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import together
from overview.services.rounds import begin_round, change_round
from pooling.services import delete_batch
from tests import make
from tests.db.judging import answer, undo
from tests.db.races import overtaken
from tests.db.scoring import ONE, score


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """A refresh does not wait for the time since the last one to pass."""
    monkeypatch.setattr(throttle, "INTERVAL_SECONDS", 0.0)


def preliminary(campaign) -> Preliminary | None:
    tasks.refresh_preliminary(campaign.pk)
    return Preliminary.objects.filter(campaign=campaign).first()


def check_board(olga, campaign, sent) -> None:
    """It equals an evaluation of qrels published at that moment."""
    board, evaluation = preliminary(campaign), score(olga, campaign, sent)
    assert sum(board.n_judged) == evaluation.qrels.n_judgments
    if board.topics == evaluation.topics:
        scores = evaluation.scores.order_by("run__pk")
        assert board.runs == [found.run_id for found in scores]
        assert board.aggregates == [found.aggregates for found in scores]
        assert board.so_far().values.tolist() == [found.by_topic().tolist() for found in scores]


def test_the_board_follows_the_judgments_and_what_an_organizer_does_with_them(
    olga, campaign, judged, sent, ben
):
    """Judged, handed over, undone, reset, brought back, reopened."""
    assignment = Assignment.objects.get(topic__number="1", kind="primary")
    for docno, grade in (("d1", 0), ("d4", 3), ("d4", 0)):
        make.judgment(assignment, docno, grade)
        check_board(olga, campaign, sent)
    assert preliminary(campaign).topics == Evaluation.objects.latest("pk").topics
    mine = {"user": olga, "assignment": assignment}
    hand_over(**mine, assessor=ben)
    assignment.refresh_from_db()
    make.judgment(assignment, "d1", 1)
    check_board(olga, campaign, sent)
    undo(assessor=ben, assignment=assignment)  # what was judged before Ben counts again
    check_board(olga, campaign, sent)
    n = reset(**mine)
    check_board(olga, campaign, sent)
    [(at, n_back)] = assignment.set_aside_groups()[:1]
    assert (restore(**mine, set_aside_at=at), n_back) == ((n, n, 0, 0), n)
    check_board(olga, campaign, sent)
    reopen(**mine, docno="d1")
    check_board(olga, campaign, sent)


@pytest.mark.django_db(transaction=True)
def test_a_pool_is_not_deleted_while_a_refresh_rests_on_it(campaign, olga, pat):
    pool = make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"}, "one")])

    def delete() -> None:
        delete_batch(user=olga, batch=make.taken_back(olga, pool))

    overtaken(lambda: tasks.refresh_preliminary(campaign.pk), delete)
    assert not Preliminary.objects.exists()


def test_topics_without_a_judgment_do_not_count_yet(campaign, pat, ada):
    one = make.run(campaign, pat, ONE, "one")
    make.frozen_pool(campaign, [one], depth=4)
    assignment = make.assignment(campaign.topic_set.get(number="2"), ada)
    assert preliminary(campaign).n_topics == 0
    make.judgment(assignment, "d1", 1)
    board = preliminary(campaign)
    assert (board.n_topics, board.n_judged) == (1, [0, 1])
    assert board.aggregates[0][board.measures.index("AP")] == 1 / 2


def test_only_a_change_makes_a_new_version(campaign, judged, cleo):
    first = preliminary(campaign)
    second = make.assignment(campaign.topic_set.get(number="1"), cleo, "second")
    make.judgment(second, "d1", 0)
    now = preliminary(campaign)
    assert (now.version, now.aggregates) == (first.version, first.aggregates)
    assignment = Assignment.objects.get(topic__number="1", kind="primary")
    undo(assessor=assignment.assessor, assignment=assignment)
    assert preliminary(campaign).version == first.version + 1


def test_in_a_second_round_its_runs_are_scored_on_its_topics(campaign, judged, olga, pat, sent):
    before = preliminary(campaign)
    assert (before.n_topics, before.round) == (2, None)
    begin_round(user=olga, campaign=campaign, topics=["2"], submission_closes_at=None)
    campaign.refresh_from_db()
    board = preliminary(campaign)  # there is no run of it yet: the board is still the first round's
    assert (board.n_topics, board.runs, board.round) == (2, before.runs, 1)
    run = make.run(campaign, pat, {"1": "d1", "2": "d4 d1"}, "second")
    board = preliminary(campaign)
    assert (board.n_topics, board.runs, board.round) == (1, [run.pk], 2)
    assert sum(board.n_judged) < sum(before.n_judged)
    assert board.n_pooled < before.n_pooled
    now = score(olga, campaign, sent, round=2)
    assert now.topics == ["2"]
    assert now.scores.get().aggregates == board.aggregates[0]
    row = campaign.rounds.get(number=2)
    change_round(user=olga, row=row, topics=["1", "2"])
    assert preliminary(campaign).n_topics == 2
    change_round(user=olga, row=row, topics=["2"])
    again = preliminary(campaign)
    assert (again.n_topics, again.aggregates) == (1, board.aggregates)


def test_a_new_run_joins_the_scores_so_far(campaign, judged, pat):
    assert len(preliminary(campaign).runs) == 2
    make.run(campaign, pat, {"1": "d2 d1"}, "late")
    board = preliminary(campaign)
    assert len(board.runs) == 3
    assert [entry.tag for entry in board.leaderboard(0)][-1] in {"two", "late"}


def test_what_is_wrong_in_one_campaign_keeps_no_board_after_it_from_catching_up(
    olga, ada, pat, monkeypatch
):
    def worked(arguments, **_) -> None:
        """As a worker does it, in which the error of a task is logged."""
        states.append((*arguments, tasks.refresh_preliminary.apply(arguments).state))

    states = []
    monkeypatch.setattr(tasks.refresh_preliminary, "apply_async", worked)
    made = [
        make.campaign(olga, assessors=[ada], participants={"T": [pat]}, docnos=["d1"])
        for _ in range(3)
    ]
    for campaign in reversed(made):
        run = make.run(campaign, pat, {"1": "d1"})
        make.frozen_pool(campaign, [run])
        if campaign == made[0]:
            run.columns.storage.delete(run.columns.name)
    tasks.refresh_all_preliminary()
    lost, *others = [campaign.pk for campaign in made]
    assert states == [(lost, "FAILURE"), *((pk, "SUCCESS") for pk in others)]
    assert set(Preliminary.objects.values_list("campaign", flat=True)) == set(others)


def test_a_burst_of_judgments_is_announced_once_and_what_changes_nothing_is_not(
    campaign, judged, monkeypatch, django_capture_on_commit_callbacks
):
    def announced(*grades, **how) -> int:
        throttle.begin(campaign.pk)
        asked.clear()
        with django_capture_on_commit_callbacks(execute=True):
            for docno, grade in grades:
                answer(assignment, docno, grade=grade, **how)
        return asked.count(campaign.pk)

    asked: list[int] = []
    monkeypatch.setattr(
        tasks.refresh_preliminary, "apply_async", lambda sent, **_: asked.extend(sent)
    )
    type(campaign).objects.update(has_fixed_scale=False)
    assignment = Assignment.objects.get(topic__number="1", kind="primary")
    sent = uuid4()
    assert announced(("d1", 0), client_id=sent) == 1, "the first grade of a campaign"
    assert announced(("d1", 0), client_id=sent) == 0
    assert announced(("d1", 1), ("d2", 1), ("d3", 2)) == 1
    assert announced(("d1", 0)) == 1


def test_a_long_refresh_leaves_workers_to_other_jobs(campaign):
    """Nobody asks for the next one while it runs, and for a while after it."""
    pk = campaign.pk
    throttle.begin(pk)
    assert throttle.is_first(pk), "a short one may have missed the judgment"
    throttle.end(pk, 3 * throttle.LONG_SECONDS)
    assert not throttle.is_first(pk), "it rests"
    throttle.begin(pk)
    assert not throttle.is_first(pk), "it runs"
    throttle.end(pk, throttle.LONG_SECONDS / 2)
    assert throttle.is_first(pk), "it has become short"


def test_a_worker_keeps_the_placements_of_one_set_of_runs(campaign, pat):
    one, two = (make.run(campaign, pat, ONE, tag) for tag in ("one", "two"))
    pool = make.frozen_pool(campaign, [one, two])
    both = weakref.ref(together([one, two], pool, DEFAULT_RULES)[1])
    assert both() is not None
    together([one], pool, DEFAULT_RULES)
    assert both() is None
