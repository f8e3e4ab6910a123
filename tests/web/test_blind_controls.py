"""Nothing that assessors get depends on which documents are controls: byte by byte."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry, as_served
from assess.services import handover, known_grades
from tests import make
from tests.api.addresses import judging
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
    made = Assignment.objects.counting().get(pk=made.pk)
    Assignment.objects.counting().update(given_at=timezone.now() - timedelta(days=3))
    made = Assignment.objects.counting().get(pk=made.pk)
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
    make.rewrite(JudgmentEvent.objects.filter(change__lt=20), pressed_at=F("pressed_at") - day)
    return made


def swap(assignment) -> None:
    """Make other documents the controls: of the two places of a document the other one, and others
    instead of those of known grades.
    """
    entries = list(assignment.entries.select_related("judgment").order_by("position"))
    n_places = Counter(entry.docno for entry in entries)
    turned = {"primary": "repeat", "repeat": "primary"}
    controls = {entry.pk: turned[entry.purpose] for entry in entries if n_places[entry.docno] == 2}
    single = [entry for entry in entries if n_places[entry.docno] == 1]
    for entry, before in zip(single, [single[-1], *single[:-1]], strict=True):
        controls[entry.pk] = before.purpose
    for temporarily in (True, False):
        for entry in entries:
            control = f"t{entry.pk}"[-6:] if temporarily else controls[entry.pk]
            AssignmentEntry.objects.filter(pk=entry.pk).update(purpose=control)
            Judgment.objects.served().filter(entry=entry).update(purpose=control)
            if entry.judgment and entry.judgment.replaces_id:
                Judgment.objects.served().filter(pk=entry.judgment.replaces_id).update(
                    purpose=control
                )
    count(assignment)


def count(assignment) -> None:
    counted = {
        "n_judged": ["judged"],
        "n_later": ["later", "reopened"],
        "n_cannot_judge": ["cannot_judge"],
    }
    own = assignment.judgments.counting().current()
    numbers = {name: own.filter(state__in=states).count() for name, states in counted.items()}
    Assignment.objects.counting().filter(pk=assignment.pk).update(**numbers)


def places(assignment) -> list[int]:
    """The numbers of the controls, and of as many others."""
    entries = list(assignment.entries.order_by("position"))
    controls = [each.number for each in entries if each.purpose != "primary"]
    return sorted(
        {*controls, *[each.number for each in entries if each.purpose == "primary"][::3], 1, N}
    )


def addresses(assignment, numbers: list[int]) -> list[str]:
    base = f"/campaigns/{assignment.topic.campaign.slug}/"
    at = f"{base}judging/{assignment.pk}/"
    lists = [f"{at}documents/?state={state}" for state in ("", *TOPIC_STATES)]
    sorts = [
        f"{at}documents/?entries-sort={name}"
        for name in ("Number", "-Docno", "State", "-Grade", "Comment")
    ]
    of_each = [
        f"{at}{path}"
        for n in numbers
        for path in (f"?number={n}", f"documents/{n}/", f"documents/{n}/words/")
    ]
    topics, paths = f"{base}topics/", ("", "queue/", "questions/", "note/", f"documents/{N + 1}/")
    pages = ["/", base, topics, f"{topics}{assignment.topic_id}/", f"{base}judging/"]
    pages += [f"{base}judging/{path}" for path in ("hours/", "hours/?by=day", "hours.csv")]
    return [*pages, *(at + path for path in paths), *lists, *sorts, *of_each]


def masked(answer) -> tuple[int, str, bytes]:
    body = b"".join(answer) if answer.streaming else answer.content
    body = TOKENS.sub(rb"\1", UUIDS.sub(b"uuid", body))
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    return answer.status_code, str(headers), body


def everything(client, assignment, numbers: list[int]) -> dict[str, tuple]:
    return {each: masked(client.get(each)) for each in addresses(assignment, numbers)}


def answers(client, assignment, numbers: list[int]) -> dict[tuple, list]:
    """What Ada is answered to anything that she does with a document, and her list after it."""
    at = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    acts, found = judging(assignment), {}
    entries = assignment.entries.select_related("judgment").order_by("position")
    for entry in (each for each in entries if each.number in numbers):
        one = {"client_id": make_id(entry.number), "docno": entry.docno, "number": entry.number}
        change = entry.judgment.change if entry.judgment else 0
        elsewhere = {"number": entry.number % N + 1, "choice": "1"}
        sent = {
            **{
                choice: (acts, [one | {"choice": choice, "change": change}])
                for choice in ("2", "later", "undo")
            },
            "other place": (acts, [one | elsewhere | {"change": change}]),
            "no number": (acts, [{**one, "choice": 1, "number": None}]),
            "ask": (f"{at}questions/", one | {"text": "Why?", "about": entry.docno}),
        }
        for does, (address, data) in sent.items():
            mark = transaction.savepoint()
            kind = {} if does == "ask" else {"content_type": "application/json"}
            found[entry.number, does] = [masked(client.post(address, data, **kind))]
            if does in {"2", "undo"}:
                found[entry.number, does].append(masked(client.get(f"{at}queue/")))
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


def test_every_page_and_answer_is_the_same_whatever_is_a_control(client, mixed, ada, monkeypatch):
    frozen(monkeypatch)
    client.force_login(ada)
    numbers = places(mixed)
    before, answered = everything(client, mixed, numbers), answers(client, mixed, numbers[::2])
    assert {status for status, _, _ in before.values()} == {200, 404}
    assert {each[0][0] for each in answered.values()} >= {200, 302}
    controls = set(mixed.entries.exclude(purpose="primary").values_list("pk", flat=True))
    swap(mixed)
    others = set(mixed.entries.exclude(purpose="primary").values_list("pk", flat=True))
    assert len(controls) == len(others) == 10
    assert len(controls & others) < 5
    assert differing(before, everything(client, mixed, numbers)) == []
    assert differing(answered, answers(client, mixed, numbers[::2])) == []


def test_the_counts_of_all_documents_are_on_the_pages(client, mixed, ada):
    client.force_login(ada)
    base = f"/campaigns/{mixed.topic.campaign.slug}/judging/"
    assert f"of {N}" in client.get(f"{base}{mixed.pk}/?number=1").text
    mixed.refresh_from_db()
    shown = as_served([mixed])[0]
    for page in (base, f"{base}{mixed.pk}/documents/"):
        listed = " ".join(client.get(page).text.split())
        assert f"<b>{shown.n_judged} of {N}</b> documents judged" in listed
    n_open = N - shown.n_judged - shown.n_cannot_judge
    assert f"{n_open} documents are waiting for your judgment." in client.get("/").text


def test_no_list_names_a_document_before_it_is_judged(client, mixed, ada):
    """A repeat still to come would stand there beside the same name."""
    client.force_login(ada)
    at = f"/campaigns/{mixed.topic.campaign.slug}/judging/{mixed.pk}/"
    rows = client.get(f"{at}queue/").json()["entries"]
    entries = mixed.entries.select_related("judgment").order_by("position")
    for row, entry in zip(rows, entries, strict=True):
        named = {"docno": entry.docno, "title": f"Title of {entry.docno}"}
        told = {name: row[name] for name in named if name in row}
        assert told == (named if entry.judgment else {})
    listed = client.get(f"{at}documents/?state=unjudged").text
    for entry in entries:
        if entry.judgment is None:
            assert f"document {entry.number}</a>" in listed
            assert f"<code>{entry.docno}</code>" not in listed
    both = [entry.docno for entry in entries if entry.judgment]
    assert max(Counter(both).values()) == 2, "once both are judged it stands there twice"


def documents_of(client, made) -> tuple[set[str], str]:
    """The names in the list of the judging page, and the page that lists the documents."""
    at = f"/campaigns/{made.topic.campaign.slug}/judging/{made.pk}/"
    rows = client.get(f"{at}queue/").json()["entries"]
    return {row.get(name, "") for row in rows for name in ("docno", "title")}, client.get(
        f"{at}documents/?entries-sort=-Docno"
    ).text


@pytest.mark.parametrize("is_shared", [False, True])
def test_no_list_tells_which_topics_have_controls(client, campaign, olga, ada, ben, pat, is_shared):
    """As soon as any has some, or may get them; what another campaign has changes nothing."""
    ranking = {"1": "d3 d1 d4 d6 d5 d2", "2": "d3 d4"}
    elsewhere = make.campaign(olga, assessors=[ada], participants={"A": [pat]}, known_percent=9)
    for each in (elsewhere, campaign):
        make.frozen_pool(each, [make.run(each, pat, ranking)], depth=6)
    make.assignment(elsewhere.topic_set.get(number="1"), ada)
    first = AssignmentEntry.objects.filter(position=0)
    first.update(purpose="known")
    topic = campaign.topic_set.get(number="1")
    made = of(shared(campaign, [ada, ben]), ada) if is_shared else make.assignment(topic, ada)
    other = make.assignment(campaign.topic_set.get(number="2"), ben)
    client.force_login(ada)
    client.get(f"/campaigns/{campaign.slug}/judging/{made.pk}/queue/")  # lends
    before, page = documents_of(client, made)
    assert "" not in before
    assert "<code>d" in page
    campaigns = type(campaign).objects
    for rows, field, one, none in (
        (first.filter(assignment=other), "purpose", "known", "primary"),
        (campaigns, "repeat_percent", 1, 0),
        (campaigns, "known_percent", 1, 0),
    ):
        rows.update(**{field: one})
        names, page = documents_of(client, made)
        rows.update(**{field: none})
        assert names == {""}
        assert "<code>d" not in page
        numbers = [int(n) for n in re.findall(r"document (\d+)</a>", page)]
        assert numbers in (sorted(numbers), sorted(numbers, reverse=True))
        assert len(numbers) == made.entries.held().count() == 6
