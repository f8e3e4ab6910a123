"""Stored files: fetched once from elsewhere, and named in a sentence where one is missing."""

import os
import time
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, default_storage
from django.db.models import FileField
from django.db.models.fields.files import FieldFile
from django.urls import reverse

from accounts.access import Refused
from collection.services import imports
from evaluation import services as scoring
from evaluation import tasks
from jobs.models import Job
from jobs.storage import local_path
from jobs.tasks import sweep_files
from qrels.services import publishing
from runs.models import Run
from runs.services import runs
from tests import make


class Bucket(Storage):
    """Keeps contents by name and has no paths, as object storage has none."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.n_reads = 0

    def _open(self, name, mode="rb"):
        self.n_reads += 1
        return ContentFile(self.contents[name], name)

    def _save(self, name, content):
        self.contents[name] = content.read()
        return name

    def exists(self, name):
        return name in self.contents


@pytest.fixture
def bucket():
    return Bucket()


@pytest.fixture
def file(bucket):
    field = FileField(storage=bucket)
    name = bucket.save("runs/1/alpha.npy", ContentFile(b"arrays"))
    return FieldFile(None, field, name)


def test_a_file_elsewhere_is_fetched_once_and_whole(bucket, file, settings):
    path = local_path(file)
    assert path.read_bytes() == b"arrays"
    assert path.is_relative_to(settings.VAR_DIR)
    assert local_path(file) == path
    assert bucket.n_reads == 1
    assert list(path.parent.iterdir()) == [path]  # and no temporary file beside it


def test_a_fetch_that_fails_leaves_no_file_that_looks_whole(bucket, file, settings):
    del bucket.contents[file.name]
    with pytest.raises(KeyError):
        local_path(file)
    assert not (Path(settings.VAR_DIR) / "cache" / file.name).exists()


SENTENCE = (
    "The stored file of {} is missing on this server. Ask who runs it to look whether the folder "
    "of stored files (VAR_DIR/media) is mounted on every machine of the site, and is the same one "
    "everywhere, as no file of this kind is there; after a restore, whether the files were "
    "restored too. Then try again."
)
ALONE = (
    "The stored file of {} is missing on this server. Ask who runs it to restore it from the "
    "backup. Then try again."
)


@pytest.fixture
def run(campaign, pat) -> Run:
    return make.run(campaign, pat, {"1": "d1 d2"}, "one")


def lose(file) -> None:
    Path(file.path).unlink()


def test_a_run_is_not_downloaded_nor_checked_again(campaign, pat, run, sign_in):
    lose(run.file)
    client, address = sign_in(pat), reverse("runs:run_file", args=[campaign.slug, run.pk])
    answer = client.get(address)
    assert answer.status_code == client.head(address).status_code == 409
    assert "The stored file of run one is missing on this server" in answer.content.decode()
    runs.recheck_run(user=pat, run=run)
    assert make.worked("recheck_run", run.pk).outcome == SENTENCE.format("run one")


def test_what_another_machine_stored_is_not_called_lost(campaign, pat, queued, settings, tmp_path):
    """A worker whose folder is not the one of the web process finds none of the uploaded files."""
    one, two = (make.submitted(campaign, pat, f"1 Q0 d1 1 1 {tag}", tag) for tag in ("one", "two"))
    lose(one.file)
    assert make.worked("check_run", one.pk).outcome == ALONE.format("run one")
    settings.MEDIA_ROOT = tmp_path / "of another machine"
    settings.MEDIA_ROOT.mkdir()
    assert make.worked("check_run", two.pk).outcome == SENTENCE.format("run two")


def test_a_run_is_not_checked(campaign, pat, queued):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 1 one", "one")
    lose(run.file)
    job = make.worked("check_run", run.pk)
    assert (job.state, job.outcome) == ("failed", SENTENCE.format("run one"))
    run.refresh_from_db()
    assert run.state == "unchecked"


def test_runs_are_not_scored_and_qrels_not_downloaded(campaign, olga, ada, run, sign_in):
    make.frozen_pool(campaign, [run])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 2)
    qrels = publishing.publish_qrels(user=olga, campaign=campaign)
    lose(run.columns)
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels))
    job = Job.objects.get(kind="score_runs", subject_id=evaluation.pk)
    tasks.score_runs(job.pk)
    job.refresh_from_db()
    tasks.score_batch(job.pk, job.token, [run.pk])
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("failed", SENTENCE.format("run one"))
    lose(qrels.file)
    answer = sign_in(olga).get(reverse("qrels:qrels_file", args=[campaign.slug, qrels.number]))
    assert answer.status_code == 409
    assert "v1 is missing on this server" in answer.content.decode()


@pytest.fixture
def interrupted(campaign, olga, queued):
    """An import that was confirmed, and whose file then was not there."""
    row = make.uploaded(campaign, "documents", b'{"docno": "x1", "text": "x"}\n')
    unread = imports.request_import(
        user=olga, campaign=campaign, kind="documents", file=ContentFile(b"{}", name="d.jsonl")
    )
    lose(unread.file)
    said = ALONE.format("import d.jsonl")
    assert make.worked("read_import", unread.pk).outcome == said
    imports.confirm_import(user=olga, row=row)
    lose(row.file)
    assert make.worked("write_import", row.pk).state == "failed"
    row.refresh_from_db()
    assert row.state == "interrupted"
    return row


def test_an_import_of_which_nothing_was_written_is_discarded(interrupted, olga, client):
    client.force_login(olga)
    page = reverse("collection:import", args=[interrupted.campaign.slug, interrupted.pk])
    html = client.get(page).content.decode()
    assert "stopped before anything was written" in html
    assert "Undo" not in html
    assert f'action="{page}discard/"' in html
    imports.discard_import(user=olga, row=interrupted)
    interrupted.refresh_from_db()
    assert interrupted.state == "discarded"


def test_an_import_of_which_something_was_written_is_undone_instead(
    interrupted, campaign, olga, client
):
    document = campaign.document_set.first()
    document.imported_in = interrupted
    document.save()
    client.force_login(olga)
    page = reverse("collection:import", args=[campaign.slug, interrupted.pk])
    html = client.get(page).content.decode()
    assert "stopped half-way" in html
    assert f'action="{page}discard/"' not in html
    with pytest.raises(Refused, match="Some of this file has been imported: undo the import"):
        imports.discard_import(user=olga, row=interrupted)
    imports.undo_import(user=olga, row=interrupted)
    assert make.worked("undo_import", interrupted.pk).state == "done"
    interrupted.refresh_from_db()
    assert interrupted.state == "undone"


def stored(name: str, days: int) -> str:
    """A file that was written some days ago."""
    name = default_storage.save(name, ContentFile(b"x"))
    then = time.time() - days * 24 * 60 * 60
    os.utime(default_storage.path(name), (then, then))
    return name


def test_old_files_without_a_row_are_swept(campaign, pat, settings):
    run = make.run(campaign, pat, {"1": "d1"})
    old = time.time() - 5 * 24 * 60 * 60
    for name in (run.file.name, run.columns.name):
        os.utime(default_storage.path(name), (old, old))
    left, young = stored(f"{campaign.pk}/placements/left", 3), stored("new", 1)
    assert sweep_files() == 1
    assert not default_storage.exists(left)
    assert all(map(default_storage.exists, (run.file.name, run.columns.name, young)))
    assert sweep_files() == 0


def test_nothing_is_swept_where_most_files_have_no_row(campaign, pat):
    make.run(campaign, pat, {"1": "d1"})
    others = [stored(f"other/{number}", 30) for number in range(5)]
    assert sweep_files() == 0
    assert all(map(default_storage.exists, others))
