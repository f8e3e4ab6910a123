"""The documents with grades two or more steps apart."""

from collections.abc import Mapping, Sequence
from typing import Any

from agreement.core.differences import Difference, differences
from agreement.core.statistics import TwiceJudged
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from collection.models.texts import Document

DISAGREEMENTS = 10  # before "All 23"


def disagreements(
    rows: Sequence[TwiceJudged], campaign: Campaign, names: Mapping[str, str], at_most: int | None
) -> dict[str, Any]:
    """Return how many documents have grades two or more steps apart, and the first of them.

    Each has a title, and its two grades with the assessor and the id of the assignment. `at_most`
    is None for all of them.
    """
    every = differences(rows, [grade.value for grade in campaign.scale.grades])
    shown = every[:at_most]
    docnos = [each.docno for each in shown]
    documents = Document.objects.filter(campaign=campaign, docno__in=docnos)
    titles = dict(documents.values_list("docno", "title"))
    assignments = _assignments(campaign, shown)

    shown_rows = []
    for each in shown:
        judged = ((each.grade, each.name), (each.other_grade, each.other_name))
        grades = [
            (grade, names[name], assignments.get((each.topic, each.docno, name)))
            for grade, name in judged
        ]
        shown_rows.append((each, titles.get(each.docno) or each.docno, grades))
    return {"n": len(every), "rows": shown_rows}


def _assignments(
    campaign: Campaign, shown: Sequence[Difference]
) -> dict[tuple[str, str, str], int]:
    """Return the assignment of each judgment by topic, docno and username."""
    judgments = Judgment.objects.graded().filter(
        topic__campaign=campaign,
        topic__number__in={each.topic for each in shown},
        item__key__in={each.docno for each in shown},
    )
    rows = judgments.values_list("topic__number", "item__key", "assessor__username", "assignment")
    return {(topic, docno, name): pk for topic, docno, name, pk in rows}
