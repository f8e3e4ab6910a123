"""Versions of the qrels by their kind: where their grades are from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Case, OuterRef, Q, Subquery, When

if TYPE_CHECKING:
    from campaigns.models.campaign import Campaign
    from qrels.models import Qrels

# The basis of versions that have the official grades.
OFFICIAL = "official"


def by_kind(qrels: str = "") -> Case:
    """Return the column that puts official grades first, then imported ones, then all others.

    `qrels` is the path to the version, as in "qrels__".
    """
    official, imported = Q(**{f"{qrels}basis": OFFICIAL}), ~Q(**{f"{qrels}source": ""})
    return Case(
        When(official, then=0),
        When(imported, then=1),
        default=2,
        output_field=models.SmallIntegerField(),
    )


class QrelsQuerySet(models.QuerySet["Qrels"]):
    def standing(self) -> Self:
        """Return the versions that have not been withdrawn."""
        return self.filter(withdrawn_at=None)

    def standing_before(
        self,
        campaign: Campaign | OuterRef,
        source: str | OuterRef = "",
        basis: str | OuterRef = OFFICIAL,
        number: int | OuterRef | None = None,
    ) -> Self:
        """Return the versions in use of one kind, before a number.

        They are of one source, "" for those published here, and have grades of one basis. The
        first is what a version is compared with.
        """
        kind = self.standing().filter(campaign=campaign, source=source, basis=basis)
        return kind if number is None else kind.filter(number__lt=number)

    def with_partners(self) -> Self:
        """Annotate each with `partner`: the number of the version that it is compared with."""
        kind = map(OuterRef, ("campaign", "source", "basis", "number"))
        before = self.model.objects.standing_before(*kind)
        return self.annotate(partner=Subquery(before.values("number")[:1]))

    def without_labels(self) -> Self:
        """Return those without labels of a program."""
        return self.exclude(estimated__has_key="program")

    def own_first(self) -> Self:
        """Order the newest first: official grades, then imported ones, then all others."""
        return self.annotate(kind=by_kind()).order_by("kind", "-number")

    def newest(self, campaign: Campaign, of_round: int | None = None) -> Qrels | None:
        """Return the first of those that stand, as `own_first` orders them."""
        of_it = {"campaign": campaign, **({"round": of_round} if of_round else {})}
        return self.standing().filter(**of_it).own_first().first()

    def last_number(self, campaign: Campaign) -> int:
        """Return the number of the last version, 0 before the first."""
        return self.filter(campaign=campaign).values_list("number", flat=True).first() or 0
