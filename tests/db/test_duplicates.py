"""Duplicates in the pool: what is compared, what is found, and how it is served."""

import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.sharing import SharedDocument
from assess.services import handover
from assess.services.assigning import distribute
from collection.core.likeness import text_hash
from collection.models.likeness import likeness_text, text_hashes
from collection.models.texts import Document
from jobs.models import Job
from pooling import services, tasks
from pooling.core.duplicates import Alike
from pooling.models.likenesses import Duplicates, Likeness
from pooling.models.pools import Pool
from tests import make
from tests.db.sharing import shared
from tests.worlds import once

LONG = " ".join(f"w{n}" for n in range(100))
NEAR = LONG.replace("w50", "other")
DOCNOS = [f"n{n:02}" for n in range(20)]
SAME, GROUP = ["n03", "n11"], ["n03", "n11", "n17"]


def add(campaign, docno, text, title=""):
    return Document.objects.create(campaign=campaign, docno=docno, title=title, text=text)


@pytest.fixture
@once
def repeating(campaign, pat):
    """A pool of twenty documents for each topic, three of them alike, and one not imported."""
    texts = dict.fromkeys(SAME, LONG) | {"n17": NEAR}
    for docno in DOCNOS[:-1]:
        add(campaign, docno, texts.get(docno, f"Only {docno} says so."))
    run = make.run(campaign, pat, {"1": " ".join(DOCNOS), "2": "n03 n04"})
    make.frozen_pool(campaign, [run], depth=20)
    return campaign


def found_in(campaign) -> Job:
    services.request_duplicates(user=make.organizer_of(campaign), campaign=campaign)
    return make.worked("find_duplicates", campaign.pk)


@pytest.fixture
@once
def together(repeating):
    found_in(repeating)
    Pool.objects.filter(campaign=repeating).update(seed=1)  # by chance they could be together
    repeating.serves_duplicates_together = True
    repeating.save()
    return repeating


def stored() -> dict[tuple[str, str], Alike]:
    rows = Likeness.objects.values_list("topic__number", "item__key", "group", "text", "jaccard")
    return {(topic, docno): Alike(*alike) for topic, docno, *alike in rows}


def order_of(assignment: Assignment) -> list[str]:
    return list(assignment.entries.order_by("position").values_list("item__key", flat=True))


def are_adjacent(order: list[str], docnos: list[str] = GROUP) -> bool:
    places = sorted(map(order.index, docnos))
    return places == [*range(places[0], places[0] + len(places))]


def test_compared_is_what_readers_see_and_nothing_that_cannot_be_read(campaign):
    content = b'{"docno": "h", "title": "A", "text": "<p>One <b>two", "content_type": "text/html"}'
    make.imported(campaign, "documents", content)
    add(campaign, "p", "ONE\n two", title="a")
    add(campaign, "empty", " \u200b")
    add(campaign, "broken", "\ufffd\ufffd")
    found = text_hashes(campaign, ["h", "p", "empty", "broken", "missing"])
    assert found == {"h": text_hash("a one two"), "p": text_hash("a one two")}
    assert likeness_text(Document.objects.get(docno="broken")) == ""


def test_a_worker_finds_the_duplicates_of_each_topic(repeating):
    job = found_in(repeating)
    near = 91 / 101  # 5 of 96 runs of words are others
    assert stored() == {
        ("1", "n03"): Alike(1, 1, 1.0),
        ("1", "n11"): Alike(1, 1, 1.0),
        ("1", "n17"): Alike(1, 2, near),
    }
    topic = repeating.topic_set.get(number="1")
    assert Likeness.objects.of(repeating).of_each_topic() == {topic.pk: Duplicates(1, 3, 2)}
    assert job.outcome == "2 topics compared: 1 group of duplicates."
    assert (job.progress, job.total) == (1, 2)


def test_it_is_found_anew_and_in_drafts_too(repeating, pat):
    found_in(repeating)
    Document.objects.filter(docno__in=SAME).update(text="Nothing")
    add(repeating, "late", NEAR)
    late = make.run(repeating, pat, {"1": "late"}, tag="late")
    make.batch(repeating, [late])
    assert found_in(repeating).outcome.startswith("2 topics compared: 2 groups")
    assert sorted(docno for _, docno in stored()) == ["late", "n03", "n11", "n17"]


def test_another_campaign_keeps_what_it_has(repeating, olga, pat):
    found_in(repeating)
    other = make.campaign(olga, participants={"A": [pat]}, docnos=["a", "b"])
    other.document_set.update(title="", text="The same.")
    make.batch(other, [make.run(other, pat, {"1": "a b"})])
    found_in(other)
    assert Likeness.objects.of(repeating).count() == 3
    assert Likeness.objects.of(other).count() == 2


def test_a_worker_that_lost_its_job_stores_nothing(repeating, monkeypatch):
    services.request_duplicates(user=make.organizer_of(repeating), campaign=repeating)
    read = tasks.likeness_texts

    def lose(*given):
        Job.objects.filter(kind="find_duplicates").update(state="waiting", token=9)
        return read(*given)

    monkeypatch.setattr(tasks, "likeness_texts", lose)
    make.worked("find_duplicates", repeating.pk)
    assert not Likeness.objects.exists()


def test_it_is_refused_without_documents_and_while_it_is_under_way(campaign, pat):
    olga = make.organizer_of(campaign)
    with pytest.raises(Refused, match=r"^There are no documents to compare yet"):
        services.request_duplicates(user=olga, campaign=campaign)
    make.batch(campaign, [make.run(campaign, pat, {"1": "d1"})])
    services.request_duplicates(user=olga, campaign=campaign)
    with pytest.raises(Refused, match=r"^Duplicates are being looked for already"):
        services.request_duplicates(user=olga, campaign=campaign)
    Job.objects.filter(kind="find_duplicates").update(state="failed")
    services.request_duplicates(user=olga, campaign=campaign)


def test_they_are_served_next_to_each_other_if_the_organizer_says_so(together, ada, ben):
    topic = together.topic_set.get(number="1")
    alone = make.assignment(topic, ben, "second")
    assert are_adjacent(order_of(alone))
    together.serves_duplicates_together = False
    together.save()
    as_drawn = order_of(make.assignment(topic, ada))
    assert sorted(as_drawn) == DOCNOS
    assert not are_adjacent(as_drawn)
    assert are_adjacent(order_of(alone))  # what was served stays


def test_nothing_but_duplicates_moves(together, ben):
    topic = together.topic_set.get(number="1")
    one = make.assignment(topic, ben)
    order = order_of(one)
    Assignment.objects.counting().delete()
    Likeness.objects.all().delete()
    as_drawn = order_of(make.assignment(topic, ben))
    first = min(GROUP, key=as_drawn.index)
    rest = [docno for docno in as_drawn if docno not in GROUP or docno == first]
    assert [docno for docno in order if docno not in GROUP or docno == first] == rest


def test_a_topic_taken_back_unanswered_is_served_so_when_it_is_assigned_again(together, olga, ada):
    together.serves_duplicates_together = False
    together.save()
    own = make.assignment(together.topic_set.get(number="1"), ada)
    handover.take_back(user=olga, assignment=own)
    together.serves_duplicates_together = True
    together.save()
    again = make.assignment(together.topic_set.get(number="1"), ada)
    assert again.pk == own.pk
    assert are_adjacent(order_of(again))


def test_a_plan_serves_them_so(together, olga):
    job = distribute(user=olga, campaign=together, second_share=1.0)
    make.worked("assign_topics", job.subject_id)
    rows = Assignment.objects.counting().filter(topic__number="1")
    assert [are_adjacent(order_of(each)) for each in rows] == [True, True]


def test_a_shared_topic_serves_them_so(together, ada, ben):
    queue = shared(together, [ada, ben])
    rows = SharedDocument.objects.filter(queue=queue).order_by("position")
    assert are_adjacent(list(rows.values_list("item__key", flat=True)))


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_batch_that_joins_serves_its_own_so_and_moves_no_other(
    together, ada, ben, pat, is_shared
):
    queue = shared(together, [ada, ben]) if is_shared else None
    own = make.assignment(together.topic_set.get(number="2"), ada)
    served = queue.documents if queue else own.entries.all()

    def order() -> list[str]:
        return list(served.order_by("position").values_list("item__key", flat=True))

    number = "1" if queue else "2"
    before, late = order(), [f"x{n}" for n in range(12)]
    alike = ["x2", "x5", "x9"]
    for docno in late:
        add(together, docno, LONG if docno in alike else docno)
    batch = make.batch(
        together, [make.run(together, pat, {number: " ".join(late)}, tag="late")], depth=12
    )
    found_in(together)
    make.frozen(batch)
    assert order()[: len(before)] == before
    assert sorted(order()[len(before) :]) == sorted(late)
    assert are_adjacent(order(), alike)
    assert Pool.objects.get().version == 2


def test_a_second_assessor_gets_the_same_share_with_it(together, ben):
    topic = together.topic_set.get(number="1")
    half = make.assignment(topic, ben, "second", share=0.5)
    with_it = set(order_of(half))
    Assignment.objects.counting().delete()
    Likeness.objects.all().delete()
    assert set(order_of(make.assignment(topic, ben, "second", share=0.5))) == with_it


def page_of(campaign, query="") -> str:
    return f"/campaigns/{campaign.slug}/pool/duplicates/{query}"


def test_the_page(client, olga, repeating):
    client.force_login(olga)
    assert "Duplicates have not been looked for" in client.get(page_of(repeating)).text
    sent = client.post(page_of(repeating))
    assert (sent.status_code, sent.url) == (302, page_of(repeating))
    again = client.post(page_of(repeating), follow=True)
    assert "Duplicates are being looked for already." in again.text
    make.worked("find_duplicates", repeating.pk)
    page = client.get(page_of(repeating))
    assert "3 duplicates within topics: 2 exact, 1 near" in page.text
    assert [row.docno for row in page.context["rows"]] == GROUP
    assert page.context["n_without_document"] == 1
    assert not page.context["is_outdated"]
    assert "0.90" in page.text
    one = client.get(page_of(repeating, "?topic=2"))
    assert list(one.context["rows"]) == []
    make.campaign(olga, topics=["elsewhere"])
    for wrong in ("none", "%00", "elsewhere"):
        assert client.get(page_of(repeating, f"?topic={wrong}")).status_code == 404


def test_the_page_tells_that_batches_came_since(client, olga, repeating, pat):
    client.force_login(olga)
    found_in(repeating)
    make.batch(repeating, [make.run(repeating, pat, {"1": "d1"}, tag="late")])
    assert client.get(page_of(repeating)).context["is_outdated"]
    found_in(repeating)
    assert not client.get(page_of(repeating)).context["is_outdated"]
    line = b'{"docno": "another", "text": "A text."}\n'
    make.imported(repeating, "documents", line)
    assert client.get(page_of(repeating)).context["is_outdated"]


def test_topics_whose_duplicates_were_found_can_be_undone(olga, pat):
    campaign = make.campaign(olga, participants={"T": [pat]}, topics=())
    row = make.imported(campaign, "topics", b'{"number": "1", "title": "One"}\n')
    Document.objects.filter(campaign=campaign).update(title="", text="One and the same text.")
    draft = make.batch(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    found_in(campaign)
    assert Likeness.objects.of(campaign).count() == 2
    services.delete_batch(user=olga, batch=draft)
    assert make.undone(row).state == "undone"
