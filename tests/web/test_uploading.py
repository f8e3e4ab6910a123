"""Uploading runs: one or many, and what cannot be taken."""

import csv
import gzip
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models.trail import AuditEvent
from jobs.models import Job
from runs.models import Run
from tests import make
from tests.db.test_run_archives import archive
from tests.web.html import words
from tests.web.test_runs import RANKING, at, body, file


def test_the_tag_is_taken_from_the_file_when_none_is_typed(sign_in, campaign, pat):
    client = sign_in(pat)
    content = "\n" + make.run_text(RANKING, "bm25")
    response = client.post(at(campaign), {"tag": "", "file": file(content)})
    assert (response.status_code, Run.objects.get().tag) == (302, "bm25")
    assert make.content(Run.objects.get().file) == content.encode()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_run_of_three_columns_is_converted_where_the_box_is_ticked(sign_in, campaign, pat, pack):
    client, content = sign_in(pat), pack(b"1\td1\t1\n1\td2\t2\n2\td3\t1\n")
    box = 'name="converts"'
    assert box not in body(client.get(at(campaign)))
    for sent in ({}, {"tag": "mine"}):
        page = body(client.post(at(campaign), {**sent, "file": file(content)}), 422)
        assert "It has three columns, as MS MARCO&#x27;s runs" in page
        assert box in page
    for sent, tag, name in (({}, "bm25", "bm25.tsv"), ({"tag": "mine"}, "mine", "a b.tsv")):
        packed = f"{name}.gz" if pack is gzip.compress else name
        sent |= {"file": file(content, packed), "converts": "on"}
        assert client.post(at(campaign), sent).status_code == 302
        run = Run.objects.get(tag=tag)
        lines = [f"1 Q0 d1 1 -1 {tag}\n", f"1 Q0 d2 2 -2 {tag}\n", f"2 Q0 d3 1 -1 {tag}\n"]
        written = "".join(lines).encode()
        assert (make.content(run.file), run.n_bytes) == (written, len(written))
        assert run.file_name == name
        make.worked("check_run", run.pk)
        run.refresh_from_db()
        assert run.state == Run.State.VALID
    for name, text, said in (
        ("a b.tsv", b"1 d1 1\n", "The tag cannot be taken from the file."),
        ("c.tsv", b"1 d1 1\n" * 20 + b"1 d2\n", "Line 21: It has 2 columns, and not three."),
    ):
        sent = {"file": file(pack(text), name), "converts": "on"}
        assert said in body(client.post(at(campaign), sent), 422)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"1\td2\t" + b"2 " * (1 << 20), ["Line 21: It is longer than 1,048,576 bytes."] * 2),
        (
            b"1\td2\t2\n" * 100,
            [
                "it is longer than 1,000 bytes, which",
                "With six columns it has more than 1,000 bytes",
            ],
        ),
    ],
)
def test_a_file_made_to_fill_the_memory_is_converted_no_further(
    sign_in, campaign, pat, settings, line, said
):
    settings.MAX_RUN_BYTES = 1000 if line.endswith(b"\n") else settings.MAX_RUN_BYTES
    client, content = sign_in(pat), b"1\td1\t1\n" * 20 + line
    sent = {"file": file(content), "tag": "mine", "converts": "on"}
    assert said[0] in body(client.post(at(campaign), sent), 422)
    sent = {"run_files": [file(content, "mine.tsv")], "converts_all": "on"}
    assert said[1] in body(client.post(at(campaign, "upload_runs"), sent, follow=True))
    assert not Run.objects.exists()


def test_many_runs_of_three_columns_are_converted_where_the_box_is_ticked(sign_in, campaign, pat):
    client, three = sign_in(pat), b"1\td1\t1\n1\td2\t2\n2\td3\t1\n"
    whole = make.run_text(RANKING, "six")
    table = b"tag,description\nthree,Of MS MARCO.\n"
    sent = lambda: {  # noqa: E731 - files are read once
        "run_files": [file(three, "three.tsv"), file(whole, "six"), file(table, "runs.csv")]
    }
    said = words(client.post(at(campaign, "upload_runs"), sent(), follow=True))
    assert "three.tsv: It has three columns, as MS MARCO's runs" in said
    assert [run.tag for run in Run.objects.all()] == ["six"]
    Run.objects.all().delete()
    client.post(at(campaign, "upload_runs"), {**sent(), "converts_all": "on"})
    run, other = Run.objects.order_by("-tag")
    assert make.content(run.file).startswith(b"1 Q0 d1 1 -1 three\n")
    assert (run.file_name, run.description) == ("three.tsv", "Of MS MARCO.")
    assert make.content(other.file) == whole.encode()


def test_the_box_changes_nothing_of_a_run_that_is_whole(sign_in, campaign, pat):
    content = make.run_text(RANKING, "bm25")
    sign_in(pat).post(at(campaign), {"file": file(content), "converts": "on"})
    assert make.content(Run.objects.get().file) == content.encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 Q0 d1 1 1\n", "five columns: the tag is missing"),
        ("1 Q0 d1 1 1 .x\n", "must be 1 to 20 letters"),
        (make.run_text(RANKING, "a").encode("utf-16"), "It is text in UTF-16"),
    ],
)
def test_a_tag_that_the_file_does_not_have_is_asked_for(sign_in, campaign, pat, text, said):
    response = sign_in(pat).post(at(campaign), {"file": file(text), "description": "typed before"})
    assert response.status_code == 422
    for each in ("The tag cannot be taken from the file.", said, "typed before"):
        assert each in body(response)


def test_a_description_has_an_end(sign_in, campaign, pat):
    sent = {"file": file(make.run_text(RANKING, "a")), "description": "x" * 10_001}
    response = sign_in(pat).post(at(campaign), sent)
    assert response.status_code == 422
    assert "at most 10000 characters" in body(response)
    run = make.run(campaign, pat, RANKING, "a")
    sent = {"description": "x" * 10_001}
    response = sign_in(pat).post(f"{at(campaign)}{run.pk}/describe/", sent)
    assert response.status_code == 422
    assert "at most 10000 characters" in body(response)


@pytest.mark.parametrize("name", ["runs", "upload_runs"])
def test_a_closed_submission_is_said_once_and_is_no_fault_of_a_field(sign_in, campaign, pat, name):
    campaign.submission_closes_at = timezone.now() - timedelta(minutes=1)
    campaign.save()
    sent = {"tag": "one", "file": file("x"), "run_files": file("x"), "description": "typed before"}
    response = sign_in(pat).post(at(campaign, name), sent)
    form = response.context["form" if name == "runs" else "many"]
    assert list(form.errors) == ["__all__"]
    assert body(response).count(form.errors["__all__"][0]) == 1
    assert "What a run looks like" in body(response)
    assert ("typed before" in body(response)) == (name == "runs")


def test_an_archive_among_single_runs_is_sent_where_archives_go(sign_in, campaign, pat):
    sent = archive({"c.txt": make.run_text(RANKING, "c")})
    text = body(sign_in(pat).post(at(campaign), {"file": sent}))
    assert "This is an archive: send it under “Upload many runs at once”." in text
    assert "cannot be taken from the file" not in text


def test_of_many_files_those_that_cannot_be_taken_are_named(sign_in, campaign, pat, settings):
    good = make.run_text(RANKING, "a")
    settings.MAX_RUN_BYTES = len(good) + 1
    files = [
        file(good, "a.txt"),
        file("no run\n", "b.txt"),
        file(good, "same.txt"),
        file(good[:-1], "again.txt"),
        file("", "empty.txt"),
        file(good + "xx", "long.txt"),
        archive({"c.txt": "x"}),
        file("tag,manual\nx,yes\n", "runs.csv"),
    ]
    text = body(sign_in(pat).post(at(campaign, "upload_runs"), {"run_files": files}, follow=True))
    for said in (
        "3 files uploaded.",
        "b.txt: Its first line has 2 columns.",
        "again.txt: The tag a is taken",
        "empty.txt is empty.",
        "long.txt: The file has",
        "Take runs from an archive",
        "The table beside an archive is not read: put it into the archive.",
    ):
        assert said in text
    assert [run.tag for run in Run.objects.all()] == ["a"]
    assert Job.objects.get(kind="unpack_runs").created_by == pat


def test_tables_beside_the_files_are_counted_together(sign_in, campaign, pat):
    rows = "tag\n" + "a\n" * 300
    files = [file(make.run_text(RANKING, "a"), "a.txt"), file(rows, "runs.csv")]
    files.append(file(rows, "runs.tsv"))
    text = body(sign_in(pat).post(at(campaign, "upload_runs"), {"run_files": files}, follow=True))
    assert "runs.tsv: The table describes more than 500 runs, which is the limit." in text


def test_an_organizer_sends_the_runs_of_several_teams_in_folders(sign_in, campaign, olga):
    packed = archive({"Zoe/c.txt": make.run_text(RANKING, "c")})
    files = [file(make.run_text(RANKING, "a"), "a.txt"), packed]
    for sent, status in ((files[:1], 422), (files, 200)):
        response = sign_in(olga).post(
            at(campaign, "upload_runs"), {"team": "folders", "run_files": sent}, follow=True
        )
        assert response.status_code == status
        assert "a.txt is not an archive, so no folder names its team." in body(response)
        files[0].seek(0)
    assert "Take the runs of several teams from an archive" in body(response)
    assert Job.objects.get(kind="unpack_by_folder").subject_id == campaign.pk


@pytest.mark.parametrize(
    ("name", "sent", "said"),
    [
        ("runs", {"file": file("", "none.txt")}, "none.txt is empty."),
        ("upload_runs", {"run_files": file("", "none.txt")}, "none.txt is empty."),
        ("upload_runs", {}, "Choose at least one file."),
    ],
)
def test_what_is_empty_is_said_at_the_field(sign_in, campaign, pat, name, sent, said):
    assert said in body(sign_in(pat).post(at(campaign, name), sent), 422)


def test_a_table_beside_many_files_describes_them(sign_in, campaign, pat):
    table = file("tag,manual,priority,description\nx,yes,1,By hand.\nz,no,2,\n", "Runs.CSV")
    runs = [file(make.run_text({"1": "d1"}, tag), f"{tag}.txt") for tag in "xy"]
    sent = {"run_files": [runs[0], table, runs[1]]}
    response = sign_in(pat).post(at(campaign, "upload_runs"), sent, follow=True)
    said = [str(each) for each in response.context["messages"]]
    named = "The table describes z, which was not taken."
    assert said == ["2 files uploaded.", named]
    names = "tag", "is_manual", "priority", "description"
    assert set(Run.objects.values_list(*names)) == {
        ("x", True, 1, "By hand."),
        ("y", None, None, ""),
    }


def test_the_type_of_a_run_is_manual_automatic_or_not_stated(sign_in, campaign, pat):
    client, file_of = sign_in(pat), lambda: file(make.run_text({"1": "d1"}, "one"))
    client.post(at(campaign, "runs"), {"tag": "one", "file": file_of()})
    run, said = Run.objects.get(), {}
    for sent in ("", "True", "False", ""):
        client.post(at(campaign, "describe_run", run.pk), {"is_manual": sent})
        page = client.get(at(campaign, "run", run.pk)).text
        [row] = csv.DictReader(
            client.get(at(campaign, "runs_file")).getvalue().decode().splitlines()
        )
        said[Run.objects.get().is_manual] = row["manual"]
        words = {True: "manual", False: "automatic", None: "type not stated"}
        assert f'<span class="chip">{words[Run.objects.get().is_manual]}</span>' in page
        assert f'<option value="{sent}" selected>' in page
    assert said == {None: "", True: "yes", False: "no"}
    client.post(at(campaign, "runs"), {"tag": "two", "file": file_of(), "is_manual": "True"})
    assert Run.objects.get(tag="two").is_manual is True


def test_a_priority_is_given_with_a_run_and_changed(sign_in, campaign, pat):
    client = sign_in(pat)
    sent = {"tag": "one", "file": file(make.run_text({"1": "d1"}, "one")), "priority": "0"}
    assert client.post(at(campaign, "runs"), sent).context["form"].errors["priority"]
    sent["file"].seek(0)
    client.post(at(campaign, "runs"), {**sent, "priority": "3"})
    run = Run.objects.get()
    assert run.priority == 3
    assert "priority <b>3</b>" in client.get(at(campaign, "run", run.pk)).text
    client.post(at(campaign, "describe_run", run.pk), {"priority": "1"})
    assert Run.objects.get().priority == 1
    [row] = csv.DictReader(client.get(at(campaign, "runs_file")).getvalue().decode().splitlines())
    assert (row["run_id"], row["priority"]) == (str(run.pk), "1")


def test_a_team_states_what_a_run_costs_and_changes_it(sign_in, campaign, pat):
    client = sign_in(pat)
    sent = {"tag": "one", "file": file(make.run_text({"1": "d1"}, "one"))}
    refused = {
        "latency_mean_ms": ("-1", "It cannot be negative."),
        "index_bytes": ("-1", "It cannot be negative."),
        "queries_per_second": ("nan", "Enter a number."),
        "latency_p99_ms": ("4", "The 99th percentile is below the 50th."),
    }
    costs = {name: value for name, (value, _) in refused.items()}
    response = client.post(at(campaign, "runs"), {**sent, **costs, "latency_p50_ms": "5"})
    assert response.status_code == 422
    errors = {name: list(each) for name, each in response.context["form"].errors.items()}
    assert errors == {name: [sentence] for name, (_, sentence) in refused.items()}
    sent["file"].seek(0)
    stated = {"latency_p50_ms": "5", "index_bytes": "2500000", "hardware": "One laptop"}
    client.post(at(campaign, "runs"), {**sent, **stated})
    run = Run.objects.get()
    shown = words(client.get(at(campaign, "run", run.pk)))
    assert "Latency, 50th percentile 5 ms Index size 2.5 MB Hardware One laptop" in shown
    act = at(campaign, "describe_run", run.pk)
    response = client.post(act, {"latency_p95_ms": "4", "latency_p50_ms": "5"})
    assert "The 95th percentile is below the 50th." in words(response, 422)
    assert client.post(act, {"latency_p50_ms": "6"}).status_code == 302
    change = AuditEvent.objects.filter(kind="run.described").get().detail
    assert (change["before"], change["after"]) == ({"latency_p50_ms": 5}, {"latency_p50_ms": 6})
    [row] = csv.DictReader(client.get(at(campaign, "runs_file")).getvalue().decode().splitlines())
    assert (row["latency_p50_ms"], row["index_bytes"]) == ("6.0", "2500000")
