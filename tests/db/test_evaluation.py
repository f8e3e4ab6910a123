"""Scores of published qrels: whose they are, who sees them, and how they are stored."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.access import NotThere, NotYours, Refused, check
from assess.models.assigning import Assignment
from cleverdon.measures.exports import EXPORTS
from cleverdon.measures.names import parse
from collection.models.texts import Topic
from evaluation import placement_cache, services, tasks
from evaluation.access import Scores, runs_shown
from evaluation.models.preliminary import Placement, Preliminary
from evaluation.models.scores import Evaluation, Score
from jobs import work
from jobs.models import Job
from pooling.models.pools import Pool
from qrels.services.publishing import publish_qrels, reinstate_qrels, withdraw_qrels
from tests import make, records
from tests.asked import graded_by
from tests.db.scoring import GRADES, ONE, TWO, score, scored_apart, trec_evals
from tests.releasing import ALL, TEAMS, show_to


def test_scores_are_trec_evals(olga, campaign, judged, sent):
    evaluation = score(olga, campaign, sent)
    assert evaluation.finished_at
    assert evaluation.topics == ["1", "2"]
    measures = "AP nDCG@10 P@10 RR Rprec Bpref R@1000"
    names = {parse(name).trec_eval: name for name in measures.split()}
    assert " ".join(names) == "map ndcg_cut_10 P_10 recip_rank Rprec bpref recall_1000"
    places = [evaluation.measures.index(name) for name in names.values()]
    for run in judged:
        theirs = trec_evals(run, GRADES, *names)
        mine = Score.objects.get(run=run).by_topic()
        for values, topic in zip(mine[:, places].tolist(), evaluation.topics, strict=True):
            found = dict(zip(names, values, strict=True))
            assert found == theirs.get(topic, dict.fromkeys(names, 0.0)), topic
    assert len(Score.objects.get(run=judged[1]).missing_topics) == 1


def test_scoring_again_writes_the_same_or_makes_a_new_evaluation(olga, campaign, judged, sent):
    first = score(olga, campaign, sent)
    rows = Score.objects.filter(evaluation=first).order_by("run")
    before = list(rows.values_list("aggregates", flat=True))
    job = Job.objects.get(kind="score_runs", subject_id=first.pk)
    Job.objects.filter(pk=job.pk).update(state="running")
    tasks.score_batch(job.pk, job.token, [run.pk for run in judged])
    assert list(rows.values_list("aggregates", flat=True)) == before
    second = score(
        olga, campaign, sent, measures=["NumRet", "AP"], rules="trec_eval-10", topic_set="retrieved"
    )
    assert (second.rules, second.scope.topic_set) == ("trec_eval-10", "retrieved")
    assert (first.pk != second.pk, first.qrels == second.qrels) == (True, True)
    assert Evaluation.objects.front_first(campaign).first() == second
    two = second.scores.get(run=judged[1])
    assert two.aggregates == [3.0, two.by_topic()[0][1]]
    assert (two.n_topics, len(two.missing_topics)) == (1, 1)
    assert Placement.objects.filter(rules="trec_eval-10").count() == 2


def test_a_run_without_a_topic_that_counts_has_empty_cells_in_every_file(
    olga, pat, campaign, judged, sent, client
):
    make.documents(campaign, ["d9"])
    Topic.objects.create(campaign=campaign, number="3", title="without judgments")
    make.run(campaign, pat, {"3": "d9 d1"}, "elsewhere")
    score(olga, campaign, sent, measures=["AP", "NumRet"], topic_set="retrieved")
    client.force_login(olga)
    base = f"/campaigns/{campaign.slug}/leaderboard/leaderboard"
    files = {kind: client.get(f"{base}.{kind}").content.decode() for kind in EXPORTS}
    row = next(each for each in records.read(files["csv"]) if each["run"] == "elsewhere")
    assert (row["AP"], row["NumRet"], row["topics"]) == ("", "", "0")
    rows = json.loads(files["json"], parse_constant=pytest.fail)["rows"]
    assert [each["scores"]["AP"] for each in rows if each["run"] == "elsewhere"] == [None]
    assert not [kind for kind, text in files.items() if re.search(r"\bnan\b", text, re.IGNORECASE)]


def test_there_must_be_something_to_score(olga, campaign, judged):
    qrels = publish_qrels(user=olga, campaign=campaign)
    withdraw_qrels(user=olga, qrels=qrels, reason="Wrong.")
    with pytest.raises(Refused, match="Qrels v1 have been withdrawn"):
        services.request_evaluation(user=olga, **make.scope(qrels))
    reinstate_qrels(user=olga, qrels=qrels)
    campaign.run_set.update(state="withdrawn")
    with pytest.raises(Refused, match="no valid run"):
        services.request_evaluation(user=olga, **make.scope(qrels))


SWAY, UNRELEASED = "could sway a judgment", "have not released the scores"


@pytest.mark.parametrize(
    ("audiences", "shown"),
    [
        ((), {"olga": 2, "pat": UNRELEASED, "ada": SWAY}),
        ((TEAMS,), {"olga": 2, "pat": 2, "quinn": 0, "ada": SWAY}),
        ((ALL,), {"olga": 2, "pat": 2, "quinn": 2, "ada": SWAY}),
    ],
)
def test_who_sees_scores(request, campaign, olga, judged, sent, audiences, shown):
    """A number of runs, or a sentence; a stranger does not learn that there is a campaign."""
    evaluation = score(olga, campaign, sent)
    show_to(campaign, *audiences)
    for name, expected in shown.items():
        user = request.getfixturevalue(name)
        if isinstance(expected, str):
            with pytest.raises(NotYours, match=expected):
                check(Scores.see, user, campaign)
        else:
            check(Scores.see, user, campaign)
            assert len(runs_shown(user, evaluation)) == expected, name
    if audiences != (ALL,):
        with pytest.raises(NotThere):
            check(Scores.see, request.getfixturevalue("sam"), campaign)


def values_of(evaluation) -> list[list[float]]:
    return list(evaluation.scores.order_by("run__pk").values_list("aggregates", flat=True))


def test_a_run_is_placed_once_and_again_where_that_is_lost_or_damaged(olga, campaign, judged, sent):
    first = score(olga, campaign, sent)
    for rest, damage in ((["NumRet"], b""), (["NumRel"], b"something else entirely, and longer")):
        for placement in Placement.objects.all():
            with placement.file.storage.open(placement.file.name, "wb") as file:
                file.write(damage)
        again = score(olga, campaign, sent, measures=[*first.measures, *rest])
        assert [row[:-1] for row in values_of(again)] == values_of(first)
        assert placement_files() == set(Placement.objects.values_list("file", flat=True))
    placed = list(Placement.objects.values_list("pk", "file"))
    make.judgment(Assignment.objects.first(), "d1", 0)
    assert score(olga, campaign, sent).qrels.number == 2
    assert list(Placement.objects.values_list("pk", "file")) == placed


def test_the_universe_of_a_pool_has_its_pairs(campaign, judged):
    universe = placement_cache.universe_of(Pool.objects.get(campaign=campaign))
    assert universe.topics == ("1", "2")
    assert universe.docnos.tolist() == [b"d1", b"d2", b"d3", b"d4", b"d1", b"d4"]
    assert (universe.grades == -1).all()


def test_scores_that_are_finished_while_it_is_looked_for_them_are_found(
    olga, campaign, judged, sent
):
    qrels = publish_qrels(user=olga, campaign=campaign)
    first = services.request_evaluation(user=olga, **make.scope(qrels))
    job = Job.objects.about("score_runs", first.pk)

    def finished(execute, sql, *arguments):
        """All of it between the query of the evaluations and that of their job."""
        if sql.startswith("SELECT") and 'FROM "jobs_job"' in sql and not done:
            done.append(sql)
            tasks.score_runs(job.pk)
            task, its = sent.pop()
            task(*its)
        return execute(sql, *arguments)

    done: list[str] = []
    with (
        connection.execute_wrapper(finished),
        pytest.raises(Refused, match="These scores exist already"),
    ):
        services.request_evaluation(user=olga, **make.scope(qrels))
    assert Evaluation.objects.count() == 1


def test_of_two_who_place_a_run_at_once_one_file_is_stored(campaign, judged):
    """The second has its file written when the first has stored its row."""
    pool = Pool.objects.get(campaign=campaign)

    def overtaken(execute, sql, *arguments):
        if sql.startswith('INSERT INTO "evaluation_placement"') and not done:
            done.append(sql)
            placement_cache.placements_of(judged, pool, "trec_eval-9")
        return execute(sql, *arguments)

    done: list[str] = []
    with connection.execute_wrapper(overtaken):
        placement_cache.placements_of(judged, pool, "trec_eval-9")
    assert placement_files() == set(Placement.objects.values_list("file", flat=True))
    assert Placement.objects.count() == 2


def placement_files() -> set[str]:
    root = Path(default_storage.location)
    return {
        str(each.relative_to(root)) for each in (root / "placements").rglob("*") if each.is_file()
    }


def test_scores_that_are_there_are_not_computed_again(olga, campaign, judged, sent):
    evaluation = score(olga, campaign, sent)
    with pytest.raises(Refused, match="These scores exist already"):
        services.request_evaluation(user=olga, **make.scope(evaluation.qrels))
    other = {"user": olga, **make.scope(evaluation.qrels), "rules": "trec_eval-10"}
    asked = services.request_evaluation(**other)
    with pytest.raises(Refused, match="being computed already"):
        services.request_evaluation(**other)
    work.fail(work.claim(Job.objects.about("score_runs", asked.pk).pk), "no")
    services.request_evaluation(**other)


def test_a_run_taken_out_stays_on_old_boards_and_is_in_no_new_one(
    olga, campaign, pat, judged, sent
):
    make.run(campaign, pat, ONE, "three")
    first = score(olga, campaign, sent)
    rows = first.leaderboard(0, [run.pk for run in campaign.run_set.all()])
    assert [(entry.rank, entry.tag) for entry in rows] == [(1, "one"), (1, "three"), (3, "two")]
    campaign.run_set.filter(tag="three").update(state="withdrawn")
    before = list(first.scores.order_by("run").values_list("run", "aggregates", "content"))
    campaign.run_set.filter(pk=judged[0].pk).update(state="disqualified")
    second = score(olga, campaign, sent)
    ids = [run.pk for run in judged]
    assert [entry.tag for entry in second.leaderboard(0, ids)] == ["two"]
    assert {entry.tag: entry.subject.is_out for entry in first.leaderboard(0, ids)} == {
        "one": True,
        "two": False,
    }
    after = list(first.scores.order_by("run").values_list("run", "aggregates", "content"))
    assert after == before
    left_out = Evaluation.objects.left_out
    assert not left_out(first).exists()
    assert not left_out(second).exists()
    make.run(campaign, pat, TWO, "late")
    assert left_out(first).count() == 1


def test_topics_whose_grades_are_all_negative_count_on_both_boards(olga, campaign, pat, ada, sent):
    """trec_eval takes a negative grade for unjudged, and the topic into its means all the same."""
    campaign.criteria = graded_by({-1: "spam", 0: "no", 1: "yes"})
    campaign.save()
    one = make.run(campaign, pat, ONE, "one")
    make.frozen_pool(campaign, [one], depth=4)
    grades = {"1": {"d1": 1, "d2": -1}, "2": {"d1": -1, "d4": -1}}
    for topic in campaign.topic_set.all():
        assignment = make.assignment(topic, ada)
        for docno, grade in grades[topic.number].items():
            make.judgment(assignment, docno, grade)
    evaluation = score(olga, campaign, sent)
    found = evaluation.scores.get()
    assert evaluation.topics == ["1", "2"]
    assert (found.n_topics, found.by_topic()[:, 0].tolist()) == (2, [1.0, 0.0])
    tasks.refresh_preliminary(campaign.pk)
    assert Preliminary.objects.get().aggregates == [found.aggregates]


def test_the_values_of_one_measure_are_cut_out_of_all(olga, campaign, sent, judged):
    made = scored_apart(olga, campaign, sent, 8)
    scores = list(made.by_tag)
    with CaptureQueriesContext(connection) as queries:
        found = [made.values(scores, at) for at in range(len(made.measures))]
    assert len(queries) == len(made.measures)
    whole = np.stack([each.counted()[:-1] for each in made.scores.order_by("run__tag")])
    np.testing.assert_array_equal(np.stack(found, axis=2), whole)
    assert np.isnan(whole[:, 3]).all()
