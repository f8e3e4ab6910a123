"""Pages of an evaluation that a job computes: asked for by an organizer, shown once computed."""

from datetime import timedelta
from typing import NamedTuple

import pytest
from django.utils import timezone

from accounts.access import NotYours, Refused
from campaigns.models.campaign import Campaign
from evaluation import leaving_out, services, tasks, varying
from evaluation.models.scores import Evaluation
from jobs.models import Job
from qrels.services.publishing import reinstate_qrels, withdraw_qrels
from tests import make
from tests.db.computing import page_of, words
from tests.db.scoring import score
from tests.db.several import judge_twice
from tests.releasing import ALL, TEAMS, show_to
from tests.web.growth import again


class Computed(NamedTuple):
    """A page, and the module and the function in it that computes its figures."""

    name: str
    kind: str
    module: object
    computes: str
    button: str
    refusal: str

    def ask(self, user, evaluation) -> Job:
        getattr(services, f"request_{self.name}")(user=user, evaluation=evaluation)
        return Job.objects.get(kind=self.kind, state="waiting")


IN_WORDS = "Compute the study", "The study of these scores is being computed already."
STUDY = Computed("study", "study", tasks, "studied", *IN_WORDS)
IN_WORDS = "Leave runs out", "What runs score when left out is being computed already."
LEFT_OUT = Computed("reusability", "leave_out", leaving_out, "left_out", *IN_WORDS)
IN_WORDS = "Vary the assessors", "What disagreement does to the ranking is being computed already."
VARIED = Computed("disagreement", "vary_assessors", varying, "varied", *IN_WORDS)
PAGES = [STUDY, LEFT_OUT, VARIED]
pytestmark = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@pytest.fixture
def compared(olga, several, ben, sent) -> Evaluation:
    """An evaluation of what was judged twice, with intervals, places and classes."""
    judge_twice(several, ben)
    made = score(olga, several, sent)
    make.worked("place_runs", made.pk)
    return made


def test_it_is_refused_in_one_sentence_and_leaves_nothing(olga, compared, page):
    job = page.ask(olga, compared)
    for state in ("waiting", "running"):
        Job.objects.filter(pk=job.pk).update(state=state)
        with pytest.raises(Refused, match=f"^{page.refusal}"):
            page.ask(olga, compared)
    Job.objects.filter(pk=job.pk).update(state="failed")
    withdraw_qrels(user=olga, qrels=compared.qrels, reason="Wrong.")
    with pytest.raises(Refused, match=r"^Qrels v1 have been withdrawn"):
        page.ask(olga, compared)
    reinstate_qrels(user=olga, qrels=compared.qrels)
    assert page.ask(olga, compared).pk > job.pk


@pytest.mark.parametrize("is_deleted", [False, True])  # with its campaign
def test_a_worker_that_lost_its_job_stores_nothing(olga, compared, page, is_deleted, monkeypatch):
    job, compute = page.ask(olga, compared), getattr(page.module, page.computes)

    def lose(*given, **options):
        Job.objects.filter(pk=job.pk).update(state="waiting", token=9)
        if is_deleted:
            Job.objects.all().delete()
        return compute(*given, **options)

    monkeypatch.setattr(page.module, page.computes, lose)
    getattr(page.module, page.kind)(job.pk)
    assert getattr(Evaluation.objects.get(), page.name) is None


def test_the_page_has_it_computed_once(client, olga, compared, page):
    client.force_login(olga)
    address = page_of(compared, page.name)
    assert page.button in words(client.get(address))
    answer = client.post(address)
    assert (answer.status_code, answer.url) == (302, address)
    waiting = words(client.get(address))
    assert Job.objects.get(kind=page.kind).label.capitalize() in waiting
    assert page.button not in waiting
    assert page.refusal in words(client.post(address, follow=True))
    assert Job.objects.filter(kind=page.kind).count() == 1
    make.worked(page.kind, compared.pk)
    shown = client.get(address, {"by": "AP"})
    other, unknown = (client.get(address, {"by": by}) for by in ("P@10", "nonsense"))
    assert unknown.context["chosen"] == client.get(address).context["chosen"]
    pictures = shown.context["pictures"]
    assert other.context["pictures"].keys() == pictures.keys()
    assert [each.rows for each in other.context["pictures"].values()] != [
        each.rows for each in pictures.values()
    ]
    for name in pictures:
        file = client.get(address, {"by": "AP", "picture": f"{name}.svg"})
        assert file["Content-Type"].startswith("image/svg")


def test_who_sees_it(client, olga, pat, compared, page):
    page.ask(olga, compared)
    make.worked(page.kind, compared.pk)
    address = page_of(compared, page.name)
    board = address.partition("evaluations")[0]
    show_to(compared.campaign, TEAMS)
    client.force_login(pat)
    assert client.get(address).status_code == 404  # sees only own runs
    assert f"/{page.name}/" not in words(client.get(board))
    show_to(compared.campaign, ALL)
    assert client.get(address).status_code == 200
    assert page.button not in words(client.get(address))
    assert client.post(address).status_code == 403
    assert address in words(client.get(board))
    Campaign.objects.update(topics_open_at=timezone.now() + timedelta(days=1))
    assert client.get(address).status_code == 403
    assert f"/{page.name}/" not in words(client.get(board))
    show_to(compared.campaign)
    assert client.get(address).status_code == 403
    with pytest.raises(NotYours, match="Only organizers"):
        page.ask(pat, compared)


def test_a_draft_and_unfinished_scores_have_no_page_of_it(client, olga, pat, compared, page):
    show_to(compared.campaign, ALL, subject=compared.pk)
    compared = again(compared)
    address = page_of(compared, page.name)
    client.force_login(pat)
    assert client.get(address).status_code == 404
    client.force_login(olga)
    assert client.get(address).status_code == 200
    Evaluation.objects.filter(pk=compared.pk).update(finished_at=None)
    assert client.post(address).status_code == 404
