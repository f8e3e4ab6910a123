"""What is said of a document beside its grade: answers to criteria and passages."""

from uuid import uuid4

import pytest

from accounts.access import Invalid, Refused
from agreement.tallies import so_far
from assess.access.answers import Stale
from assess.core.answers import Seen
from assess.core.passages import Quoted
from assess.models.judging import Judgment
from assess.services import handover, reopening
from assess.services.judgment_files import PASSAGES, RATINGS
from campaigns.services.campaign import change_campaign
from cleverdon.agreement.measured import in_order
from collection.models.texts import Document, DocumentVersion
from practice.services import serve_practice
from tests import make
from tests.asked import beside_grades, criterion
from tests.db.judging import answer, downloaded, undo
from tests.db.races import overtaken
from tests.several import twice_judged

# One has the name of a lookup.
CREDIBILITY = criterion(
    "credibility", "How credible is it?", ("not credible", "credible"), from_grade=1
)
CONTAINS = criterion("contains", "How easily can it be read?", ("hard", "easy"))
STYLE = criterion("style", "Is it well written?", ("no", "yes"))
BOTH = {"credibility": 1, "contains": 0}
CAT = Quoted(0, "A cat")


@pytest.fixture
def asked(primary):
    """Ada's assignment, in a campaign that asks two criteria and takes evidence."""
    campaign = primary.topic.campaign
    campaign.criteria = beside_grades(CREDIBILITY, CONTAINS)
    campaign.takes_evidence = True
    campaign.save()
    Document.objects.update(text="A cat.\n\nA dog.")
    return primary


def say(assignment, grade=2, docno="d1", state="judged", *, ratings=None, passages=None, **seen):
    given = {"grade": grade if state == "judged" else None, "ratings": ratings}
    return answer(assignment, docno, state, **given, passages=passages, seen=Seen(**seen))


def test_ratings_and_passages_are_in_judgment_and_event(asked):
    judgment = say(asked, ratings=BOTH, passages=(CAT, Quoted(5, "A dog.")))
    event = judgment.events.get()
    assert judgment.ratings == event.ratings == BOTH
    marked = [[0, 5, 0, "A cat"], [8, 14, 5, "A dog."]]
    assert judgment.passages == event.passages == marked
    reopening.reopen(user=asked.created_by, assignment=asked)
    reopened = judgment.events.last()
    assert (reopened.ratings, reopened.passages) == (BOTH, marked)


@pytest.mark.parametrize(
    ("grade", "ratings", "message"),
    [
        (1, {}, "With grade 1 it also needs an answer to credibility and contains."),
        (1, None, "needs an answer to credibility and contains"),
        (0, {}, "With grade 0 it also needs an answer to contains."),
        (2, {**BOTH, "style": 1}, "style is not a criterion of this campaign."),
        (
            2,
            {**BOTH, "credibility": 2},
            "2 is not an answer to credibility, whose answers are 0 not credible, 1 credible.",
        ),
    ],
)
def test_a_grade_without_all_answers_or_with_others_is_refused(asked, grade, ratings, message):
    with pytest.raises(Invalid, match=message) as refused:
        say(asked, grade, ratings=ratings)
    assert refused.value.field == "ratings"
    assert not Judgment.objects.exists()


def test_an_answer_sent_again_is_one_with_the_same_beside_its_grade(asked):
    client_id, (fluent, hard) = uuid4(), ({**BOTH, "contains": 1}, BOTH)
    for _ in range(2):
        answer(asked, "d1", grade=2, ratings=hard, passages=(CAT,), client_id=client_id)
    answer(asked, "d1", grade=2, client_id=client_id)
    for beside in ({"ratings": fluent}, {"passages": ()}, {"passages": (Quoted(5, "A dog."),)}):
        with pytest.raises(Refused, match="has already recorded another answer"):
            answer(asked, "d1", grade=2, **{"ratings": hard, **beside}, client_id=client_id)
    assert Judgment.objects.get().ratings == hard


def test_a_document_can_be_put_off_without_answers_and_keeps_those_it_has(asked):
    say(asked, state="later")
    marked = [[0, 5, 0, "A cat"]]
    say(asked, ratings=BOTH, passages=(CAT,))
    later, again = say(asked, state="later"), say(asked, 1)
    undone = undo(assessor=asked.assessor, assignment=asked)  # for the page to show
    for each in (later, again, undone):
        assert (each.ratings, each.passages) == (BOTH, marked)
    assert downloaded(RATINGS, asked.topic.campaign, asked.created_by) == []
    assert downloaded(PASSAGES, asked.topic.campaign, asked.created_by) == []
    assert say(asked, ratings=BOTH, passages=()).passages == []
    assert say(asked, ratings={"contains": 1}).ratings == {**BOTH, "contains": 1}
    assert say(asked, 0, ratings=BOTH).ratings == {"contains": 0}, "the other is not asked at 0"


def test_passages_of_an_earlier_text_stay_in_its_event(asked):
    first = say(asked, ratings=BOTH, passages=(CAT,), document_version=1)
    Document.objects.update(text="A bird.", version=2)
    with pytest.raises(Invalid, match="A passage is not in the text"):
        say(asked, ratings=BOTH, passages=(CAT,), document_version=2)
    now = say(asked, 1, document_version=2, topic_version=1)
    assert now.passages == []
    assert [event.passages for event in first.events.all()] == [[[0, 5, 0, "A cat"]], []]


def test_a_campaign_without_evidence_takes_none(asked):
    asked.topic.campaign.takes_evidence = False
    asked.topic.campaign.save()
    with pytest.raises(Invalid, match="takes no passages as evidence"):
        say(asked, ratings=BOTH, passages=(CAT,))
    assert say(asked, ratings=BOTH, passages=()).passages == []


def test_the_next_assessor_does_not_inherit_what_the_one_before_said(asked, olga, ben):
    say(asked, ratings=BOTH, passages=(CAT,))
    handed = handover.hand_over(user=olga, assignment=asked, assessor=ben)
    with pytest.raises(Invalid, match="needs an answer to"):
        say(handed)
    theirs = say(handed, ratings={**BOTH, "credibility": 0})
    assert theirs.passages == []
    assert theirs.replaces.ratings == BOTH
    undo(assessor=ben, assignment=handed)
    assert Judgment.objects.current().get(item__key="d1").ratings == BOTH


# The settings


def test_what_was_said_of_a_criterion_that_has_gone_is_in_nobodys_way(asked):
    say(asked, state="later", ratings=BOTH)
    changed(asked, STYLE)
    assert say(asked, ratings={"style": 1}).ratings == {"style": 1}
    changed(asked, {**STYLE, "is_retired": True})
    assert say(asked).ratings == {}


def changed(asked, *further) -> None:
    campaign, changes = asked.topic.campaign, {"criteria": beside_grades(*further)}
    change_campaign(user=asked.created_by, campaign=campaign, changes=changes)
    campaign.refresh_from_db()
    asked.topic.refresh_from_db()


def test_a_page_from_before_the_criteria_or_the_scale_changed_is_stale(asked):
    digest = asked.topic.campaign.asked_version
    assert say(asked, ratings=BOTH, scale=digest)
    changed(asked, CREDIBILITY, CONTAINS, STYLE)
    sent, campaign = {"ratings": {**BOTH, "style": 1}, "docno": "d2"}, asked.topic.campaign
    with pytest.raises(Stale, match="scale of grades or the criteria were changed"):
        say(asked, **sent, scale=digest)
    digest = campaign.asked_version
    campaign.criteria[0]["answers"][0]["label"] = "perfect"
    campaign.save()
    with pytest.raises(Stale, match="scale of grades or the criteria were changed"):
        say(asked, **sent, scale=digest)


def test_once_documents_are_judged_criteria_keep_their_answers(asked):
    fewer = {**CONTAINS, "question": "How easily?"}
    changed(asked, fewer)
    changed(asked, CREDIBILITY, CONTAINS)
    say(asked, ratings=BOTH)
    keep = "the answers of contains keep their values and labels: 0 hard, 1 easy"
    simple, more = (
        criterion("contains", "", labels) for labels in (("hard", "simple"), ("hard", "easy", "?"))
    )
    about_claims = {**CREDIBILITY, "kind": "claim"}
    for given, message in (
        ([fewer], "the criterion credibility stays: say that it is no longer asked"),
        ([CREDIBILITY, simple], keep),
        ([CREDIBILITY, more], keep),
        ([about_claims, CONTAINS], "credibility stays a criterion about document"),
    ):
        with pytest.raises(Refused, match=message):
            changed(asked, *given)


def test_a_criterion_can_be_corrected_and_dropped_until_it_is_answered(asked):
    say(asked, ratings=BOTH)
    misspelled = {**STYLE, "name": "stile"}
    for further in ([misspelled], [STYLE], [{**STYLE, **criterion("style", "", ("a", "b", "c"))}]):
        changed(asked, CREDIBILITY, CONTAINS, *further)
    changed(asked, CREDIBILITY, CONTAINS)
    changed(asked, CREDIBILITY, CONTAINS, STYLE)
    say(asked, 2, "d2", ratings={**BOTH, "style": 1})
    changed(asked, CREDIBILITY, CONTAINS, {**STYLE, "from_grade": 2})
    assert "style" not in say(asked, 1, "d2", ratings=BOTH).ratings
    with pytest.raises(Refused, match="the criterion style stays"):
        changed(asked, CREDIBILITY, CONTAINS)  # what was said of it is in the events


def test_answers_in_practice_fix_a_criterion_too(asked, ada):
    say(asked, ratings=BOTH)
    changed(asked, CREDIBILITY, CONTAINS, STYLE)
    make.practice(asked.topic.campaign, "d1 0")
    practice = serve_practice(user=ada, campaign=asked.topic.campaign)
    say(practice, ratings={**BOTH, "style": 1})
    with pytest.raises(Refused, match="the criterion style stays"):
        changed(asked, CREDIBILITY, CONTAINS)


@pytest.mark.django_db(transaction=True)
def test_the_first_answer_to_a_criterion_and_a_change_of_it_exclude_each_other(asked):
    say(asked, ratings=BOTH)
    changed(asked, CREDIBILITY, CONTAINS, STYLE)

    def drop() -> None:
        changed(asked, CREDIBILITY, CONTAINS)

    def answered() -> Judgment:
        return say(asked, docno="d2", ratings={**BOTH, "style": 1})

    assert "style is not a criterion" in str(overtaken(drop, answered))
    changed(asked, CREDIBILITY, CONTAINS, STYLE)
    assert "the criterion style stays" in str(overtaken(answered, drop))


def test_once_documents_are_judged_the_same_criterion_gives_the_grade(asked, olga):
    say(asked, ratings=BOTH)
    campaign = asked.topic.campaign
    relevance, *others = campaign.criteria
    first = {**relevance, "name": "use"}
    with pytest.raises(Refused, match="relevance stays the first criterion about document"):
        change_campaign(
            user=olga, campaign=campaign, changes={"criteria": [first, relevance, *others]}
        )


def test_criteria_can_be_reworded_added_and_asked_no_more(asked):
    say(asked, ratings=BOTH)
    reworded = {**CREDIBILITY, "question": "Do you believe it?", "is_retired": True}
    changed(asked, reworded, CONTAINS, STYLE)
    with pytest.raises(Invalid, match=r"needs an answer to contains and style\."):
        say(asked, docno="d2", ratings={})
    both = {"contains": 1, "style": 1}
    assert say(asked, docno="d2", ratings=both).ratings == both
    lines = downloaded(RATINGS, asked.topic.campaign, asked.created_by)
    given = [(line["docno"], line["criterion"], line["value"], line["label"]) for line in lines]
    assert given == [
        ("d1", "credibility", "1", "credible"),
        ("d1", "contains", "0", "hard"),
        ("d2", "contains", "1", "easy"),
        ("d2", "style", "1", "yes"),
    ]


def test_the_file_of_passages_leads_to_the_text(asked):
    say(asked, ratings=BOTH, passages=(Quoted(5, "A dog"),))
    make.imported(
        asked.topic.campaign, "documents", b"d1\tNew title\tNew text", takes_versions=True
    )
    [line] = downloaded(PASSAGES, asked.topic.campaign, asked.created_by)
    earlier = DocumentVersion.objects.get(document__docno="d1")
    assert earlier.text[int(line["start"]) : int(line["end"])] == line["text"] == "A dog"
    assert (line["document_version"], line["document_sha256"]) == ("1", earlier.sha256)


def test_agreement_is_measured_on_each_criterion(asked, ben, django_assert_num_queries):
    second = make.assignment(asked.topic, ben, "second")
    for docno, mine, theirs in (("d1", 1, 1), ("d2", 0, 1), ("d3", 0, 0)):
        say(asked, docno=docno, ratings={"credibility": mine, "contains": 0})
        say(second, docno=docno, ratings={"credibility": theirs, "contains": 0})
    say(asked, 0, "d4", ratings={"contains": 1})
    say(second, 1, "d4", ratings={"credibility": 1, "contains": 1})
    campaign = asked.topic.campaign
    with django_assert_num_queries(5):
        found = so_far(campaign).by_criterion
    credibility = twice_judged(campaign, "credibility")
    answers = [(docno, mine, theirs) for _, docno, _, mine, _, theirs in credibility]
    assert answers == [("d1", 1, 1), ("d2", 0, 1), ("d3", 0, 0)]
    assert [row[1] for row in twice_judged(campaign)] == ["d1", "d2", "d3", "d4"]
    assert [its.n_items for its in found.values()] == [4, 3, 4]
    assert in_order(found["credibility"]).tolist() == [[1, 1], [0, 1]]
