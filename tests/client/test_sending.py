"""Files sent in pieces: over lines that break, by commands that are stopped and said again."""

import io
import os
import signal

import pytest
from django.db.models import F

from api.models import Upload
from cleverdon.client import sending
from cleverdon.client.errors import ClientError, Misfit, Problem
from collection.models.imports import Import
from collection.models.texts import Topic
from runs.models import Run
from tests import make
from tests.client.asking import run
from tests.e2e import processes

QUICK = (0.0,) * 5
KB = 1024


@pytest.fixture
def pats(asking, cutting, pat, campaign):
    """Pat, behind a line that breaks, with a run of 230 KB."""
    pats = asking(pat, campaign, url=cutting.url)
    topics = range(3, 23)
    Topic.objects.bulk_create(Topic(campaign=campaign, number=str(n), title="t") for n in topics)
    answers = {str(topic): " ".join(f"d{n:05}" for n in range(450)) for topic in range(1, 23)}
    pats.file("alpha.txt", run("alpha", answers))
    return pats


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(sending, "MOST", 16 * KB)


def runs_of(asking):
    return asking.client(pauses=QUICK).campaign(asking.slug).runs


def test_a_file_over_a_line_that_breaks_arrives_once_and_whole(pats, cutting, small_pieces):
    path, told = pats.folder / "alpha.txt", []
    n_bytes = path.stat().st_size
    cutting.cut_at(30 * KB, 90 * KB, 160 * KB)
    record = runs_of(pats).submit(path, on_progress=lambda *its: told.append(its))
    assert (record["state"], cutting.cuts) == ("valid", [])
    assert make.content(Run.objects.get().file) == path.read_bytes()
    assert not Upload.objects.exists()
    assert told == sorted(told)
    assert (told[0], told[-1]) == ((0, n_bytes), (n_bytes, n_bytes))
    assert cutting.n_sent < n_bytes + 4 * 16 * KB + 64 * KB


def test_a_piece_whose_answer_is_lost_is_not_stored_twice(pats, cutting, small_pieces):
    path = pats.folder / "alpha.txt"
    cutting.lose(2, "PATCH")
    assert runs_of(pats).submit(path)["state"] == "valid"
    assert make.content(Run.objects.get().file) == path.read_bytes()
    starts = [each for each in cutting.asked if each.startswith(b"PATCH")]
    offsets = [each.split(b"Upload-Offset: ")[1].split(b"\r\n")[0] for each in starts]
    assert len(offsets) > len(set(offsets)) > 3


def test_a_command_that_was_stopped_goes_on_where_it_was(pats, cutting):
    path = pats.folder / "alpha.txt"
    path.write_text(path.read_text().replace(" d", f" {'d' * 240}"))
    n_bytes = path.stat().st_size
    cutting.hold_at(2 << 20)
    stopped = pats.started("runs", "submit", "alpha.txt")
    begun = Upload.objects.filter(n_stored__gte=1 << 20)
    processes.wait_until(begun.exists, "no piece has arrived")
    processes.wait_until(lambda: cutting.n_sent > 2 << 20, "no other piece is on its way")
    stopped.send_signal(signal.SIGINT)
    assert stopped.communicate() == ("", "")
    assert stopped.returncode == -signal.SIGINT
    cutting.let_pass()
    n_before = cutting.n_sent
    said = pats.process("runs", "submit", "alpha.txt")
    whole = f" of {n_bytes:,} bytes were there.\n"
    assert said.status == 0
    assert said.err.startswith("alpha.txt goes on: ")
    assert said.err.endswith(whole)
    assert cutting.n_sent - n_before < n_bytes - (1 << 20) + 64 * KB
    assert make.content(Run.objects.get().file) == path.read_bytes()
    assert not Upload.objects.exists()


def test_a_connection_that_is_cut_does_not_end_the_command(pats, cutting):
    cutting.cut_at(20 * KB, 140 * KB)
    said = pats.process("runs", "submit", "alpha.txt")
    assert said == (0, "alpha.txt: alpha: valid; 9,900 lines.\n", "")
    assert cutting.cuts == []


def test_a_reader_of_the_output_that_has_ended_does(pats):
    with pats.started("runs", "list", "--json") as running:
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == -signal.SIGPIPE


def test_another_file_of_the_same_name_and_length_is_sent_from_its_beginning(pats, small_pieces):
    path = pats.folder / "alpha.txt"
    with path.open("rb") as file:
        begun = sending.Sending(pats.client().connection, f"campaigns/{pats.slug}/uploads/", file)
        begun.send_piece()
    path.write_text(path.read_text().replace("d00000", "e00000"))
    assert runs_of(pats).submit(path)["state"] == "valid"
    assert make.content(Run.objects.get().file) == path.read_bytes()
    assert Upload.objects.get().n_stored == 16 * KB


def test_of_a_file_that_was_refused_nothing_is_sent_again(pats, cutting, small_pieces):
    runs, path = runs_of(pats), pats.folder / "alpha.txt"
    with pytest.raises(Problem, match="priority"):
        runs.submit(path, priority=-1)
    n_before = cutting.n_sent
    assert runs.submit(path, priority=1)["state"] == "valid"
    assert cutting.n_sent - n_before < 16 * KB


EDITS = {
    "shorter": lambda path: os.truncate(path, 20 * KB),
    "as long": lambda path: path.write_text("9" + path.read_text()[1:]),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_that_is_changed_meanwhile_is_not_taken(pats, small_pieces, edit):
    path, sizes = pats.folder / "alpha.txt", []

    def change(n_here, n_bytes):
        if not sizes:
            EDITS[edit](path)
        sizes.append(n_here)

    with pytest.raises(ClientError, match="send it again"):
        runs_of(pats).submit(path, on_progress=change)
    assert not Run.objects.exists()
    assert not Upload.objects.filter(n_stored=F("n_bytes")).exists()


def test_a_file_that_was_only_touched_is_taken(pats, small_pieces):
    path = pats.folder / "alpha.txt"
    record = runs_of(pats).submit(path, on_progress=lambda *_: os.utime(path, (0, 0)))
    assert record["state"] == "valid"


def test_an_upload_that_is_deleted_meanwhile_is_begun_anew(pats, small_pieces):
    path, told = pats.folder / "alpha.txt", []

    def delete(n_here, n_bytes):
        if len(told) == 3:
            Upload.objects.all().delete()
        told.append(n_here)

    assert runs_of(pats).submit(path, on_progress=delete)["state"] == "valid"
    assert told.count(0) == 2
    assert make.content(Run.objects.get().file) == path.read_bytes()


@pytest.mark.parametrize("is_at_its_end", [False, True])
def test_two_that_send_the_same_file_at_once_both_have_the_run(pats, small_pieces, is_at_its_end):
    path, told = pats.folder / "alpha.txt", []

    def send_too(n_here, n_bytes):
        told.append(n_here)
        if not Run.objects.exists() and (n_here == n_bytes if is_at_its_end else len(told) == 3):
            assert not runs_of(pats).submit(path)["is_known"]

    assert runs_of(pats).submit(path, on_progress=send_too)["state"] == "valid"
    assert Run.objects.count() == 1


def test_a_proxy_that_takes_only_short_pieces_gets_such(pats, monkeypatch):
    client, lengths = pats.client(pauses=QUICK), []
    asked = client.connection.asked

    def through_a_proxy(method, path, **how):
        if method == "PATCH":
            lengths.append(int(how["headers"]["Content-Length"]))
            if lengths[-1] > 100 * KB:
                raise Misfit("Too long.", 413)
        return asked(method, path, **how)

    monkeypatch.setattr(client.connection, "asked", through_a_proxy)
    path = pats.folder / "alpha.txt"
    assert client.campaign(pats.slug).runs.submit(path)["state"] == "valid"
    assert max(lengths) > 100 * KB > lengths[-1]


def test_an_open_file_is_sent_and_an_empty_one_refused_as_ever(asking, olga, campaign):
    topics = asking(olga, campaign).campaign.topics
    topics.import_(file=io.BytesIO(content := b"3\tbats\twhat of bats\n"))
    row = Import.objects.get()
    assert (row.n_bytes, row.file_name) == (len(content), "file")
    with pytest.raises(Problem, match="The submitted file is empty"):
        topics.import_(file=io.BytesIO())


def test_who_may_send_no_files_is_told_before_any_is_sent(asking, cutting, ada, campaign):
    adas = asking(ada, campaign, url=cutting.url)
    file = adas.file("large.txt", "x" * 500 * KB)
    with pytest.raises(Problem, match="Files are sent by organizers and participants"):
        adas.campaign.topics.import_(file=file)
    assert cutting.n_sent < 10 * KB


def test_who_waits_for_a_line_that_is_lost_is_told_of_it(pats, cutting, caplog):
    client = pats.client(pauses=QUICK)
    cutting.refuse(3)
    assert client.campaigns.list()
    told = [each for each in caplog.messages if "does not answer" in each]
    assert told == []
    cutting.refuse(4)
    client = pats.client(pauses=QUICK)
    assert client.campaigns.list()
    [told] = [each for each in caplog.messages if "does not answer" in each]
    assert told.startswith(f"{cutting.url} does not answer: ")
    assert told.endswith(". It is tried again.")
