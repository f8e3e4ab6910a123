"""The judgments that count, and pairs of them on the same document, for agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import F, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from assess.core.purposes import COUNTING, PRIMARY, SECOND, SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agreement.core.statistics import TwiceJudged
    from assess.models.judging import Judgment  # noqa: F401 - named as text below
    from campaigns.models.campaign import Campaign

# The columns of TwiceJudged, a document that two have graded.
TWICE = [
    "topic__number",
    "docno",
    "its__assessor__username",
    "its__grade",
    "assessor__username",
    "grade",
]


class CurrentJudgments(models.QuerySet["Judgment"]):
    """Judgments that count, and those of two people on the same document."""

    def current(self) -> Self:
        """Return the judgments that count, without those set aside."""
        return self.filter(set_aside_at__isnull=True)

    def decided(self) -> Self:
        return self.filter(state__in=["judged", "cannot_judge"])

    def graded(self) -> Self:
        return self.current().filter(state="judged")

    def twice_judged(self, campaign: Campaign) -> list[TwiceJudged]:
        """Return the columns `TWICE` of each document that two have graded.

        The primary assessor comes before the second. A document of a shared topic comes once for
        each two who have graded it, the earlier judgment first.
        """
        return list(self._twice(campaign).values_list(*TWICE))

    def twice_rated(
        self, campaign: Campaign, criteria: Sequence[str]
    ) -> tuple[list[TwiceJudged], dict[str, list[TwiceJudged]]]:
        """Return the same, and by criterion the same with the answers that both have given."""
        answers = [
            Cast(KeyTextTransform(name, ratings), models.IntegerField())
            for name in criteria
            for ratings in ("its__ratings", "ratings")
        ]
        rows = list(self._twice(campaign).values_list(*TWICE, *answers))
        answered = {}
        for n, name in enumerate(criteria):
            its, own = len(TWICE) + 2 * n, len(TWICE) + 2 * n + 1
            answered[name] = [
                (*row[:3], row[its], row[4], row[own])
                for row in rows
                if row[its] is not None and row[own] is not None
            ]
        return [row[: len(TWICE)] for row in rows], answered

    def _twice(self, campaign: Campaign) -> Self:
        """Return judgments in order, each joined with the one it is compared with as `its`."""
        is_same = Q(topic__judgment__docno=F("docno"))
        same_document = models.FilteredRelation("topic__judgment", condition=is_same)
        graded = self.graded().filter(topic__campaign=campaign)
        first = Q(purpose=SECOND, its__purpose=PRIMARY)
        both_shared = Q(purpose=SHARED, its__purpose=SHARED)
        earlier = both_shared & Q(its__pk__lt=F("pk"))
        found = graded.annotate(its=same_document).filter(
            first | earlier,
            # Without this nearly every judgment is joined with itself before kinds are read.
            Q(its__pk__lt=F("pk")) | Q(its__pk__gt=F("pk")),
            its__purpose__in=COUNTING,
            its__set_aside_at=None,
            its__state="judged",
        )
        return found.order_by("topic__number", "docno", "pk", "its__pk")
