"""Files that are sent in pieces, by the protocol of tus 1.0, and used by acts."""

import hashlib
import os
from base64 import b64encode
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone

from accounts.access import NotThere, Refused
from api import uploads
from api.models import Upload
from api.tasks import clear_uploads
from campaigns.services import ending
from runs.models import Run
from runs.services import runs
from tests import make
from tests.api.addresses import kind, of
from tests.db.races import overtaken
from tests.db.test_disk import room
from tests.tokens import made, program

pytestmark = pytest.mark.django_db
RUN = b"1 Q0 d1 1 9 bm25\n2 Q0 d2 1 9 bm25\n"
N = len(RUN)
PIECE = "application/offset+octet-stream"
TUS = {"Tus-Resumable": "1.0.0"}


def begin(client, campaign, n_bytes=N, name="bm25.txt", **headers):
    metadata = f"filename {b64encode(name.encode()).decode()},kind {b64encode(b'run').decode()}"
    said = {"Upload-Length": str(n_bytes), "Upload-Metadata": metadata, **TUS, **headers}
    return client.post(of(campaign, "uploads/"), b"", content_type=PIECE, headers=said)


def begun(client, campaign, **how) -> str:
    answer = begin(client, campaign, **how)
    assert answer.status_code == 201, answer.content
    return answer["Location"]


def send(client, at, piece, offset=0, content_type=PIECE, **headers):
    said = {"Upload-Offset": str(offset), **TUS, **headers}
    return client.patch(at, piece, CONTENT_TYPE=content_type, headers=said)


def sent(client, campaign, content=RUN, **how) -> str:
    """The id of a whole upload."""
    at = begun(client, campaign, n_bytes=len(content), **how)
    assert send(client, at, content).status_code == 204
    return at.rstrip("/").rpartition("/")[2]


def offset_of(client, at) -> int:
    return int(client.head(at, headers=TUS)["Upload-Offset"])


@pytest.fixture
def pats(campaign, pat, queued) -> Client:
    return program(made(pat, "submit"))


def test_what_there_is_of_the_protocol_is_told(campaign, pats, settings):
    settings.MAX_EXPANDED_BYTES, settings.MAX_RUN_BYTES = 10, 20
    answer = pats.options(of(campaign, "uploads/"))
    assert answer.status_code == 204
    assert answer["Tus-Version"] == answer["Tus-Resumable"] == "1.0.0"
    assert answer["Tus-Extension"] == "creation,checksum,expiration,termination"
    assert (answer["Tus-Max-Size"], answer["Tus-Checksum-Algorithm"]) == ("20", "sha1,sha256")


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


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_piece_is_stored_if_its_checksum_is_right(campaign, pats, algorithm):
    at = begun(pats, campaign)
    right = b64encode(hashlib.new(algorithm, RUN).digest()).decode()
    wrong = b64encode(hashlib.new(algorithm, b"").digest()).decode()
    refused = send(pats, at, RUN, **{"Upload-Checksum": f"{algorithm} {wrong}"})
    assert (refused.status_code, kind(refused)) == (460, "upload")
    assert offset_of(pats, at) == 0
    done = send(pats, at, RUN, **{"Upload-Checksum": f"{algorithm} {right}"})
    assert (done.status_code, done["Upload-Offset"]) == (204, str(len(RUN)))
    with Upload.objects.get().file.open("rb") as file:
        assert file.read() == RUN


@pytest.mark.parametrize(
    ("headers", "sentence"),
    [
        ({"Upload-Checksum": "md5 x"}, "Upload-Checksum is by sha1 or sha256."),
        ({"Upload-Checksum": "sha1 %"}, "Upload-Checksum is not in Base64."),
        ({"Upload-Offset": "-1"}, "Upload-Offset must be a number of bytes, not '-1'."),
    ],
)
def test_headers_that_cannot_be_read_are_refused(campaign, pats, headers, sentence):
    answer = send(pats, begun(pats, campaign), RUN, **headers)
    assert (answer.status_code, answer.json()["detail"]) == (400, sentence)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Upload-Length": ""}, 400),
        ({"Upload-Length": "1e3"}, 400),
        ({"Upload-Length": "99999999999999"}, 413),
        ({"Upload-Metadata": "filename %"}, 201),
        ({"Upload-Metadata": "filename abc"}, 400),
        ({"Upload-Metadata": "x" * 4001}, 400),
        ({"Upload-Metadata": "filename AGEA"}, 201),
        ({"Upload-Metadata": ""}, 201),
    ],
)
def test_what_is_announced_must_make_sense(campaign, pats, headers, status):
    assert begin(pats, campaign, **headers).status_code == status


def test_a_piece_begins_where_the_last_one_ended(campaign, pats):
    at = begun(pats, campaign)
    send(pats, at, RUN[:10])
    for offset in (0, 9, 11):
        for piece in (RUN[offset:], b""):
            answer = send(pats, at, piece, offset)
            assert (answer.status_code, kind(answer)) == (409, "upload")
            said = f"The next piece begins at 10, not at {offset}."
            assert answer.json()["detail"] == said
    assert offset_of(pats, at) == 10


def test_no_more_arrives_than_was_announced(campaign, pats):
    at = begun(pats, campaign)
    answer = send(pats, at, RUN + b"x")
    assert (answer.status_code, offset_of(pats, at)) == (413, 0)


def test_a_piece_says_that_it_is_one(campaign, pats):
    answer = send(pats, begun(pats, campaign), RUN, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (415, f"A piece is sent as {PIECE}.")


def test_another_version_of_the_protocol_is_refused_and_ours_told(campaign, pats):
    at = begun(pats, campaign)
    for answer in (
        begin(pats, campaign, **{"Tus-Resumable": "0.2.2"}),
        send(pats, at, RUN, **{"Tus-Resumable": ""}),
        pats.head(at),
        pats.delete(at),
    ):
        assert (answer.status_code, answer["Tus-Version"]) == (412, "1.0.0")
    assert offset_of(pats, at) == 0


def test_nobody_else_finds_an_upload(campaign, pats, pat, olga, ada, otto):
    at = begun(pats, campaign)
    send(pats, at, RUN)
    key = at.rstrip("/").rpartition("/")[2]
    organizer = program(made(olga, "organize", "submit"))
    elsewhere = make.campaign(otto, participants={"Bees": [pat]})
    there = at.replace(campaign.slug, elsewhere.slug)
    assert organizer.head(at, headers=TUS).status_code == 404
    assert send(organizer, at, b"", len(RUN)).status_code == 404
    assert organizer.delete(at, headers=TUS).status_code == 404
    assert organizer.get(of(campaign, "uploads/")).json() == []
    assert pats.head(there, headers=TUS).status_code == 404
    for client, where in ((organizer, campaign), (pats, elsewhere)):
        answer = client.post(of(where, "runs/"), {"upload": key}, "application/json")
        assert answer.status_code == 422
        assert "You have no upload" in answer.json()["detail"]
    assessor = program(made(ada, "submit"))
    for answer in (begin(assessor, campaign), assessor.head(at, headers=TUS)):
        assert answer.status_code == 403
    assert Run.objects.count() == 0


def test_a_stranger_does_not_learn_of_a_campaign_by_what_is_wrong_with_a_header(campaign, sam, ada):
    for user, status in ((sam, 404), (ada, 403)):
        client = program(made(user, "submit"))
        assert begin(client, campaign, **{"Upload-Length": "x"}).status_code == status
        assert client.options(of(campaign, "uploads/")).status_code == status


@pytest.mark.parametrize(("said", "is_used"), [(RUN, True), (RUN + b"1", False), (None, True)])
def test_what_arrived_is_what_was_announced(campaign, pats, said, is_used):
    """A file may change while it is sent: no mixture of two is a run."""
    text = hashlib.sha256(said or b"").hexdigest()
    announced = b64encode(text.encode()).decode() if said else "===="  # which is no Base64
    metadata = f"filename YQ==,sha256 {announced}"
    at = begun(pats, campaign, **{"Upload-Metadata": metadata})
    assert send(pats, at, RUN).status_code == 204
    values = {"tag": "bm25", "upload": at.rstrip("/").rpartition("/")[2]}
    answer = pats.post(of(campaign, "runs/"), values, "application/json")
    assert answer.status_code == (201 if is_used else 422), answer.content
    assert is_used or "SHA-256 that was announced" in answer.json()["detail"]
    assert Upload.objects.exists() is not is_used


def test_what_was_not_said_of_a_file_is_not_told(campaign, pats):
    at = begun(pats, campaign, **{"Upload-Metadata": ""})
    assert "Upload-Metadata" not in pats.head(at, headers=TUS)


def test_a_token_sends_files_if_it_is_for_acts_that_take_them(campaign, olga):
    for scope in ("submit", "organize"):
        assert begin(program(made(olga, scope)), campaign).status_code == 201
    at = Upload.objects.first()
    at = of(campaign, f"uploads/{at.public_id}/")
    for scope in ("read", "judge"):
        client = program(made(olga, scope))
        for answer in (
            begin(client, campaign),
            send(client, at, RUN),
            client.delete(at, headers=TUS),
        ):
            assert (answer.status_code, "scope" in answer["WWW-Authenticate"]) == (403, True)
        assert offset_of(client, at) == 0


def test_pieces_are_not_counted_as_acts(campaign, pats, settings):
    settings.TOKEN_REQUESTS_PER_MINUTE = {"read": 2, "act": 2}
    at = begun(pats, campaign)
    for start in range(6):
        assert send(pats, at, RUN[start : start + 1], start).status_code == 204
        assert offset_of(pats, at) == start + 1
    assert begin(pats, campaign).status_code == 201
    assert begin(pats, campaign).status_code == 429


def test_a_session_sends_the_token_of_its_page(campaign, pat):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(pat)
    assert begin(browser, campaign).status_code == 403
    browser.cookies["csrftoken"] = "t" * 32
    token = {"X-CSRFToken": "t" * 32}
    at = begun(browser, campaign, **token)
    assert send(browser, at, RUN).status_code == 403
    assert send(browser, at, RUN, **token).status_code == 204


def test_a_method_that_a_proxy_does_not_know_is_sent_as_a_post(campaign, pats):
    at = begun(pats, campaign)

    def post(method, **headers):
        said = {**TUS, "X-HTTP-Method-Override": method, **headers}
        return pats.post(at, RUN, content_type=PIECE, headers=said)

    assert post("PATCH", **{"Upload-Offset": "0"}).status_code == 204
    assert post("HEAD")["Upload-Offset"] == str(len(RUN))
    assert post("GET").status_code == 405
    assert post("DELETE").status_code == 204
    assert not Upload.objects.exists()


def test_an_upload_that_is_deleted_is_gone_with_its_file(
    campaign, pats, django_capture_on_commit_callbacks
):
    at = begun(pats, campaign)
    stored = Upload.objects.get().file
    with django_capture_on_commit_callbacks(execute=True):
        assert pats.delete(at, headers=TUS).status_code == 204
    assert not stored.storage.exists(stored.name)
    assert send(pats, at, RUN).status_code == 404


def test_the_time_of_an_upload_begins_anew_with_each_piece_and_then_it_is_deleted(
    campaign, pats, settings, django_capture_on_commit_callbacks
):
    settings.UPLOAD_HOURS = 3
    at, kept = begun(pats, campaign), begun(pats, campaign)
    early = timezone.now() + timedelta(minutes=1)
    Upload.objects.update(ends_at=early)
    send(pats, at, RUN)
    [upload] = Upload.objects.exclude(ends_at=early)
    assert timedelta(hours=2.9) < upload.ends_at - timezone.now() < timedelta(hours=3.1)
    Upload.objects.filter(pk=upload.pk).update(ends_at=timezone.now())
    assert send(pats, at, b"", len(RUN)).status_code == 410
    assert pats.head(at, headers=TUS).status_code == 410
    body = {"upload": str(upload.public_id)}
    answer = pats.post(of(campaign, "runs/"), body, "application/json")
    assert "or is too old" in answer.json()["detail"]
    assert len(pats.get(of(campaign, "uploads/")).json()) == 1
    with django_capture_on_commit_callbacks(execute=True):
        assert clear_uploads() == 1
    assert not upload.file.storage.exists(upload.file.name)
    assert pats.head(at, headers=TUS).status_code == 404
    assert offset_of(pats, kept) == 0


def test_a_person_has_so_many_files_on_the_way_and_so_many_bytes(campaign, pats, settings):
    settings.MAX_UPLOADS, settings.MAX_UPLOADS_BYTES = 2, 100
    begun(pats, campaign, n_bytes=60)
    refused = begin(pats, campaign, n_bytes=41)
    assert refused.status_code == 409
    assert "have 60 bytes; with this one more than 100." in refused.json()["detail"]
    begun(pats, campaign, n_bytes=40)
    refused = begin(pats, campaign, n_bytes=0)
    assert refused.json()["detail"].startswith("2 files of yours have arrived in part")
    Upload.objects.filter(n_bytes=60).update(ends_at=timezone.now())
    begun(pats, campaign, n_bytes=60)


def test_an_archived_campaign_takes_no_files(campaign, pats, olga):
    at = begun(pats, campaign)
    ending.archive_campaign(user=olga, campaign=campaign)
    for answer in (begin(pats, campaign), send(pats, at, RUN)):
        assert answer.status_code == 409
        assert "archived" in answer.json()["detail"]


def test_what_was_never_confirmed_is_written_over(campaign, pats):
    """A process may die between the bytes and the row that confirms them."""
    at = begun(pats, campaign)
    send(pats, at, RUN[:10])
    path = Upload.objects.get().file.path
    with Path(path).open("ab") as file:
        file.write(b"x" * 100)
    assert offset_of(pats, at) == 10
    send(pats, at, RUN[10:], 10)
    assert Path(path).read_bytes() == RUN


def test_a_disk_that_is_full_says_so_and_what_had_arrived_stays(campaign, pats, settings):
    long = b"x" * 200_000
    at = begun(pats, campaign, n_bytes=2 * len(long))
    send(pats, at, long)
    for headers in (
        {},
        {"Upload-Checksum": f"sha256 {b64encode(hashlib.sha256(long).digest()).decode()}"},
    ):
        with room(250_000):
            full = send(pats, at, long, len(long), **headers)
        assert full.status_code == 507
        assert "The disk of this server is full" in full.json()["detail"]
        assert offset_of(pats, at) == len(long)
    assert send(pats, at, long, len(long)).status_code == 204
    assert Path(Upload.objects.get().file.path).read_bytes() == 2 * long


def test_of_two_who_send_at_once_the_first_goes_on(campaign, pats):
    at = begun(pats, campaign)

    def slow():
        yield [RUN[:5]]
        send(pats, at, RUN[5:10], 5)
        yield [RUN[5:]]

    with pytest.raises(uploads.OfTus, match="begins at 10, not at 5"):
        uploads.receive(Upload.objects.get(), 0, slow())
    assert offset_of(pats, at) == 10


def test_a_piece_of_an_upload_that_is_deleted_meanwhile_is_not_stored(campaign, pats):
    at = begun(pats, campaign)

    def slow():
        yield [RUN[:5]]
        pats.delete(at, headers=TUS)
        yield [RUN[5:]]

    with pytest.raises(NotThere):
        uploads.receive(Upload.objects.get(), 0, slow())


@pytest.mark.django_db(transaction=True)
def test_of_two_files_begun_at_once_both_are_counted(campaign, pat, settings):
    settings.MAX_UPLOADS = 1
    given = {"user": pat, "campaign": campaign, "n_bytes": 1}
    came = overtaken(lambda: uploads.begin_upload(**given), lambda: uploads.begin_upload(**given))
    assert "have arrived in part" in str(came)
    assert Upload.objects.count() == 1


@pytest.mark.parametrize(("name", "kept"), [("", "file"), ("x" * 300, "x" * 255)])
def test_a_file_has_a_name_that_can_be_stored(campaign, pats, name, kept):
    assert begin(pats, campaign, name=name).json()["file_name"] == kept


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


def test_what_a_backup_lacks_is_sent_again(campaign, pats):
    at = begun(pats, campaign)
    send(pats, at, RUN)
    upload = Upload.objects.get()
    os.truncate(upload.file.path, 10)
    assert offset_of(pats, at) == 10
    assert send(pats, at, RUN[10:], 10).status_code == 204
    upload.file.storage.delete(upload.file.name)
    assert offset_of(pats, at) == 0
