"""The review of a pool's judging: computed by a job, stored with who asked, shown to organizers."""

from collections import Counter

import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from evaluation import completeness, services
from evaluation.completeness import Completeness
from evaluation.models.reviews import Review
from jobs.models import Job
from pooling.core.completeness import is_dry, stops_at_nist
from pooling.models.entries import PoolEntry
from tests import make
from tests.db.computing import words
from tests.db.judging import answer


def asked(olga, campaign) -> Review:
    return services.request_review(user=olga, campaign=campaign)


def reviewed(olga, campaign) -> Review:
    review = asked(olga, campaign)
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
    assert Job.objects.get(kind="review_pool").outcome == (
        f"{len(grades)} of {len(entries)} documents judged."
    )


@pytest.fixture
def short(monkeypatch):
    """The rules look at two judgments, for documents are few here."""
    for rule in (is_dry, stops_at_nist):
        monkeypatch.setattr(completeness, rule.__name__, lambda relevant: is_dry(relevant, 2))


def test_topics_may_stop_in_the_order_of_judging(olga, several, monkeypatch):
    monkeypatch.setattr(completeness, "is_dry", lambda relevant: is_dry(relevant, 1))
    orders: dict[str, list[bool]] = {}
    for (topic, _), grade in grades_of(several).items():
        orders.setdefault(topic, []).append(grade > 0)
    n_pooled = Counter(PoolEntry.objects.values_list("topic__number", flat=True))
    open_ones = [topic for topic, order in orders.items() if n_pooled[topic] > len(order)]
    dry = {topic for topic in open_ones if not orders[topic][-1]}
    found = reviewed(olga, several).found
    assert (set(found["dry"]), found["nist"]) == (dry, [])
    assert 0 < len(dry) < len(open_ones)


@pytest.mark.usefixtures("short")
def test_the_order_is_that_of_time_and_not_of_documents(olga, ada, pooled):
    assignment = make.assignment(pooled.topic_set.get(number="1"), ada)
    for docno, grade in (("d3", 0), ("d1", 2), ("d2", 0)):
        answer(assignment, docno, grade=grade)
    assert reviewed(olga, pooled).found["dry"] == []
    answer(assignment, "d4", grade=0)
    assert reviewed(olga, pooled).found["dry"] == ["1"]


@pytest.mark.usefixtures("short")
def test_second_judgments_are_no_part_of_the_order(olga, ada, ben, pooled):
    topic = pooled.topic_set.get(number="1")
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    for docno in ("d1", "d2"):
        make.judgment(second, docno, 0)
    assert reviewed(olga, pooled).found["dry"] == []


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


def test_before_the_first_judgment_there_is_nothing_to_say(client, olga, pooled):
    found = reviewed(olga, pooled).found
    assert (found["n_judged"], found["missing"], found["by_rank"]) == (0, [0, 0, 0, 1], [])
    assert found["dry"] == found["nist"] == []
    client.force_login(olga)
    page = words(client.get(page_of(pooled)))
    assert f"{found['n_left']} pooled documents are unjudged: too early to tell" in page
    assert "Chao2 estimates" not in page


def test_what_was_found_is_kept_with_who_asked(olga, several):
    first = reviewed(olga, several)
    reviewed(olga, several)
    kept = Review.objects.get(pk=first.pk)
    assert (kept.created_by, kept.found) == (olga, first.found)
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
    review, compute = asked(olga, several), completeness.ranks_by_run

    def lose(*given):
        Job.objects.filter(kind="review_pool").update(state="waiting", token=9)
        return compute(*given)

    monkeypatch.setattr(completeness, "ranks_by_run", lose)
    completeness.review_pool(Job.objects.get(kind="review_pool").pk)
    assert Review.objects.get(pk=review.pk).found is None


def test_the_page(client, olga, several):
    client.force_login(olga)
    assert "not computed yet" in words(client.get(page_of(several)))
    sent = client.post(page_of(several))
    assert (sent.status_code, sent.url) == (302, page_of(several))
    review = Review.objects.get()
    assert "Review the judging of the pool" in words(client.get(page_of(several)))
    assert "is being computed already." in words(client.post(page_of(several), follow=True))
    make.worked("review_pool", review.pk)
    page = client.get(page_of(several))
    text, n_left = words(page), review_left(several)
    n_relevant = sum(grade > 0 for grade in grades_of(several).values())
    assert f"{n_left} pooled documents are unjudged: too early to tell what is missing" in text
    assert f"{n_relevant} relevant so far" in text
    assert "None of the last 40 judged is relevant</dt><dd>no topic</dd>" in text
    assert "judged when Olga asked" in text
    file = client.get(page_of(several), {"picture": "ranks.svg"})
    assert file["Content-Type"].startswith("image/svg")
    assert "The pool has grown since then" not in text
    make.frozen(make.batch(several, list(several.run_set.valid()), 9))
    assert "The pool has grown since then" in words(client.get(page_of(several)))
    client.post(page_of(several))
    shown = client.get(page_of(several)).context
    assert shown["review"] == review  # the last one computed


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


@pytest.mark.usefixtures("short")
def test_a_topic_may_stop_while_something_is_left_to_judge(client, olga, ada, pooled):
    assignment = make.assignment(pooled.topic_set.get(number="1"), ada)
    client.force_login(olga)
    docnos = list(assignment.entries.values_list("item__key", flat=True))
    for docno in docnos[1:]:
        make.judgment(assignment, docno, 0)
    reviewed(olga, pooled)
    page = words(client.get(page_of(pooled)))
    assert "None of the last 40 judged is relevant</dt><dd>1</dd>" in page
    answer(assignment, docnos[0], state="cannot_judge", reason="unreadable")
    assert reviewed(olga, pooled).found["dry"] == []


def test_a_review_whose_pool_goes_meanwhile_ends_quietly(several, olga, monkeypatch):
    review_of = completeness._review  # noqa: SLF001

    def goes(review: Review) -> Completeness:
        found = review_of(review)
        Review.objects.filter(pk=review.pk).delete()
        return found

    for at_once in (True, False):
        review = asked(olga, several)
        monkeypatch.setattr(completeness, "_review", goes)
        if at_once:
            goes(review)
        job = make.worked("review_pool", review.pk)
        assert (job.state, job.outcome) == (Job.State.DONE, completeness.GONE)
