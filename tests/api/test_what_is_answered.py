"""What an act is answered with: the job of long work, and what is told this one time."""

import pytest
from django.test import Client
from django.utils import timezone

from api.models import Answer
from campaigns.models.people import Invitation
from evaluation.models.scores import Evaluation
from jobs.models import Job
from tests import make
from tests.api.addresses import of, send
from tests.db.actions import ACTIONS

pytestmark = pytest.mark.django_db


def test_long_work_answers_with_its_job(as_olga, campaign, queued, pat):
    run = make.run(campaign, pat, {"1": "d1"}, "one")
    answer = send(as_olga, campaign, "runs/one/check/")
    assert answer.status_code == 202
    job = as_olga.get(answer["Location"]).json()
    said = job["does"], job["state"], job["created_by"]
    assert said == ("check a run again", "waiting", "olga")
    Job.objects.filter(subject_id=run.pk).update(state="failed", outcome="The disk is full.")
    assert as_olga.get(answer["Location"]).json()["outcome"] == "The disk is full."
    assert send(as_olga, campaign, f"jobs/{job['id']}/retry/").status_code == 202


def test_the_deletion_of_all_documents_answers_with_its_job(as_olga, campaign, queued):
    answer = send(as_olga, campaign, "documents/delete-all/")
    assert answer.status_code == 202, answer.content
    assert as_olga.get(answer["Location"]).json()["state"] == "waiting"


STUDIES = {
    "request_study": "study",
    "request_reusability": "leave-out",
    "request_disagreement": "vary-assessors",
}


@pytest.mark.parametrize("service", [*STUDIES])
def test_what_is_computed_of_scores_answers_with_its_job(as_olga, campaign, queued, service):
    evaluation = ACTIONS[service].given(campaign)["evaluation"]
    Evaluation.objects.update(finished_at=timezone.now())
    act = STUDIES[service]
    answer = send(as_olga, campaign, f"evaluations/{evaluation.public_id}/{act}/")
    assert answer.status_code == 202, answer.content
    assert as_olga.get(answer["Location"]).json() == answer.json()


def test_a_forecast_answers_with_its_job_also_once_it_is_done(as_olga, campaign, queued, pat):
    make.run(campaign, pat, {"1": "d1"}, "one")
    ids = set()
    for _ in range(2):
        answer = send(as_olga, campaign, "pool/forecast/")
        assert answer.status_code == 202, answer.content
        job = as_olga.get(answer["Location"]).json()
        ids.add(job["id"])
        assert job["does"] == "forecast the pool"
        make.forecast(campaign)
    assert len(ids) == 1


def test_a_link_is_told_once(as_olga, campaign):
    made_it = send(as_olga, campaign, "invitations/", {"role": "assessor", "days": 3})
    link = made_it.json()["link"]
    assert Client().get(link).status_code == 200
    token = link.rstrip("/").rpartition("/")[2]
    for at in ("invitations/", f"invitations/{made_it.json()['id']}/", "events/"):
        assert token not in as_olga.get(of(campaign, at)).text
    assert not Answer.objects.exists()
    wrong = send(as_olga, campaign, "invitations/", {"role": "king", "days": 999})
    assert set(wrong.json()["fields"]) == {"role", "days"}


def test_an_invitation_is_made_once_for_its_key_and_its_link_is_stored_nowhere(as_olga, campaign):
    key = {"Idempotency-Key": "invite"}
    first, again = (
        send(as_olga, campaign, "invitations/", {"role": "assessor"}, **key) for _ in range(2)
    )
    assert first.status_code == again.status_code == 201
    token = Invitation.objects.get().token
    assert first.json() == again.json() | {"link": f"http://testserver/invitations/{token}/"}
    assert token not in Answer.objects.get().body


def test_a_link_that_is_stored_as_a_hash_is_stored_nowhere_else(as_olga, campaign):
    at, key = "people/ada/reset-password/", {"Idempotency-Key": "reset"}
    links = {send(as_olga, campaign, at, **key).json()["link"] for _ in range(2)}
    assert len(links) == 2
    assert all(link.startswith("http://testserver/passwords/") for link in links), links
    assert not Answer.objects.exists()
