"""Topics and documents come in by a file that is read, shown, confirmed, and can be undone."""

import gzip
import json
from contextlib import nullcontext

import pytest
from django.core.files.base import ContentFile

from accounts.access import Refused
from assess.core.answers import Answer, Seen
from assess.services import judging
from campaigns.models.campaign import Campaign
from cleverdon.trec.documents import DocumentRecord
from collection import importing
from collection.bulk import tables, writing
from collection.models.imports import Import
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion
from collection.services import imports
from jobs.models import Job
from tests import make
from tests.db.actions import snapshot
from tests.worlds import once

WRITTEN = (Topic, TopicVersion, Document, DocumentVersion, Campaign)


def line(docno: str, text: str = "", title: str = "") -> bytes:
    row = {"docno": docno, "title": title, "text": text}
    return json.dumps(row).encode() + b"\n"


def written() -> dict[str, list]:
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in WRITTEN}


@pytest.fixture
def _small_batches(monkeypatch):
    monkeypatch.setattr(tables, "BATCH", 2)


TWICE = (
    line("x1", "a")
    + line("d1", "b")
    + line("x2")
    + line("x1", "c")
    + line("d2", "The text of d2.", "Title of d2")
)


@pytest.mark.usefixtures("_small_batches")
def test_nothing_is_written_before_it_is_confirmed(campaign):
    before, content = written(), gzip.compress(TWICE)
    row = make.uploaded(campaign, "documents", content, completes_collection=True)
    assert written() == before
    found = row.preview
    counts = ("n_new", "n_changed", "n_unchanged", "n_repeated", "n_fixed")
    assert [found[name] for name in counts] == [2, 1, 1, 1, 0]
    assert [each["name"] for each in found["first"]] == ["x1", "d1", "x2", "x1", "d2"]
    assert found["format"] == "JSON Lines"
    [changed] = found["changes"]
    assert (changed["name"], changed["is_fixed"]) == ("d1", False)
    assert {"field": "text", "before": "The text of d1.", "after": "b"} in changed["fields"]
    row = make.confirmed(row)
    assert (row.state, row.outcome) == ("imported", "2 new, 1 changed, 1 unchanged.")
    texts = dict(campaign.document_set.values_list("docno", "text"))
    assert (texts["x1"], texts["d1"], texts["x2"]) == ("c", "b", "")
    versions = dict(campaign.document_set.values_list("docno", "version"))
    assert {name for name, version in versions.items() if version > 1} == {"d1"}
    campaign.refresh_from_db()
    assert campaign.has_whole_collection
    job = Job.objects.get(kind="write_import")
    assert (job.state, job.percent, job.about) == ("done", 100, "documents.txt")


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("topics", b"1\tother\n9\tnine", b"1\tagain\n9\tnine\n10\tten"),
        (
            "documents",
            line("d1", "other") + line("x1"),
            line("d1", "again") + line("x1") + line("x2"),
        ),
    ],
)
def test_imports_are_undone_one_after_the_other(campaign, kind, first, second):
    states = [written()]
    rows = []
    for content in (first, second):
        rows.append(make.imported(campaign, kind, content, completes_collection=False))
        states.append(written())
    with pytest.raises(Refused, match="has replaced some of these texts since"):
        imports.undo_import(user=rows[0].created_by, row=rows[0])
    for row, earlier in zip(reversed(rows), reversed(states[:-1]), strict=True):
        assert make.undone(row).state == "undone"
        now = written()
        for name in ("Topic", "Document"):
            for found in (*now[name], *earlier[name]):
                found.pop("last_version")
        assert now == earlier
    with pytest.raises(Refused, match="This import is undone: there is nothing"):
        imports.undo_import(user=rows[0].created_by, row=rows[0])
    make.imported(campaign, kind, first)
    versions = (*campaign.topic_set.all(), *campaign.document_set.all())
    assert {4} == {each.version for each in versions} - {1}, "a number is never given twice"


@pytest.fixture
@once
def frozen(campaign, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})])
    return campaign


CHANGES = [
    ("topics", b"1\tother\n9\tnine", ["1"], "1 topic"),
    ("documents", line("d1", "other") + line("d6", "other") + line("x1"), ["d1"], "1 document"),
]


@pytest.mark.parametrize(("kind", "content", "fixed", "counted"), CHANGES)
def test_a_text_of_the_frozen_pool_changes_only_by_an_explicit_act(
    frozen, kind, content, fixed, counted
):
    row = make.uploaded(frozen, kind, content)
    assert row.preview["fixed"] == fixed
    assert row.preview["changes"][0]["is_fixed"]
    before = snapshot()
    with pytest.raises(Refused, match=f"^{counted} that (is|are) pooled or judged would get"):
        imports.confirm_import(user=row.created_by, row=row)
    assert snapshot() == before
    row = make.confirmed(row, takes_versions=True)
    assert row.state == "imported"
    model, earlier = (Topic, TopicVersion) if kind == "topics" else (Document, DocumentVersion)
    changed = model.objects.get(campaign=frozen, **{model.name_field: fixed[0]})
    assert changed.version == 2
    [old] = earlier.objects.filter(**{kind[:-1]: changed})
    assert (old.version, old.replaced_by, old.replaced_in) == (1, row.created_by, row)
    assert old.title in {"topic 1", "Title of d1"}


def test_a_pool_frozen_after_the_preview_brings_a_new_preview(campaign, pat):
    row = make.uploaded(campaign, "documents", line("d1", "other") + line("x1"))
    assert row.preview["n_fixed"] == 0
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})])
    before = written()
    seen = row.previewed
    row = make.confirmed(row)
    assert (row.state, row.preview["fixed"]) == ("ready", ["d1"])
    assert "the campaign has changed" in row.outcome
    assert written() == before
    with pytest.raises(Refused, match="changed while you had the page open"):
        imports.confirm_import(user=row.created_by, row=row, takes_versions=True, seen=seen)
    assert make.confirmed(row, takes_versions=True).state == "imported"


@pytest.mark.usefixtures("_small_batches")
def test_a_pool_frozen_while_documents_are_written_stops_them(campaign, pat, monkeypatch):
    content = line("x1") + line("x2") + line("x3") + line("d1", "other")
    row = make.uploaded(campaign, "documents", content)
    run = make.run(campaign, pat, {"1": "d1 d2"})
    change = importing.writing_bulk.change_texts

    def frozen_meanwhile(*arguments, **options):
        change(*arguments, **options)
        monkeypatch.setattr(importing.writing_bulk, "change_texts", change)
        make.frozen_pool(campaign, [run])

    monkeypatch.setattr(importing.writing_bulk, "change_texts", frozen_meanwhile)
    row = make.confirmed(row)
    assert row.state == "interrupted"
    assert "came to be pooled or judged" in row.outcome
    assert campaign.document_set.filter(docno__startswith="x").count() == 2
    row = make.confirmed(row, takes_versions=True)
    assert (row.state, row.outcome) == ("imported", "3 new, 1 changed, 0 unchanged.")
    assert make.undone(row).outcome == "Undone: 3 deleted, 1 put back."
    assert campaign.document_set.get(docno="d1").text == "The text of d1."


def test_a_pool_frozen_while_a_short_file_is_imported_stops_it(campaign, olga, pat, monkeypatch):
    file = ContentFile(b"1\tother", name="topics.txt")
    row = imports.request_import(
        user=olga, campaign=campaign, kind="topics", file=file, is_short=True
    )
    before, change = written(), importing.writing_bulk.change_texts
    run = make.run(campaign, pat, {"1": "d1"})

    def frozen_meanwhile(*arguments, **options):
        make.frozen_pool(campaign, [run])
        change(*arguments, **options)

    monkeypatch.setattr(importing.writing_bulk, "change_texts", frozen_meanwhile)
    with pytest.raises(Refused, match="came to be pooled or judged"):
        imports.confirm_import(user=olga, row=row)
    assert written() == before


def test_a_version_can_be_undone_until_it_is_judged(frozen, ada):
    assignment = make.assignment(frozen.topic_set.get(number="1"), ada)
    make.judgment(assignment, "d1", 2)
    contents = {"documents": line("d1", "new"), "topics": b"1\tnew"}
    for kind, content in contents.items():
        row = make.uploaded(frozen, kind, content)
        assert row.preview["n_fixed"] == 1
        assert make.undone(make.confirmed(row, takes_versions=True)).state == "undone"
    texts, words = (
        make.imported(frozen, kind, content, takes_versions=True)
        for kind, content in contents.items()
    )
    judging.judge(
        assessor=ada,
        assignment=assignment,
        answer=Answer("d1", "judged", {"grade": 1}),
        seen=Seen(document_version=3, topic_version=3),
    )
    for row, named in ((texts, "document d1"), (words, "topic 1")):
        with pytest.raises(Refused, match=f"cannot be undone: {named} is judged"):
            imports.undo_import(user=row.created_by, row=row)


def test_what_is_done_twice_is_refused_with_a_sentence(campaign, olga, queued):
    file = ContentFile(b"9\tnine", name="t")
    row = imports.request_import(user=olga, campaign=campaign, kind="topics", file=file)
    imports.discard_import(user=olga, row=row)  # while it is read
    job = make.worked("read_import", row.pk)
    row.refresh_from_db()
    assert (row.state, job.outcome) == ("discarded", "The file was discarded.")
    with pytest.raises(Refused, match="discarded and can no longer be discarded"):
        imports.discard_import(user=olga, row=row)
    with pytest.raises(Refused, match="This file is discarded"):
        imports.confirm_import(user=olga, row=row)
    row = make.uploaded(campaign, "topics", b"9\tnine")
    imports.confirm_import(user=olga, row=row)
    with pytest.raises(Refused, match="This file is importing"):
        imports.confirm_import(user=olga, row=row)
    make.worked("write_import", row.pk)
    imports.undo_import(user=olga, row=row)
    with pytest.raises(Refused, match="being undone already"):
        imports.undo_import(user=olga, row=row)


def test_an_undo_that_became_impossible_leaves_the_import(campaign, olga, pat):
    row = make.imported(campaign, "topics", b"9\tnine")
    imports.undo_import(user=olga, row=row)
    make.batch(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    make.worked("undo_import", row.pk)
    row.refresh_from_db()
    said = "This import cannot be undone: topic 9 is in a pool."
    assert (row.state, row.outcome) == ("imported", said)
    with pytest.raises(Refused, match=said):
        imports.undo_import(user=olga, row=row)


def test_documents_of_the_frozen_pool_are_not_taken_back(campaign, olga, pat):
    """What is taken back leaves no version, so another text could come under the docno that
    somebody has on screen.
    """
    sent = b"".join(line(f"x{number}") for number in range(5, 0, -1))
    row = make.imported(campaign, "documents", sent)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "x1 x2 x3 x4 x5"})], depth=5)
    said = "documents x1, x2, x3 and 2 others are in the frozen pool"
    with pytest.raises(Refused, match=said):
        imports.undo_import(user=olga, row=row)


def test_a_change_far_into_a_text_is_shown(campaign):
    said = "word " * 2000
    make.imported(campaign, "documents", line("x1", f"{said}one more"))
    row = make.uploaded(campaign, "documents", line("x1", f"{said}two more"))
    [change] = row.preview["changes"]
    [text] = change["fields"]
    for when, end in (("before", "one more"), ("after", "two more")):
        assert text[when].startswith("… ")
        assert text[when].endswith(end)
        assert len(text[when]) < 100


def test_a_text_that_somebody_else_has_put_there_is_not_replaced_unseen(campaign):
    """Also where the counts stay the same: the preview showed another text to be replaced."""
    for kind, content in (("topics", "1\t{}\n"), ("documents", "d1\ttitle\t{}\n")):
        mine = make.uploaded(campaign, kind, content.format("mine").encode())
        make.imported(campaign, kind, content.format("another").encode())
        mine = make.confirmed(mine)
        assert mine.state == "ready"
        assert "has changed" in mine.outcome
        assert make.confirmed(mine).state == "imported"


def test_an_import_counts_what_it_did_though_another_replaces_it_before_it_ends(campaign, olga):
    mine = make.uploaded(campaign, "documents", b"x1\t\tone\nd1\t\tone\n")
    other = make.uploaded(campaign, "documents", b"x1\t\ttwo\nd1\t\ttwo\n")
    for row in (mine, other):
        Import.objects.filter(pk=row.pk).update(state="importing", confirmed_by=olga)
        row.refresh_from_db()
    records = [DocumentRecord(docno, text="two") for docno in ("x1", "d1")]

    def replace(_: int) -> None:
        if not Document.objects.filter(imported_in=mine).exists():
            return
        writing.change_texts(other, tables.DOCUMENTS, enumerate(records), lambda _: None)

    importing.write(mine, nullcontext, replace)
    mine.refresh_from_db()
    assert set(
        Document.objects.filter(docno__in=["x1", "d1"]).values_list("imported_in", flat=True)
    ) == {other.pk}
    assert mine.outcome == "1 new, 1 changed, 0 unchanged."


def test_a_list_of_docnos_leaves_the_texts_that_are_there(campaign):
    before = list(Document.objects.filter(campaign=campaign).order_by("docno").values())
    row = make.uploaded(campaign, "documents", b"d1\r\nd2\nnew-1\nd1\n")
    counts = [row.preview[name] for name in ("n_new", "n_changed", "n_unchanged")]
    assert (counts, row.preview["changes"]) == ([1, 0, 2], [])
    row = make.confirmed(row)
    row.refresh_from_db()
    assert row.outcome == "1 new, 0 changed, 2 unchanged."
    documents = Document.objects.filter(campaign=campaign).order_by("docno")
    assert list(documents.exclude(docno="new-1").values()) == before
    assert documents.get(docno="new-1").text == ""


def test_a_list_of_docnos_calls_empty_only_what_it_adds(campaign):
    row = make.uploaded(campaign, "documents", b"d1\nd2\nx1\n")
    assert (row.preview["n_new"], row.preview["n_empty"]) == (1, 1)


@pytest.mark.parametrize(("second", "n_split"), [("public", 1), ("hidden", 2)])
def test_a_preview_counts_the_topics_whose_split_is_passed_over(campaign, second, n_split):
    lines = [{"number": "1", "title": "t", "split": "hidden"}]
    lines += [{"number": "2", "title": "t", "split": second}]
    lines += [{"number": "9", "title": "new", "split": "hidden"}]
    content = b"".join(json.dumps(each).encode() + b"\n" for each in lines)
    row = make.uploaded(campaign, "topics", content)
    assert row.preview["n_split"] == n_split
    plain = make.uploaded(campaign, "topics", content.replace(b"hidden", b"public"))
    assert plain.preview["n_split"] == 0
