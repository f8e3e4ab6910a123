"""What is asked when a member is removed."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from django import forms

from accounts.fields import PersonField, SeenField
from accounts.models import BY_NAME, User
from campaigns.from_above import Holding, Piece
from campaigns.models.people import Membership, Role
from campaigns.services.leaving import seen_of
from trec.versions import version


class RemovalForm(forms.Form):
    """Who takes over the work of a member: another assessor, or nobody yet."""

    seen = SeenField()
    successor = PersonField(
        User.objects.none(),
        required=False,
        label="who takes over",
        empty_label="Nobody yet: it waits to be assigned again",
        error_messages={"invalid_choice": "The person chosen here is no longer an assessor."},
        help_text="What they cannot take waits to be assigned again.",
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

    def lines(self) -> Iterator[tuple[Holding, bool]]:
        """Return each holding, and whether it has changed since the page was opened."""
        for holding in self.holdings:
            yield holding, self._is_new(holding.lines[0])

    def pieces(self) -> list[tuple[Piece, bool]]:
        return [
            (piece, self._is_new(line))
            for holding in self.holdings
            for piece, line in zip(holding.pieces, holding.lines[1:], strict=False)
        ]

    def shortfalls(self) -> list[tuple[str, bool]]:
        sentences = [sentence for holding in self.holdings for sentence in holding.shortfalls]
        return [(sentence, self._is_new(sentence)) for sentence in sentences]

    @property
    def seen_now(self) -> str:
        return seen_of(self.holdings)

    def _is_new(self, line: str) -> bool:
        return "seen" in self.data and version(line) not in self.data["seen"]
