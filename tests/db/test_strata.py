"""Samples drawn by first grade: how, what is recorded, and that agreement weighs them for good."""

import pytest

from accounts.access import Refused
from agreement.nouns import WEIGHTS, Seen
from agreement.tallies import as_of, so_far, weighing
from assess.models.assigning import Assignment
from assess.models.strata import DrawnStratum
from assess.services import assigning, handover, reopening
from assess.services.sampling import sample_more
from campaigns.models.trail import AuditEvent
from cleverdon.agreement.measured import Groups
from overview.services.rehearsal import describe_rehearsal, throw_away_rehearsal
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.judging import answer
from tests.web.html import words
from tests.worlds import once

DOCNOS = [f"d{n:02}" for n in range(40)]
# 30 not relevant, 6 of grade 1, 4 of grade 2.
FIRST = {docno: 0 if n < 30 else 1 if n < 36 else 2 for n, docno in enumerate(DOCNOS)}


@pytest.fixture
@once
def campaign(olga, ada, ben, cleo, pat):
    made = make.campaign(
        olga, assessors=[ada, ben, cleo], participants={"Aldgate": [pat]}, topics=["1", "2"]
    )
    make.documents(made, DOCNOS)
    runs = [make.run(made, pat, {"1": " ".join(DOCNOS), "2": "d00 d01 d02 d03"})]
    make.frozen_pool(made, runs, depth=40)
    return made


@pytest.fixture
def topic(campaign):
    return campaign.topic_set.get(number="1")


@pytest.fixture
@once
def judged(topic, ada):
    """Ada has graded topic 1."""
    first = make.assignment(topic, ada)
    make.judgments(first, FIRST)
    return first


def has(assignment) -> set[str]:
    return set(assignment.entries.counting().values_list("item__key", flat=True))


def by_grade(assignment) -> list[int]:
    grades = [FIRST[docno] for docno in has(assignment)]
    return [grades.count(grade) for grade in (0, 1, 2)]


def more(assignment, n: int, **asked) -> int:
    return sample_more(
        user=make.organizer_of(assignment.topic.campaign), assignment=assignment, n=n, **asked
    )


def second_of(topic, ben, olga, **asked) -> Assignment:
    return assigning.assign(user=olga, topic=topic, assessor=ben, kind="second", **asked)


def judge(assignment, changed=()) -> None:
    """The second assessor agrees, but on what is changed."""
    open_now = assignment.entries.filter(judgment=None).values_list("item__key", flat=True)
    make.judgments(
        assignment,
        {each: (FIRST[each] + 1) % 3 if each in changed else FIRST[each] for each in open_now},
    )


def rows(campaign) -> dict[str, tuple]:
    return {each.docno: each[2:] for each in WEIGHTS.rows(None, campaign)}


def raw(tallies) -> float:
    [figure] = Groups(tallies.grades, 1).figures("raw", "grades")
    return figure.value


def test_each_first_grade_gets_as_many_as_the_others(judged, topic, ben, olga):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    assert (second.n_entries, by_grade(second)) == (12, [4, 4, 4])
    strata = DrawnStratum.objects.filter(assignment=second).order_by("grade")
    assert [(each.grade, each.n_drawn, len(each.items)) for each in strata] == [
        (0, 4, 30), (1, 4, 6), (2, 4, 4),
    ]  # fmt: skip
    event = AuditEvent.objects.get(kind="topic.assigned", detail__assignment=second.pk)
    assert (event.detail["n"], event.detail["by_grade"]) == (12, True)


def test_by_number_it_is_drawn_as_by_a_share(topic, ben, olga):
    assert second_of(topic, ben, olga, n=7).n_entries == 7
    assert not DrawnStratum.objects.exists()


def test_more_by_grade_fill_up_what_there_is_less_of(judged, topic, ben, olga):
    second = make.assignment(topic, ben, "second", share=0.25)
    before = by_grade(second)
    assert more(second, 8, by_grade=True) == 8
    after = by_grade(second)
    assert sum(after) == 18
    for n, of in zip(after, (30, 6, 4), strict=True):
        behind = [one for one, had in zip(after, before, strict=True) if one > had and n < one - 1]
        assert n == of or not behind
    assert more(second, 99, by_grade=True) == 22
    with pytest.raises(Refused, match="has every document of topic 1 already"):
        more(second, 1, by_grade=True)


def test_the_order_served_tells_no_grade(judged, topic, ben, olga):
    second = second_of(topic, ben, olga, n=1)
    more(second, 39, by_grade=True)
    served = second.entries.order_by("position").values_list("item__key", flat=True)
    grades = [FIRST[docno] for docno in served[1:]]
    assert grades not in (sorted(grades), sorted(grades, reverse=True))


def test_without_all_first_grades_nothing_is_drawn_by_them(topic, ada, ben, olga):
    with pytest.raises(Refused, match="Topic 1 has no primary assessor, so nothing"):
        second_of(topic, ben, olga, n=3, by_grade=True)
    first = make.assignment(topic, ada)
    make.judgments(first, dict.fromkeys(DOCNOS[1:], 0))
    second = second_of(topic, ben, olga, n=3)
    with pytest.raises(Refused, match="1 document of topic 1 has no first grade yet: draw by"):
        more(second, 3, by_grade=True)


def test_what_cannot_be_judged_has_no_grade_and_is_not_drawn_by_one(topic, ada, ben, olga):
    first = make.assignment(topic, ada)
    make.judgments(first, dict.fromkeys(DOCNOS[1:], 0))
    answer(first, "d00", "cannot_judge", reason="unreadable")
    second = second_of(topic, ben, olga, n=99, by_grade=True)
    assert has(second) == {*DOCNOS[1:]}
    with pytest.raises(Refused, match="has every document of topic 1 with a grade"):
        more(second, 1, by_grade=True)


def test_a_plan_draws_by_grade_where_first_assessors_are_done(judged, campaign, ben, olga):
    other = make.assignment(campaign.topic_set.get(number="2"), ben)
    asked = assigning.distribute(user=olga, campaign=campaign, second_n=9, by_grade=True)
    make.worked("assign_topics", asked.subject_id)
    [second] = Assignment.objects.filter(kind="second")
    assert (second.topic.number, by_grade(second)) == ("1", [3, 3, 3])
    assert DrawnStratum.objects.filter(assignment=second).count() == 3
    with pytest.raises(Refused, match="no topic without a second assessor has all its first"):
        assigning.distribute(user=olga, campaign=campaign, second_n=9, by_grade=True)
    make.judgments(other, {f"d0{n}": 1 for n in range(4)})
    asked = assigning.distribute(user=olga, campaign=campaign, second_n=2, by_grade=True)
    make.worked("assign_topics", asked.subject_id)
    assert Assignment.objects.filter(kind="second", topic=other.topic, n_entries=2).exists()


def test_agreement_weighs_what_was_drawn_and_says_so(judged, topic, campaign, ben, olga):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    judge(second, changed=[each for each in DOCNOS if FIRST[each] == 2])
    ratings = so_far(campaign).grades
    assert ratings.n_items == 12
    # All of grade 0 and 1 alike, none of the 4 of grade 2: 36 of 40, and not 8 of 12.
    assert raw(so_far(campaign)) == pytest.approx(36 / 40)
    assert weighing(ratings) == (
        "Documents of 1 topic were drawn by first grade: 12 of the 12 are weighted to stand for "
        "all of their topic."
    )
    found = rows(campaign)
    assert len(found) == 40
    for docno, (stratum, documents, compared, weight) in found.items():
        assert stratum == str(FIRST[docno])
        assert (documents, compared) == ([30, 6, 4][FIRST[docno]], 4)
        expected = documents / compared * 12 / 40 if docno in has(second) else None
        assert weight == (pytest.approx(expected) if expected else None)
    record = next(iter(_records(olga, campaign)))
    assert (record.documents, record.weighted) == (12, 12)


def test_the_page_says_that_shares_are_weighted_and_counts_are_not(
    judged, topic, campaign, ben, olga, client
):
    client.force_login(olga)
    judge(second_of(topic, ben, olga, n=12, by_grade=True), changed=["d36", "d37", "d38", "d39"])
    text = words(client.get(f"/campaigns/{campaign.slug}/agreement/"))
    assert "Coefficients and shares of agreement are weighted; numbers of documents are not" in text
    assert text.count(", weighted; the counts above are not.") == 2


def _records(user, campaign):
    from agreement.nouns import AGREEMENT

    return AGREEMENT.found(Seen.by(user, campaign))


def test_a_sample_at_random_weighs_nothing(judged, topic, campaign, ben, olga):
    judge(second_of(topic, ben, olga, n=12))
    assert not so_far(campaign).grades.is_weighted
    assert weighing(so_far(campaign).grades) == ""
    assert rows(campaign) == {}


def test_weights_are_of_the_first_grades_then_whatever_becomes_of_them(
    judged, topic, campaign, ben, olga
):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    judge(second)
    before = {docno: each[3] for docno, each in rows(campaign).items()}
    reopening.reopen(user=olga, assignment=judged, docno="d35")
    answer(judged, "d35", grade=0)
    after = {docno: each[3] for docno, each in rows(campaign).items()}
    assert before == after
    taken = min(has(second))
    reopening.reopen(user=olga, assignment=second, docno=taken)
    sizes = {each[0]: each[2] for each in rows(campaign).values()}
    assert sizes[str(FIRST[taken])] == 3, "what is compared now counts"


def test_documents_drawn_again_are_of_the_grades_of_both_times(judged, topic, campaign, ben, olga):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    left = next(each for each in DOCNOS if FIRST[each] == 0 and each not in has(second))
    answer(judged, left, grade=2)
    more(second, 3, by_grade=True)
    judge(second)
    found = rows(campaign)
    assert {each[0] for each in found.values()} == {"0 0", "0 2", "1 1", "2 2"}
    assert found[left][0] == "0 2"


def test_what_joins_the_pool_later_is_a_stratum_of_its_own(judged, topic, campaign, ben, olga, pat):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    judge(second)
    make.documents(campaign, ["e1", "e2"])
    run = make.run(campaign, pat, {"1": "e1 e2"}, "late")
    make.frozen(make.batch(campaign, [run], depth=2))
    assert {rows(campaign)[each][:2] for each in ("e1", "e2")} == {("-", 2)}
    judged.refresh_from_db()
    for each in ("e1", "e2"):
        answer(judged, each, grade=1)
    second.refresh_from_db()
    news = has(second) & {"e1", "e2"}
    for each in news:
        answer(second, each, grade=1)
    assert all(rows(campaign)[each][3] == 2 / len(news) * (12 + len(news)) / 42 for each in news)


def test_a_version_of_the_qrels_keeps_the_weights_it_was_published_with(
    judged, topic, campaign, ben, olga
):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    judge(second, changed=DOCNOS[36:])
    then = raw(so_far(campaign))
    qrels = publish_qrels(user=olga, campaign=campaign)
    for docno in [each for each in DOCNOS[:30] if each not in has(second)][:15]:
        answer(judged, docno, grade=1)
    more(second, 6, by_grade=True)
    judge(second)
    kept = as_of(qrels, campaign.every_criterion)
    assert raw(kept) == pytest.approx(then)
    assert kept.grades.is_weighted
    assert kept.grades.n_items == 12


def test_a_draw_is_seen_at_once_though_nothing_was_judged_since(judged, topic, campaign, ben, olga):
    second = make.assignment(topic, ben, "second", share=0.55)
    judge(second, changed=DOCNOS[30:])
    assert not so_far(campaign).grades.is_weighted
    more(second, 6, by_grade=True)
    assert so_far(campaign).grades.is_weighted


def test_a_rehearsal_goes_with_its_strata(judged, topic, campaign, ben, olga):
    second_of(topic, ben, olga, n=12, by_grade=True)
    throw_away_rehearsal(user=olga, campaign=campaign)
    assert not DrawnStratum.objects.exists()
    assert describe_rehearsal(campaign) == ""


def test_a_sample_prepared_anew_is_recorded_anew(judged, topic, campaign, ben, cleo, olga):
    second = second_of(topic, ben, olga, n=12, by_grade=True)
    handover.take_back(user=olga, assignment=second)
    again = second_of(topic, cleo, olga, n=6, by_grade=True)
    assert again.pk == second.pk
    drawn = DrawnStratum.objects.filter(assignment=again).values_list("n_drawn", flat=True)
    assert list(drawn) == [2, 2, 2]


def test_a_draw_of_which_nothing_is_judged_weighs_nothing(judged, topic, campaign, ben, cleo, olga):
    first = second_of(topic, ben, olga, n=12, by_grade=True)
    handover.take_back(user=olga, assignment=first)
    handover.give_up(user=olga, assignment=first, reason="Too late.")
    shares = make.assignment(topic, cleo, "second", share=0.25)
    judge(shares)
    assert so_far(campaign).grades.n_items == 10
    qrels = publish_qrels(user=olga, campaign=campaign)
    for tallies in (so_far(campaign), as_of(qrels, campaign.every_criterion)):
        assert not tallies.grades.is_weighted
    assert rows(campaign) == {}
