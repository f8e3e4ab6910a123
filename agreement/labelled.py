"""What people judged of the documents that a program labelled: counted by the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from accounts.models import User
from agreement.core.beside import Said
from assess.core.purposes import INDEPENDENT, PRIMARY

if TYPE_CHECKING:
    from programs.models import Program

# A row of each document: its label, and who gave it which grade, the official one's first.
SAID = f"""
    SELECT judgment.topic_id AS topic, label.item_id AS item, label.grade AS label,
        array_agg(judgment.assessor_id ORDER BY judgment.purpose <> '{PRIMARY}', judgment.id)
            AS people,
        array_agg(judgment.grade ORDER BY judgment.purpose <> '{PRIMARY}', judgment.id) AS grades
    FROM programs_label label JOIN assess_judgment judgment ON judgment.item_id = label.item_id
    WHERE label.program_id = %(program)s AND label.grade IS NOT NULL
        AND judgment.set_aside_at IS NULL AND judgment.state = 'judged'
        AND judgment.purpose = ANY(%(purposes)s)
    GROUP BY judgment.topic_id, label.item_id, label.grade
"""  # noqa: S608 - a name of a purpose
COUNTED = f"""
    SELECT topic.number, said.label, said.people, said.grades, count(*)
    FROM ({SAID}) AS said JOIN collection_topic topic ON topic.id = said.topic
    GROUP BY topic.number, said.label, said.people, said.grades
"""  # noqa: S608 - a query
FARTHEST = f"""
    SELECT topic.id, topic.number, item.key, said.label, said.grades[1]
    FROM ({SAID}) AS said JOIN collection_topic topic ON topic.id = said.topic
    JOIN collection_item item ON item.id = said.item
    WHERE said.label <> said.grades[1]
    ORDER BY abs(said.label - said.grades[1]) DESC, topic.sort_key, item.key LIMIT %(most)s
"""  # noqa: S608 - a query


class Far(NamedTuple):
    """A document that a program and the first person who judged it graded differently."""

    topic_id: int
    topic: str
    docno: str
    label: int
    grade: int


def said_beside(program: Program) -> list[Said]:
    """Return what people said of documents with a grade of the program; equal ones are a row."""
    rows = _rows(COUNTED, program)
    people = {pk for _, _, each, *_ in rows for pk in each}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    found = []
    for topic, label, who, grades, n in rows:
        first: dict[str, int] = {}
        for pk, grade in zip(who, grades, strict=True):
            first.setdefault(names[pk], grade)
        found.append(Said(topic, label, [*first.items()], n))
    return found


def farthest(program: Program, most: int) -> list[Far]:
    """Return the documents on which the program and people are farthest apart."""
    return [Far(*row) for row in _rows(FARTHEST, program, most=most)]


def _rows(sql: str, program: Program, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        its = {"program": program.pk, "purposes": list(INDEPENDENT), **values}
        cursor.execute(sql, its)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
