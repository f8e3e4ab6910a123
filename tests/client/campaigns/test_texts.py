"""Topics and documents that a campaign's file names."""

import json

from campaigns.models.campaign import Campaign
from collection.models.imports import Import
from collection.models.texts import Document, Topic
from tests.client.campaigns.files import CREATE, FILE, UNCHANGED


def test_files_that_changed_are_imported_again(olgas, made):
    olgas.file("topics.txt", "1\tbats\tWhat of bats?\n2\trats\tWhat of rats?\n3\tbees\tWhich?\n")
    assert olgas(*CREATE).out == "topics.txt: 1 new, 1 changed, 1 unchanged.\n"
    assert Topic.objects.get(number="2").title == "rats"
    assert olgas(*CREATE) == UNCHANGED


def test_a_file_that_was_put_back_is_imported_again(olgas, made):
    before = (olgas.folder / "topics.txt").read_text()
    olgas.file("topics.txt", before.replace("cats", "rats"))
    assert olgas(*CREATE).out == "topics.txt: 0 new, 1 changed, 1 unchanged.\n"
    olgas.file("topics.txt", before)
    assert olgas(*CREATE).out == "topics.txt: 0 new, 1 changed, 1 unchanged.\n"
    assert Topic.objects.get(number="2").title == "cats"
    assert olgas(*CREATE) == UNCHANGED


def test_what_was_deleted_since_is_imported_again(olgas, made):
    olgas.client().campaign("bats").topics.delete("2")
    olgas.client().campaign("bats").documents.delete_all()
    assert olgas(*CREATE).out.splitlines() == [
        "topics.txt: 1 new, 0 changed, 1 unchanged.",
        "documents.jsonl: 6 new, 0 changed, 0 unchanged.",
    ]
    assert olgas(*CREATE) == UNCHANGED


def test_of_several_files_only_those_that_changed_are_imported_again(olgas, made):
    olgas.file("campaign.toml", FILE.replace('["documents.jsonl"]', '["documents.jsonl", "more"]'))
    olgas.file("more", '{"docno": "d7", "text": "On 7."}\n')
    assert olgas(*CREATE).out == "more: 1 new, 0 changed, 0 unchanged.\n"
    olgas.file("more", '{"docno": "d7", "text": "On seven."}\n')
    assert olgas(*CREATE).out.splitlines()[-1] == "more: 0 new, 1 changed, 0 unchanged."
    assert olgas(*CREATE) == UNCHANGED


def test_an_import_that_a_command_left_is_brought_to_its_end(olgas, made):
    ours = olgas.client().campaign("bats")
    for name in ("one", "two"):
        olgas.file(name, json.dumps({"docno": name, "text": "On."}) + "\n")
    olgas.file("campaign.toml", FILE.replace('["documents.jsonl"]', '["one", "two"]'))
    left = ours.documents.import_(file=olgas.folder / "one", completes_collection=True)
    Campaign.objects.update(has_whole_collection=False)
    assert [line.partition(":")[0] for line in olgas(*CREATE).out.splitlines()] == ["one", "two"]
    assert Import.objects.get(public_id=left["id"]).state == "imported"
    assert not Import.objects.exclude(state="imported").exists()
    assert Campaign.objects.get().has_whole_collection
    assert olgas(*CREATE) == UNCHANGED


def test_what_the_file_says_of_the_collection_is_declared_also_later(olgas, made):
    whole, part = (
        "The documents are the whole collection.",
        "The documents are a part of the whole.",
    )
    for said, sentence in (("false", part), ("true", whole)):
        olgas.file(
            "campaign.toml",
            FILE.replace("completes_collection = true", f"completes_collection = {said}"),
        )
        assert olgas(*CREATE) == (0, f"{sentence}\n", "")
        assert Campaign.objects.get().has_whole_collection == (said == "true")
        assert olgas(*CREATE) == UNCHANGED


def test_a_file_that_is_to_be_read_otherwise_is_imported_again(olgas, made):
    html = FILE.replace("completes_collection = true", "is_html = true")
    olgas.file("documents.jsonl", '{"docno": "d1", "text": "<p>On <b>1</b>.</p>"}\n')
    olgas(*CREATE)
    olgas.file("campaign.toml", html)
    assert olgas(*CREATE).out == "documents.jsonl: 0 new, 1 changed, 0 unchanged.\n"
    assert Document.objects.get(docno="d1").text == "On 1."
    assert olgas(*CREATE) == UNCHANGED


def test_a_file_that_cannot_be_imported_is_named(olgas, made):
    olgas.file("topics.txt", "1\t\n")
    said = olgas(*CREATE)
    assert (said.status, said.out) == (1, "")
    assert "Line 1" in said.err
    olgas.file("documents.jsonl", '{"docno": 5')
    olgas.file("topics.txt", "1\tbats\tWhat of bats?\n2\tcats\tWhat of cats?\n")
    said = olgas(*CREATE)
    assert said.err.startswith("documents.jsonl: ")


def test_new_texts_of_what_is_pooled_are_taken_only_if_that_is_accepted(olgas, made, pooled):
    olgas.file("topics.txt", "1\tbats\tWhat else of bats?\n2\tcats\tWhat of cats?\n")
    said = olgas(*CREATE)
    assert (said.status, said.out) == (1, "")
    assert said.err == (
        "topics.txt: 1 topic that is pooled or judged would get another text. "
        "Say that the new texts are taken as new versions, or discard the file.\n"
        "If you want that, say it again with --accept.\n"
    )
    assert Topic.objects.get(number="1").description == "What of bats?"
    assert Import.objects.latest("pk").state == "discarded"
    assert olgas(*CREATE, "--accept").out == "topics.txt: 0 new, 1 changed, 1 unchanged.\n"
    assert olgas(*CREATE) == UNCHANGED
