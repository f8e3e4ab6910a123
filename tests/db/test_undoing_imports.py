"""What stands in the way of undoing an import is named, with advice that can be followed."""

import re

import pytest
from django.urls import reverse

from accounts.access import Refused, Unconfirmed, why_not
from collection.services import imports
from collection.uses import can_be_undone, later_than
from tests import make

NAMED = r"\S+ \(imported on \d+ \w+ \d+, \d\d:\d\d, \S+\)"


def test_what_has_to_be_undone_first_is_named_in_the_order_that_works(campaign):
    """The second replaced a text of the first, the third one of the second: the third first."""
    rows = [make.imported(campaign, "topics", f"9\ttext {n}".encode()) for n in range(3)]
    said = "have replaced some of these texts since: undo these imports, in this order, first"
    with pytest.raises(Refused, match=f"^{NAMED} and {NAMED} {said}"):
        imports.undo_import(user=rows[0].created_by, row=rows[0])
    for row in later_than(rows[0]):
        assert make.undone(row).state == "undone"
    assert make.undone(rows[0]).state == "undone"


def test_nobody_is_told_to_undo_what_cannot_be_undone(campaign, pat):
    """The later import added the topic that is pooled; the first has only a text that the later one
    replaced.
    """
    first = make.imported(campaign, "topics", b"8\teight")
    later = make.imported(campaign, "topics", b"8\tother\n9\tnine")
    make.batch(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    for row in (first, later):
        with pytest.raises(Refused, match="topic 9 is in a pool") as refused:
            imports.undo_import(user=row.created_by, row=row)
        assert "first" not in str(refused.value)
    assert re.search(
        f"{NAMED} has replaced .* To have the earlier texts again, import a file",
        why_not(can_be_undone, None, first),
    )
    make.imported(campaign, "topics", b"8\teight")  # the advice, followed
    assert campaign.topic_set.get(number="8").title == "eight"


def test_an_undo_that_would_come_to_nothing_is_not_advised(campaign, pat):
    """The first import added what is pooled; to undo the later one, which only changed its text,
    would not help.
    """
    first = make.imported(campaign, "topics", b"9\tnine")
    make.imported(campaign, "topics", b"9\tother")
    make.batch(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    said = why_not(can_be_undone, None, first)
    assert said == "This import cannot be undone: topic 9 is in a pool."


def test_runs_that_would_become_invalid_are_named_before(campaign, pat, olga):
    """Not those that answer only topics that stay: of topic 2 the text is put back."""
    row = make.imported(campaign, "topics", b"2\tother\n9\tnine")
    make.run(campaign, pat, {"1": "d1", "9": "d2"}, "lost")
    make.run(campaign, pat, {"1": "d1", "2": "d2"}, "kept")
    said = "1 of 2 valid runs would become invalid: lost (Aldgate)."
    for accepts in ("", "something else"):
        with pytest.raises(Unconfirmed, match=re.escape(said)):
            imports.undo_import(user=olga, row=row, accepts=accepts)
    imports.undo_import(user=olga, row=row, accepts=said)
    make.worked("undo_import", row.pk)
    make.worked("recheck_runs", campaign.pk)
    states = dict(campaign.run_set.values_list("tag", "state"))
    assert states == {"lost": "invalid", "kept": "valid"}
    unanswered = make.imported(campaign, "topics", b"8\teight")
    imports.undo_import(user=olga, row=unanswered, accepts="")


def test_the_page_asks_for_a_tick_where_runs_would_become_invalid(sign_in, campaign, olga, pat):
    row = make.imported(campaign, "topics", b"9\tnine")
    make.run(campaign, pat, {"9": "d1"})
    client, undo = sign_in(olga), reverse("collection:undo_import", args=[campaign.slug, row.pk])
    told = client.post(undo)
    said = "1 of 1 valid run would become invalid: one (Aldgate)."
    assert told.status_code == 422
    assert f'id="id_accepts" value="{said}"' in told.content.decode()
    assert client.post(undo, {"accepts": said}).status_code == 302
    row.refresh_from_db()
    assert row.state == "undoing"


def test_the_page_of_an_import_says_whether_and_in_which_order_it_can_be_undone(
    sign_in, campaign, olga, pat
):
    rows = [make.imported(campaign, "topics", f"9\ttext {n}".encode()) for n in range(2)]
    coming = make.uploaded(campaign, "documents", b"d1\t\tAnother text.\n")
    client = sign_in(olga)
    pages = [reverse("collection:import", args=[campaign.slug, row.pk]) for row in (*rows, coming)]

    def read(page: str) -> str:
        return client.get(page).content.decode()

    promise = "You can undo this until something of it is pooled or judged"
    assert promise in read(pages[2])
    assert f'<a href="{pages[1]}">' in read(pages[0])
    assert "Later imports" not in read(pages[1])
    assert "Undo this import" in read(pages[1])
    make.undone(rows[1])
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    said = "This import cannot be undone: topic 9 is in a pool."
    undo = reverse("collection:undo_import", args=[campaign.slug, rows[0].pk])
    for html in (read(pages[0]), client.post(undo).content.decode()):
        assert html.count(said) == 1
        assert "Undo this import" not in html
    assert promise not in read(pages[2])


def test_a_number_that_an_undo_left_free_is_explained(client, campaign, olga):
    client.force_login(olga)
    page = reverse("collection:document", args=[campaign.slug, "d1"])
    content = b'{"docno": "d1", "text": "%s"}\n'
    said = []
    for text in (b"second", b"third"):
        row = make.imported(campaign, "documents", content % text)
        said.append("whose import was undone" in client.get(page).content.decode())
        if text == b"second":
            make.undone(row)
            html = client.get(page).content.decode()
            assert "This is version 1. Numbers that are missing belonged" in " ".join(html.split())
    assert said == [False, True]
    assert "This is version 3." in client.get(page).content.decode()
