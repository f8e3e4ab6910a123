"""Take each guard out in turn and see that a test fails: python -m tests.mutation [--only TEXT] [--seconds N] [--list].

A guard is a call of a check, the check of a guarded page, a decorator that asks for a sign-in or a method, a record in the
audit trail, a lock, or a refusal inside a check. The source is changed in a copy of the tree, never here.
"""

import argparse
import ast
import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from demo.embedded import Embedded

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "pooling", "assess", "evaluation", "overview")
MODULES = ("access", "services", "views", "views/*", "api", "pages", "tasks", "models", "models/*")  # fmt: skip
NOT_COPIED = (".git", ".venv", "var", "docs", "benchmarks", "__pycache__", ".*_cache")
DOORS = ["tests/web/test_doors.py", "tests/api"]
WALLS = ["tests/db/test_access.py", "tests/db/test_audit.py"]
SURVIVED = "SURVIVED"
PATIENCE = 600  # seconds for the tests of one mutation: a busy machine is slow
TELLING = {"@signed_in": "nobody", "@require_http_methods": "another_method"}
OPEN = "(lambda view: view)"
ANY_MEMBER = "__import__('campaigns.access', fromlist=['_']).check_can_view"

# What may go without a test noticing, and why: `file function guard`.
EQUIVALENT: dict[str, str] = {}


@dataclass(frozen=True)
class Mutation:
    """`new` stands in place of the bytes `start` to `end` of a file."""

    path: Path
    line: int
    function: str
    guard: str
    start: int
    end: int
    new: str

    @property
    def name(self) -> str:
        return f"{self.path} {self.function} {self.guard}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    def tests(self) -> list[list[str]]:
        """The tests that could see it, in the order they are run: those likely to fail come first, so that most take seconds."""
        own = f"tests/db/test_{self.path.parts[0]}.py"
        own_tests = [own] if (ROOT / own).exists() else []
        likely = [*DOORS[:1], "-k", TELLING.get(self.guard, "ada")]
        if self.path.stem == "services":
            likely = [*WALLS, "-k", self.function]
        elif self.path.stem == "access":
            likely = [*WALLS[:1], *own_tests]
        return [likely, [*WALLS, *own_tests, *DOORS, "tests/web"]]


def mutations() -> list[Mutation]:
    patterns = [f"{app}/{module}.py" for app in APPS for module in MODULES]
    paths = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return [mutation for path in paths for mutation in of_file(path)]


def of_file(path: Path) -> Iterator[Mutation]:
    source = path.read_bytes()
    lengths = [len(line) for line in source.splitlines(keepends=True)]
    for function, node in within(ast.parse(source)):
        for target, new, guard in guards(node, path.stem):
            start = sum(lengths[: target.lineno - 1]) + target.col_offset
            end = sum(lengths[: target.end_lineno - 1]) + target.end_col_offset
            where = path.relative_to(ROOT)
            yield Mutation(where, target.lineno, function, guard, start, end, new)


def within(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node, with the name of the function it stands in."""
    for node in ast.iter_child_nodes(tree):
        name = node.name if isinstance(node, ast.FunctionDef) else function
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
                    yield each, OPEN, f"@{name.partition('(')[0]}"


def within_call(node: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
    match node:
        case ast.Call(func=ast.Name(id="guarded"), args=[_, _, check]):
            yield check, ANY_MEMBER, f"guarded by {ast.unparse(check)}"
        case ast.Call(func=ast.Attribute(value=rows, attr="select_for_update")):
            yield node, f"{ast.unparse(rows)}.all()", "select_for_update"
        case ast.Call(func=ast.Attribute(value=rows, attr="locked"), args=[key]):
            yield node, f"{ast.unparse(rows)}.get(pk={ast.unparse(key)})", "locked"


def failing(tree: Path, tests: list[str]) -> str:
    """Run tests in the copy; return the first that fails, or nothing."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:randomly", "-p", "no:cacheprovider", "--reuse-db", *tests]  # fmt: skip
    # As a worker of this process it uses the servers held here, and the database that the first run made.
    environment = {**os.environ, "VAR_DIR": str(tree / "var"), "PYTEST_XDIST_WORKER": "gw0"}  # fmt: skip
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no answer in {PATIENCE} seconds"
    if done.returncode in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[1] if found else (done.stdout + done.stderr).strip()[-200:]


def verdict(tree: Path, mutation: Mutation) -> str:
    path = tree / mutation.path
    source = path.read_bytes()
    path.write_bytes(mutation.applied(source))
    try:
        test = next(
            filter(None, (failing(tree, each) for each in mutation.tests())), ""
        )
    finally:
        path.write_bytes(source)
    if test:
        return test
    reason = EQUIVALENT.get(mutation.name)
    return f"equivalent: {reason}" if reason else SURVIVED


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default="", help="expression found in `file function guard`"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true", help="run nothing")
    return parser.parse_args()


def report(mutation: Mutation, result: str) -> None:
    where = f"{mutation.path}:{mutation.line}"
    print(f"{where:38} {mutation.function:24} {mutation.guard:62} {result}", flush=True)  # noqa: T201


def try_all(chosen: list[Mutation], tree: Path, deadline: float) -> int:
    """Try the mutations one after the other and print a line for each; return how many survived."""
    if test := failing(tree, [*WALLS, *DOORS]):
        sys.exit(f"With nothing taken out {test} fails already.")
    survivors = 0
    for number, mutation in enumerate(chosen):
        if time.monotonic() > deadline:
            print(f"Out of time: {len(chosen) - number} were not tried.")  # noqa: T201
            break
        result = verdict(tree, mutation)
        survivors += result == SURVIVED
        report(mutation, result)
    print(f"{len(chosen)} guards, {survivors} survivors.")  # noqa: T201
    return survivors


def main() -> int:
    asked, began = arguments(), time.monotonic()
    chosen = [
        mutation for mutation in mutations() if re.search(asked.only, mutation.name)
    ]
    if asked.list:
        for mutation in chosen:
            report(mutation, EQUIVALENT.get(mutation.name, ""))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # clean up then, too
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED))
        servers = Embedded(tree / "var", durable=False)
        servers.hold()
        try:
            return min(1, try_all(chosen, tree, began + asked.seconds))
        finally:
            atexit.unregister(servers.release)  # its folder is gone by then
            servers.discard()


if __name__ == "__main__":
    sys.exit(main())
