"""Topics and documents come in by a file that is read, shown, confirmed, and can be undone."""

import gzip
import json

import pytest
from django.core.files.base import ContentFile

from accounts.access import Refused
from assess import services as assessing
from assess.core.answers import Answer, Seen
from campaigns import importing, services
from campaigns.bulk import tables
from campaigns.models import (
    Document,
    DocumentVersion,
    Import,
    Job,
    Topic,
    TopicVersion,
)
from tests import make
from tests.db.actions import snapshot

WRITTEN = ("Topic", "TopicVersion", "Document", "DocumentVersion", "Campaign")


def line(docno: str, text: str = "", title: str = "") -> bytes:
    row = {"docno": docno, "title": title, "text": text}
    return json.dumps(row).encode() + b"\n"


def written() -> dict[str, list]:
    found = snapshot()
    return {name: found[name] for name in WRITTEN}


@pytest.fixture
def _small_batches(monkeypatch):
    monkeypatch.setattr(tables, "BATCH", 2)


TWICE = line("x1", "a") + line("d1", "b") + line("x2") + line("x1", "c") + line("d2", "The text of d2.", "Title of d2")  # fmt: skip


@pytest.mark.usefixtures("_small_batches")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_nothing_is_written_before_it_is_confirmed(campaign, pack):
    before = written()
    row = make.uploaded(campaign, "documents", pack(TWICE), completes_collection=True)
    assert written() == before
    found = row.preview
    counts = ("n_new", "n_changed", "n_unchanged", "n_repeated", "n_fixed")
    assert [found[name] for name in counts] == [2, 1, 1, 1, 0]
    assert [each["name"] for each in found["first"]] == ["x1", "d1", "x2", "x1", "d2"]
    assert found["format"] == "JSON Lines"
    [changed] = found["changes"]
    assert (changed["name"], changed["is_fixed"]) == ("d1", False)
    assert {"field": "text", "before": "The text of d1.", "after": "b"} in changed["fields"]  # fmt: skip
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


@pytest.mark.usefixtures("_small_batches")
def test_documents_are_copied_whatever_they_hold(campaign):
    texts = {
        "x1": "tab\tnew\nline \\N back\\slash",
        "x2": "é ☃",
        "x3": "nul \x00 here",
        "x4": "{braces} %s",
    }
    make.imported(campaign, "documents", b"".join(line(*each) for each in texts.items()))  # fmt: skip
    found = dict(Document.objects.filter(docno__in=texts).values_list("docno", "text"))
    assert found == {**texts, "x3": "nul \N{REPLACEMENT CHARACTER} here"}


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("topics", b"1\tother\n9\tnine", b"1\tagain\n9\tnine\n10\tten"),
        ("documents", line("d1", "other") + line("x1"), line("d1", "again") + line("x1") + line("x2")),
    ],
)  # fmt: skip
def test_imports_are_undone_one_after_the_other(campaign, kind, first, second):
    states = [written()]
    rows = []
    for content in (first, second):
        rows.append(make.imported(campaign, kind, content, completes_collection=False))
        states.append(written())
    with pytest.raises(Refused, match="has replaced some of these texts since"):
        services.undo_import(user=rows[0].created_by, row=rows[0])
    for row, earlier in zip(reversed(rows), reversed(states[:-1]), strict=True):
        assert make.undone(row).state == "undone"
        now = written()
        for name in ("Topic", "Document"):
            for found in (*now[name], *earlier[name]):
                found.pop("last_version")
        assert now == earlier
    with pytest.raises(Refused, match="This import is undone: there is nothing"):
        services.undo_import(user=rows[0].created_by, row=rows[0])


def test_a_version_number_is_never_given_twice(campaign):
    make.undone(make.imported(campaign, "topics", b"1\tother"))
    assert campaign.topic_set.get(number="1").version == 1
    make.imported(campaign, "topics", b"1\tyet another")
    assert campaign.topic_set.get(number="1").version == 3


@pytest.fixture
def frozen(campaign, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})])
    return campaign


CHANGES = [
    ("topics", b"1\tother\n9\tnine", ["1"], "1 topic"),
    ("documents", line("d1", "other") + line("d6", "other") + line("x1"), ["d1"], "1 document"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "content", "fixed", "counted"), CHANGES)
def test_a_text_of_the_frozen_pool_changes_only_by_an_explicit_act(
    frozen, kind, content, fixed, counted
):
    row = make.uploaded(frozen, kind, content)
    assert row.preview["fixed"] == fixed
    assert row.preview["changes"][0]["is_fixed"]
    before = snapshot()
    with pytest.raises(Refused, match=f"^{counted} in the frozen pool would get"):
        services.confirm_import(user=row.created_by, row=row)
    assert snapshot() == before
    row = make.confirmed(row, takes_versions=True)
    assert row.state == "imported"
    model, earlier = (Topic, TopicVersion) if kind == "topics" else (Document, DocumentVersion)  # fmt: skip
    changed = model.objects.get(campaign=frozen, **{model.name_field: fixed[0]})
    assert changed.version == 2
    [old] = earlier.objects.filter(**{kind[:-1]: changed})
    assert (old.version, old.replaced_by, old.replaced_in) == (1, row.created_by, row)
    assert old.title in {"topic 1", "Title of d1"}


@pytest.mark.parametrize(("kind", "content", "fixed", "counted"), CHANGES)
def test_a_pool_frozen_after_the_preview_brings_a_new_preview(
    campaign, pat, kind, content, fixed, counted
):
    row = make.uploaded(campaign, kind, content)
    assert row.preview["n_fixed"] == 0
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})])
    before = written()
    stamp = row.stamp
    row = make.confirmed(row)
    assert (row.state, row.preview["fixed"]) == ("ready", fixed)
    assert "the campaign has changed" in row.outcome
    assert written() == before
    with pytest.raises(Refused, match="has changed since this page was opened"):
        services.confirm_import(user=row.created_by, row=row, takes_versions=True, shown=stamp)  # fmt: skip
    assert make.confirmed(row, takes_versions=True).state == "imported"


@pytest.mark.usefixtures("_small_batches")
def test_a_pool_frozen_while_documents_are_written_stops_them(
    campaign, pat, monkeypatch
):
    content = line("x1") + line("x2") + line("x3") + line("d1", "other")
    row = make.uploaded(campaign, "documents", content)
    run = make.run(campaign, pat, {"1": "d1 d2"})
    change = importing.bulk.change_texts

    def frozen_meanwhile(*arguments):
        change(*arguments)
        monkeypatch.setattr(importing.bulk, "change_texts", change)
        make.frozen_pool(campaign, [run])

    monkeypatch.setattr(importing.bulk, "change_texts", frozen_meanwhile)
    row = make.confirmed(row)
    assert row.state == "interrupted"
    assert "The pool was frozen meanwhile" in row.outcome
    assert campaign.document_set.filter(docno__startswith="x").count() == 2
    row = make.confirmed(row, takes_versions=True)
    assert (row.state, row.outcome) == ("imported", "3 new, 1 changed, 0 unchanged.")
    assert make.undone(row).outcome == "Undone: 3 deleted, 1 put back."
    assert campaign.document_set.get(docno="d1").text == "The text of d1."


def test_what_was_judged_as_imported_is_not_undone(frozen, ada):
    texts, words = (
        make.imported(frozen, kind, content, takes_versions=True)
        for kind, content in (("documents", line("d1", "new")), ("topics", b"1\tnew"))
    )
    assessing.judge(
        assessor=ada,
        assignment=make.assignment(frozen.topic_set.get(number="1"), ada),
        answer=Answer("d1", "judged", 2),
        seen=Seen(document_version=2, topic_version=2),
    )
    for row, named in ((texts, "document d1"), (words, "topic 1")):
        with pytest.raises(Refused, match=f"cannot be undone: {named} is judged"):
            services.undo_import(user=row.created_by, row=row)


def test_a_version_that_nobody_judged_can_be_undone(frozen, ada):
    make.judgment(make.assignment(frozen.topic_set.get(number="1"), ada), "d1", 2)
    for kind, content in (("documents", line("d1", "new")), ("topics", b"1\tnew")):
        row = make.uploaded(frozen, kind, content)
        assert row.preview["n_fixed"] == 1
        assert make.undone(make.confirmed(row, takes_versions=True)).state == "undone"


def test_a_topic_in_a_pool_cannot_be_undone_away(campaign, pat):
    row = make.imported(campaign, "topics", b"9\tnine")
    make.pool(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    with pytest.raises(Refused, match="undone: topic 9 is in a pool"):
        services.undo_import(user=row.created_by, row=row)


def test_what_is_done_twice_is_refused_with_a_sentence(campaign, olga):
    row = make.uploaded(campaign, "topics", b"9\tnine")
    services.discard_import(user=olga, row=row)
    with pytest.raises(Refused, match="discarded and can no longer be discarded"):
        services.discard_import(user=olga, row=row)
    with pytest.raises(Refused, match="This file is discarded"):
        services.confirm_import(user=olga, row=row)
    row = make.uploaded(campaign, "topics", b"9\tnine")
    services.confirm_import(user=olga, row=row)
    with pytest.raises(Refused, match="This file is importing"):
        services.confirm_import(user=olga, row=row)
    make.worked("write_import", row.pk)
    services.undo_import(user=olga, row=row)
    with pytest.raises(Refused, match="being undone already"):
        services.undo_import(user=olga, row=row)


def test_a_file_discarded_while_it_is_read_stays_discarded(campaign, olga, queued):
    file = ContentFile(b"9\tnine", name="t")
    row = services.request_import(user=olga, campaign=campaign, kind="topics", file=file)  # fmt: skip
    services.discard_import(user=olga, row=row)
    job = make.worked("read_import", row.pk)
    row.refresh_from_db()
    assert (row.state, job.outcome) == ("discarded", "The file was discarded.")


@pytest.mark.parametrize(
    ("kind", "content", "sentence"),
    [
        ("topics", b"1 Q0 d1 1 9 tag\n1 Q0 d2 2 8 tag\n", "This looks like a run. Runs are submitted on the page Runs."),
        ("topics", b"1 0 d1 1\n1 0 d2 0\n", "This looks like qrels."),
        ("topics", line("d1", "text"), "This looks like documents."),
        ("documents", b"<top>\n<num> 1\n<title> one\n</top>\n", "This looks like topics."),
        ("documents", b"1 Q0 d1 1 9 tag\n", "This looks like a run."),
        ("documents", line("x1") + b"{bad\n", "Line 2: It is not JSON"),
        ("topics", "1\tone".encode("utf-16"), "It is text in UTF-16"),
    ],
)  # fmt: skip
def test_a_file_in_the_wrong_place_is_told_where_it_belongs(
    campaign, kind, content, sentence
):
    before = written()
    row = make.uploaded(campaign, kind, content)
    assert row.state == "unreadable"
    assert row.outcome.startswith(sentence)
    assert written() == before


def test_documents_that_can_be_read_as_topics_are_recognized(campaign):
    row = make.uploaded(campaign, "topics", b"docno\ttitle\ttext\nd1\tone\ttwo\n")
    assert row.state == "ready"
    assert row.preview["hint"].startswith("This looks like documents.")


def test_the_collection_is_whole_once_an_import_has_ended(campaign, olga):
    def is_whole() -> bool:
        campaign.refresh_from_db()
        return campaign.has_whole_collection

    row = make.uploaded(campaign, "documents", line("x1"), completes_collection=True)
    assert not is_whole()
    row = make.confirmed(row)
    assert is_whole()
    make.imported(campaign, "documents", line("x2"))
    assert is_whole()
    make.undone(row)
    assert not is_whole()
    services.declare_collection(user=olga, campaign=campaign, is_whole=True)
    assert is_whole()
    services.delete_document(user=olga, document=Document.objects.get(docno="d1"))
    assert not is_whole()


def test_what_is_in_use_is_not_deleted(frozen, olga):
    topics, documents = frozen.topic_set, frozen.document_set
    with pytest.raises(
        Refused, match="Topics 1 and 2 cannot be deleted: they are in a"
    ):
        services.delete_topics(user=olga, campaign=frozen, n_shown=2)
    with pytest.raises(Refused, match="Topic 1 cannot be deleted: it is in a pool"):
        services.delete_topic(user=olga, topic=topics.get(number="1"))
    with pytest.raises(Refused, match="Documents d1, d2 and d3 cannot be deleted"):
        services.delete_documents(user=olga, campaign=frozen, n_shown=6)
    with pytest.raises(Refused, match="Document d1 cannot be deleted: it is in the"):
        services.delete_document(user=olga, document=documents.get(docno="d1"))
    services.delete_document(user=olga, document=documents.get(docno="d6"))
    assert documents.count() == 5


def test_all_are_deleted_with_their_earlier_texts(campaign, olga):
    make.imported(campaign, "documents", line("d1", "other"))
    make.imported(campaign, "topics", b"1\tother")
    with pytest.raises(Refused, match="There are 2 topics now, not 3"):
        services.delete_topics(user=olga, campaign=campaign, n_shown=3)
    services.delete_topics(user=olga, campaign=campaign, n_shown=2)
    services.delete_documents(user=olga, campaign=campaign, n_shown=6)
    assert campaign.document_set.count() == 6
    job = make.worked("delete_documents", campaign.pk)
    assert job.outcome == "6 documents deleted."
    found = written()
    assert not any(found[name] for name in WRITTEN[:-1])
    with pytest.raises(Refused, match="There are no topics"):
        services.delete_topics(user=olga, campaign=campaign, n_shown=0)
    with pytest.raises(Refused, match="There are no documents yet"):
        services.declare_collection(user=olga, campaign=campaign, is_whole=True)


def test_documents_pooled_after_the_request_are_not_deleted(campaign, olga, pat):
    services.delete_documents(user=olga, campaign=campaign, n_shown=6)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    job = make.worked("delete_documents", campaign.pk)
    assert (job.state, campaign.document_set.count()) == ("failed", 6)
    assert job.outcome == "Document d1 cannot be deleted: it is in the frozen pool."


def test_an_undo_that_became_impossible_leaves_the_import(campaign, olga, pat):
    row = make.imported(campaign, "topics", b"9\tnine")
    services.undo_import(user=olga, row=row)
    make.pool(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    make.worked("undo_import", row.pk)
    row.refresh_from_db()
    assert (row.state, row.outcome) == ("imported", "This import cannot be undone: topic 9 is in a pool.")  # fmt: skip


def test_short_topics_need_no_worker(campaign, olga, queued):
    file = ContentFile(b"9\tnine", name="t")
    row = services.request_import(user=olga, campaign=campaign, kind="topics", file=file, is_short=True)  # fmt: skip
    assert row.state == "ready"
    row = services.confirm_import(user=olga, row=row)
    assert (row.state, row.outcome) == ("imported", "1 new, 0 changed, 0 unchanged.")
    assert campaign.topic_set.filter(number="9").exists()
    assert not queued
    bad = ContentFile(b"x", name="t")
    n_imports = Import.objects.count()
    with pytest.raises(Refused, match="It has 1 tab-separated column;"):
        services.request_import(user=olga, campaign=campaign, kind="topics", file=bad, is_short=True)  # fmt: skip
    assert Import.objects.count() == n_imports


@pytest.mark.parametrize("act", ["import", "undo", "delete all", "delete one", "declare"])  # fmt: skip
def test_the_runs_are_checked_again_when_the_collection_has_changed(
    campaign, olga, pat, act
):
    row = make.imported(campaign, "documents", line("x1"))
    make.run(campaign, pat, {"1": "d1 x1"})
    again = Job.objects.filter(kind="recheck_runs")
    again.delete()
    if act == "import":
        make.imported(campaign, "documents", line("x2"))
    elif act == "undo":
        make.undone(row)
    elif act == "delete all":
        services.delete_documents(user=olga, campaign=campaign, n_shown=7)
        make.worked("delete_documents", campaign.pk)
    elif act == "delete one":
        document = campaign.document_set.get(docno="x1")
        services.delete_document(user=olga, document=document)
    else:
        services.declare_collection(user=olga, campaign=campaign, is_whole=True)
    assert again.get().state == "waiting"
