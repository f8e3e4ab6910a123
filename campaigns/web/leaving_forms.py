"""What is asked when a member is removed."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from django import forms
from django.forms import BoundField

from accounts.forms import PersonChoice, PersonField
from accounts.models import BY_NAME, User
from campaigns.from_above import Holding, Piece, Successors
from campaigns.models.people import Membership, Role
from campaigns.services.leaving import seen_of, stamps

AS_ALL, NOBODY = "", "0"
NOBODY_YET = "Nobody yet: it waits to be assigned again"
GONE = {"invalid_choice": "The person chosen here is no longer an assessor."}


class RemovalForm(forms.Form):
    """Who takes over the member's work: an assessor or nobody yet, for all and for each piece."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    successor = PersonField(
        User.objects.none(),
        required=False,
        label="who takes over",
        empty_label=NOBODY_YET,
        error_messages=GONE,
        help_text=(
            "What they cannot take, or what is more than their limit, waits to be assigned again."
        ),
    )

    def __init__(
        self, *arguments: Any, membership: Membership, holdings: Sequence[Holding], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.holdings = holdings
        others = User.objects.filter(
            membership__campaign=membership.campaign, membership__role=Role.ASSESSOR
        ).exclude(pk=membership.user_id)
        others = others.order_by(*BY_NAME)
        self.people = {person.pk: person for person in others}
        successor = cast("PersonField", self.fields["successor"])
        successor.queryset = others
        successor.mark(
            {pk: why for holding in holdings for pk, why in holding.refused.items()},
            {pk: note for holding in holdings for pk, note in holding.notes.items()},
        )
        for piece in self.pieces:
            self.fields[_name(piece)] = PersonChoice(
                self.people.values(),
                before=((AS_ALL, "As chosen for all"), (NOBODY, "Nobody yet")),
                refused=piece.refused,
                notes=piece.notes,
                label=piece.name,
                error_messages=GONE,
            )

    @property
    def pieces(self) -> list[Piece]:
        return [piece for holding in self.holdings for piece in holding.pieces]

    def rows(self) -> Iterator[tuple[Piece, BoundField, bool]]:
        """Yield each piece with its field, and whether it changed since the page was opened."""
        for piece in self.pieces:
            yield piece, self[_name(piece)], self._is_new(piece)

    def lines(self) -> Iterator[tuple[Holding, bool]]:
        for holding in self.holdings:
            yield holding, self._is_new(holding)

    @property
    def chooses_each(self) -> bool:
        """Whether somebody is chosen for a piece."""
        return any(field.value() or field.errors for _, field, _ in self.rows())

    @property
    def seen_now(self) -> str:
        return seen_of(self.holdings)

    def _is_new(self, each: Holding | Piece) -> bool:
        return self.is_bound and each.stamp not in self._seen

    @property
    def _seen(self) -> list[Any]:
        try:
            sent = json.loads(self.data.get("seen", ""))
        except (ValueError, RecursionError):
            return stamps(self.holdings)
        return sent if isinstance(sent, list) else []

    def successors(self) -> Successors:
        chosen = {piece.pk: self.cleaned_data[_name(piece)] for piece in self.pieces}
        of_pieces = {pk: self.people.get(int(each)) for pk, each in chosen.items() if each}
        return Successors(self.cleaned_data["successor"], of_pieces)


def _name(piece: Piece) -> str:
    return f"successor_{piece.pk}"
