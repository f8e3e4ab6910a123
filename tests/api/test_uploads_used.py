"""Files that arrived in pieces, used by the acts that take a file."""

import hashlib
from base64 import b64encode
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.access import Refused
from api import uploads
from api.models import Upload
from runs.models import Run
from runs.services import runs
from tests.api.addresses import of
from tests.api.sending import RUN, TUS, begin, begun, offset_of, send, sent
from tests.tokens import made, program

pytestmark = pytest.mark.django_db


def test_a_file_arrives_in_pieces_and_is_a_run(campaign, pats, pat):
    answer = begin(pats, campaign, name="C:\\runs\\bm25.txt")
    at = answer["Location"]
    assert answer["Upload-Offset"] == "0"
    assert answer.json()["file_name"] == "bm25.txt"
    for start in range(0, len(RUN), 10):
        assert offset_of(pats, at) == start
        piece = RUN[start : start + 10]
        answer = send(pats, at, piece, start)
        assert (answer.status_code, answer["Upload-Offset"]) == (204, str(start + len(piece)))
        assert answer["Upload-Expires"].endswith("GMT")
    head = pats.head(at, headers=TUS)
    assert head["Upload-Length"] == str(len(RUN))
    assert head["Upload-Metadata"].endswith(",kind cnVu")
    assert "no-store" in head["Cache-Control"]
    [row] = pats.get(of(campaign, "uploads/")).json()
    assert (row["n_bytes"], row["n_here"]) == (len(RUN), len(RUN))
    body = {"upload": row["id"], "priority": 1}
    made_of_it = pats.post(of(campaign, "runs/"), body, "application/json")
    assert made_of_it.status_code == 201, made_of_it.content
    run = Run.objects.get()
    assert (run.tag, run.file_name, run.priority) == ("bm25", "bm25.txt", 1)
    assert run.file.read() == RUN
    run.file.close()
    assert pats.head(at, headers=TUS).status_code == 404


def test_an_upload_is_used_up_by_the_act_that_succeeds_and_kept_by_one_that_does_not(
    campaign, pats, django_capture_on_commit_callbacks
):
    key = sent(pats, campaign)
    stored = Upload.objects.get().file
    refused = pats.post(of(campaign, "runs/"), {"upload": key, "tag": "a b"}, "application/json")
    assert refused.status_code == 422
    assert stored.storage.exists(stored.name)
    left = Upload.objects.get().ends_at - timezone.now()
    assert timedelta(minutes=59) < left < timedelta(hours=1)
    with django_capture_on_commit_callbacks(execute=True):
        done = pats.post(of(campaign, "runs/"), {"upload": key}, "application/json")
    assert done.status_code == 201
    assert not stored.storage.exists(stored.name)
    again = pats.post(of(campaign, "runs/"), {"upload": key}, "application/json")
    assert again.json()["fields"]["upload"] == [
        f"You have no upload {key} here, or it was used or is too old."
    ]


def test_a_form_may_name_an_upload_too_but_not_beside_a_file(campaign, pats):
    key = sent(pats, campaign)
    both = {"upload": key, "file": ContentFile(RUN, "bm25.txt")}
    answer = pats.post(of(campaign, "runs/"), both)
    assert answer.json()["fields"] == {"upload": ["Send either file or upload."]}
    assert pats.post(of(campaign, "runs/"), {"upload": key}).status_code == 201


def test_every_act_with_a_file_takes_an_upload(campaign, olga, queued):
    organizer = program(made(olga, "organize", "submit"))
    topics = sent(organizer, campaign, b"9\tbats\n", name="topics.tsv")
    documents = sent(organizer, campaign, b'{"docno": "d9", "text": "bats"}\n', name="d.jsonl")
    archive = sent(organizer, campaign, b"PK\3\4", name="runs.zip")
    for at, key, status in (
        ("topics/import/", topics, 201),
        ("documents/import/", documents, 201),
        ("runs/archives/", archive, 202),
    ):
        answer = organizer.post(of(campaign, at), {"upload": key}, "application/json")
        assert answer.status_code == status, answer.content
    assert not Upload.objects.exists()


def test_an_act_without_a_file_takes_none(campaign, olga, queued):
    organizer = program(made(olga, "organize"))
    key = sent(organizer, campaign)
    answer = organizer.post(
        of(campaign, "teams/"), {"name": "Ants", "upload": key}, "application/json"
    )
    assert "There is no such value" in answer.json()["detail"]


def test_no_upload_that_is_not_whole_is_used(campaign, pats):
    at = begun(pats, campaign)
    send(pats, at, RUN[:7])
    key = at.rstrip("/").rpartition("/")[2]
    answer = pats.post(of(campaign, "runs/"), {"upload": key}, "application/json")
    assert answer.json()["fields"]["upload"] == [
        f"7 of {len(RUN)} bytes are here: send the others first."
    ]
    for odd in ("x", "", None, [], {}, 7, [key, key]):
        answer = pats.post(of(campaign, "runs/"), {"upload": odd}, "application/json")
        assert answer.status_code == 422, (odd, answer.content)


@pytest.mark.parametrize(("said", "is_used"), [(RUN, True), (RUN + b"1", False)])
def test_what_arrived_is_what_was_announced(campaign, pats, said, is_used):
    """A file may change while it is sent: no mixture of two is a run."""
    text = hashlib.sha256(said).hexdigest()
    metadata = f"filename YQ==,sha256 {b64encode(text.encode()).decode()}"
    at = begun(pats, campaign, **{"Upload-Metadata": metadata})
    assert send(pats, at, RUN).status_code == 204
    values = {"tag": "bm25", "upload": at.rstrip("/").rpartition("/")[2]}
    answer = pats.post(of(campaign, "runs/"), values, "application/json")
    assert answer.status_code == (201 if is_used else 422), answer.content
    assert is_used or "SHA-256 that was announced" in answer.json()["detail"]
    assert not Upload.objects.exists()


def test_an_upload_is_used_once(campaign, pats, pat, django_capture_on_commit_callbacks):
    """Of two acts that have opened it, the one that comes second does nothing."""
    key = sent(pats, campaign)
    with (
        uploads.arrived(pat, campaign, key) as first,
        uploads.arrived(pat, campaign, key) as second,
    ):
        given = {"user": pat, "campaign": campaign}
        submit = uploads.spending(runs.submit_run)
        assert submit(file=first, tag="one", **given).tag == "one"
        with pytest.raises(Refused, match="has just been used"):
            submit(file=second, tag="two", **given)
    assert [run.tag for run in Run.objects.all()] == ["one"]
