"""Take each guard out in turn and see that a test fails: python -m tests.mutation [--only REGEX] [--seconds N] [--list].

A guard is a call of a check, the check of a guarded page, a decorator that asks for a sign-in or a method, a record in the
audit trail, a lock, or a refusal inside a check. No file is written: pytest collects the tests once, and each mutation is
compiled into a child process of its own, which runs the tests that could see it until one fails.
"""

import argparse
import ast
import contextlib
import importlib
import inspect
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import CodeType

import psycopg2
import pytest
from _pytest.runner import runtestprotocol
from django.apps import apps
from django.db import connection, connections
from django.urls import URLResolver, get_resolver

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "pooling", "assess", "evaluation", "overview")
MODULES = ("access", "access/*", "services", "services/*", "views", "views/*", "api", "pages", "tasks", "models", "models/*")  # fmt: skip
DOORS = ["tests/web/test_doors.py", "tests/api"]
WALLS = ["tests/db/test_acts.py", "tests/db/test_access.py"]
OWN = {app: [f"tests/db/test_{name}.py" for name in names.split()] for app, names in {
    "accounts": "resets links", "campaigns": "campaigns tags runs run_checks run_archives imports collection teams links resets ending topics scale jobs job_failures", "pooling": "pooling forecast",
    "assess": "judging handing assigning leaving seen counts publishing importing_qrels", "evaluation": "evaluation preliminary", "overview": "",
}.items()}  # fmt: skip
DJANGOS = {"auth", "contenttypes"}  # apps whose rows come with their tables
SURVIVED, NO_ANSWER = "SURVIVED", "no answer"
PATIENCE = 600  # seconds for the tests of one mutation: a busy machine is slow
# The test of doors that finds a decorator gone; the one as Ada finds the others.
TELLING = {"@signed_in": "nobody", "@require_http_methods": "another_method"}
ANY_MEMBER = "__import__('campaigns.access', fromlist=['_']).check_can_view"

# What may go without a test noticing, and why: `file function guard`.
EQUIVALENT: dict[str, str] = {}


@dataclass(frozen=True)
class Mutation:
    """`new` stands in place of the bytes `start` to `end` of a file; of a decorator nothing is left."""

    path: Path
    source: bytes
    line: int
    function: str  # with its class: "Judgments.post"
    guard: str
    start: int
    end: int
    new: str

    @property
    def name(self) -> str:
        return f"{self.path} {self.function} {self.guard}"

    def apply(self) -> None:
        """Change the function where it is, so that whoever has imported it has the changed one."""
        module = importlib.import_module(".".join(self.path.with_suffix("").parts))
        found: object = module
        for name in self.function.split("."):
            found = getattr(found, name)
        if self.guard.startswith("@"):
            replace_view(found, self.undecorated(found, vars(module)))
            return
        before, after = self.source[: self.start], self.source[self.end :]
        code = compile(before + self.new.encode() + after, str(self.path), "exec")
        found = getattr(found, "__func__", found)  # of a class method
        inspect.unwrap(found).__code__ = code_of(code, self.function)

    def undecorated(self, view, names: dict[str, object]):
        """The view with its decorators but this one."""
        [function] = [node for name, node in within(ast.parse(self.source)) if name == self.function and isinstance(node, ast.FunctionDef)]  # fmt: skip
        view = inspect.unwrap(view)
        for each in reversed(function.decorator_list):
            if each.lineno != self.line:
                view = eval(ast.unparse(each), names)(view)  # noqa: S307
        return view

    def tests(self, items: list[pytest.Item]) -> Iterator[list[pytest.Item]]:
        """The tests that could see it: first those likely to fail, so that most take a second, then all."""
        own, telling = OWN.get(self.path.parts[0], []), TELLING.get(self.guard, "ada")
        room = self.path.parts[1].removesuffix(".py")  # a module, or a package of them
        if room == "services":
            yield [item for item in of(items, WALLS) if self.function in item.name]
            yield of(items, own)
        elif room in {"access", "models", "tasks"}:
            yield of(items, [*WALLS, *own])
        else:
            yield [item for item in of(items, DOORS[:1]) if telling in item.name]
        yield of(items, [*WALLS, *own, *DOORS, "tests/web"])


def of(items: list[pytest.Item], paths: list[str]) -> list[pytest.Item]:
    """The tests of these files or folders, in this order."""
    found = [item for path in paths for item in items if item.nodeid.startswith(path)]
    return list(dict.fromkeys(found))


def code_of(code: CodeType, name: str) -> CodeType | None:
    """The code of a function in that of its module."""
    if code.co_qualname == name:
        return code
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return next(filter(None, (code_of(each, name) for each in inner)), None)


def replace_view(old: object, new: object) -> None:
    pending = list(get_resolver().url_patterns)
    while pending:
        each = pending.pop()
        if isinstance(each, URLResolver):
            pending += each.url_patterns
        elif each.callback is old:
            each.callback = new


def mutations() -> list[Mutation]:
    paths = [path for app in APPS for module in MODULES for path in sorted(ROOT.glob(f"{app}/{module}.py"))]  # fmt: skip
    return [mutation for path in paths for mutation in of_file(path)]


def of_file(path: Path) -> Iterator[Mutation]:
    source, where = path.read_bytes(), path.relative_to(ROOT)
    lengths = [len(line) for line in source.splitlines(keepends=True)]
    for function, node in within(ast.parse(source)):
        for target, new, guard in guards(node, path.stem):
            start = sum(lengths[: target.lineno - 1]) + target.col_offset
            end = sum(lengths[: target.end_lineno - 1]) + target.end_col_offset
            yield Mutation(
                where, source, target.lineno, function, guard, start, end, new
            )


def within(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node, with the name of the function it stands in."""
    for node in ast.iter_child_nodes(tree):
        is_named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        name = f"{inside}.{node.name}".lstrip(".") if is_named else inside
        yield name, node
        yield from within(node, name)


def guards(node: ast.AST, module: str) -> Iterator[tuple[ast.AST, str, str]]:
    """What to replace at a node: the node itself or a part of it, the new text, and what the guard is called."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name.startswith("check"):  # fmt: skip
            yield node, "pass", name
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="AuditEvent")))):  # fmt: skip
            yield node, "pass", "AuditEvent.record"
        case ast.Raise() if module == "access":
            yield node, "pass", re.sub(r"\s+", " ", ast.unparse(node))[:60]
        case ast.Call():
            yield from within_call(node)
        case ast.FunctionDef(decorator_list=decorators):
            for each in decorators:
                name = ast.unparse(each)
                if name == "signed_in" or name.startswith("require_"):
                    yield each, "", f"@{name.partition('(')[0]}"


def within_call(node: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
    match node:
        case ast.Call(func=ast.Name(id="guarded"), args=[_, _, check]):
            yield check, ANY_MEMBER, f"guarded by {ast.unparse(check)}"
        case ast.Call(func=ast.Attribute(value=rows, attr="select_for_update")):
            yield node, f"{ast.unparse(rows)}.all()", "select_for_update"
        case ast.Call(func=ast.Attribute(value=rows, attr="locked"), args=[key]):
            yield node, f"{ast.unparse(rows)}.get(pk={ast.unparse(key)})", "locked"


class Trials:
    """A plugin of pytest: it runs the tests not once, but for each mutation, in a child process."""

    def __init__(self, chosen: list[Mutation], deadline: float) -> None:
        self.chosen, self.deadline, self.survivors = chosen, deadline, 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = session.items
        first = of(items, WALLS)
        runtestprotocol(first[0], log=False, nextitem=first[1])  # makes the database
        connections.close_all()  # each child has its own
        if test := tried(None, of(items, [*WALLS, *DOORS])):
            pytest.exit(f"With nothing taken out {test} fails already.", 1)
        for number, mutation in enumerate(self.chosen):
            if time.monotonic() > self.deadline:
                print(f"Out of time: {len(self.chosen) - number} were not tried.")  # noqa: T201
                break
            found = (tried(mutation, each) for each in mutation.tests(items))
            result = next(filter(None, found), EQUIVALENT.get(mutation.name, SURVIVED))
            self.survivors += result in {SURVIVED, NO_ANSWER}
            report(mutation, result)
        print(f"{len(self.chosen)} guards, {self.survivors} survivors.")  # noqa: T201
        return True


def tried(mutation: Mutation | None, items: list[pytest.Item]) -> str:
    """The first of the tests that fails in a child with the mutation, or nothing."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        with os.fdopen(reading) as answer:
            said = answer.read()
        os.waitpid(child, 0)
        if said.endswith("\n"):
            return said.removesuffix("\n")
        empty_tables()
        return NO_ANSWER
    signal.alarm(PATIENCE)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    try:
        if mutation:
            mutation.apply()
        os.write(writing, f"{first_failing(items)}\n".encode())
    finally:
        os._exit(0)


def empty_tables() -> None:
    """Take away what a child has committed that was killed in the middle of a test."""
    settings = connection.settings_dict
    own = psycopg2.connect(**connection.get_connection_params())
    with contextlib.closing(own), own, own.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [settings["NAME"]],
        )
        models = apps.get_models(include_auto_created=True)
        tables = {model._meta.db_table for model in models if model._meta.app_label not in DJANGOS}  # noqa: SLF001  # fmt: skip
        for table in tables:
            cursor.execute(f'DELETE FROM "{table}"')  # noqa: S608 - constraints are deferred


def first_failing(items: list[pytest.Item]) -> str:
    for item, following in zip(items, [*items[1:], *items[:1]], strict=True):
        item.session._setupstate.teardown_exact(item)  # noqa: SLF001
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(report.failed for report in reports):
            return item.nodeid
    return ""


def report(mutation: Mutation, result: str) -> None:
    where, guard = f"{mutation.path}:{mutation.line}", mutation.guard[:36]
    print(f"{where:32} {mutation.function:24} {guard:36} {result}", flush=True)  # noqa: T201


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="regex, in `file function guard`")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true", help="run nothing")
    asked = parser.parse_args()
    chosen = [each for each in mutations() if re.search(asked.only, each.name)]
    if asked.list:
        print(*(each.name for each in chosen), sep="\n")  # noqa: T201
        return 0
    os.chdir(ROOT)
    options = ["-q", "-s", "-n", "0", "-p", "no:randomly", "-p", "no:cacheprovider"]
    trials = Trials(chosen, time.monotonic() + asked.seconds)
    status = pytest.main([*options, *WALLS, *DOORS, *chain(*OWN.values()), "tests/web"], plugins=[trials])  # fmt: skip
    return int(status) or min(1, trials.survivors)


if __name__ == "__main__":
    sys.exit(main())
