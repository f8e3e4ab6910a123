"""What is asked when a member is removed."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms

from accounts.forms import PersonField
from accounts.models import BY_NAME, User
from campaigns.models import Membership, Role
from campaigns.ties import Tie


class RemovalForm(forms.Form):
    """Who gets what the member had to do: another assessor, or nobody yet."""

    heir = PersonField(
        User.objects.none(),
        required=False,
        label="who goes on with it",
        empty_label="Nobody yet: it waits to be assigned again",
    )

    def __init__(self, *arguments: Any, membership: Membership, **options: Any) -> None:
        super().__init__(*arguments, **options)
        others = User.objects.filter(
            membership__campaign=membership.campaign, membership__role=Role.ASSESSOR
        ).exclude(pk=membership.user_id)
        self.fields["heir"].queryset = others.order_by(*BY_NAME)  # type: ignore[attr-defined]

    def offer(self, ties: Iterable[Tie]) -> None:
        """Offer as heirs those who can take everything."""
        heir = cast("PersonField", self.fields["heir"])
        refused: dict[int, str] = {}
        notes: dict[int, str] = {}
        for tie in ties:
            refused |= tie.refused
            notes |= tie.notes
        heir.mark(refused, notes)
