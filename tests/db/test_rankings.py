"""What runs retrieved, read from stored files: as scored, and to whom the grades are shown."""

import pytest

from campaigns.models.people import Role
from evaluation import services
from evaluation.access import counts_seen, sees_grades
from evaluation.models.preliminary import Placement
from evaluation.models.scores import Evaluation
from evaluation.rankings import finders_on, found_of, ranking_of
from tests import make
from tests.db.scoring import GRADES, ONE, TWO, published, scored
from tests.db.test_importing_qrels import imported
from tests.releasing import ALL, TEAMS, show_to

COUNTED = ["NumRel", "NumRelRet", "NumRet", "Judged@10"]


@pytest.fixture
def evaluate(olga, sent):
    def evaluate(qrels, **asked) -> Evaluation:
        return scored(olga, qrels, sent, measures=COUNTED, **asked)

    return evaluate


def check_counts(evaluation: Evaluation) -> None:
    for score in evaluation.scores.select_related("run"):
        values = dict(zip(evaluation.topics, score.by_topic().tolist(), strict=True))
        for topic, found in found_of(score).items():
            n_relevant, n_found, n_retrieved, judged = values[topic]
            n_first = min(n_retrieved, 10)
            assert found == (n_relevant, n_found, pytest.approx(n_first * (1 - judged)))
            assert len(ranking_of(score, topic, with_grades=True)) == n_retrieved


def test_counts_are_those_of_the_measures(olga, campaign, judged, evaluate):
    evaluation = evaluate(published(olga, campaign))
    check_counts(evaluation)
    one, two = evaluation.scores.order_by("run__tag")
    rows = ranking_of(one, "1", with_grades=True)
    assert [(row.docno, row.grade) for row in rows] == list(GRADES["1"].items())
    rows = ranking_of(two, "1", with_grades=True)
    assert [(row.docno, row.grade) for row in rows] == [("d4", 0), ("d3", 1), ("d6", None)]
    assert ranking_of(two, "2", with_grades=True) == []
    found = finders_on(evaluation, [one.run, two.run], "1")
    assert found == [("d1", 2, {0: 1}), ("d3", 1, {0: 3, 1: 2})]


def test_who_retrieved_a_document_is_read_without_placing_all_runs_anew(
    olga, campaign, judged, evaluate
):
    evaluation = evaluate(published(olga, campaign))
    runs = [each.run for each in evaluation.scores.order_by("run__tag")]
    before = finders_on(evaluation, runs, "1")
    make.frozen(make.batch(campaign, runs, depth=9))  # the pool has grown, and its hash is another
    placed = list(Placement.objects.values_list("pk", "pool_sha256"))
    again = Evaluation.objects.get(pk=evaluation.pk)
    assert again.qrels.pool.sha256 not in {sha256 for _, sha256 in placed}
    assert finders_on(again, runs, "1") == before
    assert list(Placement.objects.values_list("pk", "pool_sha256")) == placed


def test_in_the_residual_collection_what_was_judged_is_missing(olga, campaign, pat, evaluate):
    """To a reader who may not know what was judged, the run is whole."""
    for ranking, tag in ((ONE, "a"), (TWO, "b")):
        make.run(campaign, pat, ranking, tag)
    before, whole = imported(olga, campaign, b"1 0.5 d1 0\n3 0.5 d2 0\n"), imported(olga, campaign)
    check_counts(evaluate(whole))
    residual = evaluate(whole, without=before.number)
    check_counts(residual)
    score = residual.scores.get(run__tag="a")
    rows = ranking_of(score, "1", with_grades=True)
    assert [(row.rank, row.docno) for row in rows] == [(1, "d2"), (2, "d3"), (3, "d4")]
    hidden = ranking_of(score, "1", with_grades=False)
    assert [(row.docno, row.grade) for row in hidden] == [(d, None) for d in ONE["1"].split()]


def test_grades_are_seen_with_every_version_they_rest_on(olga, campaign, pat, ada, evaluate):
    make.run(campaign, pat, ONE, "a")
    before, whole = imported(olga, campaign, b"1 0.5 d1 0\n"), imported(olga, campaign)
    residual, plain = evaluate(whole, without=before.number), evaluate(whole)
    few = services.request_evaluation(user=olga, **make.scope(whole), measures=["AP"])
    show_to(campaign, TEAMS, what="qrels", subject=before.pk)
    assert not sees_grades(pat, residual)
    assert not sees_grades(pat, plain)
    assert all(counts_seen(pat, plain).values())
    assert not any(counts_seen(pat, few).values())
    show_to(campaign, TEAMS, what="qrels", subject=whole.pk)
    assert not sees_grades(pat, residual)
    assert sees_grades(pat, plain)
    assert all(counts_seen(pat, few).values())
    assert sees_grades(olga, residual)
    show_to(campaign, ALL, what="qrels", subject=whole.pk)
    assert campaign.membership_set.get(user=ada).role == Role.ASSESSOR
    assert not sees_grades(ada, plain)  # she may still judge
