"""Every lock of the code is no stronger than need be. Their order: test_acts.py."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from tests.db.locks import ORDER, taken
from tests.guards import APPS, ROOT, within

# The functions that lock a row because it goes away. All other locks are no_key=True.
GOES_AWAY = {
    "campaigns/services/ending.py delete_campaign",
    # Nearly all of the campaign goes: nobody else may act in it meanwhile.
    "overview/services/rehearsal.py throw_away_rehearsal",
    "runs/services/teams.py _going",
    "collection/services/collection.py _delete_one",
    "pooling/services.py take_back_batch",
    "pooling/services.py _going",
    "assess/services/sharing.py unshare",  # the assignments of a shared topic
    "assess/services/batches.py remove",  # those made since the batch was frozen
}
STRONGER = (
    "{} locks a row FOR UPDATE, which keeps others even from referring to it, and so deadlocks "
    "with them. Say select_for_update(no_key=True), and bulk_create(update_conflicts=True) for "
    "update_or_create; or, if the row goes away, name the function in GOES_AWAY."
)


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


def is_no_key(call: ast.Call) -> bool:
    values = {each.arg: each.value for each in call.keywords}
    return isinstance(is_it := values.get("no_key"), ast.Constant) and is_it.value is True


def is_strong(node: ast.AST) -> bool:
    """Tell whether a lock stronger than no_key stands here, be it in SQL."""
    match node:
        case ast.Call(func=ast.Attribute(attr="select_for_update")):
            return not is_no_key(node)
        case ast.Call(func=ast.Attribute(attr="update_or_create")):
            return True
        case ast.Constant(value=str(sql)) if re.search(r"^ |^SELECT|\n", sql):
            return bool(re.search(r"\bFOR (UPDATE|SHARE)\b|\bLOCK TABLE\b", sql))
    return False


def test_a_lock_is_no_stronger_than_it_needs_to_be():
    strong = {
        f"{path} {function}"
        for path, tree in sources()
        for function, node in within(tree)
        if is_strong(node)
    }
    assert strong >= GOES_AWAY
    stronger = sorted(strong - GOES_AWAY)
    assert not stronger, "\n".join(map(STRONGER.format, stronger))


@pytest.mark.parametrize(
    ("code", "is_it"),
    [
        ("rows.select_for_update()", True),
        ("rows.select_for_update(no_key=False)", True),
        ("rows.select_for_update(**options)", True),
        ("rows.select_for_update(no_key=True, skip_locked=True)", False),
        ("rows.update_or_create(pk=1)", True),
        ("cursor.execute(f'SELECT 1 FROM {table} FOR UPDATE OF pool')", True),
        ("cursor.execute('SELECT 1 FROM pool FOR SHARE')", True),
        ("cursor.execute('SELECT 1 FROM pool FOR NO KEY UPDATE')", False),
        ("cursor.execute('SELECT 1 FROM pool FOR KEY SHARE')", False),
    ],
)
def test_a_lock_that_is_stronger_is_noticed(code, is_it):
    assert any(map(is_strong, ast.walk(ast.parse(code)))) == is_it


def test_the_stated_order_names_tables_once():
    assert {*ORDER} <= {model.__name__.lower() for model in apps.get_models()}
    assert len({*ORDER}) == len(ORDER)


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ('SELECT 1 FROM "campaigns_team" FOR NO KEY UPDATE OF "campaigns_team"', ["team"]),
        ("SELECT id FROM campaigns_campaign WHERE id = 1 FOR KEY SHARE", ["stays"]),
        ('UPDATE "runs_run" SET x = 1', ["run"]),
        ('DELETE FROM "pooling_pool" WHERE 1', ["pool"]),
        (
            "SELECT 1 FROM campaigns_campaign c FOR KEY SHARE OF c FOR NO KEY UPDATE OF a_b",
            ["stays", "b"],
        ),
        ('SELECT 1 FROM "runs_run"', []),
    ],
)
def test_what_a_statement_locks(sql, tables):
    assert list(taken(sql)) == tables
