"""Assigning topics: who may judge what, in which order, and how topics are dealt out."""

import numpy as np
import pytest

from accounts.access import Refused
from assess import services
from assess.models import Assignment
from campaigns.core import chance as order
from campaigns.models import Role
from tests import make
from tests.db.judging import RANKING


def test_the_order_served_is_stored_and_comes_from_the_seed(topic, ada, ben):
    first = make.assignment(topic, ada)
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    docnos = RANKING["1"].split()
    for assignment in (first, second):
        served = list(
            assignment.entries.order_by("position").values_list("docno", flat=True)
        )
        assert served == order.shuffled(docnos, assignment.seed)
        assert sorted(served) == docnos
    assert first.seed != second.seed


def test_a_second_assessor_gets_a_sampled_share(topic, ada, ben):
    make.assignment(topic, ada)
    assert make.assignment(topic, ben, Assignment.Kind.SECOND, share=0.5).n_entries == 3


def test_a_topic_has_one_primary_assessor_and_each_judges_it_once(
    topic, ada, ben, primary
):
    with pytest.raises(Refused, match="already has a primary assessor"):
        make.assignment(topic, ben)
    with pytest.raises(Refused, match="already judges topic 1"):
        make.assignment(topic, ada, Assignment.Kind.SECOND)


def test_only_assessors_are_assigned_and_only_from_a_frozen_pool(
    topic, pat, olga, campaign
):
    with pytest.raises(Refused, match="is not an assessor"):
        make.assignment(topic, pat)
    other = make.campaign(olga, assessors=[pat])
    with pytest.raises(Refused, match="once the pool is frozen"):
        make.assignment(other.topic_set.first(), pat)


def test_topics_are_dealt_out_in_turn(pooled, olga, ada, ben):
    assert services.distribute(user=olga, campaign=pooled, second_share=0.5) == 2
    found = set(
        Assignment.objects.values_list(
            "topic__number", "assessor__username", "kind", "n_entries"
        )
    )
    assert found == {
        ("1", "ada", "primary", 6),
        ("1", "ben", "second", 3),
        ("2", "ben", "primary", 2),
        ("2", "ada", "second", 1),
    }
    assert services.distribute(user=olga, campaign=pooled, second_share=0.5) == 0


def test_dealing_out_needs_enough_assessors(pooled, olga):
    pooled.membership_set.filter(role=Role.ASSESSOR, user__username="ben").delete()
    with pytest.raises(Refused, match="needs a second assessor"):
        services.distribute(user=olga, campaign=pooled, second_share=0.5)
    pooled.membership_set.filter(role=Role.ASSESSOR).delete()
    with pytest.raises(Refused, match="nobody to assign"):
        services.distribute(user=olga, campaign=pooled)


def test_seeds_fit_the_database():
    assert all(
        0 <= order.seed_for(number, "t") < 2**63 for number in np.arange(50).tolist()
    )
