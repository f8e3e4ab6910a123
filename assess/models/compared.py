"""The judgments that count, and pairs of them on the same document, for agreement."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Case, Count, F, Q, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from assess.core.purposes import INDEPENDENT, PRIMARY, SECOND, SHARED
from assess.models.purposes import ByPurpose
from campaigns.core.criteria import Criterion, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assess.models.judging import Judgment  # noqa: F401 - named as text below
    from campaigns.models.campaign import Campaign
    from cleverdon.agreement.statistics import TwiceJudged

# The columns of TwiceJudged before the answers.
TWICE = ["topic__number", "item__key", "its__assessor__username", "assessor__username"]


class CurrentJudgments(ByPurpose["Judgment"]):
    """Judgments that count, and those of two people on the same document."""

    def current(self) -> Self:
        """Return the judgments that count, without those set aside."""
        return self.filter(set_aside_at__isnull=True)

    def decided(self) -> Self:
        return self.filter(state__in=["judged", "cannot_judge"])

    def graded(self) -> Self:
        return self.current().filter(state="judged")

    def twice_judged(self, campaign: Campaign) -> list[TwiceJudged]:
        """Return each document that two have graded, with both grades."""
        first = campaign.every_criterion[:1]
        return self.twice_answered(campaign, first)[first[0].name]

    def twice_answered(
        self, campaign: Campaign, criteria: Sequence[Criterion]
    ) -> dict[str, list[TwiceJudged]]:
        """Return, by criterion, each item of which two have answered it, with both answers.

        The primary assessor comes before the second. A document of a shared topic comes once for
        each two who have graded it, the earlier judgment first.
        """
        of_campaign = self.filter(topic__campaign=campaign).twice()
        rows = list(of_campaign.values_list(*TWICE, *_answers(criteria)))
        return {
            each.name: [
                (*row[:3], row[n], row[3], row[n + 1])
                for row in rows
                if row[n] is not None and row[n + 1] is not None
            ]
            for n, each in zip(count(len(TWICE), 2), criteria)
        }

    def twice_counted(self, criteria: Sequence[Criterion]) -> Iterable[tuple[Any, ...]]:
        """Count items with equal rows in `twice_answered`, docnos aside.

        That is: topic, both assessors, by ids, both answers by each criterion in turns, and n.
        """
        answers = _answers(criteria)
        rows = self.twice().order_by().values_list("topic", "its__assessor", "assessor", *answers)
        return rows.annotate(n=Count("pk"))

    def twice(self) -> Self:
        """Return judgments in order, each joined with the one it is compared with as `its`."""
        # A FilteredRelation for its name.
        counts = Q(item__judgment__set_aside_at=None, item__judgment__state="judged")
        of_same_item = models.FilteredRelation("item__judgment", condition=counts)
        first = Q(purpose=SECOND, its__purpose=PRIMARY)
        both_shared = Q(purpose=SHARED, its__purpose=SHARED)
        earlier = both_shared & Q(its__pk__lt=F("pk"))
        found = (
            self.graded()
            .annotate(its=of_same_item)
            .filter(
                first | earlier,
                # Without this nearly every judgment is joined with itself before kinds are read.
                Q(its__pk__lt=F("pk")) | Q(its__pk__gt=F("pk")),
                its__purpose__in=INDEPENDENT,
            )
        )
        return found.order_by("topic__number", "item__key", "pk", "its__pk")


def _answers(criteria: Sequence[Criterion]) -> list[Case]:
    """Return the columns of both answers by each criterion, in turns; None of other kinds."""
    number = models.IntegerField()
    return [
        Case(When(item__kind=each.kind, then=Cast(KeyTextTransform(key, answers), number)))
        for each, key in ((each, key_of(each, criteria)) for each in criteria)
        for answers in ("its__answers", "answers")
    ]
