"""Take each guard out in turn and see that a test fails: python -m tests.mutation [--only REGEX]
[--seconds N] [--list].

`tests/guards.py` says what a guard is. No file is written: pytest collects the tests once, and each
mutation is compiled into a child process of its own, which runs tests until one fails. First those
made for the guard: the act, the door; then the one that noticed it in an earlier run. For guards
that they do not notice, every test is run once to see which lines it comes to, and then those that
come to the guard, quickest first.
"""

import argparse
import contextlib
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import coverage
import psycopg2
import pytest
from _pytest.runner import runtestprotocol
from django.apps import apps
from django.db import connection, connections

from tests.guards import ROOT, Mutation, mutations

TESTS = ["tests/db", "tests/web", "tests/api"]
# Of servers, and of odd requests: a guard is to have a test that says what it is for.
APART = [
    *(
        f"tests/db/test_{name}.py"
        for name in ("deployment", "docs", "install", "production", "settings", "supervisor")
    ),
    *(f"tests/web/test_{name}.py" for name in ("odd_requests", "odd_values", "outages")),
]
DJANGOS = {"auth", "contenttypes"}  # apps whose rows come with their tables
MEMORY = ROOT / "var" / "mutations.json"  # which test noticed each guard
SURVIVED, NO_ANSWER, BROKEN = "SURVIVED", "NO ANSWER", "BROKEN"
PATIENCE = 600  # seconds for the tests of one mutation: a busy machine is slow

# What may go without a test noticing, and why: `file function guard`.
TWICE = "checked a second time, with the same sentence"
# Views that a function makes when its module is loaded, which no mutation reaches. By hand: the
# doors fail without any of these but the last, which the services of these files check too.
MADE = "made when the module is loaded"
EQUIVALENT: dict[str, str] = {
    "agreement/web/controls.py remove_known guarded by KnownGrades.remove": TWICE,
    "qrels/services/importing.py import_qrels check organizes": TWICE,
    "qrels/services/publishing.py request_publishing check organizes": TWICE,
    "collection/services/imports.py undo_import check organizes": TWICE,
    "overview/services/rounds.py take_back_round check organizes": TWICE,
    "campaigns/services/ending.py delete_campaign raise NotThere": "nobody has a role in None",
    "assess/web/sharing.py share raise Refused(NOT_FROZEN)": "unfrozen since `guarded`",
    "campaigns/acting.py _acting.act check verb": "the verb of each service is taken out by itself",
    "campaigns/web/lists.py csv_of.view @require_safe": MADE,
    "campaigns/web/lists.py csv_of.view guarded by noun.see": MADE,
    "assess/web/records.py file_of.view @signed_in": MADE,
    "assess/web/records.py file_of.view @require_safe": MADE,
    "assess/web/records.py file_of.view guarded by Judging.download": MADE,
}


@dataclass(frozen=True)
class Reach:
    """Which tests come to which lines, and how long each takes."""

    failing: list[str]
    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]  # by file and line

    def coming_to(self, mutation: Mutation, items: list[pytest.Item]) -> list[pytest.Item]:
        """The tests that could notice, quickest first; of what stands before a view, all that ask
        for pages; of a rule all.
        """
        lines = self.lines.get(str(mutation.path), {})
        found = {name for line in mutation.lines for name in lines.get(str(line), [])}
        could = [
            item
            for item in items
            if item.nodeid in found
            or mutation.is_rule
            or (mutation.is_decorator and "/db/" not in item.nodeid)
        ]
        return sorted(could, key=lambda item: self.seconds[item.nodeid])


class Trials:
    """A plugin of pytest: it runs the tests not once, but for each mutation, in a child process."""

    def __init__(self, chosen: list[Mutation], deadline: float) -> None:
        self.chosen, self.deadline, self.survivors = chosen, deadline, 0
        self.noticed = json.loads(MEMORY.read_text()) if MEMORY.exists() else {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = session.items
        passes(items[0])  # makes the database
        connections.close_all()  # each child has its own
        likely = {each.name: self.likely(each, items) for each in self.chosen}
        first = dict.fromkeys(chain(*chain(*likely.values())))
        if test := tried(None, list(first)):
            pytest.exit(f"With nothing taken out {test} fails already.", 1)
        unnoticed = []
        for mutation in self.in_time(self.chosen):
            begun = time.monotonic()
            made, last = likely[mutation.name]
            result = tried(mutation, made, mutation.asked) or tried(mutation, last)
            if result := result or EQUIVALENT.get(mutation.name, ""):
                self.report(mutation, result, begun)
            else:
                unnoticed.append(mutation)
        if unnoticed:
            self.look_everywhere(unnoticed, items)
        print(f"{len(self.chosen)} guards, {self.survivors} survivors.")  # noqa: T201
        return True

    def likely(
        self, mutation: Mutation, items: list[pytest.Item]
    ) -> tuple[list[pytest.Item], list[pytest.Item]]:
        """The tests made for such a guard, and another that noticed it in an earlier run."""
        made = mutation.likely(items)
        last = self.noticed.get(mutation.name)
        return made, [item for item in items if item.nodeid == last and item not in made]

    def look_everywhere(self, unnoticed: list[Mutation], items: list[pytest.Item]) -> None:
        print(f"{len(unnoticed)} are looked for among all tests.", flush=True)  # noqa: T201
        files = {str(ROOT / mutation.path) for mutation in unnoticed}
        found = in_child(lambda: json.dumps(reached(items, files)), 5 * PATIENCE)
        reach = Reach(**json.loads(found))
        if reach.failing:
            pytest.exit(f"With nothing taken out {reach.failing[0]} fails already.", 1)
        for mutation in self.in_time(unnoticed):
            begun = time.monotonic()
            result = tried(mutation, reach.coming_to(mutation, items))
            self.report(mutation, result or SURVIVED, begun)

    def report(self, mutation: Mutation, result: str, begun: float) -> None:
        self.survivors += result.startswith((SURVIVED, NO_ANSWER, BROKEN))
        self.noticed[mutation.name] = result
        MEMORY.write_text(json.dumps(self.noticed, indent=0))
        where, guard = f"{mutation.path}:{mutation.lines[0]}", mutation.guard[:36]
        seconds = time.monotonic() - begun
        line = f"{where:32} {mutation.function:24} {guard:36} {seconds:5.1f} s  {result}"
        print(line, flush=True)  # noqa: T201 - it is a program

    def in_time(self, mutations: list[Mutation]) -> Iterator[Mutation]:
        for number, mutation in enumerate(mutations):
            if time.monotonic() > self.deadline:
                print(f"Out of time: {len(mutations) - number} were not tried.")  # noqa: T201
                return
            yield mutation


def tried(
    mutation: Mutation | None, items: list[pytest.Item], doors: frozenset[str] = frozenset()
) -> str:
    """The first of the tests that fails in a child with the mutation, or nothing.

    With `doors`, only these addresses are requested: all take a hundred times as long.
    """

    def test() -> str:
        if doors:
            from tests.web.doors import ADDRESSES

            for name in ADDRESSES.keys() - doors:
                del ADDRESSES[name]
        if mutation:
            mutation.apply()
        return next((item.nodeid for item in items if not passes(item)), "")

    return in_child(test) if items else ""


def reached(items: list[pytest.Item], files: set[str]) -> dict[str, object]:
    """Run every test and see which lines of the files it comes to."""
    seconds, failing = {}, []
    looking = coverage.Coverage(data_file=None, config_file=False, include=sorted(files))
    looking.start()
    for item in items:
        looking.switch_context(item.nodeid)
        begun = time.monotonic()
        if not passes(item):
            failing.append(item.nodeid)
        seconds[item.nodeid] = time.monotonic() - begun
    looking.stop()
    found = looking.get_data()
    lines = {
        str(Path(file).relative_to(ROOT)): found.contexts_by_lineno(file)
        for file in found.measured_files()
    }
    return {"failing": failing, "seconds": seconds, "lines": lines}


def in_child(answer: Callable[[], str], patience: int | None = None) -> str:
    """What the function returns in a child process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        with os.fdopen(reading) as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        if said.endswith("\n"):
            return said.removesuffix("\n")
        empty_tables()
        return NO_ANSWER
    signal.alarm(patience or PATIENCE)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    try:
        with os.fdopen(writing, "w") as pipe:
            try:
                pipe.write(f"{answer()}\n")
            except Exception as error:  # noqa: BLE001 - of the mutation, not of a test
                pipe.write(f"{BROKEN}: {error!r}\n")
    finally:
        os._exit(0)


def empty_tables() -> None:
    """Delete what a child committed that was killed in the middle of a test."""
    settings = connection.settings_dict
    own = psycopg2.connect(**connection.get_connection_params())
    with contextlib.closing(own), own, own.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> "
            "pg_backend_pid()",
            [settings["NAME"]],
        )
        models = apps.get_models(include_auto_created=True)
        tables = {model._meta.db_table for model in models if model._meta.app_label not in DJANGOS}
        for table in tables:
            cursor.execute(f'DELETE FROM "{table}"')  # noqa: S608 - constraints are deferred


def passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=item.session)  # type: ignore[arg-type] # keeps what is the session's
    return not any(report.failed for report in reports)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="regex, in `file function guard`")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true", help="run nothing")
    asked = parser.parse_args()
    every = {each.name: each for each in mutations()}
    if gone := EQUIVALENT.keys() - every.keys():
        parser.error(f"EQUIVALENT names what there is no more: {', '.join(gone)}")
    chosen = [each for name, each in every.items() if re.search(asked.only, name)]
    if asked.list:
        print(*(each.name for each in chosen), sep="\n")  # noqa: T201
        return 0
    os.chdir(ROOT)
    options = ["-q", "-s", "-n", "0", "-p", "no:randomly", "-p", "no:cacheprovider"]
    trials = Trials(chosen, time.monotonic() + asked.seconds)
    apart = [f"--ignore={path}" for path in APART]
    status = pytest.main([*options, *apart, *TESTS], plugins=[trials])
    return int(status) or min(1, trials.survivors)


if __name__ == "__main__":
    sys.exit(main())
