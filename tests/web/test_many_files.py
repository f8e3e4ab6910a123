"""Documents in many files at once: each becomes an import, and one page confirms them all."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from collection.models.imports import Import
from collection.models.texts import Document
from tests import make
from tests.web.html import words


def of(*docnos: str, text: str = "new") -> bytes:
    lines = ({"docno": docno, "text": text} for docno in docnos)
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


@pytest.fixture
def send(campaign, olga, client):
    """Send files by their names, and have them read."""
    client.force_login(olga)

    def sent(**files: bytes):
        uploads = [SimpleUploadedFile(f"{name}.jsonl", each) for name, each in files.items()]
        at = f"/campaigns/{campaign.slug}/documents/"
        page = client.post(at, {"file": uploads, "completes_collection": "on"}, follow=True)
        for row in Import.objects.filter(campaign=campaign, state="reading"):
            make.worked("read_import", row.pk)
        return page

    return sent


@pytest.fixture
def at(campaign) -> str:
    return f"/campaigns/{campaign.slug}/imports/"


def seen(page) -> list[str]:
    return [f"{each.pk}:{each.previewed}" for each in page.context["ready"]]


def done(campaign) -> None:
    for row in Import.objects.filter(campaign=campaign, state="importing").order_by("pk"):
        make.worked("write_import", row.pk)


def test_of_each_of_many_files_it_is_said_what_is_not_read(campaign, send, at, client):
    send(a=b'{"id": "n1", "title": "Only", "words": "x", "n": 1}\n', b=of("n2"))
    said = words(client.get(at))
    assert "1 only a title not read: words, n" in said
    assert said.count("not read") == 1


def test_many_files_are_sent_at_once_and_confirmed_with_one_button(campaign, send, at, client):
    page = send(a=of("n1", "n2"), b=of("n3"), c=b"", d=b"<DOC>\nno docno\n</DOC>\n")
    assert page.redirect_chain[-1][0] == at
    assert "c.jsonl is empty." in words(page)
    page = client.get(at)
    said = words(page)
    assert "2 files can be imported: 3 new documents, 0 changed" in said
    assert "1 cannot be read." in said
    [unread] = Import.objects.filter(state="unreadable")
    assert unread.outcome in said
    assert not Document.objects.filter(docno="n1").exists()
    page = client.post(at, {"seen": seen(page)}, follow=True)
    assert "2 files are being imported." in words(page)
    done(campaign)
    assert Document.objects.filter(campaign=campaign, docno__in=["n1", "n2", "n3"]).count() == 3
    assert "1 file of documents" in words(client.get(at))


def test_what_needs_a_tick_or_changed_since_is_not_confirmed_with_the_others(
    campaign, pat, send, at, client
):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    send(a=of("n1"), b=of("d1"), c=of("d2"))
    page = client.get(at)
    assert "1 needs a tick of yours" in words(page)
    shown = seen(page)
    assert len(shown) == 2
    fixed = Import.objects.get(file_name="b.jsonl")
    other = Import.objects.get(file_name="c.jsonl")
    other.preview["replaced"] = "another text"
    other.save()
    page = client.post(at, {"seen": [*shown, f"{fixed.pk}:{fixed.previewed}"]}, follow=True)
    said = words(page)
    assert "1 file is being imported." in said
    assert "b.jsonl: 1 document that is pooled or judged would get another text." in said
    assert "c.jsonl: What the import would do" in said
    states = Import.objects.order_by("file_name").values_list("state", flat=True)
    assert list(states) == ["importing", "ready", "ready"]


def test_a_file_that_became_ready_after_the_page_is_left(campaign, send, at, client):
    send(a=of("n1"))
    page = client.get(at)
    send(b=of("n2"))
    client.post(at, {"seen": seen(page)})
    states = Import.objects.order_by("file_name").values_list("state", flat=True)
    assert list(states) == ["importing", "ready"]
    page = client.post(at, {})
    assert "No file was ready to be imported: look again." in words(page)


def test_a_file_that_is_gone_since_the_page_is_told(campaign, send, at, client):
    send(a=of("n1"), b=of("n2"))
    shown = seen(client.get(at))
    gone = Import.objects.get(file_name="b.jsonl")
    client.post(f"{at}{gone.pk}/discard/")
    said = words(client.post(at, {"seen": shown}, follow=True))
    assert "1 file is being imported." in said
    assert "1 file of that page no longer waits." in said


def test_the_collection_is_complete_once_all_files_are_imported(campaign, send, at, client):
    send(a=of("n1"), b=of("n2"))
    one, two = Import.objects.order_by("pk")
    make.confirmed(one)
    one.refresh_from_db()
    campaign.refresh_from_db()
    assert one.outcome.endswith("The collection is complete once b.jsonl is imported too.")
    assert not campaign.has_whole_collection
    make.confirmed(two)
    campaign.refresh_from_db()
    assert campaign.has_whole_collection
    assert "No file of documents waits" in words(client.get(at))


def test_too_many_files_and_only_empty_ones_are_refused_with_a_sentence(send):
    assert "These are 51 files; at most 50" in words(send(**{f"f{n}": of("n1") for n in range(51)}))
    assert "a.jsonl is empty." in words(send(a=b""))
    assert not Import.objects.exists()


def test_one_file_leads_to_its_own_page(campaign, send):
    page = send(a=of("n1"))
    row = Import.objects.get()
    assert page.redirect_chain[-1][0] == f"/campaigns/{campaign.slug}/imports/{row.pk}/"
