"""Answers that the judging page sends behind the scenes, and what it is told of documents."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.stale import NO_RECORD
from assess.core.answers import Answer
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services.judging import judge
from assess.web.judging_forms import MOST_BYTES, NO_ACT
from assess.web.own import GONE
from tests.api.addresses import judging, kind
from tests.web.judging import address, closed

# User; lock, entry; judgment, event, entry and counts. The session is in the cache.
QUERIES_PER_ACT = 5


def act(docno: str, choice: str = "1", **more) -> dict:
    return {"client_id": str(uuid4()), "docno": docno, "choice": choice, **more}


def send(client, assignment, *acts, **headers):
    return client.post(judging(assignment), [*acts], "application/json", headers=headers)


def refusals(answer) -> list[str]:
    return [result["refused"] for result in answer.json()["results"]]


def said() -> list:
    return list(JudgmentEvent.objects.values_list("judgment__item__key", "to_state", "to_grade"))


def queries(client, assignment, *acts) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        answer = send(client, assignment, *acts)
    assert refusals(answer) == [""] * len(acts)
    # The session comes from the cache (tests/db/test_sessions.py), or where that has lost it, from
    # its row.
    return [
        query["sql"]
        for query in captured
        if not re.search("SAVEPOINT|django_session", query["sql"])
    ]


def test_acts_cost_so_many_queries_one_or_several_at_once(client, assignment):
    first, second, third = (each.docno for each in assignment.entries.order_by("position"))
    send(client, assignment, act(first))  # the first of all fixes the scale
    for sent in ([act(second), act(third)], [act(second, "2")], [act(second, "undo", change=4)]):
        assert len(queries(client, assignment, *sent)) == QUERIES_PER_ACT


def test_a_batch_is_recorded_in_its_order_and_each_act_once(client, assignment):
    first, second = act("d1", "2", comment="why"), act("d2", "later")
    undo = act("d1", "undo", after=first["client_id"])
    again = act("d1", "3", after=undo["client_id"])
    for _ in range(2):
        answer = send(client, assignment, first, second, undo, again, first)
        assert refusals(answer) == [""] * 5
    assert said() == [
        ("d1", "judged", 2),
        ("d2", "later", None),
        ("d1", "reopened", None),
        ("d1", "judged", 3),
    ]
    now = answer.json()["results"][0]["now"]
    assert (now["state"], now["grade"], now["comment"], now["change"]) == ("judged", 3, "why", 4)
    assignment.refresh_from_db()
    assert (assignment.n_judged, assignment.n_later, assignment.n_changes) == (1, 1, 4)


USED = "This client_id has already recorded another answer: make a new one for each answer."


@pytest.mark.parametrize("is_at_once", [True, False])
def test_an_id_that_is_used_records_nothing_else(client, assignment, is_at_once):
    first = act("d1", "2", comment="why")
    others = [
        {**first, **beside}
        for beside in (
            {"docno": "d2"},
            {"choice": "0"},
            {"choice": "later"},
            {"choice": "undo"},
            {"comment": "because"},
            {"comment": ""},
            {"passages": [[0, "Text"]]},
        )
    ]
    repeats = [first, {**first, "ago_ms": 5, "ratings": {}, "passages": []}]
    batches = [[first, *others, *repeats]] if is_at_once else [[first], others, repeats]
    found = [each for batch in batches for each in refusals(send(client, assignment, *batch))]
    assert found == ["", *[USED] * len(others), "", ""]
    assert said() == [("d1", "judged", 2)]


def test_an_act_sent_again_is_recorded_whatever_came_after(client, campaign, assignment):
    first, impossible = act("d1", "2", comment="why"), act("d2", "cannot_judge", reason="missing")
    undo = act("d1", "undo", after=first["client_id"])
    later = [act("d1", "3", comment="on second thought"), act("d2", "1")]
    sent = [first, impossible, undo, *later]
    assert refusals(send(client, assignment, *sent)) == [""] * 5
    campaign.document_set.update(version=2, text="Other words.")
    assert refusals(send(client, assignment, *sent)) == [""] * 5
    other_reason = {**impossible, "reason": "unreadable"}
    assert refusals(send(client, assignment, other_reason)) == [USED]
    assert JudgmentEvent.objects.count() == 5


def test_a_comment_that_only_repeated_what_was_shown_is_no_other_one(client, assignment):
    send(client, assignment, act("d1", "2", comment="why", change=0))
    second = act("d1", "2", comment="because", change=1)
    send(client, assignment, second)
    assert refusals(send(client, assignment, {**second, "comment": "why"})) == [USED]
    stale = act("d1", "2", comment="why", change=1)
    for _ in range(2):
        assert refusals(send(client, assignment, stale)) == [""]
    assert refusals(send(client, assignment, {**stale, "comment": "so"})) == [USED]
    assert Judgment.objects.get().comment == "because"


def test_what_is_replayed_hours_later_was_done_when_it_was_pressed(client, assignment):
    given_at = timezone.now() - timedelta(hours=5)
    Assignment.objects.update(given_at=given_at)
    hour = 3_600_000
    send(
        client,
        assignment,
        act("d1", ago_ms=2 * hour, viewed_ms=90_000, active_ms=80_000, away_ms=10_000),
        act("d2", ago_ms=hour, viewed_ms=0),
        act("d3", ago_ms=100 * hour, viewed_ms=hour),
        act("d1", "2", ago_ms=-hour, viewed_ms=10**30),
        act("d2", "2"),
    )
    first, second, early, ahead, plain = JudgmentEvent.objects.order_by("pk")
    assert first.at - first.pressed_at == timedelta(hours=2)
    assert first.pressed_at - first.first_viewed_at == timedelta(seconds=90)
    assert (first.active_ms, first.away_ms) == (80_000, 10_000)
    assert second.at - second.pressed_at == timedelta(hours=1)
    assert second.first_viewed_at == second.pressed_at
    assert early.pressed_at == early.first_viewed_at == given_at
    assert ahead.pressed_at == ahead.at
    assert ahead.first_viewed_at == given_at
    assert (plain.pressed_at, plain.first_viewed_at) == (plain.at, None)


def test_what_hung_on_its_way_was_done_before_it_was_sent(client, assignment):
    Assignment.objects.update(given_at=timezone.now() - timedelta(hours=5))
    page = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}"
    clock = int(client.get(f"{page}/queue/").headers["Judging-Clock"])
    assert abs(clock / 1000 - timezone.now().timestamp()) < 60
    for sent, docno in ((clock - 30_000, "d1"), (clock + 90_000, "d2"), (5, "d3"), ("x", "d1")):
        answer = send(client, assignment, act(docno, ago_ms=1000), judging_sent=str(sent))
        assert "Judging-Clock" in answer.headers
    late = [each.at - each.pressed_at for each in JudgmentEvent.objects.order_by("pk")]
    assert timedelta(seconds=31) <= late[0] < timedelta(seconds=91)
    assert late[1:] == [timedelta(seconds=1), timedelta(seconds=601), timedelta(seconds=1)]


def test_one_that_is_refused_stops_none_of_the_others(client, assignment):
    wrong = {
        "a grade that there is not": (act("d1", "9"), "9 is not a grade of this campaign's scale."),
        "another's document": (act("d9"), "d9 is not a document you were given"),
        "no such choice": (act("d1", "nonsense"), "Give a grade, put the document off"),
        "after what was not saved": (
            act("d1", "1", after=str(uuid4())),
            "It follows an answer that was not saved.",
        ),
        "nothing to undo": (act("d1", "undo"), "There is nothing to undo."),
        "no id": ({**act("d1"), "client_id": "x"}, "A client_id is a UUID."),
        "a text": ({**act("d1"), "change": "x"}, "change: Versions are whole numbers."),
        "no id before it": (act("d1", after="zz"), "after: Enter a valid UUID."),
        "no reason": (act("d1", "cannot_judge"), "Say why the document cannot be judged."),
        "no method": (act("d1", method="voice"), "A method is one of key, click, other."),
        "no time": (act("d1", active_ms="-1"), "Times are milliseconds, from 0"),
        "NUL": (act("d1", comment="a\0b"), "comment: Null characters are not allowed."),
    }
    acts = [each for each, _ in wrong.values()]
    answer = send(client, assignment, act("d2"), *acts, act("d3"))
    found = refusals(answer)
    assert (found[0], found[-1]) == ("", "")
    for sentence, (_, expected) in zip(found[1:-1], wrong.values(), strict=True):
        assert sentence.startswith(expected)
    assert said() == [("d2", "judged", 1), ("d3", "judged", 1)]


def test_what_is_no_list_of_acts_is_refused(client, assignment):
    list_of_acts = "Send JSON: a list of at most 100 acts."
    cannot = "The JSON cannot be read. "
    wrong = (
        (" ", 400, cannot),
        ("{", 400, cannot),
        ("[NaN]", 400, cannot),
        ("[" * 100_000, 400, cannot),
        ("{}", 422, list_of_acts),
        ([{}] * 101, 422, list_of_acts),
        (f'["{"x" * MOST_BYTES}"]', 413, "The JSON is longer"),
    )
    for body, status, sentence in wrong:
        answer = client.post(
            judging(assignment), body, "application/json", headers={"HX-Request": "true"}
        )
        assert (answer.status_code, "saved" in answer.json()) == (status, False)
        assert answer.json()["detail"].startswith(sentence)
    answer = client.post(judging(assignment), "[]", "text/plain")
    assert (answer.status_code, kind(answer)) == (415, "unreadable")


def test_what_is_no_object_stops_none_of_the_acts(client, assignment):
    answer = send(client, assignment, act("d1"), "foo", 17, None, [], act("d2"))
    assert refusals(answer) == ["", *[NO_ACT] * 4, ""]
    assert [each["client_id"] for each in answer.json()["results"][1:-1]] == [""] * 4
    assert said() == [("d1", "judged", 1), ("d2", "judged", 1)]


def test_what_would_be_passed_over_is_refused(client, assignment):
    at, sent = judging(assignment), [act("d1")]
    answer = client.post(f"{at}?zzz=1", sent, "application/json")
    assert (answer.status_code, [*answer.json()["fields"]]) == (422, ["zzz"])
    answer = send(client, assignment, *sent, if_match='"1"')
    assert (answer.status_code, answer.json()["detail"]) == (409, NO_RECORD)
    assert not said()
    assert refusals(client.post(f"{at}?format=json", sent, "application/json")) == [""]


def test_the_description_tells_what_is_sent_and_answered(client, campaign, assignment):
    whole = client.get("/api/v1/openapi.json").json()
    operations = [its for path in whole["paths"].values() for its in path.values()]
    [judge] = [each for each in operations if each["operationId"] == "work_judge"]
    [[media_type, body]] = judge["requestBody"]["content"].items()
    assert (media_type, body["schema"]["maxItems"]) == ("application/json", 100)
    assert {"204", "201"}.isdisjoint(judge["responses"])
    schemas = whole["components"]["schemas"]

    def its(schema):
        return schemas[schema["$ref"].rpartition("/")[2]]["properties"]

    assert its(body["schema"]["items"])["after"]["format"] == "uuid"
    told = its(judge["responses"]["200"]["content"]["application/json"]["schema"])
    answer = send(client, assignment, act("d1")).json()
    assert [*told] == [*answer]
    result = its(told["results"]["items"])
    assert [*result] == [*answer["results"][0]]
    now = its(result["now"]["oneOf"][0])
    assert {*now} == {*answer["results"][0]["now"], "known", "named"}


def test_who_may_not_judge_is_told_why_once(client, assignment, ben):
    closed(assignment)
    answer = send(client, assignment, act("d1"), act("d2"))
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("Judging closed on ")
    assert answer.json()["saved"] == []
    client.force_login(ben)
    answers = [send(client, assignment, act("d1"))]
    Assignment.objects.all().delete()
    answers.append(send(client, assignment, act("d1")))
    told = [(each.status_code, each.json()["detail"], each.json()["saved"]) for each in answers]
    assert told == [(404, GONE, [])] * 2
    assert not Judgment.objects.exists()


def test_what_was_saved_before_it_was_too_late_is_told_to_be_saved(client, assignment):
    """The answer to it was lost on its way, and judging closed meanwhile."""
    first, second = act("d1"), act("d2")
    send(client, assignment, first)
    closed(assignment)
    answer = send(client, assignment, first, second).json()
    assert answer["detail"].startswith("Judging closed on ")
    assert answer["saved"] == [first["client_id"]]
    answer = send(client, assignment, {**first, "docno": "d2"}).json()
    assert answer["saved"] == []


# What the page is told


def entries(client, assignment) -> dict[str, dict]:
    listed = client.get(f"{address(assignment)}queue/").json()["entries"]
    return {each["docno"]: each for each in listed}


def test_the_queue_tells_how_each_document_stands(client, campaign, assignment):
    cannot = act("d2", "cannot_judge", reason="missing")
    send(client, assignment, act("d1", "2", comment="why"), cannot)
    send(client, assignment, act("d1", "undo"))
    campaign.document_set.filter(docno="d2").update(version=3)
    campaign.document_set.filter(docno="d3").delete()
    found = entries(client, assignment)
    order = [row.docno for row in assignment.entries.order_by("position")]
    assert list(found) == order
    numbers = [each.pop("number") for each in found.values()]
    assert numbers == [*range(1, len(order) + 1)]
    both = {"grade": None, "judged_version": 1, "judged_topic": 1, "ratings": {}, "passages": []}
    assert found["d1"] == both | {
        "docno": "d1",
        "title": "Title of d1",
        "version": 1,
        "state": "reopened",
        "former": 2,
        "reason": "",
        "comment": "why",
        "change": 3,
    }
    assert found["d2"] == both | {
        "docno": "d2",
        "title": "Title of d2",
        "version": 3,
        "state": "cannot_judge",
        "former": None,
        "reason": "missing",
        "comment": "",
        "change": 2,
    }
    assert found["d3"] == {"docno": "d3", "title": None, "version": 0}


def test_the_queue_tells_nothing_of_what_others_judged(client, assignment, ben):
    send(client, assignment, act("d1", "2", comment="secret"))
    Assignment.objects.update(assessor=ben)
    client.force_login(ben)
    found = entries(client, assignment)["d1"]
    assert found.pop("number") == assignment.entries.get(item__key="d1").number
    known = {"docno": "d1", "title": "Title of d1", "version": 1}
    assert found == {**known, "state": "judged", "change": 1, "by": "Ada"}


def test_a_document_is_kept_by_the_browser_while_its_text_stands(client, campaign, assignment):
    at = f"{address(assignment)}documents/1/"
    docno = assignment.entries.get(position=0).docno
    judge(
        assessor=assignment.assessor,
        assignment=assignment,
        answer=Answer(docno, "later", comment="mine"),
    )
    answer = client.get(f"{at}?version=1")
    assert answer["Cache-Control"] == "private, max-age=604800, immutable"
    assert "Cookie" in answer["Vary"]
    html = answer.text
    assert f"<code>{docno}</code>" in html
    assert "mine" not in html
    assert "later" not in html
    campaign.document_set.filter(docno=docno).update(version=2)
    answer = client.get(f"{at}?version=1")
    assert (answer["Document-Version"], answer["Cache-Control"]) == ("2", "private, no-store")
    campaign.document_set.filter(docno=docno).delete()
    answer = client.get(f"{at}?version=2")
    assert (answer["Document-Version"], answer["Cache-Control"]) == ("0", "private, no-store")
    assert "This document has not been imported." in answer.text
