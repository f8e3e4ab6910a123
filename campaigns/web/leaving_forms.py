"""What is asked when a member is removed."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from django import forms

from accounts.forms import PersonField
from accounts.models import BY_NAME, User
<<<<<<< HEAD
from campaigns.holdings import Holding, Piece, seen, stamps
=======
from campaigns.from_above import Holding, Piece, Successors
>>>>>>> part-camp
from campaigns.models.people import Membership, Role
from campaigns.services.leaving import seen_of, stamps


class RemovalForm(forms.Form):
<<<<<<< HEAD
    """Who takes over the work of a member: another assessor, or nobody yet."""
=======
    """Who takes over the member's work: an assessor or nobody yet, for all and for each piece."""
>>>>>>> part-camp

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    successor = PersonField(
        User.objects.none(),
        required=False,
        label="who takes over",
<<<<<<< HEAD
        empty_label="Nobody yet: it waits to be assigned again",
        error_messages={"invalid_choice": "The person chosen here is no longer an assessor."},
        help_text="What they cannot take waits to be assigned again.",
=======
        empty_label=NOBODY_YET,
        error_messages=GONE,
        help_text=(
            "What they cannot take, or what is more than their limit, waits to be assigned again."
        ),
>>>>>>> part-camp
    )

    def __init__(
        self, *arguments: Any, membership: Membership, holdings: Sequence[Holding], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.holdings = holdings
        others = User.objects.filter(
            membership__campaign=membership.campaign, membership__role=Role.ASSESSOR
        )
        successor = cast("PersonField", self.fields["successor"])
        successor.queryset = others.exclude(pk=membership.user_id).order_by(*BY_NAME)
        successor.mark(
            {pk: why for holding in holdings for pk, why in holding.refused.items()},
            {pk: note for holding in holdings for pk, note in holding.notes.items()},
        )
<<<<<<< HEAD
=======
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
>>>>>>> part-camp

    def lines(self) -> Iterator[tuple[Holding, bool]]:
        """Return each holding, and whether it has changed since the page was opened."""
        for holding in self.holdings:
            yield holding, self._is_new(holding.stamp)

<<<<<<< HEAD
    def pieces(self) -> list[tuple[Piece, bool]]:
        pieces = [piece for holding in self.holdings for piece in holding.pieces]
        return [(piece, self._is_new(piece.stamp)) for piece in pieces]

    def shortfalls(self) -> list[tuple[str, bool]]:
        sentences = [sentence for holding in self.holdings for sentence in holding.shortfalls]
        return [(sentence, self._is_new(sentence)) for sentence in sentences]
=======
    @property
    def chooses_each(self) -> bool:
        """Whether somebody is chosen for a piece."""
        return any(field.value() or field.errors for _, field, _ in self.rows())
>>>>>>> part-camp

    @property
    def seen_now(self) -> str:
        return seen_of(self.holdings)

    def _is_new(self, stamp: str) -> bool:
        return self.is_bound and stamp not in self._seen

    @property
    def _seen(self) -> list[Any]:
        try:
            sent = json.loads(self.data.get("seen", ""))
        except (ValueError, RecursionError):
            return stamps(self.holdings)
        return sent if isinstance(sent, list) else []
