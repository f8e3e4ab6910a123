"""The organizer's pages of assigning: the plan, the list, and what can be done with each."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from pooling.services import request_duplicates
from runs.models import Run
from tests import make
from tests.db.judging import official
from tests.web.heads import HEAD, press_each
from tests.web.html import at
from tests.web.judging import text


@pytest.fixture
def organizer(client, olga, played):
    client.force_login(olga)
    return client


@pytest.fixture
def adas(played):
    return Assignment.objects.get(assessor__username="ada")


def post(client, played, assignment, act, **data):
    return client.post(at(played, "desk:assignment", assignment.pk), {"act": act, **data})


def test_a_plan_is_shown_before_anything_is_assigned(organizer, played):
    there = at(played, "assess:distribute")
    page = organizer.get(there, {"second_percent": 50})
    assert "Not assigned yet: 2 assignments would be made" in text(page)
    assert Assignment.objects.count() == 2
    assert press_each(organizer, f"{there}?second_percent=50") == {"plan", "assigned"}
    refused = organizer.post(f"{there}?second_percent=50", {"second_percent": 50, "seen": "none"})
    assert "The plan changed" in text(refused, 422)
    assert not HEAD.search(refused.text), "where no page may be"
    sent = {"second_percent": 50, "seen": page.context["plan"].version}
    assert organizer.post(there, sent).status_code == 302
    waiting = organizer.get(there)
    assert "A worker assigns the topics as shown." in text(waiting)
    assert "Assign topics" in text(waiting)
    assert "A worker is assigning the topics." in text(waiting)
    assert "Assign as shown" not in text(waiting)
    assert "Topics are being assigned at this moment" in text(organizer.post(there, sent), 422)
    make.worked("assign_topics", waiting.context["job"].subject_id)
    assert Assignment.objects.count() == 4
    assert "2 assignments made." in text(organizer.get(there))
    assert "The plan changed while you had the page open" in text(organizer.post(there, sent), 422)


def test_a_topic_is_assigned_and_the_answer_says_as_what(organizer, played, ada, sam):
    played.membership_set.create(user=sam, role="assessor")
    for number, kind, person, said in (
        ("2", "primary", sam, "Topic 2 is assigned to Sam as primary assessor."),
        ("1", "second", sam, "Topic 1 is assigned to Sam as second assessor."),
        ("1", "second", ada, "Ada already judges topic 1."),
    ):
        topic = played.topic_set.get(number=number)
        sent = {"topic": topic.pk, "assessor": person.pk, "kind": kind, "share": 40}
        page = text(organizer.post(at(played, "assess:assign"), sent, follow=True))
        assert said in page
    assert 'value="40"' in page


def test_organizers_read_that_nobody_can_judge_now(organizer, played):
    """Where judging is shown, and where topics are assigned."""
    day, now = timedelta(days=1), timezone.now()
    cases = {
        "": (now - day, now + day),
        "Judging opens on ": (now + day, None),
        "Judging closed on ": (None, now - day),
    }
    for said, (opens_at, closes_at) in cases.items():
        Campaign.objects.update(judging_opens_at=opens_at, judging_closes_at=closes_at)
        for name in ("desk:judging", "assess:distribute"):
            page = text(organizer.get(at(played, name)))
            waits = "What is assigned" in page
            assert (waits, said in page) == (bool(said), True), name
            assert page.count("Judging closed on ") == ("closed" in said)
    Campaign.objects.update(archived_at=now)
    assert "What is assigned" not in text(organizer.get(at(played, "desk:judging")))


def test_limits_are_saved_and_shown(organizer, played, ada):
    name, limits = f"limit_{ada.pk}", at(played, "assess:limits")
    assert organizer.post(limits, {name: "7"}).status_code == 302
    assert organizer.post(limits, {name: "-1"}).status_code == 422
    page = organizer.get(at(played, "assess:distribute"))
    assert dict(page.context["limits_form"].fields)[name].initial == 7
    assert page.context["form"]["second_percent"].value() == 25


def test_a_topic_is_handed_over_and_its_judgments_are_marked(organizer, played, adas, ben, sam):
    played.membership_set.create(user=sam, role="assessor")
    holder = adas.holder
    done = post(organizer, played, adas, "hand_over", assessor=sam.pk, seen=holder)
    assert done.status_code == 302
    page = text(organizer.get(at(played, "desk:assignment", adas.pk)))
    assert 'Ada <span class="mark">before</span>' in page
    stale = post(organizer, played, adas, "hand_over", assessor=ben.pk, seen=holder)
    assert "now with Sam, changed while you had the page open" in text(stale, 422)


def test_only_who_can_take_a_topic_is_offered(organizer, played, adas, ben, sam, pat):
    there = at(played, "desk:assignment", adas.pk)

    def offered() -> list[str]:
        options = re.findall(r"<option value=\"\d+\"([^>]*)>([^<]*)<", text(organizer.get(there)))
        return [f"{label}{state}" for state, label in options]

    ada = "Ada (ada): has it now disabled"
    ben = "Ben (ben): already judges topic 1 disabled"
    assert offered() == [ada, ben]
    assert "Nobody else can take it" in text(organizer.get(there))
    for person in (sam, pat):
        played.membership_set.create(user=person, role="assessor")
    played.membership_set.filter(user=sam).update(max_documents=2)
    conflict = "Pat (pat): is of a team with a run in the pool"
    limited = "Sam (sam): would have more than their limit of 2"
    assert offered() == [ada, ben, conflict, limited]
    assert "Nobody else can take it" not in text(organizer.get(there))
    type(played).objects.update(refuses_conflicts=True)
    conflict = (
        "Pat (pat): cannot judge: their team has a run in the pool, which the settings rule out "
        "disabled"
    )
    assert offered() == [ada, ben, conflict, limited]
    post(organizer, played, adas, "take_back", seen=adas.holder)
    Assignment.objects.filter(assessor__username="ben").update(assessor=sam)
    assert offered()[:2] == [
        "Ada (ada)",
        "Ben (ben): has judged documents of topic 1 already, in its second assignment disabled",
    ]


def test_a_topic_taken_back_waits_in_the_list(organizer, played, adas, client, ada):
    post(organizer, played, adas, "take_back", seen=adas.holder)
    page = text(organizer.get(at(played, "desk:judging"), {"progress": "taken back"}))
    assert "last Ada" in page
    assert "1 of 2 assignments" in page
    assert "2 topics have no assessor" in page
    assert "Assign the topics to assessors" in text(organizer.get(f"/campaigns/{played.slug}/"))
    client.force_login(ada)
    assert "You have no topic now." in text(client.get(at(played, "desk:judging")))


def test_judgments_are_set_aside_shown_and_brought_back(organizer, played, adas):
    post(organizer, played, adas, "reset", seen=adas.n_changes)
    there = at(played, "desk:assignment", adas.pk)
    page = organizer.get(there)
    assert "kept, and counting nowhere" in text(page)
    [(aside_at, n)] = page.context["groups"]
    assert (n, official(played)) == (2, {})
    make.judgment(adas, "d1", 1)
    back = {"set_aside_at": aside_at.isoformat()}
    assert post(organizer, played, adas, "restore", **back).status_code == 302
    assert "1 of 2 judgments brought back: 1 judged again since" in text(organizer.get(there))
    assert len(official(played)) == 2


def test_a_grade_is_reopened_and_its_history_shows_by_whom(organizer, played, adas):
    only = "A grade that you reopen stops counting at once; the only way back is to judge"
    assert only in text(organizer.get(at(played, "desk:assignment", adas.pk)))
    post(organizer, played, adas, "reopen", docno="d1")
    page = text(organizer.get(at(played, "desk:assignment", adas.pk), {"docno": "d1"}))
    assert "Everything that was done to d1" in page
    assert "judged 2" in page
    assert "<td>Olga</td>" in page
    lists = organizer.get(at(played, "desk:judging"))
    [total] = [each.total for each in lists.context["people"] if each.user == adas.assessor]
    counts = {"n_put_off": 0, "n_reopened": 1}
    assert {name: total[name] for name in counts} == counts
    [listed] = [each for each in lists.context["assignments"] if each == adas]
    assert {name: getattr(listed, name) for name in counts} == counts
    assert text(lists).count(">Reopened</a>") == 2
    organizer.force_login(adas.assessor)
    for there in (at(played, "desk:judging"), at(played, "desk:judge_page", adas.pk)):
        page = text(organizer.get(there))
        assert "1 reopened" in page
        assert "1 later" not in page
    organizer.force_login(played.membership_set.get(role="organizer").user)
    again = post(organizer, played, adas, "reopen", docno="d1")
    assert "Document d1 has no judgment to reopen for topic 1." in text(again)


def test_judgments_on_an_earlier_text_or_topic_are_marked_and_found(organizer, played, adas):
    there = at(played, "desk:assignment", adas.pk)
    marks = (">an earlier text<", ">an earlier topic statement<", ">imported since<")

    def found() -> tuple:
        page = organizer.get(there, {"state": "earlier"})
        docnos = [entry.docno for entry in page.context["entries"]]
        return *(text(page).count(mark) for mark in marks), sorted(docnos)

    assert found() == (0, 0, 0, [])
    played.document_set.filter(docno="d1").update(version=2)
    missing = {"document_version": 0, "state": "cannot_judge", "reason": "missing", "answers": {}}
    adas.judgments.filter(item__key="d2").update(**missing)
    assert found() == (1, 0, 1, ["d1", "d2"])
    adas.judgments.update(document_version=1)
    played.document_set.update(version=1)
    played.topic_set.update(version=2)
    assert found() == (0, 2, 0, ["d1", "d2"])


def test_the_list_is_searched(organizer, played, adas):
    for words, n in (("ada", 1), ("1", 2), ("topic ben", 1), ("nobody", 0), ("\x00", 0)):
        page = organizer.get(at(played, "desk:judging"), {"q": words})
        assert page.context["assignments"].paginator.count == n, words
    for act in ("nonsense", "reset"):
        assert post(organizer, played, adas, act).status_code == 422


# Who is offered for one topic


def offered(response) -> dict[str, str]:
    """Why each assessor cannot be chosen; "" for who can."""
    [select] = re.findall(r'<select[^>]* name="assessor".*?</select>', text(response), re.DOTALL)
    options = re.findall(
        r'<option value="\d+"( disabled)?[^>]*>\s*(\w+) \(\w+\)(?:: )?(.*?)</option>',
        select,
        re.DOTALL,
    )
    return {name: why if disabled else "" for disabled, name, why in options}


ENGAGED = {"Ada": "already judges topic 1", "Ben": "already judges topic 1"}
TAKEN = "topic 1 has a primary assessor already"
OFFERED = (
    ({}, {"Ada": "", "Ben": ""}),
    ({"topic": "1", "kind": "second"}, ENGAGED),
    ({"topic": "1", "kind": "primary"}, dict.fromkeys(ENGAGED, TAKEN)),
    ({"topic": "2", "kind": "primary"}, {"Ada": "", "Ben": ""}),
    ({"topic": "x"}, {"Ada": "", "Ben": ""}),
)


@pytest.mark.parametrize("is_sent", [False, True], ids=["chosen", "sent"])
def test_who_cannot_take_a_topic_is_offered_disabled_with_the_reason(organizer, played, is_sent):
    """While the topic is being chosen, and on the page of a refused form: it lacks the assessor."""
    numbers = dict(played.topic_set.values_list("number", "pk"))
    for chosen, expected in OFFERED:
        sent = dict(chosen)
        if "topic" in sent:
            sent["topic"] = numbers.get(sent["topic"], sent["topic"])
        if is_sent:
            response = organizer.post(at(played, "assess:assign"), sent)
        else:
            response = organizer.get(at(played, "assess:distribute"), sent)
        assert response.status_code == (422 if is_sent else 200)
        assert offered(response) == expected, chosen


def test_who_is_removed_while_the_plan_is_made_is_not_on_it(organizer, played, ada):
    theirs = played.membership_set.filter(user=ada)

    def overtaken(execute, sql, *arguments):
        """They leave right after the query that finds the assessors with their limits."""
        found = execute(sql, *arguments)
        if '"campaigns_membership"."max_documents"' in sql and theirs.exists():
            theirs.delete()
        return found

    with connection.execute_wrapper(overtaken):
        page = organizer.get(at(played, "assess:distribute"), {"second_percent": 50})
    assert page.status_code == 200
    assert not theirs.exists()
    assert ada not in [user for user, *_ in page.context["people"]]


def test_that_duplicates_were_not_looked_for_is_said_where_they_are_to_stand_together(
    organizer, played
):
    there, said = at(played, "assess:distribute"), "Duplicates have not been looked for"
    assert said not in text(organizer.get(there))
    played.serves_duplicates_together = True
    played.save()
    assert said in text(organizer.get(there))
    request_duplicates(user=make.organizer_of(played), campaign=played)
    assert said in text(organizer.get(there))
    make.worked("find_duplicates", played.pk)
    assert said not in text(organizer.get(there))
    make.batch(played, list(Run.objects.filter(campaign=played)))
    assert "Documents have come since" in text(organizer.get(there))
