"""Rounds by a program: which topics each has, and what it may say of them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models.rounds import Round, topics_in
from collection.models.texts import Topic
from pooling.models.batches import Batch
from tests import make
from tests.api.addresses import of, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def topics(campaign) -> None:
    Topic.objects.create(campaign=campaign, number="3")


def rounds_of(client, campaign) -> dict[str, int | None]:
    return {each["number"]: each["round"] for each in client.get(of(campaign, "topics/")).json()}


@pytest.mark.parametrize("sent", ["2-3", "3 2", ["3", "2"], ["2-3"]])
def test_topics_of_a_round_are_a_list_or_a_text_with_spans(as_olga, campaign, topics, sent):
    answer = send(as_olga, campaign, "rounds/", {"topics": sent})
    assert answer.status_code == 201, answer.content
    assert topics_in(campaign, 2) == ["2", "3"]
    send(as_olga, campaign, "rounds/2/change/", {"topics": "1"})
    assert topics_in(campaign, 2) == ["1"]
    refused = send(as_olga, campaign, "rounds/2/change/", {"topics": "1-2, 9"})
    assert refused.json()["fields"] == {"topics": ["There is no topic 9."]}


def test_a_topic_tells_its_round(as_olga, pats, campaign, topics):
    assert rounds_of(as_olga, campaign) == {"1": 1, "2": 1, "3": 1}
    opens_at = timezone.now() + timedelta(days=1)
    Round.objects.create(campaign=campaign, number=1, topics=["1", "2"])
    Round.objects.create(campaign=campaign, number=2, topics=["2"])
    type(campaign).objects.update(round=2, topics_open_at=opens_at)
    assert rounds_of(as_olga, campaign) == {"1": 1, "2": 2, "3": None}
    assert rounds_of(pats, campaign) == {"1": 1, "2": 1}
    type(campaign).objects.update(topics_open_at=None)
    assert rounds_of(pats, campaign) == {"1": 1, "2": 2}
    assert pats.get(of(campaign, "topics/2/")).json()["round"] == 2


@pytest.mark.parametrize(
    ("sent", "pooled"), [({}, ["2"]), ({"topics": []}, []), ({"topics": "1-2"}, ["1", "2"])]
)
def test_a_batch_is_of_the_topics_of_the_current_round(as_olga, campaign, pat, sent, pooled):
    send(as_olga, campaign, "rounds/", {"topics": "2"})
    make.run(type(campaign).objects.get(), pat, {"2": "d1"}, "one")
    answer = send(as_olga, campaign, "batches/", sent)
    assert answer.status_code == 201, answer.content
    assert Batch.objects.get().topics == pooled
