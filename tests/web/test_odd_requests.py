"""Odd requests at every door: none is answered 500, and what is refused says why and changes
nothing.

A run of the suite makes sixty; ODD_REQUESTS=10000 makes so many, and ODD_SEED another
choice of them.
"""

import html
import os
import re
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.test import Client
from django.urls import resolve, reverse

from assess.models.assigning import Assignment
from campaigns.models.people import Membership, Role
from tests import make
from tests.web.doors import ADDRESSES, DOORS, NO_METHOD
from tests.web.odd import Door, OddRequest, odd_request
from tests.web.posting import posted

pytestmark = pytest.mark.slow

IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
N_REQUESTS = int(os.environ.get("ODD_REQUESTS", "10000" if IS_DEEP else "60"))
SEED = int(os.environ.get("ODD_SEED", "1"))
PEOPLE = ("nobody", "sam", "ada", "pat", "olga", "rex")
# What makes a sign-in one that is tried.
MORE_DATA = {"login": {"username": "sam", "password": "wrong"}}
# Who may do it, where that is not Olga.
DOES = {
    "invitation": "nobody",
    "reset": "nobody",
    "runs:leave_team": "pat",
    "runs:runs": "pat",
    "desk:judge_page": "ada",
    "desk:entries": "ada",
    "desk:lend": "ada",
}
# What may change in a refused request: who tried to sign in, and the session.
ASIDE = ("django_session", "accounts_signinattempt")
SENTENCE = re.compile(r"\S.{8,}[.?!:)]", re.DOTALL)


@pytest.fixture
def people(played, sam, ada, pat, olga) -> dict[str, Client]:
    """A client for each of the cast; Rex was an assessor and has been removed."""
    rex = make.user("rex")
    Membership.objects.create(campaign=played, user=rex, role=Role.ASSESSOR)
    make.assignment(played.topic_set.get(number="2"), rex)
    Membership.objects.filter(user=rex).delete()
    clients = {"nobody": Client(raise_request_exception=False)}
    for user in (sam, ada, pat, olga, rex):
        clients[user.username] = Client(raise_request_exception=False)
        clients[user.username].force_login(user)
    return clients


@pytest.fixture
def odd_doors(request, played, people) -> list[Door]:
    """Each address, as `doors` has it, with its arguments apart."""
    made, found_doors = [], request.getfixturevalue("doors")
    sent = MORE_DATA | posted(played)
    for name, arguments in ADDRESSES.items():
        found = resolve(found_doors[name][0])
        method = "GET" if DOORS[name][1] == NO_METHOD else "POST"
        person = DOES.get(name, "olga")
        given = {each: found.kwargs[each] for each in arguments}
        made.append(Door(name, found.route, method, person, given, sent.get(name, {})))
    # Rex has an assignment of his own.
    lend = next(door for door in made if door.name == "desk:lend")
    rex = {**lend.arguments, "pk": Assignment.objects.get(assessor__username="rex").pk}
    made.append(replace(lend, person="rex", arguments=rex))
    return made


def state() -> tuple[object, ...]:
    """Rows and checksum of every table, and the stored files."""
    tables = [t for t in connection.introspection.table_names() if t not in ASIDE]
    sums = "SELECT '{0}', count(*), sum(hashtext({0}::text)) FROM {0} {1}"
    # That it was refused is on record.
    without = {"campaigns_auditevent": "WHERE kind <> 'act.refused'"}
    parts = [sums.format(table, without.get(table, "")) for table in sorted(tables)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        rows = sorted(cursor.fetchall())
    return (*rows, *sorted(map(str, Path(settings.MEDIA_ROOT).rglob("*.*"))))


def sent(client: Client, odd: OddRequest):
    headers = {**odd.headers}
    return client.generic(
        odd.method, odd.address, odd.body, odd.kind or "application/octet-stream", headers=headers
    )


def said(response) -> str:
    """What the answer says to the person: its error, its message, its text."""
    if response.streaming or not response.content:
        return ""
    kind, text = response.get("Content-Type", ""), response.content.decode("utf-8", "replace")
    if "json" in kind and "ndjson" not in kind:
        found = response.json()
        return found.get("refused") or found.get("error", {}).get("message", "")
    if "html" not in kind:
        return text
    alerts = re.findall(r'role="(?:alert|status)"[^>]*>(.*?)</(?:div|p|li)>', text, re.DOTALL)
    if response.status_code != 422:
        # A short refusal is the title of its page, which ends without a period.
        whole = text.replace("</h1>", ".</h1>")
        alerts += re.findall(r"<main.*?</main>", whole, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", " ".join(alerts)))


# A forecast that was asked for is there, or on its way: the page shows it. Answers that were seen
# are marked so no more. A page that has all documents gets no more of them.
SILENT = {
    "desk:lend",
    "questions:see_answers",
    "login",
    "logout",
    "pooling:forecast",
    "campaigns:preview_guidelines",
    "campaigns:preview_dates",
}


def faults(odd: OddRequest, response, before, after) -> list[str]:
    """What is wrong with the answer."""
    status, sentence = response.status_code, said(response)
    is_sentence = odd.method == "HEAD" or bool(SENTENCE.search(sentence))
    changed = [each for each in after if each not in before]
    found = []
    if status >= 500:
        error = response.exc_info[1] if response.exc_info else None
        found.append(f"{status}: {type(error).__name__}: {str(error)[:200]}")
    if 400 <= status < 500 and not is_sentence:
        found.append(f"{status} without a sentence: {sentence[:80]!r}")
    if 400 <= status < 500 and before != after:
        found.append(f"{status}, but changed {changed}")
    is_act = odd.method == "POST" and odd.door not in SILENT
    to_sign_in = response.get("Location", "").startswith("/sign-in/")
    messages = [] if status >= 400 else list(get_messages(response.wsgi_request))
    if (
        is_act
        and status < 400
        and before == after
        and not to_sign_in
        and not is_sentence
        and not messages
    ):
        found.append(f"{status}, but nothing changed and nothing was said")
    # A download is on record, and who opens practice begins it. Nothing else that only reads
    # changes anything.
    kept = {"campaigns_auditevent"} if "Content-Disposition" in response else set()
    if odd.door == "practice:practice":
        kept |= {"assess_assignment", "assess_assignmententry"}
    if odd.method in {"GET", "HEAD", "OPTIONS"} and {each[0] for each in changed} - kept:
        found.append(f"{odd.method} changed {changed}")
    return found


def pages_fail(olga: Client, response) -> list[str]:
    """After what was accepted: the pages that no longer work for Olga."""
    pages = [reverse("home"), response.get("Location", "")]
    pages += [
        reverse("campaigns:settings", args=[slug])
        for slug in re.findall(r"^/campaigns/([\w-]+)/", pages[1])
    ]
    answers = {page: olga.get(page) for page in pages if page.startswith("/")}
    return [
        f"then {page} is {answer.status_code}: {answer.exc_info and answer.exc_info[1]!r}"
        for page, answer in answers.items()
        if answer.status_code >= 500
    ]


@pytest.mark.django_db
def test_no_odd_request_breaks_a_page_or_stores_what_was_refused(people, odd_doors):
    print(f"{N_REQUESTS} requests of seed {SEED}")  # noqa: T201
    cookies = {name: client.cookies.output(header="") for name, client in people.items()}
    found, before = [], state()
    for number in range(N_REQUESTS):
        if number % 500 == 0:
            print(f"{number} sent, {len(found)} faults", flush=True)  # noqa: T201
        odd = odd_request(SEED, number, odd_doors, PEOPLE)
        client = people[odd.person]
        client.cookies = SimpleCookie(cookies[odd.person])
        mark = transaction.savepoint()
        response = sent(client, odd)
        # Not `response.close`, which would end the connection with the database.
        for close in response._resource_closers:  # noqa: SLF001
            close()
        connection.needs_rollback = False
        if response.status_code >= 500:
            transaction.savepoint_rollback(mark)
            mark = transaction.savepoint()
        connection.check_constraints()
        after = state()
        wrong = faults(odd, response, before, after)
        if before != after and response.status_code < 400:
            wrong += pages_fail(people["olga"], response)
            connection.needs_rollback = False
        transaction.savepoint_rollback(mark)
        for path in set(after) - set(before):
            if isinstance(path, str):
                Path(path).unlink()
        found += [f"{odd}\n    {each}" for each in wrong]
    assert not found, f"{len(found)} faults\n" + "\n".join(found)
