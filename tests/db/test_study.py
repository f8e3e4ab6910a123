"""The study of an evaluation: asked for by an organizer, computed by a job, shown on its page."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from accounts.access import NotYours, Refused
from campaigns.models.campaign import Campaign
from evaluation import services, tasks
from evaluation.core.study import studied
from evaluation.models.scores import Evaluation
from jobs.models import Job
from qrels.services.publishing import reinstate_qrels, withdraw_qrels
from tests import make
from tests.db.scoring import score, scored_apart
from tests.releasing import ALL, TEAMS, show_to

N_TOPICS = 12


@pytest.fixture
def evaluation(olga, campaign, judged, sent) -> Evaluation:
    return scored_apart(olga, campaign, sent, N_TOPICS)


def ask(olga, evaluation) -> Job:
    services.request_study(user=olga, evaluation=evaluation)
    return Job.objects.get(kind="study", state="waiting")


def page_of(evaluation) -> str:
    slug = evaluation.campaign.slug
    return f"/campaigns/{slug}/leaderboard/evaluations/{evaluation.pk}/study/"


def words(response) -> str:
    return " ".join(response.content.decode().replace("&nbsp;", " ").split())


def test_a_study_is_stored_once_a_worker_has_computed_it(olga, evaluation):
    assert Evaluation.objects.get().study is None
    ask(olga, evaluation)
    job = make.worked("study", evaluation.pk)
    stored = Evaluation.objects.get().study
    assert job.outcome == f"{len(stored['measures'])} measures studied on qrels v1."
    values = np.stack([each.by_topic() for each in evaluation.scores.order_by("run__tag")])
    counted = np.ones((2, N_TOPICS), dtype=bool)
    counted[:, 3] = False
    expected = studied(values, counted, evaluation.parsed)
    assert (stored["n_topics"], stored["n_runs"]) == (N_TOPICS - 1, 2)
    assert [each["n_told"] for each in stored["measures"]] == [
        each["n_told"] for each in expected["measures"]
    ]
    assert stored["alike"] == [list(each) for each in expected["alike"]]
    ask(olga, evaluation)
    make.worked("study", evaluation.pk)
    assert Evaluation.objects.get().study == stored


def test_a_study_is_refused_in_one_sentence_and_leaves_nothing(olga, evaluation):
    job = ask(olga, evaluation)
    for state in ("waiting", "running"):
        Job.objects.filter(pk=job.pk).update(state=state)
        with pytest.raises(Refused, match=r"^The study of these scores is being computed"):
            services.request_study(user=olga, evaluation=evaluation)
    Job.objects.filter(pk=job.pk).update(state="failed")
    withdraw_qrels(user=olga, qrels=evaluation.qrels, reason="Wrong.")
    with pytest.raises(Refused, match=r"^Qrels v1 have been withdrawn"):
        services.request_study(user=olga, evaluation=evaluation)
    reinstate_qrels(user=olga, qrels=evaluation.qrels)
    assert ask(olga, evaluation).pk > job.pk


def test_residual_scores_are_not_studied_once_what_is_left_out_is_withdrawn(olga, evaluation):
    """The version left out may be withdrawn alone."""
    used = evaluation.qrels
    used.pk, used.number = None, 2
    used.save()
    Evaluation.objects.update(without=used)
    residual = Evaluation.objects.get()
    withdraw_qrels(user=olga, qrels=residual.without, reason="Wrong.")
    with pytest.raises(Refused, match=r"^Qrels v2 have been withdrawn"):
        services.request_study(user=olga, evaluation=Evaluation.objects.get())
    assert not Job.objects.filter(kind="study").exists()


def test_without_enough_to_study_the_job_says_so_and_stores_nothing(olga, campaign, judged, sent):
    evaluation = score(olga, campaign, sent)
    ask(olga, evaluation)
    job = make.worked("study", evaluation.pk)
    assert (job.state, job.outcome) == ("failed", tasks.NOTHING_TO_STUDY)
    assert Evaluation.objects.get().study is None


def test_a_worker_that_lost_its_job_stores_nothing(olga, evaluation, monkeypatch):
    job = ask(olga, evaluation)

    def lose(*given):
        Job.objects.filter(pk=job.pk).update(state="waiting", token=9)
        return studied(*given)

    monkeypatch.setattr(tasks, "studied", lose)
    tasks.study(job.pk)
    assert Evaluation.objects.get().study is None


def test_a_study_of_a_campaign_that_goes_meanwhile_stores_nothing(olga, evaluation, monkeypatch):
    job = ask(olga, evaluation)

    def delete(*given):
        Job.objects.all().delete()  # goes with its campaign
        return studied(*given)

    monkeypatch.setattr(tasks, "studied", delete)
    tasks.study(job.pk)
    assert Evaluation.objects.get().study is None


def test_the_page_says_what_each_measure_tells(client, olga, evaluation):
    client.force_login(olga)
    before = words(client.get(page_of(evaluation)))
    assert "The measures have not been studied" in before
    assert "Compute the study" in before
    answer = client.post(page_of(evaluation))
    assert (answer.status_code, answer.url) == (302, page_of(evaluation))
    waiting = words(client.get(page_of(evaluation)))
    assert "Study the measures and topics" in waiting
    assert "Compute the study" not in waiting
    again = client.post(page_of(evaluation), follow=True)
    assert "The study of these scores is being computed already." in words(again)
    assert Job.objects.filter(kind="study").count() == 1
    make.worked("study", evaluation.pk)
    page = client.get(page_of(evaluation), {"by": "AP"})
    text = words(page)
    assert "<h1>AP tells 100 % of the pairs of runs apart</h1>" in text
    assert "AP: 100 % of the pairs." in text
    assert "at most 5 % are the other way round on 5 others." in text
    assert "With 5 of the 11 topics the order by AP has a tau of 1.00 to that with all." in text
    assert "200 random subsets, 2 runs, seed 1." in text
    assert "0.5 takes 34, 0.3 takes 90, 0.2 takes 199, 0.1 takes 787." in text
    assert "4,999 sign flips, max-T, step-down, seed 1." in text
    shares = [row[1] for row in page.context["rows"]]
    assert shares == sorted(shares, reverse=True)
    least = client.get(page_of(evaluation), {"told-sort": "Share"}).content.decode()
    assert least.index("?by=RR") < least.index("?by=AP")
    other = client.get(page_of(evaluation), {"by": "RR"})
    assert "<h1>RR tells 0 % of the pairs of runs apart</h1>" in words(other)
    assert other.context["pictures"]["topics"].rows != page.context["pictures"]["topics"].rows
    unknown = client.get(page_of(evaluation), {"by": "nonsense"})
    assert unknown.context["chosen"]["measure"] == evaluation.measures[0]
    for name in ("swaps", "stability", "topics", "alike"):
        file = client.get(page_of(evaluation), {"by": "AP", "picture": f"{name}.svg"})
        assert file["Content-Type"].startswith("image/svg")


def test_who_sees_the_study(client, olga, pat, evaluation):
    ask(olga, evaluation)
    make.worked("study", evaluation.pk)
    address, board = page_of(evaluation), page_of(evaluation).partition("evaluations")[0]
    show_to(evaluation.campaign, TEAMS)
    client.force_login(pat)
    assert client.get(address).status_code == 404  # sees only own runs
    assert "/study/" not in words(client.get(board))
    show_to(evaluation.campaign, ALL)
    assert client.get(address).status_code == 200
    assert "Compute the study" not in words(client.get(address))
    assert client.post(address).status_code == 403
    assert address in words(client.get(board))
    Campaign.objects.update(topics_open_at=timezone.now() + timedelta(days=1))
    assert client.get(address).status_code == 403
    assert "/study/" not in words(client.get(board))
    show_to(evaluation.campaign)
    assert client.get(address).status_code == 403
    with pytest.raises(NotYours, match="Only organizers"):
        services.request_study(user=pat, evaluation=evaluation)


def test_a_draft_and_unfinished_scores_have_no_page_of_a_study(client, olga, pat, evaluation):
    released = evaluation.pk
    show_to(evaluation.campaign, ALL, subject=released)
    evaluation.pk = None
    evaluation.save()
    client.force_login(pat)
    assert client.get(page_of(evaluation)).status_code == 404
    client.force_login(olga)
    assert client.get(page_of(evaluation)).status_code == 200
    Evaluation.objects.filter(pk=evaluation.pk).update(finished_at=None)
    assert client.post(page_of(evaluation)).status_code == 404
