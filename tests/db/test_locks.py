"""Every lock: taken in the order of docs/architecture.md, and no stronger than need be."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from tests.db.actions import ACTIONS, doing
from tests.guards import APPS, ROOT, within

# The functions that lock a row because it goes away. All other locks are no_key=True.
GOES_AWAY = {
    "campaigns/services/ending.py delete_campaign",
    # Nearly all of the campaign goes: nobody else may act in it meanwhile.
    "overview/services/rehearsal.py throw_away_rehearsal",
    "runs/services/teams.py _going",
    "collection/services/collection.py _delete_one",
    "pooling/services.py delete_pool",
    "pooling/services.py request_pool",  # the earlier pool
    "assess/services/sharing.py unshare",  # the assignments of a shared topic
    "assess/services/unfreezing.py remove",  # those of a pool that is no longer frozen
}
STRONGER = (
    "{} locks a row FOR UPDATE, which keeps others even from referring to it, and so deadlocks "
    "with them. Say select_for_update(no_key=True), and bulk_create(update_conflicts=True) for "
    "update_or_create; or, if the row goes away, name the function in GOES_AWAY."
)
OUT_OF_ORDER = (
    "{}: {} is locked after {}. Two who lock rows in different orders wait for each other for "
    "ever: take the locks in the order of docs/architecture.md (Locks), or change that order and "
    "see that every service still keeps it."
)
NOT_STAYING = (
    "{} writes to {} before it has its campaign stay. Whoever deletes the campaign at that moment "
    "deadlocks with it: make the service @in_campaign (campaigns/acting.py) instead of "
    "@transaction.atomic, or call stay(campaign.pk) first."
)
# Acts that are in no campaign.
IN_NONE = {"create_campaign", "change_account", "change_reading", "change_password"}


def stated_order() -> list[str]:
    """The tables in the order that the documentation states."""
    text = (ROOT / "docs/architecture.md").read_text()
    [block] = re.findall(r"## Locks\n.*?```\n(.*?)```", text, re.DOTALL)
    return re.findall(r"\w+", block)


ORDER = stated_order()


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


def strong_locks() -> set[str]:
    return {
        f"{path} {function}"
        for path, tree in sources()
        for function, node in within(tree)
        if is_strong(node)
    }


def test_a_lock_is_no_stronger_than_it_needs_to_be():
    stronger = sorted(strong_locks() - GOES_AWAY)
    assert not stronger, "\n".join(map(STRONGER.format, stronger))


def test_every_function_that_is_said_to_lock_what_goes_away_does():
    assert strong_locks() >= GOES_AWAY


@pytest.mark.parametrize(
    ("code", "is_it"),
    [
        ("rows.select_for_update()", True),
        ("rows.select_for_update(no_key=False)", True),
        ("rows.select_for_update(**options)", True),
        ("rows.select_for_update(no_key=True, skip_locked=True)", False),
        ("rows.update_or_create(pk=1)", True),
        ("cursor.execute('SELECT 1 FROM pool FOR UPDATE')", True),
        ("cursor.execute(f'SELECT 1 FROM {table} FOR UPDATE OF pool')", True),
        ("cursor.execute('SELECT 1 FROM pool FOR SHARE')", True),
        ("cursor.execute('SELECT 1 FROM pool FOR NO KEY UPDATE')", False),
        ("cursor.execute('SELECT 1 FROM pool FOR KEY SHARE')", False),
    ],
)
def test_a_lock_that_is_stronger_is_noticed(code, is_it):
    assert any(map(is_strong, ast.walk(ast.parse(code)))) == is_it


def test_the_stated_order_names_tables_once():
    names = {model.__name__.lower() for model in apps.get_models()}
    assert set(ORDER) <= names
    assert len(set(ORDER)) == len(ORDER)


# As they are taken


def taken(sql: str) -> Iterator[str]:
    """What a statement locks: "stays" for the campaign, else the table of the rows."""
    tables = dict(re.findall(r'(?:FROM|JOIN) "?(\w+)"? (?:AS )?([a-z]\w*)', sql))
    for strength, name in re.findall(
        r'FOR (KEY SHARE|NO KEY UPDATE|UPDATE)(?: OF "?(\w+)"?)?', sql
    ):
        table = tables.get(name) or name or re.search(r'FROM "?(\w+)', sql)[1]
        yield "stays" if strength == "KEY SHARE" else table.partition("_")[2]
    if changed := re.match(r'\s*(?:UPDATE|DELETE FROM) "?(\w+)', sql):
        yield changed[1].partition("_")[2]
    if re.match(r"\s*INSERT INTO", sql):
        yield "inserted"


def locks_of(do) -> list[str]:
    """What is locked while something is done, in its order.

    What is locked already and locked again, or changed, comes once.
    """
    found: list[str] = []
    asked: set[str] = set()

    def note(execute, sql, values, *others):
        is_new = " FOR " in sql and f"{sql} {values}" not in asked
        found.extend(each for each in taken(sql) if is_new or each not in found)
        asked.add(f"{sql} {values}")
        return execute(sql, values, *others)

    with connection.execute_wrapper(note):
        done = do()
    if hasattr(done, "close"):
        done.close()
    return found


@pytest.fixture(params=ACTIONS)
def locks(request, campaign, sam, otto, quinn):
    """What an act locks, in its order, and its name."""
    action = ACTIONS[request.param]
    do = action.ready(campaign)
    return request.param, locks_of(lambda: do(doing.person(action.by)))


def test_an_act_locks_in_the_stated_order(locks):
    name, tables = locks
    placed = [table for table in tables if table in ORDER]
    if name in {"delete_campaign", "throw_away_rehearsal"}:  # alone in it
        placed = placed[:1]
    for before, after in pairwise(placed):
        assert ORDER.index(before) <= ORDER.index(after), OUT_OF_ORDER.format(name, after, before)


def test_an_act_has_its_campaign_stay_before_it_writes(locks):
    name, tables = locks
    if name in IN_NONE:
        return
    assert tables[0] in {"stays", "campaign"}, NOT_STAYING.format(name, tables[0])


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        (
            'SELECT 1 FROM "campaigns_team" WHERE id = 1 FOR NO KEY UPDATE OF "campaigns_team"',
            ["team"],
        ),
        ("SELECT id FROM campaigns_campaign WHERE id = 1 FOR KEY SHARE", ["stays"]),
        ('UPDATE "runs_run" SET x = 1', ["run"]),
        ('DELETE FROM "pooling_pool" WHERE 1', ["pool"]),
        (
            (
                "SELECT 1 FROM a JOIN campaigns_campaign campaign ON 1 FOR KEY SHARE OF campaign "
                "FOR NO KEY UPDATE OF assess_assignment"
            ),
            ["stays", "assignment"],
        ),
        ('SELECT 1 FROM "runs_run"', []),
    ],
)
def test_what_a_statement_locks(sql, tables):
    assert list(taken(sql)) == tables
