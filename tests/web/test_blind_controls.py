"""Nothing that assessors get depends on which documents are controls: byte by byte."""

import json
import re
from collections import Counter
from datetime import timedelta
from itertools import product

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.controls import OF_CONTROLS
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services import handover, known_grades
from tests import make
from tests.db.controls import known_lines, say
from tests.db.judging import undo
from tests.db.sharing import of, shared
from tests.worlds import once

DOCNOS = [f"d{n:02}" for n in range(25)]
KNOWN = [f"k{n}" for n in range(6)]
N = 35
UUIDS = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TOKENS = re.compile(
    rb'(csrfmiddlewaretoken" value="|csrf-token" content=|x-csrftoken[^:]*: *")[A-Za-z0-9]+'
)
TOPIC_STATES = ("judged", "later", "cannot_judge", "reopened", "unjudged")


@pytest.fixture
@once
def mixed(olga, ada, ben, pat):
    """Twenty-five documents, five of known grades and five repeats; Ada has answered thirty of them
    in every way, on two days.
    """
    campaign = make.campaign(
        olga,
        assessors=[ada, ben],
        participants={"T": [pat]},
        docnos=[*DOCNOS, *KNOWN],
        known_percent=20,
        repeat_percent=20,
    )
    run = make.run(campaign, pat, {"1": " ".join(DOCNOS)})
    make.frozen_pool(campaign, [run], depth=25)
    known_grades.import_known(user=olga, campaign=campaign, lines=known_lines(KNOWN))
    made = make.assignment(campaign.topic_set.get(number="1"), ben)
    for number in (1, 2, 3):
        say(made, number, grade=3, comment="Ben's")
    handover.hand_over(user=olga, assignment=made, assessor=ada)
    made = Assignment.objects.get(pk=made.pk)
    Assignment.objects.update(given_at=timezone.now() - timedelta(days=3))
    made = Assignment.objects.get(pk=made.pk)
    for number in range(3, 31):
        say(
            made,
            number,
            grade=number % 4,
            comment=f"say {number}" * (number % 5 == 0),
            active_ms=1000 * number,
        )
    undo(assessor=ada, assignment=made)
    for number in (4, 9, 14, 19):
        say(made, number, "later", active_ms=500)
        say(made, number + 1, "cannot_judge", reason="other")
    day = timedelta(days=1)
    JudgmentEvent.objects.filter(change__lt=20).update(pressed_at=F("pressed_at") - day)
    return made


def swap(assignment) -> None:
    """Make other documents the controls: of the two places of a document the other one, and others
    instead of those of known grades.
    """
    entries = list(assignment.all_entries.select_related("judgment").order_by("position"))
    n_places = Counter(entry.docno for entry in entries)
    turned = {"": "repeat", "repeat": ""}
    controls = {entry.pk: turned[entry.control] for entry in entries if n_places[entry.docno] == 2}
    single = [entry for entry in entries if n_places[entry.docno] == 1]
    for entry, before in zip(single, [single[-1], *single[:-1]], strict=True):
        controls[entry.pk] = before.control
    for temporarily in (True, False):
        for entry in entries:
            control = f"t{entry.pk}"[-6:] if temporarily else controls[entry.pk]
            AssignmentEntry.with_controls.filter(pk=entry.pk).update(control=control)
            theirs = Judgment.with_controls.filter(entry=entry)
            theirs.update(control=control)
            if entry.judgment and entry.judgment.replaces_id:
                Judgment.with_controls.filter(pk=entry.judgment.replaces_id).update(control=control)
    count(assignment)


def count(assignment) -> None:
    counted = {
        "n_judged": ["judged"],
        "n_later": ["later", "reopened"],
        "n_cannot_judge": ["cannot_judge"],
    }
    current = assignment.all_judgments.current()
    own, controls = current.filter(control=""), current.exclude(control="")
    numbers = {name: own.filter(state__in=states).count() for name, states in counted.items()}
    numbers |= {
        OF_CONTROLS[name]: controls.filter(state__in=states).count()
        for name, states in counted.items()
    }
    Assignment.objects.filter(pk=assignment.pk).update(**numbers)


def addresses(assignment) -> list[str]:
    campaign = assignment.topic.campaign
    base = f"/campaigns/{campaign.slug}/"
    at = f"{base}judging/{assignment.pk}/"
    lists = [f"{at}documents/?state={state}" for state in ("", *TOPIC_STATES)]
    sorts = [
        f"{at}documents/?entries-sort={sign}{name}"
        for sign, name in product(("", "-"), ("Number", "Docno", "State", "Grade", "Comment"))
    ]
    of_each = [
        f"{at}{path}"
        for n in range(1, N + 1)
        for path in (f"?number={n}", f"documents/{n}/", f"documents/{n}/words/")
    ]
    topic = f"{base}topics/{assignment.topic_id}/"
    return [
        "/",
        base,
        topic,
        f"{base}topics/",
        f"{base}judging/",
        at,
        f"{at}queue/",
        f"{at}questions/",
        f"{at}note/",
        *lists,
        *sorts,
        *of_each,
        f"{at}documents/{N + 1}/",
    ]


def masked(answer) -> tuple[int, str, bytes]:
    body = b"".join(answer) if answer.streaming else answer.content
    body = TOKENS.sub(rb"\1", UUIDS.sub(b"uuid", body))
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    return answer.status_code, str(headers), body


def everything(client, assignment) -> dict[str, tuple]:
    return {each: masked(client.get(each)) for each in addresses(assignment)}


def answers(client, assignment) -> dict[tuple, list]:
    """What Ada is answered to anything that she does with each document, and her pages after it."""
    at = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    entries = assignment.all_entries.select_related("judgment").order_by("position")
    found = {}
    for entry in entries:
        change = entry.judgment.change if entry.judgment else 0
        for does in ("2", "later", "undo", "api", "ask", "other place"):
            one = {
                "client_id": make_id(entry.number),
                "docno": entry.docno,
                "number": entry.number,
                "choice": does,
                "change": change,
            }
            mark = transaction.savepoint()
            if does in {"2", "later", "undo"}:
                answer = client.post(
                    f"{at}acts/", json.dumps([one]), content_type="application/json"
                )
            elif does == "other place":
                one |= {"number": entry.number % N + 1, "choice": "1"}
                answer = client.post(
                    f"{at}acts/", json.dumps([one]), content_type="application/json"
                )
            elif does == "api":
                sent = {
                    "client_id": make_id(1),
                    "docno": entry.docno,
                    "number": entry.number,
                    "state": "judged",
                    "grade": 1,
                }
                answer = client.post(
                    f"/api/assignments/{assignment.pk}/judgments/",
                    json.dumps(sent),
                    content_type="application/json",
                )
            else:
                answer = client.post(
                    f"{at}questions/",
                    {"client_id": make_id(1), "text": "Why?", "about": entry.docno},
                )
            after = [masked(client.get(f"{at}queue/"))] if does in {"2", "undo"} else []
            found[entry.number, does] = [masked(answer), *after]
            client.cookies.pop("messages", None)
            transaction.savepoint_rollback(mark)
    return found


def make_id(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def frozen(monkeypatch) -> None:
    """Time stands still, so that pages made one after the other can be compared."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def differing(before: dict, after: dict) -> list:
    return [each for each in before if before[each] != after[each]]


def test_every_page_is_the_same_whichever_documents_are_controls(client, mixed, ada, monkeypatch):
    frozen(monkeypatch)
    client.force_login(ada)
    before = everything(client, mixed)
    assert {status for status, _, _ in before.values()} == {200, 404}
    controls = set(mixed.all_entries.exclude(control="").values_list("pk", flat=True))
    swap(mixed)
    others = set(mixed.all_entries.exclude(control="").values_list("pk", flat=True))
    assert len(controls) == len(others) == 10
    assert len(controls & others) < 5
    assert differing(before, everything(client, mixed)) == []


def test_every_answer_is_the_same_whichever_documents_are_controls(client, mixed, ada, monkeypatch):
    frozen(monkeypatch)
    client.force_login(ada)
    before = answers(client, mixed)
    assert {each[0][0] for each in before.values()} >= {200, 302}
    swap(mixed)
    assert differing(before, answers(client, mixed)) == []


def test_the_counts_of_all_documents_are_on_the_pages(client, mixed, ada):
    client.force_login(ada)
    campaign = mixed.topic.campaign
    at = f"/campaigns/{campaign.slug}/judging/{mixed.pk}/"
    assert f"of {N}" in client.get(f"{at}?number=1").content.decode()
    shown = mixed.as_served()
    listed = " ".join(client.get(f"{at}documents/").content.decode().split())
    mixed.refresh_from_db()
    shown = mixed.as_served()
    assert f"<b>{shown.n_judged} of {N}</b> documents judged" in listed
    inbox = " ".join(client.get(f"/campaigns/{campaign.slug}/judging/").content.decode().split())
    assert f"<b>{shown.n_judged} of {N}</b> documents judged" in inbox
    home = client.get("/").content.decode()
    n_open = N - shown.n_judged - shown.n_cannot_judge
    assert f"{n_open} documents are waiting for your judgment." in home


def test_no_list_names_a_document_before_it_is_judged(client, mixed, ada):
    """A repeat still to come would stand there beside the same name."""
    client.force_login(ada)
    at = f"/campaigns/{mixed.topic.campaign.slug}/judging/{mixed.pk}/"
    rows = client.get(f"{at}queue/").json()["entries"]
    entries = mixed.all_entries.select_related("judgment").order_by("position")
    for row, entry in zip(rows, entries, strict=True):
        named = {"docno": entry.docno, "title": f"Title of {entry.docno}"}
        told = {name: row[name] for name in named if name in row}
        assert told == (named if entry.judgment else {})
    listed = client.get(f"{at}documents/?state=unjudged").content.decode()
    for entry in entries:
        if entry.judgment is None:
            assert f"document {entry.number}</a>" in listed
            assert f"<code>{entry.docno}</code>" not in listed
    both = [entry.docno for entry in entries if entry.judgment]
    assert max(Counter(both).values()) == 2, "once both are judged it stands there twice"


def test_a_repeat_comes_as_if_new_and_the_earlier_judgment_stays_where_it_was(client, mixed, ada):
    client.force_login(ada)
    at = f"/campaigns/{mixed.topic.campaign.slug}/judging/{mixed.pk}/"
    again = mixed.all_entries.filter(control="repeat", judgment=None).first()
    if again is None:
        again = mixed.all_entries.filter(control="repeat").last()
        AssignmentEntry.with_controls.filter(pk=again.pk).update(judgment=None)
    first = mixed.entries.get(docno=again.docno)
    say(mixed, first.number, grade=3, comment="only of the first")
    page = client.get(f"{at}?number={again.number}").content.decode()
    assert "only of the first" not in page
    assert 'aria-pressed="true"' not in page.partition('id="answer"')[2]
    row = client.get(f"{at}queue/").json()["entries"][again.number - 1]
    assert row == {"number": again.number, "version": 1}
    assert "only of the first" in client.get(f"{at}?number={first.number}").content.decode()


def documents_of(client, made) -> tuple[set[str], str]:
    """The names in the list of the judging page, and the page that lists the documents."""
    at = f"/campaigns/{made.topic.campaign.slug}/judging/{made.pk}/"
    rows = client.get(f"{at}queue/").json()["entries"]
    return {row.get(name, "") for row in rows for name in ("docno", "title")}, client.get(
        f"{at}documents/?entries-sort=-Docno"
    ).content.decode()


@pytest.mark.parametrize("how", ["another topic has them", "repeat_percent", "known_percent"])
@pytest.mark.parametrize("is_shared", [False, True])
def test_the_lists_tell_not_which_topics_have_controls(
    client, campaign, ada, ben, pat, how, is_shared
):
    make.frozen_pool(
        campaign, [make.run(campaign, pat, {"1": "d3 d1 d4 d6 d5 d2", "2": "d3 d4"})], depth=6
    )
    topic = campaign.topic_set.get(number="1")
    made = of(shared(campaign, [ada, ben]), ada) if is_shared else make.assignment(topic, ada)
    other = make.assignment(campaign.topic_set.get(number="2"), ben)
    client.force_login(ada)
    client.get(f"/campaigns/{campaign.slug}/judging/{made.pk}/queue/")  # lends
    before, page = documents_of(client, made)
    assert "" not in before
    assert "<code>d" in page
    if how == "another topic has them":
        Assignment.objects.filter(pk=other.pk).update(n_controls=1)
    else:
        type(campaign).objects.update(**{how: 10})
    names, page = documents_of(client, made)
    assert names == {""}
    assert "<code>d" not in page
    numbers = [int(n) for n in re.findall(r"document (\d+)</a>", page)]
    assert numbers in (sorted(numbers), sorted(numbers, reverse=True))
    assert len(numbers) == made.all_entries.held().count() == 6


def test_without_controls_the_list_names_every_document(client, campaign, olga, ada, pat):
    """Also where another campaign has some."""
    elsewhere = make.campaign(
        olga, assessors=[ada], participants={"Aldgate": [pat]}, known_percent=10
    )
    make.frozen_pool(elsewhere, [make.run(elsewhere, pat, {"1": "d1"})])
    make.assignment(elsewhere.topic_set.get(number="1"), ada)
    Assignment.objects.update(n_controls=1)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    made = make.assignment(campaign.topic_set.get(number="1"), ada)
    client.force_login(ada)
    rows = client.get(f"/campaigns/{campaign.slug}/judging/{made.pk}/queue/").json()
    assert {row["docno"] for row in rows["entries"]} == {"d1", "d2"}
