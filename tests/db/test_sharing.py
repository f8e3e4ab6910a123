"""Topics that a group judges together: who is lent what, what counts, and what becomes of it when things change."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import Refused
from assess import services
from assess.models import Assignment, Judgment, JudgmentEvent, Qrels, SharedQueue
from assess.pages.everybody import everybodys_work
from assess.pages.sharing import outcomes_of, queues_of, steps_of
from assess.planning import n_without_primary, plan_for
from assess.services.unfreezing import described
from campaigns.holdings import Successors, holdings_of, seen
from campaigns.services import remove_member
from overview.facts import campaign_facts
from overview.judging import decided_by_day
from pooling import services as pooling
from pooling.models import Pool
from tests import make, records
from tests.db.judging import answer
from tests.db.sharing import Clock, lent, live, n_judged, of, shared

DOCNOS = {"d1", "d2", "d3", "d4", "d5", "d6"}


@pytest.fixture
def people(ada, ben, cleo):
    return [ada, ben, cleo]


@pytest.fixture
def queue(pooled, people) -> SharedQueue:
    return shared(pooled, people)


def judge_all(assignment: Assignment, grade: int) -> list[str]:
    """Judge whatever comes until nothing does."""
    order = []
    while lent(assignment) and (entry := assignment.entries.next_open()):
        answer(assignment, entry.docno, grade=grade)
        order.append(entry.docno)
    return order


# What can be shared


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"n_wanted": 0}, "Choose from 1 to 20 judgments of each document."),
        ({"n_wanted": 21}, "Choose from 1 to 20 judgments of each document."),
        ({"minutes": 4}, "A document is lent for 5 minutes to 24 hours."),
        ({"minutes": 1441}, "A document is lent for 5 minutes to 24 hours."),
        ({"n_wanted": 4}, "4 judgments of each document need at least 4 assessors; you chose 3."),
    ],
)  # fmt: skip
def test_a_queue_has_terms_within_limits(pooled, people, terms, sentence):
    with pytest.raises(Refused) as refusal:
        shared(pooled, people, **terms)
    assert str(refusal.value) == sentence


def test_a_topic_is_shared_once_and_not_while_it_is_somebodys(pooled, people, olga):
    topic = pooled.topic_set.get(number="1")
    assignment = make.assignment(topic, people[0])
    with pytest.raises(Refused, match="Topic 1 is with Ada: take it back first"):
        shared(pooled, people)
    services.take_back(user=olga, assignment=assignment)
    shared(pooled, people)
    with pytest.raises(Refused, match="Topic 1 is shared already"):
        shared(pooled, people)
    with pytest.raises(Refused, match="Topic 1 is shared: add Ada to those"):
        make.assignment(topic, people[0])


def test_a_topic_with_official_grades_is_not_shared(primary, people, olga, pooled):
    answer(primary, "d1", grade=1)
    services.take_back(user=olga, assignment=primary)
    with pytest.raises(Refused, match="has been judged by an assessor of its own"):
        shared(pooled, people)


def test_only_assessors_share_a_topic(pooled, people, pat):
    with pytest.raises(Refused, match="Pat is not an assessor of Test campaign"):
        shared(pooled, [*people, pat])
    assert not SharedQueue.objects.exists()


def test_the_plan_leaves_shared_topics_out(queue, pooled):
    pool = Pool.objects.get()
    assert {each.topic for each in plan_for(pooled, pool, 0.5).given} == {"2"}
    assert n_without_primary(pool) == 1


# What is lent


def test_people_are_lent_different_documents_as_long_as_there_are_any(pooled, people):
    queue = shared(pooled, people, n_wanted=1)
    assert set(lent(of(queue, people[0]))) == DOCNOS
    assert lent(of(queue, people[1])) == []
    assert of(queue, people[1]).n_left == 6, "they come back if nobody judges them"


def test_whoever_has_few_left_is_lent_more(olga, pat, ada, ben):
    docnos = [f"d{n:02}" for n in range(20)]
    campaign = make.campaign(olga, assessors=[ada, ben], participants={"A": [pat]}, topics=["1"], docnos=docnos)  # fmt: skip
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=20)  # fmt: skip
    queue = shared(campaign, [ada, ben], n_wanted=2)
    order = list(queue.documents.order_by("position").values_list("docno", flat=True))
    first, second = of(queue, ada), of(queue, ben)
    assert lent(first) == order[:6], "in the queue's order"
    assert lent(second) == order[6:12], "those that nobody has come first"
    for docno, n_open in zip(order, [5, 4, 6, 5, 4, 6], strict=False):
        answer(first, docno, grade=1)
        assert len(lent(first)) == n_open
    for docno in lent(second):
        answer(second, docno, "later")
        lent(second)
    put_off = Judgment.objects.filter(assignment=second, state="later").count()
    assert len(lent(second)) == put_off + 6, "what is put off is not all there is"


def test_nobody_holds_more_than_twenty(olga, pat, ada):
    docnos = [f"d{n:02}" for n in range(30)]
    campaign = make.campaign(olga, assessors=[ada], participants={"A": [pat]}, topics=["1"], docnos=docnos)  # fmt: skip
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=30)  # fmt: skip
    assignment = of(shared(campaign, [ada], n_wanted=1), ada)
    while unjudged := [each for each in lent(assignment) if not Judgment.objects.filter(docno=each)]:  # fmt: skip
        answer(assignment, unjudged[0], "later")
    assert assignment.entries.still_open().count() == 20


def test_time_that_is_over_gives_documents_to_others_and_a_late_answer_counts_while_there_is_room(
    pooled, people, monkeypatch
):
    clock, queue = Clock(monkeypatch), shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    one, other, *_ = lent(first)
    clock.on(31)
    assert len(lent(second)) == 6
    answer(first, one, grade=2, comment="late")
    answer(second, other, grade=3)
    with pytest.raises(Refused, match=f"{other} has its 1 judgment already"):
        answer(first, other, grade=2)
    assert n_judged(queue)[one] == n_judged(queue)[other] == 1
    assert one not in lent(second), "what was theirs is given up"
    assert lent(first) == []
    first.refresh_from_db()
    assert (first.n_entries, first.n_judged, first.n_left) == (1, 1, 4)
    clock.on(31)
    assert set(lent(first)) == DOCNOS - {one, other}, "and can be had again"


def test_what_was_lent_too_long_is_lent_again_if_nobody_else_has_it(
    queue, ada, monkeypatch
):
    clock, assignment = Clock(monkeypatch), of(queue, ada)
    before = lent(assignment)
    answer(assignment, before[0], "later", comment="hm")
    clock.on(31)
    assert lent(assignment) == before
    assert live().count() == 6
    assert Judgment.objects.get(docno=before[0]).comment == "hm"


def test_what_was_put_off_too_long_is_given_up_with_what_was_said_kept(
    pooled, people, monkeypatch
):
    clock, queue = Clock(monkeypatch), shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    docno = lent(first)[0]
    answer(first, docno, "later", comment="hm")
    clock.on(31)
    judge_all(second, 1)
    assert lent(first) == []
    judgment = Judgment.objects.get(assignment=first)
    assert judgment.comment == "hm"
    assert judgment.set_aside_at
    first.refresh_from_db()
    assert (first.n_entries, first.n_later) == (0, 0)
    assert list(first.set_aside_groups()) == []


def test_a_document_goes_round_until_enough_could_not_judge_it(pooled, people, cleo):
    queue = shared(pooled, people, n_wanted=2)
    first, second, third = (of(queue, person) for person in people)
    docno = lent(first)[0]
    answer(first, docno, "cannot_judge", reason="language")
    assert docno in lent(second)
    answer(second, docno, "cannot_judge", reason="unreadable")
    assert docno not in lent(third)
    assert queue.documents.get(docno=docno) not in queue.documents.unsettled()


def test_undo_keeps_the_place_for_its_time(queue, people, monkeypatch):
    clock = Clock(monkeypatch)
    first, second, third = (of(queue, person) for person in people)
    docno = lent(first)[0]
    answer(first, docno, grade=1)
    assert docno in lent(second)
    answer(second, docno, grade=1)
    assert docno not in lent(third)
    services.undo(assessor=first.assessor, assignment=first)
    assert n_judged(queue)[docno] == 1
    assert docno not in lent(third)
    clock.on(31)
    assert docno in lent(third)


# What counts


def test_the_median_is_official_once_a_document_has_its_judgments(
    pooled, people, olga, campaign
):
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
    qrels = services.publish_qrels(user=olga, campaign=pooled)
    assert qrels.rule == Qrels.Rule.MEDIAN
    assert make.content(qrels.file) == b"1 0 d1 1\n1 0 d2 2\n2 0 d4 2\n"
    rows = records.read(records.kept(qrels.judgments))
    assert records.RULES["median"](rows) == make.content(qrels.file)
    assert (qrels.n_unjudged, qrels.n_cannot_judge) == (5, 0)
    live_board = Judgment.objects.official(Pool.objects.get(), ["1", "2"])
    assert live_board == {"1": {"d1": 1, "d2": 2}, "2": {"d4": 2}}
    twice = list(Judgment.objects.twice_judged(pooled))
    pairs = [pair for found in records.by_topic(rows).values() for pair in found]
    assert sorted(records_of(twice)) == sorted(pairs)
    assert len(pairs) == 3 + 3 + 1
    changes = Assignment.objects.changes(Pool.objects.get())
    assert changes == {"1": 8, "2": 1}


def records_of(twice) -> list[records.Pair]:
    return [(*one, *other) for one, other in (sorted([row[2:4], row[4:]]) for row in twice)]  # fmt: skip


def test_a_campaign_is_as_far_as_its_shared_documents(pooled, people, olga):
    queue = shared(pooled, people, n_wanted=2)
    make.assignment(pooled.topic_set.get(number="2"), people[2])
    first, second = of(queue, people[0]), of(queue, people[1])
    judge_all(first, 1)
    facts = campaign_facts([pooled.pk])[pooled.pk]
    assert (facts.n_assigned, facts.n_judged, facts.n_shared) == (8, 0, 6)
    docno = lent(second)[0]
    answer(second, docno, grade=2)
    facts = campaign_facts([pooled.pk])[pooled.pk]
    assert (facts.n_judged, facts.n_to_judge) == (1, 8)
    assert sum(decided_by_day(pooled, is_shared=True).values()) == 1
    assert [(each.n_judgments, each.n_documents) for each in steps_of(queue)] == [(0, 0), (1, 5), (2, 1)]  # fmt: skip
    [row] = queues_of(pooled)
    assert (row.n_documents, row.n_settled, row.n_people) == (6, 1, 3)


# What changes


def test_more_can_be_wanted_and_fewer_takes_nothing_away(queue, people, olga):
    for person in people[:2]:
        judge_all(of(queue, person), 1)
    assert not queue.documents.unsettled().exists()
    services.change_sharing(user=olga, queue=queue, n_wanted=3, lease_minutes=30)
    docno = lent(of(queue, people[2]))[0]
    answer(of(queue, people[2]), docno, grade=1)
    services.change_sharing(user=olga, queue=queue, n_wanted=1, lease_minutes=30)
    assert n_judged(queue) == {each: 3 if each == docno else 2 for each in DOCNOS}
    assert not queue.documents.unsettled().exists()


@pytest.mark.parametrize("how", ["reset", "reopen", "undo"])
def test_what_is_taken_away_after_fewer_are_wanted_is_not_wanted_again(
    queue, people, olga, how
):
    first, second = of(queue, people[0]), of(queue, people[1])
    for assignment in (first, second):
        judge_all(assignment, 1)
    services.change_sharing(user=olga, queue=queue, n_wanted=1, lease_minutes=30)
    if how == "undo":
        while services.undo(assessor=people[1], assignment=second):
            pass
    else:
        getattr(services, how)(user=olga, assignment=second)
    assert set(queue.documents.values_list("n_wanted", "n_judged")) == {(1, 1)}
    assert not queue.documents.unsettled().exists()
    assert not second.set_aside_groups()
    if how == "reset":
        at = second.judgments.first().set_aside_at
        with pytest.raises(Refused, match="these documents have all judgments wanted, from others"):  # fmt: skip
            services.restore(user=olga, assignment=second, set_aside_at=at)


def test_whoever_takes_back_what_more_had_judged_than_wanted_can_give_it_again(
    queue, people, olga
):
    first, second = of(queue, people[0]), of(queue, people[1])
    for assignment in (first, second):
        judge_all(assignment, 1)
    services.change_sharing(user=olga, queue=queue, n_wanted=1, lease_minutes=30)
    docno = services.undo(assessor=people[1], assignment=second).docno
    assert n_judged(queue)[docno] == 1
    assert lent(second) == [docno], "it stays theirs for its time"
    assert docno not in lent(of(queue, people[2]))
    answer(second, docno, grade=3)
    document = queue.documents.get(docno=docno)
    assert (document.n_judged, document.n_wanted) == (2, 2)


@pytest.mark.parametrize("n_wanted", [1, 2])
def test_but_not_where_somebody_else_has_taken_the_place(
    queue, people, olga, n_wanted, monkeypatch
):
    clock = Clock(monkeypatch)
    first, second, third = (of(queue, person) for person in people)
    for assignment in (first, second):
        judge_all(assignment, 1)
    if n_wanted == 1:
        services.change_sharing(user=olga, queue=queue, n_wanted=1, lease_minutes=30)
        services.undo(assessor=people[1], assignment=second)
    docno = services.undo(assessor=people[0], assignment=first).docno
    clock.on(31)
    assert lent(third) == [docno]
    answer(third, docno, grade=2)
    with pytest.raises(Refused, match=f"{docno} has its . judgments? already"):
        answer(first, docno, grade=1)
    assert lent(first) == []


def test_what_more_judgments_would_mean_is_counted_with_those_who_are_there(queue, people, olga, campaign):  # fmt: skip
    first, second, third = (of(queue, person) for person in people)
    judge_all(first, 1)
    docno, other, *_ = lent(second)
    answer(second, docno, "cannot_judge", reason="language")
    answer(second, other, grade=1)
    here, three = outcomes_of(queue, timezone.now()).others[1:]
    assert (here.n_wanted, here.n_open, here.n_lacking, here.n_stuck) == (2, 5, 5, 0)
    assert (three.n_wanted, three.n_open, three.n_lacking, three.n_stuck) == (3, 6, 11, 1)  # fmt: skip
    assert three.n_had_by_all == 0
    services.take_back(user=olga, assignment=third)
    here = outcomes_of(queue, timezone.now()).now
    assert (here.n_stuck, here.n_had_by_all, here.n_within_reach) == (1, 1, 4)
    [act] = [act for act in everybodys_work(campaign, timezone.now()).acts if "cannot" in act.title]  # fmt: skip
    assert act.title == "1 document of a shared topic cannot get its judgments"
    assert act.at.endswith(f"/{queue.pk}/#join-title")


def test_a_shared_topic_is_done_at_the_pace_of_its_group(olga, pat, ada, ben):
    docnos = [f"d{n:02}" for n in range(40)]
    campaign = make.campaign(olga, assessors=[ada, ben], participants={"A": [pat]}, topics=["1"], docnos=docnos)  # fmt: skip
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=40)  # fmt: skip
    queue, now = shared(campaign, [ada, ben], n_wanted=1), timezone.now()
    its = of(queue, ada)
    for n in range(20):
        answer(its, lent(its)[0], grade=1)
        day = now - timedelta(days=n % 2)
        JudgmentEvent.objects.filter(pk=its.events.last().pk).update(pressed_at=day)
        if n < 19:
            assert outcomes_of(queue, now).likely is None
    answer(its, its.events.last().judgment.docno, grade=2)
    today = now.astimezone(campaign.zone).date()
    assert outcomes_of(queue, now).likely.done == today + timedelta(days=2)
    work = everybodys_work(campaign, now)
    assert work.outlook.whole == today + timedelta(days=2)
    services.take_back(user=olga, assignment=its)
    services.take_back(user=olga, assignment=of(queue, ben))
    assert outcomes_of(queue, now).likely is None
    assert everybodys_work(campaign, now).outlook.n_stuck == 20


def test_nothing_is_written_where_nothing_is_left_to_lend(queue, people):
    first = of(queue, people[0])
    judge_all(first, 1)
    with CaptureQueriesContext(connection) as captured:
        assert services.lend(assessor=people[0], assignment=first) == []
    queries = [each["sql"] for each in captured if "SAVEPOINT" not in each["sql"]]
    assert len(queries) == 5, queries
    assert not [each for each in queries if each.startswith("UPDATE")]


def test_an_old_page_changes_nothing_unseen(queue, olga):
    change = {"user": olga, "queue": queue, "lease_minutes": 30}
    services.change_sharing(**change, n_wanted=3, seen_n_wanted=2)
    with pytest.raises(Refused, match="has changed since the page was opened"):
        services.change_sharing(**change, n_wanted=1, seen_n_wanted=2)
    with pytest.raises(Refused, match="has changed since the page was opened"):
        services.change_sharing(**change, n_wanted=2, seen_n_wanted=3, seen_lease_minutes=20)  # fmt: skip
    with pytest.raises(Refused, match=r"Nothing has been changed\."):
        services.change_sharing(**change, n_wanted=3)
    with pytest.raises(Refused, match="need at least 4 assessors"):
        services.change_sharing(**change, n_wanted=4)


def test_whoever_leaves_keeps_their_judgments_and_goes_on_if_they_come_back(
    queue, people, olga
):
    first = of(queue, people[0])
    docno, *rest = lent(first)
    answer(first, docno, grade=1)
    services.take_back(user=olga, assignment=first)
    assert n_judged(queue)[docno] == 1
    assert not live().exists()
    with pytest.raises(Refused, match="was taken back from you"):
        answer(first, rest[0], grade=1)
    services.join_sharing(user=olga, queue=queue, assessors=[people[0]])
    assert set(lent(of(queue, people[0]))) == DOCNOS - {docno}
    with pytest.raises(Refused, match="Ada already judges topic 1"):
        services.join_sharing(user=olga, queue=queue, assessors=[people[0]])
    with pytest.raises(Refused, match="A shared topic is not handed over"):
        services.hand_over(user=olga, assignment=of(queue, people[0]), assessor=people[1])  # fmt: skip


def test_a_member_who_is_removed_leaves_what_was_lent_to_the_others(
    queue, people, olga, pooled
):
    first = of(queue, people[0])
    docno = lent(first)[0]
    answer(first, docno, grade=1)
    membership = pooled.membership_set.get(user=people[0])
    holdings = holdings_of(membership)
    said = [each.what for each in holdings]
    assert "1 shared topic" in said
    remove_member(user=olga, membership=membership, seen=seen(holdings), successors=Successors(people[1]))  # fmt: skip
    first.refresh_from_db()
    assert first.taken_back_at
    assert not live().exists()
    assert n_judged(queue)[docno] == 1


def test_judgments_set_aside_come_back_where_others_have_not_taken_their_place(
    pooled, people, olga
):
    queue = shared(pooled, people, n_wanted=1)
    first, second = of(queue, people[0]), of(queue, people[1])
    one, other = lent(first)[:2]
    answer(first, one, grade=3)
    answer(first, other, grade=3)
    services.reset(user=olga, assignment=first)
    assert n_judged(queue)[one] == 0
    assert one in lent(second)
    answer(second, one, grade=1)
    [(at, n)] = first.set_aside_groups()
    assert n == 1
    back = services.restore(user=olga, assignment=first, set_aside_at=at)
    assert back == (1, 2, 1, 0)
    assert n_judged(queue)[one] == n_judged(queue)[other] == 1


def test_a_topic_in_which_nothing_is_judged_can_be_unshared_or_unfrozen(
    queue, people, olga, pooled
):
    lent(of(queue, people[0]))
    pool = Pool.objects.get()
    assert described(pool) == ["3 assignments to 3 assessors, with 6 documents to judge"]  # fmt: skip
    services.unshare(user=olga, queue=queue)
    assert not Assignment.objects.exists()
    with pytest.raises(Refused, match="is not shared any more"):
        services.unshare(user=olga, queue=queue)
    shared(pooled, people)
    pooling.unfreeze_pool(user=olga, pool=pool)
    assert not SharedQueue.objects.exists()
    pooling.freeze_pool(user=olga, pool=pool, sha256=pool.sha256)
    again = shared(pooled, people)
    answer(of(again, people[0]), lent(of(again, people[0]))[0], "later")
    with pytest.raises(Refused, match="so it stays shared"):
        services.unshare(user=olga, queue=again)


def test_nothing_is_lent_once_judging_is_closed(queue, ada, pooled):
    pooled.judging_closes_at = timezone.now()
    pooled.save()
    with pytest.raises(Refused, match="Judging closed"):
        lent(of(queue, ada))
    assert not live().exists()


def test_what_is_reopened_of_somebody_who_has_left_is_lent_to_nobody_but_others(queue, olga, ada):  # fmt: skip
    assignment = of(queue, ada)
    judge_all(assignment, 1)
    services.take_back(user=olga, assignment=assignment)
    services.reopen(user=olga, assignment=assignment)
    assert not live().filter(assignment=assignment).exists()
    assignment.refresh_from_db()
    assert (assignment.n_entries, assignment.n_judged, assignment.n_later) == (0, 0, 0)


def test_of_somebody_who_has_left_only_what_they_decided_comes_back(queue, olga, ada):
    assignment = of(queue, ada)
    reopened, *docnos = judge_all(assignment, 1)
    services.reopen(user=olga, assignment=assignment, docno=reopened)
    services.reset(user=olga, assignment=assignment)
    [(at, n)] = assignment.set_aside_groups()
    assert n == len(docnos) + 1
    services.take_back(user=olga, assignment=assignment)
    assignment.refresh_from_db()
    assert list(assignment.set_aside_groups()) == [(at, len(docnos))]
    back = services.restore(user=olga, assignment=assignment, set_aside_at=at)
    assert (back, back.n_again) == ((n - 1, n, 0, 1), 0)
    assert not live().filter(assignment=assignment).exists()
    assert assignment.judgments.get(docno=reopened).set_aside_at == at
    assert not assignment.set_aside_groups()
    with pytest.raises(Refused, match="were only put off or reopened, and left to others when"):  # fmt: skip
        services.restore(user=olga, assignment=assignment, set_aside_at=at)


def test_whoever_has_not_left_gets_back_what_was_open(queue, olga, ada):
    assignment = of(queue, ada)
    answer(assignment, lent(assignment)[0], "later")
    services.reset(user=olga, assignment=assignment)
    [(at, _)] = assignment.set_aside_groups()
    assert services.restore(user=olga, assignment=assignment, set_aside_at=at) == (1, 1, 0, 0)  # fmt: skip
