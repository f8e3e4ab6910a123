"""Qrels and runs as other tools have them: rows with names, or tables of such columns.

>>> from typing import NamedTuple
>>> Row = NamedTuple("Row", [("query_id", str), ("doc_id", str), ("score", float)])
>>> by_topic([Row("1", "a", 2.0), Row("1", "b", 1.0)], SCORE, "run")
{'1': {'a': 2.0, 'b': 1.0}}
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# As ir_measures has them, and as PyTerrier does.
TOPIC, DOCNO = ("query_id", "qid"), ("doc_id", "docno")
GRADE, SCORE = ("relevance", "label"), ("score",)


def as_given(given: Any) -> Any:
    """Return what can be looked at and read again: rows that come one by one as a list."""
    return list(given) if isinstance(given, Iterator) and not hasattr(given, "read") else given


def is_table(given: object) -> bool:
    """Tell whether something has columns, as tables of pandas and polars do."""
    return hasattr(given, "columns") and not isinstance(given, Mapping)


def are_rows(given: object) -> bool:
    """Tell whether something is a table, or rows that name their topic."""
    if is_table(given):
        return True
    is_list = isinstance(given, Sequence) and not isinstance(given, str | bytes)
    return is_list and bool(given) and any(hasattr(given[0], name) for name in TOPIC)  # type: ignore[index]


def by_topic(given: Any, value: Sequence[str], what: str) -> dict[Any, dict[Any, Any]]:
    """Return the values of rows by topic and docno.

    TypeError without the columns; ValueError for a document that comes twice in a topic.
    """
    found: dict[Any, dict[Any, Any]] = {}
    for topic, docno, its in _rows(given, (TOPIC, DOCNO, value), what):
        of_topic = found.setdefault(topic, {})
        if docno in of_topic:
            raise ValueError(f"Document {docno} comes twice in topic {topic} of the {what}.")
        of_topic[docno] = its
    return found


def _rows(given: Any, wanted: Sequence[Sequence[str]], what: str) -> Iterator[tuple[Any, ...]]:
    first = given.columns if is_table(given) else dir(given[0])
    names = [next((name for name in each if name in first), "") for each in wanted]
    if "" in names:
        missing = " or ".join(wanted[names.index("")])
        raise TypeError(f"The rows of the {what} have no {missing}.")
    if is_table(given):
        return zip(*(given[name] for name in names), strict=True)
    return (tuple(getattr(row, name) for name in names) for row in given)
