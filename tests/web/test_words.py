"""Highlighting over HTTP: a page's words, their forms in a document, the reader's own."""

import json
import re
import tracemalloc

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.services import ending
from collection.core.reading import PART
from desk.models import TopicWord
from tests import make
from tests.web.judging import closed

TEXT = "Trees cooled the streets.\n\nStreet trees, and the canopy of a tree."


@pytest.fixture
def address(assignment) -> str:
    topic = assignment.topic
    topic.title, topic.description = "Street trees", "What do trees cool?"
    topic.save()
    topic.campaign.document_set.update(text=TEXT)
    return f"/campaigns/{topic.campaign.slug}/judging/{assignment.pk}/"


def send(client, address, *changes):
    return client.post(
        f"{address}words/", {"changes": json.dumps(changes)}, headers={"HX-Request": "true"}
    )


def page_words(client, address) -> dict:
    html = client.get(f"{address}?number=1").text
    return json.loads(re.search(r'<script id="words-data"[^>]*>(.*?)</script>', html)[1])


def test_a_page_has_the_words_of_its_topic(client, address):
    said = page_words(client, address)
    topical = [{"label": label, "mark": "topic"} for label in ("Street", "trees", "cool")]
    assert said["terms"] == topical  # of so few documents none is rare
    assert (said["language"], said["runs"], said["stop"]) == ("en", [], [])


def test_how_rare_a_word_is_follows_from_the_pool_of_its_topic(client, olga, ada, pat):
    docnos = [f"d{n:02d}" for n in range(20)]
    campaign = make.campaign(
        olga, assessors=[ada], participants={"T": [pat]}, docnos=[*docnos, "e1"]
    )
    campaign.topic_set.update(title="Street trees", description="Which canopy cools?")
    documents = campaign.document_set
    documents.update(text="Streets.")
    documents.filter(docno__in=docnos[:5]).update(text="A tree in the street.")
    documents.filter(docno__in=[docnos[0], "e1"]).update(text="Canopies of trees.")
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=20)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    client.force_login(ada)
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    terms = page_words(client, address)["terms"]
    assert {each["label"]: each["mark"] for each in terms} == {
        "Street": "common",
        "trees": "topic",
        "canopy": "rare",
        "cools": "rare",
    }
    with CaptureQueriesContext(connection) as again:
        assert page_words(client, address)["terms"] == terms
    assert not [each for each in again if "pooling_poolentry" in each["sql"]]


def test_the_forms_in_a_document_may_be_kept_for_ever_under_both_versions(client, address):
    forms = {
        "Street": ["Street", "streets"],
        "trees": ["Trees", "tree", "trees"],
        "cool": ["cooled"],
    }
    response = client.get(f"{address}documents/1/words/?version=1&topic=1")
    assert response.json() == forms
    assert "immutable" in response["Cache-Control"]
    for query in ("", "?version=1", "?version=2&topic=1", "?version=1&topic=2"):
        response = client.get(f"{address}documents/1/words/{query}")
        assert response.json() == forms
        assert "immutable" not in response.get("Cache-Control", "")
    assert client.get(f"{address}documents/99/words/").status_code == 404


def test_the_words_of_a_long_text_are_told_by_the_part_that_is_shown(client, address, assignment):
    documents = assignment.topic.campaign.document_set
    text = "A tree. " + "shade " * (PART // 6) + "Streets. " + "shade " * (PART // 6) + "cooling"
    documents.update(text=text, title="Street")
    starts, found = [0], []
    while starts[-1] is not None:
        query = f"?version=1&topic=1&from={starts[-1]}"
        response = client.get(f"{address}documents/1/words/{query}")
        assert "immutable" in response["Cache-Control"]
        found.append(response.json())
        rest = re.search(r'data-rest="(\d+)"', client.get(f"{address}documents/1/{query}").text)
        starts.append(int(rest[1]) if rest else None)
    assert found == [
        {"Street": ["Street"], "trees": ["tree"]},
        {"Street": ["Street", "Streets"]},
        {"Street": ["Street"], "cool": ["cooling"]},
    ]


def test_no_length_of_a_text_makes_its_words_take_longer(client, address, assignment):
    """On one line and every word another: what is read and stemmed is bounded by a part."""
    word = "tree{:09d}s ".format
    client.get(f"{address}documents/1/words/")  # loads what stays in memory
    peaks = []
    for n in (1, 4):
        text = "".join(map(word, range((n << 20) // 15)))
        assignment.topic.campaign.document_set.update(text=text)
        del text
        tracemalloc.start()
        for start in (0, (n << 20) - PART):
            client.get(f"{address}documents/1/words/?from={start}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert max(peaks) < 2 * min(peaks)
    assert max(peaks) < 32 << 20


def test_own_words_are_saved_once_however_often_they_are_sent(client, address):
    change = {"act": "add", "text": "canopy", "mark": 2}
    for _ in range(2):
        assert send(client, address, change, {"act": "off", "text": "cool"}).json() == {
            "own": [{"text": "canopy", "mark": 2}],
            "off": ["cool"],
            "not_saved": [],
        }
    assert TopicWord.objects.count() == 2
    said = page_words(client, address)
    assert (said["own"], said["off"]) == ([{"text": "canopy", "mark": 2}], ["cool"])


@pytest.mark.parametrize("body", ["", "{", "{}", '[{"act": "burn"}]', "[" * 100_000])
def test_what_is_no_list_of_changes_is_refused(client, address, body):
    response = client.post(f"{address}words/", {"changes": body})
    assert response.status_code == 409
    assert response.json() == {"refused": "Send a list of changes of words."}


def test_words_can_be_changed_after_judging_not_in_an_archive(client, address, assignment, olga):
    closed(assignment)
    change = {"act": "add", "text": "canopy"}
    assert send(client, address, change).status_code == 200
    assert page_words(client, address)["closed"] == ""
    ending.archive_campaign(user=olga, campaign=assignment.topic.campaign)
    response = send(client, address, change)
    assert response.status_code == 409
    assert "is archived" in response.json()["refused"]
    said = page_words(client, address)
    assert "is archived" in said["closed"]
    assert [word["text"] for word in said["own"]] == ["canopy"]
    assert "own-word" not in client.get(f"{address}?number=1").text
