"""docs/from-my-files.md: each file that it names, in its true format, comes in as the page says."""

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from collection.models.imports import Import
from jobs import work
from jobs.models import Job
from qrels.models import QrelsImport
from runs.models import Run
from tests import make

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "from-my-files.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
STORED = ROOT / "tests" / "vectors" / "files_of_tools" / "from_my_files.jsonl"
FILES = [json.loads(line) for line in STORED.read_text(encoding="utf-8").splitlines()]
SOURCES = list(dict.fromkeys(each["source"] for each in FILES))
PAGES = ("Topics", "Documents", "Runs", "Qrels")
ROW = re.compile(r"^\| `([^`]+)` \| (\w+) \| (.*?) ?\|$", re.MULTILINE)


@pytest.mark.parametrize("source", SOURCES)
def test_the_page_names_these_files_and_says_which_are_converted(source):
    said = {(name, page): words for name, page, words in ROW.findall(SECTIONS[source])}
    files = {(each["file"], each["page"]): each for each in FILES if each["source"] == source}
    assert said.keys() == files.keys()
    for key, words in said.items():
        assert ("tick the box" in words) == bool(files[key].get("converted")), key
        assert ("as below" in words) == bool(files[key].get("becomes_file")), key


def test_every_table_of_the_page_has_its_files():
    assert [name for name, text in SECTIONS.items() if ROW.search(text)] == SOURCES


def shell(command: str, folder: Path) -> None:
    if "jq " in command and not shutil.which("jq"):
        pytest.skip("There is no jq on the path.")
    subprocess.run(["sh", "-ec", command], cwd=folder, check=True)


def content(case: dict[str, Any], folder: Path) -> bytes:
    """What is uploaded: the file, or what the section's command makes of it."""
    packed = case["content"].encode()
    if case["file"].endswith(".gz"):
        packed = gzip.compress(packed)
    (folder / case["file"]).parent.mkdir(exist_ok=True)
    (folder / case["file"]).write_bytes(packed)
    if not (made := case.get("becomes_file")):
        return packed
    [command] = re.findall(r"```sh\n(.*?)```", SECTIONS[case["source"]], re.DOTALL)
    shell(command, folder)
    return (folder / made).read_bytes()


@pytest.mark.parametrize("source", SOURCES)
def test_each_file_comes_in_as_the_page_says(source, sign_in, olga, pat, tmp_path):
    people = {"participants": {"Aldgate": [pat]}}
    campaign = make.campaign(olga, **people, topics=[], docnos=[])
    cases = [each for each in FILES if each["source"] == source]
    for case in sorted(cases, key=lambda each: PAGES.index(each["page"])):
        file = content(case, tmp_path)
        client = sign_in(pat if case["page"] == "Runs" else olga)
        assert TAKE[case["page"]](client, campaign, case, file) == case["becomes"], case["file"]


def work_off() -> None:
    """Do the jobs that wait, as a worker would."""
    for job in Job.objects.unfinished().order_by("pk"):
        work.kinds[job.kind](job.pk)


def texts(client, campaign, case, content) -> list[list[str]]:
    """Have topics or documents imported; return what came of this file."""
    kind, name = case["page"].lower(), Path(case["file"]).name
    address = f"/campaigns/{campaign.slug}/{kind}/"
    rows = campaign.topic_set if kind == "topics" else campaign.document_set
    before = list(rows.values_list("pk", flat=True))
    sent = client.post(address, {"file": SimpleUploadedFile(name, content)})
    assert sent.status_code == 302, sent.content.decode()
    work_off()
    row = Import.objects.latest("pk")
    confirmed = client.post(
        f"/campaigns/{campaign.slug}/imports/{row.pk}/", {"seen": row.previewed}
    )
    assert confirmed.status_code == 302, confirmed.content.decode()
    work_off()
    fields = ("number", "title", "description", "narrative")
    if kind == "documents":
        fields = ("docno", "title", "text", "url")
    new = rows.exclude(pk__in=before).order_by("pk").values_list(*fields)
    return sorted(list(each) for each in new)


def run(client, campaign, case, content) -> list[str]:
    """Have a run checked; return the lines that are kept."""
    name = Path(case["file"]).name
    ticked = {"converts": "on"} if case.get("converted") else {}
    if ticked:
        untold = client.post(
            f"/campaigns/{campaign.slug}/runs/", {"file": SimpleUploadedFile(name, content)}
        )
        assert untold.status_code == 422
    sent = {"file": SimpleUploadedFile(name, content), **ticked}
    assert client.post(f"/campaigns/{campaign.slug}/runs/", sent).status_code == 302
    work_off()
    run = Run.objects.latest("pk")
    assert run.state == Run.State.VALID
    kept = make.content(run.file)
    return (gzip.decompress(kept) if kept[:2] == b"\x1f\x8b" else kept).decode().splitlines()


def qrels(client, campaign, case, content) -> list[str]:
    """Have qrels read; return the first lines that the page shows."""
    name, address = Path(case["file"]).name, f"/campaigns/{campaign.slug}/qrels/upload/"
    sent = {"file": SimpleUploadedFile(name, content), "source": case["source"]}
    if case.get("converted"):
        assert client.post(address, sent).status_code == 422
        sent = {**sent, "file": SimpleUploadedFile(name, content), "converts": "on"}
    assert client.post(address, sent).status_code == 302
    work_off()
    return QrelsImport.objects.latest("pk").report["first_lines"]


TAKE = {"Topics": texts, "Documents": texts, "Runs": run, "Qrels": qrels}


def test_the_documents_that_a_pool_needs_are_taken_out_of_a_collection(tmp_path):
    [command] = re.findall(r"```sh\n(.*?)```", SECTIONS["Only what the pool needs"], re.DOTALL)
    [case] = [each for each in FILES if each["file"] == "msmarco_passage_00.gz"]
    (tmp_path / case["file"]).write_bytes(gzip.compress(case["content"].encode()))
    (tmp_path / "docnos.txt").write_text("msmarco_passage_00_1\n")
    shell(command, tmp_path)
    [kept] = (tmp_path / "needed.jsonl").read_text().splitlines()
    assert json.loads(kept)["pid"] == "msmarco_passage_00_1"


def test_the_queries_of_one_split_are_taken_out_of_those_of_beir(tmp_path):
    (tmp_path / "qrels").mkdir()
    for case in FILES:
        if case["source"] == "BEIR":
            (tmp_path / case["file"]).write_text(case["content"])
    [command] = re.findall(r"```sh\n(.*?)```", SECTIONS["BEIR"], re.DOTALL)
    shell(command, tmp_path)
    [kept] = (tmp_path / "topics.jsonl").read_text().splitlines()
    assert json.loads(kept)["_id"] == "q-1"
