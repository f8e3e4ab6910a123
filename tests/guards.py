"""The guards of the site, and the site with one of them taken out.

A guard is a call of a check, the verb of a guarded page or of a service, a rule of a verb, a
decorator that asks for a sign-in or a method, a record in the audit trail, a lock, a refusal, the
answer that there is nothing, or the choice of the rows that somebody may see.
"""

import ast
import importlib
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).resolve().parent.parent
# Not from the settings, which are read once pytest has made a folder for this run.
WITHOUT_DJANGO = {"benchmarks", "cleverdon", "docs", "tests"}
APPS = tuple(sorted({path.parent.name for path in ROOT.glob("*/__init__.py")} - WITHOUT_DJANGO))
BEYOND = {"core", "command", "migrations", "management"}  # folders without guards
REFUSALS = {
    "Http404",
    "Refused",
    "NotYours",
    "NotThere",
    "NameTaken",
    "Invalid",
    "Stale",
    "MadeForAnother",
}
ACTS = "tests/db/test_acts.py::test_an_act["
DOORS = "tests/web/test_doors.py::test_each_door_answers_each_of_the_cast[{}]"
EACH_GUARD = "tests/web/test_doors.py::test_each_guard_of_pages_answers_each_of_the_cast"
METHODS = "tests/web/test_doors.py::test_no_door_is_for_another_method"
ROWS = "tests/web/test_doors.py::test_no_row_is_found_that_is_missing_or_of_another_campaign"
NOTHING = r"tests/web/test_doors.py::test_(what_a_page|a_link_that|where_nothing)\w*(\[.*\])?"
OF_ANOTHER_TEAM = (
    "tests/web/test_doors.py::test_a_door_of_each_kind_answers_others_like_one_of_the_cast[quinn]"
)
# The test of doors that finds a decorator gone; the one as Ada finds the others.
TELLING = {
    "@signed_in": DOORS.format("nobody"),
    "@open_to_visitors": DOORS.format("nobody"),
    "@require_http_methods": METHODS,
}
NOT_FOUND = ("raise Http404", "get_object_or_404")
# All rows instead of those that somebody may see.
SEEN = {
    "visible_to": "{rows}.filter(campaign={campaign})",
    "readable_to": "{rows}.in_campaign({campaign}).with_answer()",
    "standing": "{rows}.all()",
    "released_of": "{campaign}.run_set.all()",
    "versions_shown": "{campaign}.qrels_set.all()",
    "evaluations_shown": "{campaign}.evaluation_set.all()",
}
ANY_MEMBER = "__import__('campaigns.access.roles', fromlist=['_']).is_member"


@dataclass(frozen=True)
class Mutation:
    """`new` stands in place of the bytes `start` to `end` of a file; of a decorator nothing."""

    path: Path
    source: bytes
    lines: range
    function: str  # with its class: "Judgments.post"
    guard: str
    start: int
    end: int
    new: str

    @property
    def name(self) -> str:
        return f"{self.path} {self.function} {self.guard}"

    @property
    def is_decorator(self) -> bool:
        return self.guard.startswith("@")

    @property
    def is_rule(self) -> bool:
        return self.guard.startswith("rule ")

    @property
    def found(self) -> object:
        """The function, or what stands under its name; the outer one of a function in another."""
        found: object = importlib.import_module(".".join(self.path.with_suffix("").parts))
        for name in self.function.split("."):
            found = getattr(found, name, found)
        return found

    def apply(self) -> None:
        """Change the function where it is, so that whoever has imported it has the changed one."""
        if self.guard.startswith("act "):
            around = dict(zip(self.found.__code__.co_freevars, self.found.__closure__, strict=True))
            around["verb"].cell_contents = lambda *_: None
            return
        if self.is_decorator:
            replace_view(self.found, self.undecorated())
            return
        if self.is_rule:
            verb = getattr(self.found, self.guard.split()[1])
            verb.rules = tuple(each for n, each in enumerate(verb.rules) if str(n) != self.new)
            return
        before, after = self.source[: self.start], self.source[self.end :]
        code = compile(before + self.new.encode() + after, str(self.path), "exec")
        function = function_of(self.found)
        changed = code_of(code, function.__qualname__)
        assert changed
        function.__code__ = changed

    def undecorated(self) -> Callable[..., object]:
        """The view with its decorators but this one."""
        [function] = [
            node
            for name, node in within(ast.parse(self.source))
            if name == self.function and isinstance(node, ast.FunctionDef)
        ]
        view: Callable[..., object] = function_of(self.found)
        names = view.__globals__
        for each in reversed(function.decorator_list):
            if each.lineno not in self.lines:
                view = eval(ast.unparse(each), names)(view)  # noqa: S307
        return view

    @cached_property
    def doors(self) -> frozenset[str]:
        """The names of the addresses that its view answers."""
        return frozenset(name for name, each in patterns() if each.callback is self.found)

    @property
    def asked(self) -> frozenset[str]:
        """The doors that are enough to ask at; none if its tests name theirs."""
        return frozenset() if self.guard.startswith(NOT_FOUND) else self.doors

    @property
    def acts(self) -> list[str]:
        """The tests of the acts whose verb has this rule."""
        from tests.db.actions import ACTIONS
        from tests.db.actions.verbs import VERBS

        verb = getattr(self.found, self.guard.split()[1])
        asking = {name for name, each in VERBS.items() if verb in {each, *each.rules}}
        return [f"{ACTS}{name}]" for name in ACTIONS if {name, name.partition(" of ")[0]} & asking]

    def likely(self, items: list[pytest.Item]) -> list[pytest.Item]:
        """The tests made for such a guard."""
        if self.guard.startswith(NOT_FOUND):
            made = f"{re.escape(ROWS)}|{re.escape(OF_ANOTHER_TEAM)}|{NOTHING}"
        elif self.guard.startswith("visible_to"):
            made = re.escape(OF_ANOTHER_TEAM)
        elif self.is_rule:
            made = "|".join([re.escape(EACH_GUARD), *map(re.escape, self.acts)])
        elif self.doors:
            made = re.escape(TELLING.get(self.guard, DOORS.format("ada")))
        else:
            made = re.escape(ACTS + self.function) + r"( of .*)?\]"
        return [item for item in items if re.fullmatch(made, item.nodeid)]


def function_of(found: object) -> FunctionType:
    """The function in a view, a class method, a property, a kind of job."""
    found = inspect.unwrap(found)  # type: ignore[arg-type]
    for name in ("__func__", "fget", "func", "work"):
        found = getattr(found, name, found)
    assert isinstance(found, FunctionType), found
    return found


def code_of(code: CodeType, name: str) -> CodeType | None:
    """The code of a function in that of its module."""
    if code.co_qualname == name:
        return code
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return next(filter(None, (code_of(each, name) for each in inner)), None)


def patterns() -> Iterator[tuple[str, URLPattern]]:
    """Each address of the site, by its name."""
    pending = [("", each) for each in get_resolver().url_patterns]
    while pending:
        space, each = pending.pop()
        if isinstance(each, URLResolver):
            space += f"{each.namespace}:" if each.namespace else ""
            pending += [(space, inner) for inner in each.url_patterns]
        else:
            yield f"{space}{each.name}", each


def replace_view(old: object, new: object) -> None:
    for _, each in patterns():
        if each.callback is old:
            each.callback = new


def mutations() -> list[Mutation]:
    paths = [path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    ours = [path for path in paths if BEYOND.isdisjoint(path.relative_to(ROOT).parts)]
    return [mutation for path in ours for mutation in of_file(path)]


def of_file(path: Path) -> Iterator[Mutation]:
    source, where = path.read_bytes(), path.relative_to(ROOT)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    times = Counter[str]()
    for function, node in within(ast.parse(source)):
        for target, new, guard in guards(node):
            start = starts[target.lineno - 1] + target.col_offset
            end = starts[target.end_lineno - 1] + target.end_col_offset
            lines = range(target.lineno, target.end_lineno + 1)
            found = Mutation(where, source, lines, function, guard, start, end, new)
            times[found.name] += 1
            n = times[found.name]
            yield found if n == 1 else replace(found, guard=f"{guard} ({n})")


def within(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node, with the name of the function it stands in."""
    for node in ast.iter_child_nodes(tree):
        is_named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        name = f"{inside}.{node.name}".lstrip(".") if is_named else inside
        yield name, node
        yield from within(node, name)


def guards(node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """What to replace at a node, the new text, and what the guard is called."""
    match node:
        case ast.Expr(value=ast.Call() as call):
            yield from of_statement(node, call)
        case ast.Assign(targets=[target, *_], value=ast.Call(func=ast.Name("Verb"), args=rules)):
            for n, each in enumerate(rules):
                yield each, str(n), f"rule {ast.unparse(target)} {ast.unparse(each)}"
        case ast.Raise(exc=ast.AST() as exc):
            if REFUSALS & {each.id for each in ast.walk(exc) if isinstance(each, ast.Name)}:
                yield node, "pass", re.sub(r"\s+", " ", ast.unparse(node))[:60].strip()
        case ast.Call():
            yield from of_call(node)
        case ast.FunctionDef():
            yield from of_view(node)


def of_statement(node: ast.Expr, call: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name("AuditEvent"))):
            yield node, "pass", "AuditEvent.record"
        case ast.Call(func=ast.Name("check") | ast.Attribute(attr="check"), args=[verb, *_]):
            yield node, "pass", f"check {ast.unparse(verb)}"
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
            if name.lstrip("_").startswith("check"):
                yield node, "pass", name


def of_call(node: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
    match node:
        case ast.Call(func=ast.Name("guarded"), args=[_, _, check]):
            yield check, ANY_MEMBER, f"guarded by {ast.unparse(check)}"
        case ast.Call(func=ast.Attribute(value=rows, attr="select_for_update")):
            yield node, f"{ast.unparse(rows)}.all()", "select_for_update"
        case ast.Call(func=ast.Attribute(value=rows, attr="locked"), args=[key]):
            yield node, f"{ast.unparse(rows)}.get(pk={ast.unparse(key)})", "locked"
        case ast.Call(func=ast.Name("get_object_or_404"), args=[rows]):
            if new := unscoped(rows, node.keywords):
                yield node, new, "get_object_or_404"
        case ast.Call(func=ast.Attribute(value=rows, attr=name)) if name in SEEN:
            yield node, seen(name, node.args, rows), name
        case ast.Call(func=ast.Name(name)) if name in SEEN:
            yield node, seen(name, node.args), name


def unscoped(rows: ast.expr, keywords: list[ast.keyword]) -> str:
    """Find the row in any campaign; nothing where none is named.

    A row that is missing is answered alike without it: `jobs.database.overtaken`.
    """
    kept = [each for each in keywords if not (each.arg or "").endswith("campaign")]
    named = ", ".join(map(ast.unparse, kept))
    match rows:
        case ast.Call(func=ast.Attribute(value=every, attr="in_campaign")):
            return f"get_object_or_404({ast.unparse(every)}.all(), {named})"
    return f"get_object_or_404({ast.unparse(rows)}, {named})" if len(kept) < len(keywords) else ""


def seen(name: str, arguments: list[ast.expr], rows: ast.expr | None = None) -> str:
    names = {"rows": ast.unparse(rows) if rows else ""}
    names["campaign"] = ast.unparse(arguments[-1]) if arguments else ""
    return SEEN[name].format(**names)


def of_view(node: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, str]]:
    for each in node.decorator_list:
        name = ast.unparse(each).partition("(")[0]
        if name in {"signed_in", "open_to_visitors"} or name.startswith("require_"):
            yield each, "", f"@{name}"
        elif name == "act":
            yield node, "", f"act {ast.unparse(each.args[0])}"
