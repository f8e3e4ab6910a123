import re
import threading
from uuid import uuid4

import numpy as np
import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.access import NotYours, Refused
from assess import services
from assess.access import Invalid
from assess.core.answers import Answer, Provenance
from assess.core.rules import QRELS_RULES
from assess.models import Assignment, Judgment, JudgmentEvent, Qrels
from campaigns.core import chance as order
from campaigns.models import Role
from tests import make

RANKING = {"1": "d1 d2 d3 d4 d5 d6", "2": "d2 d4"}


@pytest.fixture
def pooled(campaign, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, RANKING)], depth=6)
    return campaign


@pytest.fixture
def topic(pooled):
    return pooled.topic_set.get(number="1")


@pytest.fixture
def primary(topic, ada):
    return make.assignment(topic, ada)


def answer(
    assignment, docno, state="judged", *, grade=None, reason="", comment=None, **how
):
    return services.judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, state, grade, reason, comment),
        provenance=Provenance(**how),
    )


def counts(assignment) -> tuple[int, int, int]:
    assignment.refresh_from_db()
    return assignment.n_judged, assignment.n_later, assignment.n_cannot_judge


# Assigning


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


# Judging


def test_a_grade_is_kept_with_how_it_came_about(primary):
    judgment = answer(
        primary, "d1", grade=2, method="key", active_ms=1200, comment="why"
    )
    event = judgment.events.get()
    assert (judgment.state, judgment.grade, judgment.comment) == ("judged", 2, "why")
    assert (
        event.from_state,
        event.to_state,
        event.to_grade,
        event.method,
        event.active_ms,
    ) == ("unjudged", "judged", 2, "key", 1200)
    assert counts(primary) == (1, 0, 0)


def test_a_second_grade_replaces_the_first_and_both_events_stay(primary):
    answer(primary, "d1", grade=2)
    judgment = answer(primary, "d1", grade=0)
    assert judgment.grade == 0
    assert list(judgment.events.values_list("from_grade", "to_grade")) == [
        (None, 2),
        (2, 0),
    ]
    assert counts(primary) == (1, 0, 0)


def test_repeating_a_client_id_changes_nothing(primary):
    client_id = uuid4()
    answer(primary, "d1", grade=2, client_id=client_id)
    answer(primary, "d1", grade=3)
    again = answer(primary, "d1", grade=2, client_id=client_id)
    assert again.grade == 3
    assert JudgmentEvent.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_with_one_client_id_are_one_judgment(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, RANKING)], depth=6)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    client_id, failures = uuid4(), []

    def tell() -> None:
        try:
            answer(assignment, "d1", grade=1, client_id=client_id)
        except Exception as error:  # noqa: BLE001 - told to the test below
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=tell) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert JudgmentEvent.objects.count() == 1
    assert counts(assignment) == (1, 0, 0)


def test_undo_walks_back_and_reopens(primary):
    answer(primary, "d1", grade=1)
    answer(primary, "d2", grade=2)
    assert services.undo(assessor=primary.assessor, assignment=primary).docno == "d2"
    assert services.undo(assessor=primary.assessor, assignment=primary).docno == "d1"
    assert services.undo(assessor=primary.assessor, assignment=primary) is None
    assert set(Judgment.objects.values_list("state", "grade")) == {("reopened", None)}
    assert counts(primary) == (0, 2, 0)


def test_undo_is_recorded_once_too(primary):
    answer(primary, "d1", grade=1)
    answer(primary, "d2", grade=2)
    client_id = uuid4()
    for _ in range(2):
        assert (
            services.undo(
                assessor=primary.assessor,
                assignment=primary,
                provenance=Provenance(client_id),
            ).docno
            == "d2"
        )
    assert counts(primary) == (1, 1, 0)


def test_what_is_put_off_comes_back_at_the_end_the_longest_first(primary):
    served = list(primary.entries.order_by("position").values_list("docno", flat=True))
    answer(primary, served[0], "later")
    answer(primary, served[1], "later")
    for docno in served[2:]:
        assert primary.entries.next_open().docno == docno
        answer(primary, docno, grade=0)
    assert primary.entries.next_open().docno == served[0]
    answer(primary, served[0], grade=1)
    assert primary.entries.next_open().docno == served[1]
    answer(primary, served[1], "cannot_judge", reason="missing")
    assert primary.entries.next_open() is None
    assert counts(primary) == (5, 0, 1)
    assert primary.is_finished


def test_after_a_document_the_next_one_below_is_served_and_then_from_the_top(primary):
    served = list(primary.entries.order_by("position").values_list("docno", flat=True))
    answer(primary, served[4], grade=0)
    assert primary.entries.next_open(after=4).docno == served[5]
    answer(primary, served[5], grade=0)
    assert primary.entries.next_open(after=5).docno == served[0]


def test_what_cannot_be_is_refused(primary, ben):
    with pytest.raises(Refused, match="9 is not a grade"):
        answer(primary, "d1", grade=9)
    with pytest.raises(Refused, match="d99 is not a document you were given"):
        answer(primary, "d99", grade=1)
    with pytest.raises(NotYours, match="given to somebody else"):
        services.judge(
            assessor=ben, assignment=primary, answer=Answer("d1", "judged", 1)
        )
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("field", "given", "sentence"),
    [
        ("state", {"state": "else"}, "Give a grade, put the document off, or say"),
        ("state", {"state": "reopened"}, "Give a grade, put the document off, or say"),
        ("state", {"state": ""}, "Give a grade, put the document off, or say"),
        ("grade", {}, "A judged document needs a grade."),
        ("grade", {"state": "later", "grade": 2}, "Only a judged document has a grade"),
        ("reason", {"state": "cannot_judge"}, "Say why the document cannot be judged"),
        (
            "reason",
            {"grade": 1, "reason": "missing"},
            "Only a document that cannot be judged has a reason.",
        ),
        (
            "reason",
            {"state": "cannot_judge", "reason": "boring"},
            "A reason is one of missing, unreadable, language, other.",
        ),
        (
            "comment",
            {"grade": 1, "comment": "x" * 10_001},
            "at most 10,000 characters; this one has 10,001.",
        ),
        ("comment", {"grade": 1, "comment": "a\0b"}, "may not contain NUL"),
        ("comment", {"grade": 1, "comment": "a\ud800b"}, "may not contain NUL"),
        (
            "method",
            {"grade": 1, "method": "voice"},
            "A method is one of key, click, other.",
        ),
        ("active_ms", {"grade": 1, "active_ms": -1}, "from 0 to 2,147,483,647."),
        ("away_ms", {"grade": 1, "away_ms": 2**31}, "from 0 to 2,147,483,647."),
    ],
)
def test_what_a_judgment_may_not_hold_is_refused_by_field(
    primary, field, given, sentence
):
    with pytest.raises(Invalid, match=re.escape(sentence)) as refused:
        answer(primary, "d1", **given)
    assert refused.value.field == field
    assert not Judgment.objects.exists()
    assert counts(primary) == (0, 0, 0)


def test_a_docno_that_no_database_holds_was_not_given(primary):
    with pytest.raises(Refused, match="is not a document you were given"):
        answer(primary, "d\0", grade=1)


def test_an_undo_keeps_how_it_was_done_and_holds_to_the_same_rules(primary):
    answer(primary, "d1", grade=1, comment="why")
    how = Provenance(method="key", active_ms=7)
    entry = services.undo(assessor=primary.assessor, assignment=primary, provenance=how)
    event = JudgmentEvent.objects.last()
    assert (event.to_state, event.method, event.active_ms) == ("reopened", "key", 7)
    assert entry.judgment.comment == "why"
    with pytest.raises(Invalid, match="A method is one of"):
        services.undo(
            assessor=primary.assessor,
            assignment=primary,
            provenance=Provenance(method="voice"),
        )


def test_who_was_not_given_the_topic_undoes_nothing(primary, ben):
    answer(primary, "d1", grade=1)
    with pytest.raises(NotYours, match="given to somebody else"):
        services.undo(assessor=ben, assignment=primary)


def test_judging_needs_the_assessor_role_whatever_other_role_remains(primary):
    answer(primary, "d1", grade=1)
    memberships = primary.topic.campaign.membership_set.filter(user=primary.assessor)
    memberships.update(role=Role.ORGANIZER)
    for act in (
        lambda: answer(primary, "d2", grade=1),
        lambda: services.undo(assessor=primary.assessor, assignment=primary),
    ):
        with pytest.raises(NotYours, match="You are no longer an assessor of"):
            act()
    assert JudgmentEvent.objects.count() == 1


def test_the_counts_come_back_with_the_judgment(primary):
    client_id = uuid4()
    for _ in range(2):
        judgment = answer(primary, "d1", grade=1, client_id=client_id)
        assert judgment.assignment.n_judged == 1
    client_id = uuid4()
    for _ in range(2):
        entry = services.undo(
            assessor=primary.assessor,
            assignment=primary,
            provenance=Provenance(client_id),
        )
        assert (entry.assignment.n_judged, entry.assignment.n_later) == (0, 1)


def test_the_judging_window_is_kept(primary):
    campaign = primary.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
    with pytest.raises(Refused, match="Judging closed on"):
        answer(primary, "d1", grade=1)


class Counts(TestCase):
    """The counts of an assignment are those of its judgments, whatever was done."""

    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["undo", "later", "cannot_judge", "judged"]),
                st.integers(1, 6),
            ),
            max_size=12,
        )
    )
    def test_counts_are_true(self, steps):
        people = [make.user(f"{name}{uuid4().hex[:8]}") for name in ("o", "a", "p")]
        campaign = make.campaign(
            people[0], assessors=[people[1]], participants={"T": [people[2]]}
        )
        make.frozen_pool(campaign, [make.run(campaign, people[2], RANKING)], depth=6)
        assignment = make.assignment(campaign.topic_set.get(number="1"), people[1])
        for state, number in steps:
            if state == "undo":
                services.undo(assessor=assignment.assessor, assignment=assignment)
            else:
                extra = (
                    {"grade": number % 4}
                    if state == "judged"
                    else {"reason": "other"}
                    if state == "cannot_judge"
                    else {}
                )
                answer(assignment, f"d{number}", state, **extra)
        states = list(assignment.judgments.values_list("state", flat=True))
        expected = (
            states.count("judged"),
            states.count("later") + states.count("reopened"),
            states.count("cannot_judge"),
        )
        assert counts(assignment) == expected


# Agreement and qrels


def test_documents_graded_by_both_are_paired(topic, ada, ben, primary):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(primary, "d1", 2)
    make.judgment(primary, "d2", 1)
    make.judgment(second, "d1", 3)
    make.judgment(second, "d3", 1)
    assert list(Judgment.objects.twice_judged(topic.campaign)) == [
        ("1", "d1", "ada", 2, "ben", 3)
    ]


def test_published_qrels_hold_the_primary_grades_and_nothing_unjudged(
    topic, olga, ben, primary
):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(primary, "d2", 0)
    make.judgment(primary, "d1", 2)
    make.judgment(second, "d3", 3)
    answer(primary, "d4", "later")
    answer(primary, "d5", "cannot_judge", reason="unreadable")
    qrels = services.publish_qrels(user=olga, campaign=topic.campaign)
    assert make.content(qrels.file) == b"1 0 d1 2\n1 0 d2 0\n"
    assert (qrels.number, qrels.n_judgments, qrels.n_relevant, qrels.n_unjudged) == (
        1,
        2,
        1,
        6,
    )
    make.judgment(primary, "d3", 1)
    assert services.publish_qrels(user=olga, campaign=topic.campaign).number == 2
    assert make.content(Qrels.objects.get(number=1).file) == b"1 0 d1 2\n1 0 d2 0\n"


def test_the_board_reads_the_official_grades_of_the_topics_asked_for(
    topic, ben, primary, django_assert_num_queries
):
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    other = make.assignment(topic.campaign.topic_set.get(number="2"), ben)
    make.judgment(primary, "d1", 2)
    make.judgment(second, "d1", 3)
    make.judgment(other, "d2", 1)
    answer(primary, "d2", "later")
    official, pool = Judgment.objects.official, primary.pool
    with django_assert_num_queries(1):
        assert official(pool, ["1"]) == {"1": {"d1": 2}}
    assert official(pool, ["1", "2"]) == {"1": {"d1": 2}, "2": {"d2": 1}}
    assert Assignment.objects.n_official(topic.campaign) == 2


def test_every_rule_that_can_be_stored_can_be_applied():
    assert list(QRELS_RULES) == Qrels.Rule.values


def test_the_hash_is_that_of_the_file(topic, olga, primary):
    import hashlib

    make.judgment(primary, "d2", 0)
    qrels = services.publish_qrels(user=olga, campaign=topic.campaign)
    assert qrels.sha256 == hashlib.sha256(make.content(qrels.file)).hexdigest()


def test_nothing_is_published_before_a_primary_judgment(topic, olga, primary):
    with pytest.raises(Refused, match="nothing to publish"):
        services.publish_qrels(user=olga, campaign=topic.campaign)


def test_a_judged_document_always_has_a_grade(primary):
    from django.db import IntegrityError

    with pytest.raises(IntegrityError, match="judged_means_graded"):
        Judgment.objects.create(
            topic=primary.topic,
            docno="d1",
            assessor=primary.assessor,
            assignment=primary,
            change=1,
            state="judged",
        )


def test_seeds_fit_the_database():
    assert all(
        0 <= order.seed_for(number, "t") < 2**63 for number in np.arange(50).tolist()
    )
