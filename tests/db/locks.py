"""Which rows are locked while something is done."""

import re
from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def locked(do: Callable[[], object]) -> set[str]:
    """The tables of which a row was locked."""
    with CaptureQueriesContext(connection) as captured:
        done = do()
    if hasattr(done, "close"):
        done.close()
    queries = [
        query["sql"]
        for query in captured
        if re.search("FOR (NO KEY )?UPDATE", query["sql"])
    ]
    return {re.search(r'FROM "(\w+)"', query)[1] for query in queries}
