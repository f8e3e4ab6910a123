"""The documents with grades two or more steps apart, as the page of agreement lists them."""

from collections.abc import Mapping, Sequence
from typing import Any

from agreement.core.differences import Difference, differences
from agreement.core.statistics import TwiceJudged
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from collection.models.texts import Document

DISAGREEMENTS = 10  # before "All 23"


def disagreements(
    rows: Sequence[TwiceJudged],
    campaign: Campaign,
    names: Mapping[str, str],
    *,
    at_most: int | None,
) -> dict[str, Any]:
    """Return the documents with grades two or more steps apart, and where each grade is to be seen."""
    grades = [grade.value for grade in campaign.scale.grades]
    everything = differences(rows, grades)
    shown = everything[:at_most]
    titles = dict(
        Document.objects.filter(
            campaign=campaign, docno__in=[each.docno for each in shown]
        ).values_list("docno", "title")
    )
    found = _assignments(campaign, shown)
    return {
        "n": len(everything),
        "shown": [
            {
                "each": each,
                "title": titles.get(each.docno) or each.docno,
                "grades": [
                    (grade, names[name], found.get((each.topic, each.docno, name)))
                    for name, grade in (
                        (each.name, each.grade),
                        (each.other_name, each.other_grade),
                    )
                ],
            }
            for each in shown
        ],
    }


def _assignments(
    campaign: Campaign, shown: Sequence[Difference]
) -> dict[tuple[str, str, str], int]:
    """Return in which assignment each of these judgments was given, by topic, docno and username."""
    judgments = Judgment.objects.graded().filter(
        topic__campaign=campaign,
        topic__number__in={each.topic for each in shown},
        docno__in={each.docno for each in shown},
    )
    rows = judgments.values_list("topic__number", "docno", "assessor__username", "assignment")
    return {(topic, docno, name): pk for topic, docno, name, pk in rows}
