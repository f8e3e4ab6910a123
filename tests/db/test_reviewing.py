"""The review of a pool's judging: computed by a job, stored with who asked, shown to organizers."""

from collections import Counter

import numpy as np
import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from evaluation import reviewing, services
from evaluation.models.reviews import Review
from jobs.models import Job
from pooling.core.stopping import RULES, Seen
from pooling.models.entries import PoolEntry
from tests import make
from tests.db.computing import words
from tests.db.judging import answer


def asked(olga, campaign, rule="tail", n=3) -> Review:
    return services.request_review(user=olga, campaign=campaign, rule=rule, n=n)


def reviewed(olga, campaign, rule="tail", n=3) -> Review:
    review = asked(olga, campaign, rule, n)
    make.worked("review_pool", review.pk)
    review.refresh_from_db()
    return review


def page_of(campaign) -> str:
    return f"/campaigns/{campaign.slug}/pool/completeness/"


def grades_of(campaign) -> dict[tuple[str, str], int]:
    rows = Judgment.objects.values_list("topic__number", "item__key", "grade")
    return {(topic, key): grade for topic, key, grade in rows.order_by("changed_at")}


def test_a_review_counts_what_the_rows_say(olga, several):
    review = reviewed(olga, several)
    grades = grades_of(several)
    entries = list(PoolEntry.objects.select_related("topic", "item"))
    relevant = [each for each in entries if grades.get((each.topic.number, each.docno), 0) > 0]
    counts = Counter(len(each.run_ids) for each in relevant)
    found = review.found
    assert (found["n_pooled"], found["n_judged"]) == (len(entries), len(grades))
    assert found["missing"] == [len(relevant), counts[1], counts[2], several.run_set.count()]
    assert (found["n_relevant"], found["n_undrawn"]) == (len(relevant), 0)
    assert found["n_left"] == len(entries) - len(grades)
    assert found["by_rank"] == [
        sum(min(each.ranks) <= depth for each in relevant) for depth in (1, 2, 3)
    ]
    assert found["unpooled"] == []
    assert Job.objects.get(kind="review_pool").outcome == (
        f"{len(grades)} of {len(entries)} documents judged."
    )


@pytest.mark.parametrize("rule", RULES)
def test_topics_are_advised_by_the_rule_in_the_order_of_judging(olga, several, rule):
    review = reviewed(olga, several, rule, n=2)
    orders: dict[str, list[bool]] = {}
    for (topic, _), grade in grades_of(several).items():
        orders.setdefault(topic, []).append(grade > 0)
    rows = {row[0]: [*row[1:3], *row[4:]] for row in review.found["advice"]}
    assert rows.keys() == orders.keys()
    for topic, order in orders.items():
        seen = Seen(np.array(order))
        assert rows[topic] == [len(order), sum(order), *RULES[rule].advise(seen, 2)]


def test_the_order_is_that_of_time_and_not_of_documents(olga, ada, pooled):
    assignment = make.assignment(pooled.topic_set.get(number="1"), ada)
    for docno, grade in (("d3", 0), ("d1", 2), ("d2", 0)):
        answer(assignment, docno, grade=grade)
    (topic,) = reviewed(olga, pooled, n=2).found["advice"]
    assert topic == ["1", 3, 1, 3, "1 document judged since the last relevant one.", False]
    answer(assignment, "d4", grade=0)
    (topic,) = reviewed(olga, pooled, n=2).found["advice"]
    assert topic == ["1", 4, 1, 2, "None of the last 2 documents was relevant.", True]


def test_second_judgments_are_no_part_of_the_order(olga, ada, ben, pooled):
    topic = pooled.topic_set.get(number="1")
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    make.judgment(second, "d1", 2)
    assert reviewed(olga, pooled).found["advice"] == []
    make.judgment(make.assignment(topic, ada), "d1", 0)
    assert reviewed(olga, pooled).found["advice"][0][:3] == ["1", 1, 0]


def test_a_document_that_no_run_brought_counts_as_judged_and_tells_nothing_of_runs(
    olga, ada, pooled
):
    before = reviewed(olga, pooled).found
    how = {"strategy": "by-hand", "parameters": {"documents": [["1", "d9", "known item"]]}}
    assignment = make.assignment(pooled.topic_set.get(number="1"), ada)
    make.frozen(make.batch(pooled, [], **how))
    make.documents(pooled, ["d9"])
    make.judgment(assignment, "d9", 2)
    found = reviewed(olga, pooled).found
    assert (found["n_pooled"], found["n_judged"]) == (before["n_pooled"] + 1, 1)
    assert (found["by_rank"], found["missing"]) == (before["by_rank"], before["missing"])


def test_known_grades_are_the_targets_to_find_again(olga, ada, pooled):
    topic = pooled.topic_set.get(number="1")
    for docno, grade in (("d1", 2), ("d2", 1), ("d3", 0)):
        make.known_grade(topic, docno, grade)
    assignment = make.assignment(topic, ada)
    make.judgment(assignment, "d1", 1)
    (row,) = reviewed(olga, pooled, "recapture", 2).found["advice"]
    assert row[4:] == ["1 of the 2 known from elsewhere were found again.", False]
    make.judgment(assignment, "d2", 1)
    (row,) = reviewed(olga, pooled, "recapture", 2).found["advice"]
    assert row[4:] == ["2 of the 2 known from elsewhere were found again.", True]


def test_runs_outside_the_pool_by_their_unjudged_documents(olga, pat, several):
    """Over the topics that have a judgment; documents that no pool has are unjudged too."""
    rankings = {
        "one": {"1": "d1 d2 x1 x2 x3", "2": " ".join(f"d{n}" for n in range(12))},
        "two": {"1": "x1", "2": "x2"},
    }
    make.documents(several, ["x1", "x2", "x3"])
    runs = {tag: make.run(several, pat, each, tag) for tag, each in rankings.items()}
    grades = grades_of(several)
    judged = {topic for topic, _ in grades}
    expected = {
        runs[tag].pk: sum(
            (topic, docno) not in grades
            for topic, docnos in each.items()
            if topic in judged
            for docno in docnos.split()[:10]
        )
        / len(judged)
        for tag, each in rankings.items()
    }
    found = reviewed(olga, several).found["unpooled"]
    assert dict(found) == pytest.approx(expected)
    values = [n for _, n in found]
    assert values == sorted(values, reverse=True)
    runs["one"].state = "withdrawn"
    runs["one"].save()
    assert [pk for pk, _ in reviewed(olga, several).found["unpooled"]] == [runs["two"].pk]


def test_before_the_first_judgment_there_is_nothing_to_say(client, olga, pat, pooled):
    make.run(pooled, pat, {"1": "d1"}, "late")
    found = reviewed(olga, pooled).found
    assert (found["n_judged"], found["missing"], found["by_rank"]) == (0, [0, 0, 0, 1], [])
    assert found["unpooled"] == found["advice"] == []
    client.force_login(olga)
    page = words(client.get(page_of(pooled)))
    assert f"{found['n_left']} pooled documents are unjudged: too early to tell" in page
    assert "Chao2 estimates" not in page


def test_what_was_advised_is_kept_with_who_asked(olga, several):
    first = reviewed(olga, several, "tail", 2)
    reviewed(olga, several, "nist", 0)
    kept = Review.objects.get(pk=first.pk)
    assert (kept.rule, kept.n, kept.created_by, kept.found) == ("tail", 2, olga, first.found)
    assert Review.objects.count() == 2


def test_it_is_refused_without_a_pool_and_while_it_is_computed(olga, campaign, pat):
    with pytest.raises(Refused, match=r"^No pool is frozen"):
        asked(olga, campaign)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    asked(olga, campaign)
    with pytest.raises(Refused, match=r"is being computed already"):
        asked(olga, campaign)
    Job.objects.filter(kind="review_pool").update(state="failed")
    asked(olga, campaign)


def test_a_worker_that_lost_its_job_stores_nothing(olga, several, monkeypatch):
    review, compute = asked(olga, several), reviewing.ranks_by_run

    def lose(*given):
        Job.objects.filter(kind="review_pool").update(state="waiting", token=9)
        return compute(*given)

    monkeypatch.setattr(reviewing, "ranks_by_run", lose)
    reviewing.review_pool(Job.objects.get(kind="review_pool").pk)
    assert Review.objects.get(pk=review.pk).found is None


def test_the_page(client, olga, pat, several):
    make.run(several, pat, {"1": "d1 d2"}, "late")
    client.force_login(olga)
    assert "not computed yet" in words(client.get(page_of(several)))
    wrong = client.post(page_of(several), {"rule": "coin"})
    assert wrong.status_code == 422
    assert not Review.objects.exists()
    assert client.post(page_of(several), {"rule": "tail", "n": "0"}).status_code == 422
    sent = client.post(page_of(several), {"rule": "tail"})
    assert (sent.status_code, sent.url) == (302, page_of(several))
    review = Review.objects.get()
    assert (review.rule, review.n) == ("tail", RULES["tail"].usual)
    assert "Review the judging of the pool" in words(client.get(page_of(several)))
    again = client.post(page_of(several), {"rule": "tail"}, follow=True)
    assert "is being computed already." in words(again)
    make.worked("review_pool", review.pk)
    page = client.get(page_of(several))
    text, n_left = words(page), review_left(several)
    n_relevant = sum(grade > 0 for grade in grades_of(several).values())
    assert f"{n_left} pooled documents are unjudged: too early to tell what is missing" in text
    assert f"{n_relevant} relevant so far" in text
    assert "0 of 7 topics may stop" in text
    assert "none of the last 40 documents judged was relevant" in text
    assert "late: 0.0 of its first 10 documents are unjudged" in text
    assert "judged when Olga asked" in text
    file = client.get(page_of(several), {"picture": "ranks.svg"})
    assert file["Content-Type"].startswith("image/svg")
    assert "The pool has grown since then" not in text
    make.frozen(make.batch(several, list(several.run_set.valid()), 9))
    assert "The pool has grown since then" in words(client.get(page_of(several)))
    client.post(page_of(several), {"rule": "nist", "n": "7"})
    assert Review.objects.latest("pk").n == 0
    assert "0 of 7 topics may stop" in words(client.get(page_of(several)))  # the last one computed


def review_left(campaign) -> int:
    return PoolEntry.objects.count() - len(grades_of(campaign))


def test_an_estimate_is_given_once_nearly_all_is_decided(client, olga, ada, pooled):
    client.force_login(olga)
    n_relevant = 0
    for topic in pooled.topic_set.all():
        assignment = make.assignment(topic, ada)
        for n, entry in enumerate(assignment.entries.order_by("pk")):
            make.judgment(assignment, entry.docno, int(n < 3))
            n_relevant += n < 3
    reviewed(olga, pooled)
    text = words(client.get(page_of(pooled)))
    assert "too early" not in text
    assert f"{n_relevant} relevant documents found; nothing says that any" in text
    runs, found = pooled.run_set.count(), Review.objects.latest("pk").found
    Review.objects.update(found={**found, "missing": [60, 30, 10, runs + 3]})
    n = round((runs + 2) / (runs + 3) * 45)
    assert f"60 relevant documents found, some {n} or more missing" in words(
        client.get(page_of(pooled))
    )


def test_topics_to_stop_come_first(client, olga, several):
    reviewed(olga, several, n=1)
    client.force_login(olga)
    says = [row.says for row in client.get(page_of(several)).context["advice"]]
    assert set(says[: (n := says.count("Stop"))]) == {"Stop"}
    assert 0 < n < len(says)


def test_of_a_topic_with_nothing_left_there_is_no_advice(client, olga, ada, pooled):
    assignment = make.assignment(pooled.topic_set.get(number="1"), ada)
    client.force_login(olga)
    docnos = list(assignment.entries.values_list("item__key", flat=True))
    for docno in docnos[1:]:
        make.judgment(assignment, docno, 0)
    reviewed(olga, pooled, n=1)
    assert "1 of 1 topic may stop" in words(client.get(page_of(pooled)))
    answer(assignment, docnos[0], state="cannot_judge", reason="unreadable")
    reviewed(olga, pooled, n=1)
    page = words(client.get(page_of(pooled)))
    assert "0 of 1 topic may stop" in page
    assert "Nothing left" in page


def test_a_review_whose_pool_goes_meanwhile_ends_quietly(several, olga, monkeypatch):
    def goes(review: Review) -> dict:
        Review.objects.filter(pk=review.pk).delete()
        return {}

    for at_once in (True, False):
        review = asked(olga, several)
        monkeypatch.setattr(reviewing, "_review", goes)
        if at_once:
            goes(review)
        job = make.worked("review_pool", review.pk)
        assert (job.state, job.outcome) == (Job.State.DONE, reviewing.GONE)
