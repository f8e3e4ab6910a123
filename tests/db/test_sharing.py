"""Topics that a group judges together: which can be, what counts, and how far they are."""

from datetime import timedelta
from itertools import combinations, product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import Refused
from assess import leases
from assess.core import rules
from assess.core.sampling import Sample
from assess.core.sharing import Tally
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.official import OfficialGrade
from assess.planning import n_without_primary, plan_for
from assess.services import handover, sharing
from assess.web.sharing_page import outcomes_of, queues_of, steps_of
from desk.web.todos import todos_of
from desk.web.workload import everybodys_work
from overview.facts import campaign_facts
from overview.judging import decided_by_day
from pooling.models.pools import Pool
from qrels.models import Qrels
from qrels.services import publishing
from tests import make, records
from tests.db.judging import answer
from tests.db.sharing import judge_all, lent, of, one_topic, shared
from tests.several import twice_judged

# What can be shared


def test_the_database_and_the_core_agree_on_what_is_settled_and_has_room(pooled, people):
    """Of each number of judgments, and of people who could not judge it, up to the two wanted."""
    assignment = of(shared(pooled, people), people[0])
    document = assignment.queue.documents.get(item__key=lent(assignment)[0])
    for n_judged, n_impossible in product(range(3), range(4)):
        counts = {"n_judged": n_judged, "n_impossible": n_impossible}
        type(document).objects.filter(pk=document.pk).update(**counts)
        document.refresh_from_db()
        assert document.is_settled == Tally(document.n_wanted, **counts, n_free=0).is_settled
        has_room = rules.has_room(document.n_wanted, n_judged)
        assert assignment.entries.to_be_judged().filter(shared=document).exists() == has_room
        with connection.cursor() as cursor:
            asked = {"documents": [document.pk], "assignment": assignment.pk, "now": timezone.now()}
            cursor.execute(leases.WITH_ROOM, asked)
            assert bool(cursor.fetchall()) == (has_room and not document.is_settled)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"n_wanted": 0}, "Choose from 1 to 20 judgments of each document."),
        ({"n_wanted": 21}, "Choose from 1 to 20 judgments of each document."),
        ({"minutes": 4}, "A document is lent for 5 minutes to 24 hours."),
        ({"minutes": 1441}, "A document is lent for 5 minutes to 24 hours."),
        ({"n_wanted": 4}, "4 judgments per document need 4 assessors; there are 3."),
    ],
)
def test_a_queue_has_terms_within_limits(pooled, people, terms, sentence):
    with pytest.raises(Refused) as refusal:
        shared(pooled, people, **terms)
    assert str(refusal.value) == sentence
    queue = shared(pooled, people)
    changed = {"n_wanted": terms.get("n_wanted", 2), "lease_minutes": terms.get("minutes", 30)}
    with pytest.raises(Refused, match=sentence[:20]):
        sharing.change_sharing(user=make.organizer_of(pooled), queue=queue, **changed)


def test_sharing_asks_as_often_for_a_large_group_as_for_a_small_one(pooled, people):
    counts = []
    for number, group in (("1", people[:2]), ("2", people)):
        with CaptureQueriesContext(connection) as captured:
            shared(pooled, group, number=number)
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_a_topic_is_shared_once_among_assessors_and_not_while_one_has_it(
    primary, pooled, people, olga, pat
):
    def refused(sentence, *, among=people) -> None:
        with pytest.raises(Refused, match=sentence):
            shared(pooled, among)

    refused("Topic 1 is with Ada: take it back first")
    handover.take_back(user=olga, assignment=primary)
    refused("Pat is not an assessor of Test campaign", among=[*people, pat])
    shared(pooled, people)
    refused("Topic 1 is shared already")
    with pytest.raises(Refused, match="Topic 1 is shared: add Ada to those"):
        make.assignment(primary.topic, people[0])
    pool = Pool.objects.get()
    assert {each.topic for each in plan_for(pooled, pool, Sample(0.5)).given} == {"2"}
    assert n_without_primary(pool) == 1


def test_a_topic_with_official_grades_is_not_shared(primary, people, olga, pooled):
    answer(primary, "d1", grade=1)
    handover.take_back(user=olga, assignment=primary)
    with pytest.raises(Refused, match="has been judged by an assessor of its own"):
        shared(pooled, people)


# What counts, and how far it is


def test_the_median_is_official_once_a_document_has_its_judgments(pooled, people, olga, campaign):
    queue = shared(pooled, people, n_wanted=3)
    grades = {"d1": (0, 1, 3), "d2": (2, 2, 0), "d3": (3, 1)}
    for n, person in enumerate(people):
        assignment = of(queue, person)
        lent(assignment)
        for docno, given in grades.items():
            if n < len(given):
                answer(assignment, docno, grade=given[n])
    make.judgment(make.assignment(pooled.topic_set.get(number="2"), people[0]), "d4", 2)
    assert Assignment.objects.n_official(pooled) == 3
    qrels = publishing.publish_qrels(user=olga, campaign=pooled)
    assert qrels.rule == Qrels.GradeRule.MEDIAN
    assert make.content(qrels.file) == b"1 0 d1 1\n1 0 d2 2\n2 0 d4 2\n"
    rows = records.read(records.kept(qrels.judgments))
    assert records.RULES["median"](rows) == make.content(qrels.file)
    assert (qrels.n_unjudged, qrels.n_cannot_judge) == (5, 0)
    live_board = OfficialGrade.objects.grades(pooled, ["1", "2"])
    assert live_board == {"1": {"d1": 1, "d2": 2}, "2": {"d4": 2}}
    items = records.judged_by_several(rows).values()
    pairs = [pair for given in items for pair in combinations(given, 2)]
    assert sorted((row[2:4], row[4:]) for row in twice_judged(pooled)) == sorted(pairs)
    assert len(pairs) == 3 + 3 + 1
    assert Assignment.objects.changes(Pool.objects.get()) == {"1": 8, "2": 1}


def test_a_campaign_is_as_far_as_its_shared_documents(pooled, people, olga):
    queue = shared(pooled, people, n_wanted=2)
    make.assignment(pooled.topic_set.get(number="2"), people[2])
    first, second = of(queue, people[0]), of(queue, people[1])
    judge_all(first, 1)
    facts = campaign_facts([pooled.pk])[pooled.pk]
    judging = facts.judging
    assert (judging.n_assigned, judging.n_judged, judging.n_shared) == (8, 0, 6)
    docno = lent(second)[0]
    answer(second, docno, grade=2)
    facts = campaign_facts([pooled.pk])[pooled.pk]
    assert (facts.judging.n_judged, facts.n_to_judge) == (1, 8)
    assert sum(decided_by_day(pooled, is_shared=True).values()) == 1
    steps = steps_of(queue)
    assert steps == [(0, 0), (1, 5), (2, 1)]
    [row] = queues_of(pooled)
    assert (row.prospect.n_documents, row.prospect.n_settled, row.n_people) == (6, 1, 3)


def test_what_more_judgments_would_mean_is_counted_with_those_who_are_there(
    queue, people, olga, campaign
):
    first, second, third = (of(queue, person) for person in people)
    judge_all(first, 1)
    docno, other, *_ = lent(second)
    answer(second, docno, "cannot_judge", reason="language")
    answer(second, other, grade=1)
    here, three = outcomes_of(queue, timezone.now()).others[1:]
    assert (here.n_wanted, here.n_open, here.n_lacking, here.n_stuck) == (2, 5, 5, 0)
    assert (three.n_wanted, three.n_open, three.n_lacking, three.n_stuck) == (3, 6, 11, 1)
    assert three.n_had_by_all == 0
    handover.take_back(user=olga, assignment=third)
    here = outcomes_of(queue, timezone.now()).now
    assert (here.n_stuck, here.n_had_by_all, here.n_within_reach) == (1, 1, 4)
    now = timezone.now()
    todos = todos_of(campaign, everybodys_work(campaign, now), now)
    [todo] = [todo for todo in todos if "cannot" in todo.title]
    assert todo.title == "1 document of a shared topic cannot get its judgments"
    assert todo.at.endswith(f"/{queue.pk}/#join-title")


def test_a_shared_topic_is_done_at_the_pace_of_its_group(olga, pat, ada, ben):
    campaign = one_topic(olga, pat, [ada, ben], 40)
    queue, now = shared(campaign, [ada, ben], n_wanted=1), timezone.now()
    adas = of(queue, ada)
    for n in range(20):
        assert outcomes_of(queue, now).likely is None
        answer(adas, lent(adas)[0], grade=1)
        day = now - timedelta(days=n % 2)
        make.rewrite(JudgmentEvent.objects.filter(pk=adas.events.last().pk), pressed_at=day)
    answer(adas, adas.events.last().judgment.docno, grade=2)
    today = now.astimezone(campaign.zone).date()
    assert outcomes_of(queue, now).likely.done == today + timedelta(days=2)
    work = everybodys_work(campaign, now)
    assert work.outlook.whole == today + timedelta(days=2)
    handover.take_back(user=olga, assignment=adas)
    handover.take_back(user=olga, assignment=of(queue, ben))
    assert outcomes_of(queue, now).likely is None
    assert everybodys_work(campaign, now).outlook.n_stuck == 20
