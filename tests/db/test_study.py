"""The study of an evaluation: what a worker stores, and what its page says."""

import numpy as np
import pytest

from accounts.access import Refused
from evaluation import services, tasks
from evaluation.core.study import studied
from evaluation.models.scores import Evaluation, packed
from jobs.models import Job
from qrels.services.publishing import withdraw_qrels
from tests import make
from tests.db.computing import page_of, words
from tests.db.scoring import score, scored_apart
from tests.web.heads import press_each

N_TOPICS = 12


@pytest.fixture
def evaluation(olga, campaign, judged, sent) -> Evaluation:
    return scored_apart(olga, campaign, sent, N_TOPICS)


def ask(olga, evaluation) -> Job:
    services.request_study(user=olga, evaluation=evaluation)
    return Job.objects.get(kind="study", state="waiting")


def test_a_study_is_stored_once_a_worker_has_computed_it(olga, evaluation):
    assert Evaluation.objects.get().study is None
    ask(olga, evaluation)
    job = make.worked("study", evaluation.pk)
    stored = Evaluation.objects.get().study
    assert job.outcome == f"{len(stored['measures'])} measures studied on qrels v1."
    values = np.stack([each.by_topic() for each in evaluation.scores.order_by("run__tag")])
    counted = np.ones((2, N_TOPICS), dtype=bool)
    counted[:, 3] = False
    expected = studied(values, counted, evaluation.parsed).to_json()
    assert (stored["n_topics"], stored["n_runs"]) == (N_TOPICS - 1, 2)
    assert [each["n_told"] for each in stored["measures"]] == [
        each["n_told"] for each in expected["measures"]
    ]
    assert stored["alike"] == [list(each) for each in expected["alike"]]
    ask(olga, evaluation)
    make.worked("study", evaluation.pk)
    assert Evaluation.objects.get().study == stored


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


def test_too_little_to_study_is_refused_before_anybody_asks(client, olga, campaign, judged, sent):
    made = score(olga, campaign, sent)
    says = "A study needs 6 topics and 2 runs; these scores are of 2 topics and 2 runs."
    with pytest.raises(Refused, match=f"^{says}$"):
        services.request_study(user=olga, evaluation=made)
    client.force_login(olga)
    page = words(client.get(page_of(made, "study")))
    assert says in page
    assert "<button disabled> Compute the study" in page


def test_a_study_of_runs_that_are_alike_fails_with_a_sentence(olga, evaluation):
    alike = np.ones((N_TOPICS, len(evaluation.measures)))
    evaluation.scores.update(content=packed(alike))
    ask(olga, evaluation)
    job = make.worked("study", evaluation.pk)
    assert (job.state, job.outcome) == ("failed", tasks.NOTHING_TO_STUDY)
    assert Evaluation.objects.get().study is None


def test_the_page_says_what_each_measure_tells(client, olga, evaluation):
    client.force_login(olga)
    ask(olga, evaluation)
    make.worked("study", evaluation.pk)
    address = page_of(evaluation, "study")
    page = client.get(address, {"by": "AP"})
    text = words(page)
    assert "By AP 100 % of the pairs of runs can be told apart on" in text
    assert "AP: 100 % of the pairs." in text
    assert "at most 5 % are the other way round on 5 others." in text
    assert "With 5 of the 11 topics the order by AP has a tau of 1.00 to that with all." in text
    assert "200 random subsets, 2 runs, seed 1." in text
    assert "0.5 takes 34, 0.3 takes 90, 0.2 takes 199, 0.1 takes 787." in text
    assert "on 11 topics: signs flipped by topic, all 2,048 ways; max-T with step-down." in text
    shares = [row[1] for row in page.context["rows"]]
    assert shares == sorted(shares, reverse=True)
    least = client.get(address, {"told-sort": "Share"}).content.decode()
    assert least.index("?by=RR") < least.index("?by=AP")
    assert press_each(client, address) == {"told"}
    other = client.get(address, {"by": "RR"})
    assert "By RR no two of the 2 runs can be told apart on" in words(other)
