"""Pages that wait for a worker: what they show comes again once it has changed, and not before."""

import re

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from collection.services import imports
from jobs.models import Job
from pooling import services as pooling
from tests import make

pytestmark = pytest.mark.django_db


def waits_for_import(campaign, olga) -> tuple[str, Job]:
    row = imports.request_import(
        user=olga, campaign=campaign, kind="documents", file=ContentFile(b"<DOC>", name="a.txt")
    )
    address = reverse("collection:import", args=[campaign.slug, row.pk])
    return address, Job.objects.get(kind="read_import", subject_id=row.pk)


def waits_for_forecast(campaign, olga) -> tuple[str, Job]:
    run = make.run(campaign, campaign.membership_set.get(role="participant").user, {"1": "d1 d2"})
    pooling.request_forecast(user=olga, campaign=campaign)
    address = reverse("pooling:forecast", args=[campaign.slug])
    query = f"?strategy=depth&depth=2&runs={run.pk}"
    return address + query, Job.objects.get(kind="forecast_pool", campaign=campaign)


def waits_for_job(campaign, olga) -> tuple[str, Job]:
    _, job = waits_for_import(campaign, olga)
    return reverse("campaigns:job", args=[campaign.slug, job.pk]), job


@pytest.mark.parametrize("waits_for", [waits_for_import, waits_for_forecast, waits_for_job])
def test_what_waits_is_sent_again_once_something_changed(sign_in, campaign, olga, waits_for):
    address, job = waits_for(campaign, olga)
    client = sign_in(olga)

    def asked(shown: str) -> tuple[int, str, int]:
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address, headers={"HX-Request": "true", "Shown": shown})
        stage = re.search(r'{"Shown": "([^"]+)"}', answer.text)
        return answer.status_code, stage[1] if stage else "", len(captured)

    status, stage, n_queries = asked("")
    assert (status, bool(stage)) == (200, True)
    status, _, n_asked = asked(stage)
    assert status == 204
    assert n_asked < n_queries or waits_for is waits_for_job
    Job.objects.filter(pk=job.pk).update(progress=1, total=2)
    status, later, _ = asked(stage)
    assert (status, later != stage) == (200, True)
    Job.objects.filter(pk=job.pk).update(state="failed")
    assert asked(later)[0] == 200
