"""Files that are sent in pieces, by the protocol of tus 1.0."""

import hashlib
import os
from base64 import b64encode
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts.access import NotThere
from api import uploads
from api.models import Upload
from api.tasks import clear_uploads
from campaigns.services import ending
from runs.models import Run
from tests import make
from tests.api.addresses import kind, of
from tests.api.sending import PIECE, RUN, TUS, begin, begun, offset_of, send
from tests.db.races import overtaken
from tests.db.test_disk import room
from tests.tokens import made, program

pytestmark = pytest.mark.django_db


def test_what_there_is_of_the_protocol_is_told(campaign, pats, settings):
    settings.MAX_EXPANDED_BYTES, settings.MAX_RUN_BYTES = 10, 20
    answer = pats.options(of(campaign, "uploads/"))
    assert answer.status_code == 204
    assert answer["Tus-Version"] == answer["Tus-Resumable"] == "1.0.0"
    assert answer["Tus-Extension"] == "creation,checksum,expiration,termination"
    assert (answer["Tus-Max-Size"], answer["Tus-Checksum-Algorithm"]) == ("20", "sha1,sha256")


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
        ({"Upload-Metadata": "filename %"}, 400),
        ({"Upload-Metadata": "filename YQ==, sha256 ===="}, 400),
        ({"Upload-Metadata": "is_last ,filename YQ== "}, 201),
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


def test_what_a_backup_lacks_is_sent_again(campaign, pats):
    at = begun(pats, campaign)
    send(pats, at, RUN)
    upload = Upload.objects.get()
    os.truncate(upload.file.path, 10)
    assert offset_of(pats, at) == 10
    assert send(pats, at, RUN[10:], 10).status_code == 204
    upload.file.storage.delete(upload.file.name)
    assert offset_of(pats, at) == 0
