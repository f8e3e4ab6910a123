"""Damaged files at the doors that take them: none is answered 500, no job ends by a bug, and what
is taken is then shown.

A run of the suite sends two of each kind; SPOILED_FILES=200 sends so many, and SPOILED_SEED is the
number of the first.
"""

import os
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from campaigns.models.campaign import Campaign
from collection.models.imports import Import
from collection.services import imports
from jobs import work
from jobs.models import Job
from qrels.models import QrelsImport
from qrels.services import importing
from runs.models import Run
from tests.spoiled import RUN, WHOLE, spoiled_file

pytestmark = pytest.mark.slow

IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
N_FILES = int(os.environ.get("SPOILED_FILES", "200" if IS_DEEP else "2"))
FIRST = int(os.environ.get("SPOILED_SEED", "0"))
DOORS = {
    "topics": "topics",
    "documents": "documents",
    "qrels": "qrels/upload",
    "known grades": "judging/controls",
    "runs": "runs",
    "archives": "runs/upload",
    "tables": "runs/upload",
}


def form(kind: str, content: bytes, seed: int) -> dict[str, object]:
    """What a page would send; with every other seed its box is ticked."""
    file = SimpleUploadedFile("runs.csv" if kind == "tables" else "a file.txt", content)
    box = {"documents": "is_html", "qrels": "converts", "runs": "converts"}.get(kind, "")
    ticked = {box: "on"} if box and seed % 2 else {}
    return (
        ticked
        | {
            "topics": {"file": file},
            "documents": {"file": file},
            "qrels": {"file": file, "source": "NIST"},
            "known grades": {"file": file, "how": "replace"},
            "runs": {"file": file, "team": "baseline"},
            "archives": {"run_files": file, "team": "folders"},
            "tables": {"run_files": [file, SimpleUploadedFile("one.txt", RUN)], "team": "baseline"},
        }[kind]
    )


def work_done() -> None:
    """Do every waiting job, as a worker does; a bug in one is raised."""
    while jobs := list(Job.objects.filter(state=Job.State.WAITING).order_by("pk")):
        for job in jobs:
            work.kinds[job.kind](job.pk)


def imported(client: Client, campaign: Campaign) -> None:
    for row in Import.objects.filter(campaign=campaign, state="ready"):
        shown(client, campaign, f"imports/{row.pk}/")
        imports.confirm_import(user=row.created_by, row=row, takes_versions=True)
        work_done()
        shown(client, campaign, f"imports/{row.pk}/")


def published(client: Client, campaign: Campaign) -> None:
    for upload in QrelsImport.objects.filter(campaign=campaign):
        shown(client, campaign, f"qrels/imports/{upload.pk}/")
        if upload.state == QrelsImport.State.READ:
            importing.import_qrels(user=upload.created_by, upload=upload, level=1)


def checked(client: Client, campaign: Campaign) -> None:
    for run in Run.objects.filter(campaign=campaign):
        shown(client, campaign, f"runs/{run.pk}/")
        b"".join(client.get(f"/campaigns/{campaign.slug}/runs/{run.pk}/errors.csv"))


AFTERWARDS: dict[str, Callable[[Client, Campaign], None]] = {
    **dict.fromkeys(("topics", "documents"), imported),
    "qrels": published,
    "known grades": lambda client, campaign: None,
    **dict.fromkeys(("runs", "archives", "tables"), checked),
}


def shown(client: Client, campaign: Campaign, rest: str) -> None:
    assert client.get(f"/campaigns/{campaign.slug}/{rest}").status_code == 200, rest


def test_every_kind_has_a_door():
    assert DOORS.keys() == AFTERWARDS.keys() == WHOLE.keys()


@pytest.mark.parametrize("kind", DOORS)
def test_a_damaged_file_is_taken_or_refused(sign_in, campaign, olga, kind):
    client = sign_in(olga)
    for seed in range(FIRST, FIRST + N_FILES):
        mark = transaction.savepoint()
        sent = form(kind, spoiled_file(kind, seed), seed)
        response = client.post(f"/campaigns/{campaign.slug}/{DOORS[kind]}/", sent)
        assert response.status_code in {200, 302, 422}, seed
        work_done()
        AFTERWARDS[kind](client, campaign)
        shown(client, campaign, f"{DOORS[kind]}/".replace("upload/", ""))
        transaction.savepoint_rollback(mark)
