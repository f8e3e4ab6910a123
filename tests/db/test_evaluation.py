import pytest
import pytrec_eval

from assess.services import publish_qrels
from campaigns.access import NotYours, Refused
from campaigns.models import Job
from evaluation import services, tasks
from evaluation.access import check_can_see_scores, runs_shown
from evaluation.models import Evaluation, Score
from tests import make

ONE = {"1": "d1 d2 d3 d4", "2": "d4 d1"}
TWO = {"1": "d4 d3 d6"}
GRADES = {"1": {"d1": 2, "d2": 0, "d3": 1, "d4": 0}, "2": {"d1": 3, "d4": 0}}


@pytest.fixture
def sent(monkeypatch):
    """The tasks told to the queue."""
    told = []
    for name in ("score_batch", "finish"):
        task = getattr(tasks, name)
        monkeypatch.setattr(
            task, "delay", lambda *arguments, task=task: told.append((task, arguments))
        )
    return told


@pytest.fixture
def judged(campaign, pat, ada):
    one, two = make.run(campaign, pat, ONE, "one"), make.run(campaign, pat, TWO, "two")
    make.frozen_pool(campaign, [one], depth=4)
    for topic in campaign.topic_set.all():
        assignment = make.assignment(topic, ada)
        for docno, grade in GRADES[topic.number].items():
            make.judgment(assignment, docno, grade)
    return one, two


def score(olga, campaign, sent) -> Evaluation:
    qrels = publish_qrels(user=olga, campaign=campaign)
    evaluation = services.request_evaluation(user=olga, qrels=qrels)
    job = Job.objects.get(kind="score_runs", subject_id=evaluation.pk)
    tasks.score_runs(job.pk)
    while sent:
        task, arguments = sent.pop(0)
        task(*arguments)
    evaluation.refresh_from_db()
    return evaluation


def test_scores_are_trec_evals(olga, campaign, judged, sent):
    evaluation = score(olga, campaign, sent)
    assert evaluation.finished_at
    assert evaluation.topics == ["1", "2"]
    names = {
        "map": "AP",
        "ndcg_cut_10": "nDCG@10",
        "P_10": "P@10",
        "recip_rank": "RR",
        "Rprec": "Rprec",
        "bpref": "Bpref",
        "recall_1000": "R@1000",
    }
    evaluator = pytrec_eval.RelevanceEvaluator(
        GRADES,
        {"map", "ndcg_cut.10", "P.10", "recip_rank", "Rprec", "bpref", "recall.1000"},
    )
    for run, ranking in zip(judged, (ONE, TWO), strict=True):
        theirs = evaluator.evaluate(
            {
                t: {d: -float(i) for i, d in enumerate(docs.split())}
                for t, docs in ranking.items()
            }
        )
        mine = Score.objects.get(run=run)
        for row, topic in enumerate(evaluation.topics):
            for their_name, name in names.items():
                value = mine.by_topic[row][evaluation.measures.index(name)]
                assert value == theirs.get(topic, {}).get(their_name, 0.0), (
                    topic,
                    name,
                )
    assert Score.objects.get(run=judged[1]).n_missing_topics == 1


def test_a_batch_done_twice_writes_the_same(olga, campaign, judged, sent):
    evaluation = score(olga, campaign, sent)
    before = list(Score.objects.order_by("run").values_list("aggregates", flat=True))
    job = Job.objects.get(kind="score_runs", subject_id=evaluation.pk)
    Job.objects.filter(pk=job.pk).update(state="running")
    tasks.score_batch(job.pk, [run.pk for run in judged])
    assert (
        list(Score.objects.order_by("run").values_list("aggregates", flat=True))
        == before
    )


def test_scoring_again_makes_a_new_evaluation(olga, campaign, judged, sent):
    first, second = score(olga, campaign, sent), score(olga, campaign, sent)
    assert first.pk != second.pk
    assert (first.qrels.number, second.qrels.number) == (1, 2)
    assert Evaluation.objects.latest_of(campaign) == second


def test_equal_figures_share_a_rank(olga, campaign, pat, judged, sent):
    make.run(campaign, pat, ONE, "three")
    rows = score(olga, campaign, sent).leaderboard(
        0, [run.pk for run in campaign.run_set.all()]
    )
    assert [(row.rank, row.score.run.tag) for row in rows] == [
        (1, "one"),
        (1, "three"),
        (3, "two"),
    ]


def test_a_campaign_without_runs_has_nothing_to_score(olga, campaign, judged):
    qrels = publish_qrels(user=olga, campaign=campaign)
    campaign.run_set.update(state="withdrawn")
    with pytest.raises(Refused, match="no valid run"):
        services.request_evaluation(user=olga, qrels=qrels)


@pytest.mark.parametrize(
    ("visibility", "person", "n_shown"),
    [
        ("organizers", "olga", 2), ("owners", "olga", 2), ("public", "olga", 2),
        ("organizers", "pat", None), ("owners", "pat", 2), ("public", "pat", 2),
        ("organizers", "ada", None), ("owners", "ada", None), ("public", "ada", 2),
        ("public", "sam", None),
    ],
)  # fmt: skip
def test_who_sees_scores(request, campaign, judged, sam, visibility, person, n_shown):
    user = request.getfixturevalue(person)
    campaign.visibility = visibility
    campaign.save()
    if n_shown is None:
        with pytest.raises(NotYours):
            check_can_see_scores(user, campaign)
    else:
        check_can_see_scores(user, campaign)
        assert len(runs_shown(user, campaign)) == n_shown


def test_a_participant_sees_only_their_teams_runs_until_scores_are_public(
    campaign, judged
):
    quinn = make.user("quinn")
    from campaigns.models import Membership, Role, Team

    team = Team.objects.create(campaign=campaign, name="Barbican")
    Membership.objects.create(
        campaign=campaign, user=quinn, role=Role.PARTICIPANT, team=team
    )
    campaign.visibility = "owners"
    campaign.save()
    assert runs_shown(quinn, campaign) == []
