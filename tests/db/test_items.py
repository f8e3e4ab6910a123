"""Items: made once, and with their document while there is one."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from assess.models.presenting import PRESENTERS, Presenter, present_version
from assess.services import known_grades
from campaigns.core.criteria import KINDS
from collection.models.items import Item
from collection.models.texts import Document, text_shown
from collection.services import collection
from pooling import services as pooling
from pooling.models.entries import PoolEntry
from tests import make


def test_items_are_made_once_for_each_topic(campaign):
    one, two = campaign.topic_set.order_by("number")
    wanted = [(one.pk, "d1"), (two.pk, "d1"), (one.pk, "Ä"), (one.pk, "d1")]
    found = Item.objects.of_documents(campaign, wanted)
    assert found.keys() == set(wanted)
    assert (
        Item.objects.of_documents(campaign, iter([*wanted, (two.pk, "x9")])).items() > found.items()
    )
    assert Item.objects.of_documents(campaign, []) == {}
    rows = Item.objects.order_by("key", "pk").values_list(
        "topic__number", "key", "kind", "campaign"
    )
    assert {*rows} == {
        (number, key, "document", campaign.pk)
        for number, key in [("1", "d1"), ("2", "d1"), ("1", "Ä"), ("2", "x9")]
    }


@pytest.mark.django_db(transaction=True)
def test_two_make_the_same_items_at_the_same_moment(campaign):
    """In other orders, and so many that one waits for the other."""
    [topic, _] = campaign.topic_set.order_by("number")
    keys = [f"n{n}" for n in range(3000)]

    def made(order) -> dict:
        try:
            return Item.objects.of_documents(campaign, [(topic.pk, key) for key in order])
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        first, second = pool.map(made, [keys, keys[::-1]])
    assert first == second
    assert topic.items.count() == len(keys)


def test_an_item_has_its_document_while_there_is_one(campaign):
    topic = campaign.topic_set.get(number="1")
    [missing, there] = make.items(topic, "new", "d1")
    items = Item.objects.select_related("document")
    assert items.get(pk=there.pk).document.docno == "d1"
    assert items.get(pk=missing.pk).document is None
    make.imported(campaign, "documents", b"new\t\tA text.")
    assert items.get(pk=missing.pk).document.text == "A text."
    Document.objects.filter(docno="d1").delete()
    assert items.get(pk=there.pk).document is None
    elsewhere = make.campaign(make.organizer_of(campaign), docnos=[])
    [other] = make.items(elsewhere.topic_set.get(number="1"), "new")
    assert items.get(pk=other.pk).document is None, "of another campaign"


def test_what_has_no_document_of_its_own_is_never_missing(campaign, pat, monkeypatch):
    claim = Presenter("", lambda item, start: text_shown(item.parts["text"], start))
    monkeypatch.setitem(PRESENTERS, "claim", claim)
    pool = make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 x9"})])
    topic = campaign.topic_set.get(number="1")
    its = {"campaign": campaign, "topic": topic, "kind": "claim"}
    item = Item.objects.create(**its, key="c1", parts={"text": "It holds."})
    make.pooled(pool, topic, item)
    entries = PoolEntry.objects.in_pool(pool)
    assert [each.docno for each in entries.without_document()] == ["x9"]
    versions = entries.annotate(version=present_version()).order_by("item__key")
    assert list(versions.values_list("item__key", "version")) == [("c1", 1), ("d1", 1), ("x9", 0)]
    assert claim.reading(item, None) == (1, "", "It holds.")


def test_only_a_document_is_found_by_its_key(campaign):
    """The text, title and faults of a document are not those of a claim that is named like it."""
    topic = campaign.topic_set.get(number="1")
    its = {"campaign": campaign, "topic": topic, "parts": {}}
    Item.objects.create(**its, kind="claim", key="d1")
    document = Item.objects.create(**its, key="d2")
    rows = Item.objects.order_by("key")
    assert [*rows.values_list("key", "document__docno")] == [("d1", None), ("d2", "d2")]
    assert [*rows.filter(document__version=1)] == [document]
    assert [each.document and each.docno for each in rows] == [None, "d2"]
    assert [each.key for each in Document.objects.get(docno="d2").items.all()] == ["d2"]
    assert not Document.objects.filter(docno="d1", items__isnull=False).exists()


def test_topics_that_nothing_rests_on_any_more_go_with_their_items(campaign, olga, pat):
    """Items stay when a pool or known grades go, and keep no topic from going."""
    row = make.imported(campaign, "topics", b"7\tseven\n8\teight\n")
    draft = make.batch(campaign, [make.run(campaign, pat, {"7": "d1 d2", "1": "d1"})])
    topic = campaign.topic_set.get(number="8")
    make.known_grade(topic, "d1", 2)
    pooling.delete_batch(user=olga, batch=draft)
    known_grades.remove_known(user=olga, campaign=campaign)
    assert Item.objects.filter(topic__number__in="78").count() == 3
    make.undone(row)
    row.refresh_from_db()
    assert row.state == "undone"
    assert not Item.objects.filter(topic__number__in="78").exists()
    assert Item.objects.filter(topic__number="1").exists()
    collection.delete_topics(user=olga, campaign=campaign)
    assert not Item.objects.exists()


def test_each_kind_that_a_criterion_may_be_about_has_a_presenter():
    assert [*PRESENTERS] == KINDS
