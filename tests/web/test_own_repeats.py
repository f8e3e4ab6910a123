"""What an assessor sees of their own repeats: how often the grade was the same, and no more."""

import pytest

from agreement.web import own
from tests import make
from tests.db.controls import campaign_of, say
from tests.web.html import words
from tests.worlds import once


@pytest.fixture
@once
def mixed(olga, ada, ben, pat):
    """Ada's topic with two repeats, of which she has judged all but the last document."""
    campaign = campaign_of(olga, [ada, ben], pat, repeat_percent=20)
    given = make.assignment(campaign.topic_set.get(number="1"), ada)
    for entry in given.entries.order_by("position"):
        if entry.number < given.entries.count():
            say(given, entry.number, grade=2 if entry.purpose == "repeat" else 1)
    return given


@pytest.fixture
def page(client, mixed, ada, monkeypatch):
    monkeypatch.setattr(own, "ENOUGH", 2)
    client.force_login(ada)
    return lambda: words(client.get(f"/campaigns/{mixed.topic.campaign.slug}/judging/second-time/"))


def test_nothing_is_told_of_a_topic_that_is_not_finished(page, mixed):
    """A figure that changes with a judgment would tell that it was of a repeat."""
    assert "Once 2 of your finished topics have" in page()
    assert "The same grade" not in page()
    last = mixed.entries.order_by("position").last()
    say(mixed, last.number, grade=2 if last.purpose == "repeat" else 1)
    assert "The same grade the second time for 0 % of 2 documents" in page()
    assert "Raw agreement" in page()
    assert all(entry.docno not in page() for entry in mixed.entries.filter(purpose="repeat"))


def test_too_few_are_not_told_and_nobody_sees_another_s(page, mixed, client, ben, monkeypatch):
    last = mixed.entries.order_by("position").last()
    say(mixed, last.number, grade=1)
    assert "The same grade" in page()
    monkeypatch.setattr(own, "ENOUGH", 3)
    assert "The same grade" not in page()
    monkeypatch.setattr(own, "ENOUGH", 2)
    client.force_login(ben)
    assert "The same grade" not in page()


def test_where_nothing_comes_twice_that_is_said(page, mixed):
    campaign = mixed.topic.campaign
    type(campaign).objects.update(repeat_percent=0)
    assert "In this campaign no document comes twice." in page()
