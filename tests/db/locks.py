"""Which rows are locked while something is done."""

import re
from collections.abc import Callable
from itertools import takewhile

from django.db import connection
from django.test.utils import CaptureQueriesContext


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
