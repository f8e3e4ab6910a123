"""What is judged twice is counted once, until a judgment of its topic changes."""

import re
from collections import Counter

import numpy as np
import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from agreement.tallies import so_far
from assess.services import reopening
from tests import make
from tests.several import twice_judged
from tests.worlds import once


@pytest.fixture
@once
def twice(campaign, ada, ben, pat):
    """Both assessors' assignments of two topics, whose documents both have judged."""
    run = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d2 d4"})
    make.frozen_pool(campaign, [run], depth=3)
    topics = campaign.topic_set.filter(number__in=["1", "2"]).order_by("number")
    given = [(make.assignment(each, ada), make.assignment(each, ben, "second")) for each in topics]
    for grade, assignment in enumerate(each for pair in given for each in pair):
        for entry in assignment.entries.counting().select_related("item"):
            make.judgment(assignment, entry.docno, grade % 3)
    return given


def now(campaign):
    """What is counted, which is what all judgments say."""
    found = so_far(campaign)
    rows = twice_judged(campaign)
    given = Counter((topic, (a, g), (b, h)) for topic, _, a, g, b, h in rows)
    its, counts = found.grades, Counter()
    for row, who, places in zip(*(each.tolist() for each in its.pairs()), strict=True):
        both = [(its.raters[n], its.grades[m]) for n, m in zip(who, places, strict=True)]
        counts[its.topics[its.topic[row]], *both] += int(its.n[row])
    assert counts == given
    assert its.n_items == len({row[:2] for row in rows})
    return its


def topics_read(campaign) -> set[str]:
    """The numbers of the topics whose judgments are read."""
    with CaptureQueriesContext(connection) as queries:
        so_far(campaign)
    read = [each["sql"] for each in queries if 'FROM "assess_judgment"' in each["sql"]]
    return {
        each.number
        for each in campaign.topic_set.all()
        if any(re.search(rf'"topic_id" IN \([^)]*\b{each.pk}\b', sql) for sql in read)
    }


def test_only_what_changed_is_counted_again(campaign, twice, olga):
    before = now(campaign)
    assert before.n_pairs > 0
    assert topics_read(campaign) == set()
    (first, _), (_, second) = twice
    docno = first.entries.first().docno
    make.judgment(first, docno, 3)
    assert topics_read(campaign) == {"1"}
    assert topics_read(campaign) == set()
    changed = now(campaign)
    assert not np.array_equal(changed.place, before.place)
    reopening.reopen(user=olga, assignment=first, docno=docno)
    assert now(campaign).n_pairs == before.n_pairs - 1
    reopening.reset(user=olga, assignment=second)
    assert now(campaign).n_pairs < before.n_pairs - 1
    second.refresh_from_db()
    aside = second.judgments.exclude(set_aside_at=None).latest("pk").set_aside_at
    reopening.restore(user=olga, assignment=second, set_aside_at=aside)
    assert now(campaign).n_pairs == before.n_pairs - 1


def test_people_are_named_as_they_are_called_now_and_without_redis_all_is_counted(campaign, twice):
    before = now(campaign)
    User.objects.filter(username="ben").update(username="benedict")
    assert now(campaign).raters == ("ada", "benedict") != before.raters
    cache.clear()
    assert now(campaign).n_pairs == before.n_pairs
