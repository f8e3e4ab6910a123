"""Which rows are locked while something is done, and in which order."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, takewhile

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.guards import ROOT

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
IN_NONE = {"create_campaign", "change_account", "change_reading", "change_password", "revoke_token"}


def stated_order() -> list[str]:
    """The tables in the order that the documentation states."""
    text = (ROOT / "docs/architecture.md").read_text()
    [block] = re.findall(r"## Locks\n.*?```text\n(.*?)```", text, re.DOTALL)
    return re.findall(r"\w+", block)


ORDER = stated_order()


def locked(do: Callable[[], object], before: str = "$^") -> set[str]:
    """The tables of which a row was locked, or was so before a query with these words."""
    with CaptureQueriesContext(connection) as captured:
        done = do()
    if hasattr(done, "close"):
        done.close()
    queries = takewhile(
        lambda text: not re.search(before, text), (query["sql"] for query in captured)
    )
    locking = [text for text in queries if re.search("FOR (NO KEY )?UPDATE", text)]
    return {
        (re.search(r'UPDATE OF "(\w+)"', text) or re.search(r'FROM "(\w+)"', text))[1]
        for text in locking
    }


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


def locks_of(do: Callable[[], object]) -> list[str]:
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


def check_order(name: str, tables: list[str]) -> None:
    """An act has its campaign stay before it writes, and locks in the stated order."""
    if name not in IN_NONE:
        assert tables[0] in {"stays", "campaign"}, NOT_STAYING.format(name, tables[0])
    placed = [table for table in tables if table in ORDER]
    if name in {"delete_campaign", "throw_away_rehearsal"}:  # alone in it
        placed = placed[:1]
    for before, after in pairwise(placed):
        assert ORDER.index(before) <= ORDER.index(after), OUT_OF_ORDER.format(name, after, before)
