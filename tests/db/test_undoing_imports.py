"""What stands in the way of undoing an import is named, with advice that can be followed."""

import re

import pytest
from django.urls import reverse

from accounts.access import Refused, Unconfirmed, why_not
from collection.services import imports
from collection.services import imports as imports_services
from collection.uses import check_can_undo_import, later_than
from tests import make

NAMED = r"\S+ \(imported on \d+ \w+ \d+, \d\d:\d\d, \S+\)"


def test_what_has_to_be_undone_first_is_named_in_the_order_that_works(campaign):
    """The second replaced a text of the first, the third one of the second: the third first."""
    rows = [make.imported(campaign, "topics", f"9\ttext {n}".encode()) for n in range(3)]
    with pytest.raises(
        Refused,
        match=(
            f"^{NAMED} and {NAMED} have replaced some of these texts since: undo these imports, in "
            "this order, first"
        ),
    ):
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
    make.pool(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    for row in (first, later):
        with pytest.raises(Refused, match="topic 9 is in a pool") as refused:
            imports.undo_import(user=row.created_by, row=row)
        assert "first" not in str(refused.value)
    assert re.search(
        f"{NAMED} has replaced .* To have the earlier texts again, import a file",
        why_not(check_can_undo_import, first),
    )
    make.imported(campaign, "topics", b"8\teight")  # the advice, followed
    assert campaign.topic_set.get(number="8").title == "eight"


def test_an_undo_that_would_come_to_nothing_is_not_advised(campaign, pat):
    """The first import added what is pooled; to undo the later one, which only changed its text,
    would not help.
    """
    first = make.imported(campaign, "topics", b"9\tnine")
    make.imported(campaign, "topics", b"9\tother")
    make.pool(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    said = why_not(check_can_undo_import, first)
    assert said == "This import cannot be undone: topic 9 is in a pool."


def test_runs_that_would_become_invalid_are_named_before(campaign, pat, olga):
    """Not those that answer only topics that stay: of topic 2 the text is put back."""
    row = make.imported(campaign, "topics", b"2\tother\n9\tnine")
    make.run(campaign, pat, {"1": "d1", "9": "d2"}, "lost")
    make.run(campaign, pat, {"1": "d1", "2": "d2"}, "kept")
    said = "1 of 2 valid runs would become invalid: lost (Aldgate)."
    for accepts in ("", "something else"):
        with pytest.raises(Unconfirmed, match=re.escape(said)):
            imports_services.undo_import(user=olga, row=row, accepts=accepts)
    imports_services.undo_import(user=olga, row=row, accepts=said)
    make.worked("undo_import", row.pk)
    make.worked("recheck_runs", campaign.pk)
    states = dict(campaign.run_set.values_list("tag", "state"))
    assert states == {"lost": "invalid", "kept": "valid"}


def test_nobody_is_asked_to_accept_that_nothing_becomes_invalid(campaign, pat, olga):
    make.run(campaign, pat, {"1": "d1"})
    row = make.imported(campaign, "topics", b"1\tother\n9\tnine")
    imports_services.undo_import(user=olga, row=row, accepts="")
    assert make.worked("undo_import", row.pk).state == "done"


def test_the_page_asks_for_a_tick_where_runs_would_become_invalid(client, campaign, olga, pat):
    row = make.imported(campaign, "topics", b"9\tnine")
    make.run(campaign, pat, {"9": "d1"})
    client.force_login(olga)
    undo = reverse("collection:undo_import", args=[campaign.slug, row.pk])
    told = client.post(undo)
    said = "1 of 1 valid run would become invalid: one (Aldgate)."
    assert told.status_code == 422
    assert f'id="id_accepts" value="{said}"' in told.content.decode()
    assert client.post(undo, {"accepts": said}).status_code == 302
    row.refresh_from_db()
    assert row.state == "undoing"


def test_a_preview_promises_a_way_back_only_while_nothing_is_pooled(client, campaign, olga, pat):
    client.force_login(olga)
    promise = "You can undo this until something of it is pooled or judged"
    for is_frozen in (False, True):
        if is_frozen:
            make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
        row = make.uploaded(campaign, "documents", b"d1\t\tAnother text.\n")
        page = reverse("collection:import", args=[campaign.slug, row.pk])
        assert (promise in client.get(page).content.decode()) != is_frozen


def test_the_page_links_what_has_to_be_undone_first(client, campaign, olga):
    rows = [make.imported(campaign, "topics", f"9\ttext {n}".encode()) for n in range(2)]
    client.force_login(olga)
    page = [reverse("collection:import", args=[campaign.slug, row.pk]) for row in rows]
    assert f'<a href="{page[1]}">' in client.get(page[0]).content.decode()
    assert "Later imports" not in client.get(page[1]).content.decode()


def test_an_undo_is_offered_only_where_it_can_be_done_and_else_the_page_says_why(
    client, campaign, olga, pat
):
    row = make.imported(campaign, "topics", b"9\tnine")
    client.force_login(olga)
    page = reverse("collection:import", args=[campaign.slug, row.pk])
    assert "Undo this import" in client.get(page).content.decode()
    make.pool(campaign, [make.run(campaign, pat, {"1": "d1", "9": "d2"})])
    said = "This import cannot be undone: topic 9 is in a pool."
    undo = reverse("collection:undo_import", args=[campaign.slug, row.pk])
    for answer in (client.get(page), client.post(undo)):
        html = answer.content.decode()
        assert html.count(said) == 1
        assert "Undo this import" not in html


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
