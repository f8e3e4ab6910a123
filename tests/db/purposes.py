"""Finds every query of the product on entries, judgments, assignments and known grades.

A query is a chain that begins at `objects` of one of the tables, or at a relation to one; its
purpose is the word that the chain says it by.
"""

import ast
from collections import Counter
from collections.abc import Iterator

from tests.guards import APPS, ROOT

TABLES = {"Judgment", "Assignment", "AssignmentEntry", "KnownGrade"}
RELATED = {"entries", "judgments", "assignments", "assignment_set", "judgment_set"}
# What has a relation's name and is none: a pool's batches, versions of qrels, views, lists, arrays.
OTHERS = {
    *(
        "batch",
        "draft",
        "qrels",
        "evaluation.qrels",
        "version",
        "changes",
        "judge",
        "records",
        "placed",
    ),
    "practice",  # whose property says it
    *("assess/services/recording.py: self", "assess/services/changes.py: self"),
}
# Methods that say it themselves.
SAYS = {
    *("primary", "dealt", "unbegun", "in_campaign", "who_give", "changes", "next_of"),
    *("n_official", "n_official_by_topic", "of_unreadable", "n_on_earlier", "to_practice_again"),
    *("official", "independent", "adjudication", "waiting", "going_on"),
}
CLOSED = {"counting", "practice"} | SAYS
COLUMNS = {
    *("purpose", "purpose__in", "kind", "kind__in"),
    *("pool", "queue", "queue__in"),  # as constraints have it, practice has neither
}
WRITES = {"bulk_create", "bulk_update", "create", "none"}


def queries(source: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield the function and the word of each query: "every" of one that says none."""
    tree = ast.parse(source)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if _begins(node, path):
            names, columns = _chain(node, above)
            if not (names and names[0] in WRITES):
                yield _function(node, above), _word(node, names, columns)


def _begins(node: ast.AST, path: str) -> bool:
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "get_object_or_404":
        return ast.unparse(node.args[0]) in TABLES
    if not isinstance(node, ast.Attribute):
        return False
    of = ast.unparse(node.value)
    if node.attr in RELATED:
        return not {of, f"{path}: {of}"} & OTHERS
    return node.attr in {"objects", "_default_manager"} and of in TABLES


def _chain(node: ast.AST, above: dict[ast.AST, ast.AST]) -> tuple[list[str], set[str]]:
    """Return the names that follow, in order, and the columns that they filter by."""
    names, columns = [], set()
    while (parent := above[node]) and (
        (isinstance(parent, ast.Attribute) and parent.value is node)
        or (isinstance(parent, ast.Call) and parent.func is node)
    ):
        if isinstance(parent, ast.Attribute):
            names.append(parent.attr)
        elif names[-1:] in (["filter"], ["get"]):
            columns |= {each.arg or "" for each in parent.keywords}
        node = parent
    return names, columns


def _word(node: ast.AST, names: list[str], columns: set[str]) -> str:
    if CLOSED & set(names) or COLUMNS & columns:
        return "counting"
    if {"controls", "controls_of"} & set(names) and ast.unparse(node).startswith("KnownGrade"):
        return "counting"
    said = {"served", "controls", "controls_of"} & set(names)
    return said.pop() if said else "every"


def _function(node: ast.AST, above: dict[ast.AST, ast.AST]) -> str:
    while node in above and not isinstance(node, ast.FunctionDef):
        node = above[node]
    return getattr(node, "name", "")


def all_queries() -> Counter[tuple[str, str]]:
    """Return how often each function of the product asks with each word."""
    paths = [path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    paths = [path for path in paths if not {"core", "migrations"} & set(path.parts)]
    files = [path.relative_to(ROOT).as_posix() for path in paths]
    return Counter(
        (word, f"{file}: {function}")
        for file in files
        for function, word in queries((ROOT / file).read_text(), file)
    )
