"""The page that removes a member, and what it asks."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Refused, why_not
from accounts.fields import PersonField, SeenField
from accounts.models import BY_NAME, User
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.people import check_can_remove
from campaigns.access.roles import check_can_organize
from campaigns.from_above import Holding, Piece
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.services.leaving import holdings_of, how_removed, seen_of
from campaigns.services.leaving import remove_member as remove
from campaigns.web.frame import check_is_of_the_state, guarded, page
from trec.versions import version
from trec.words import an


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


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what a member has, and remove them."""
    campaign = guarded(request, slug, check_can_organize)
    members = Membership.objects.filter(campaign=campaign).select_related(
        "user", "team", "campaign"
    )
    member = members.filter(pk=pk).first()
    if member is None:
        return _gone(request, campaign, pk)
    form = RemovalForm(**sent(request), membership=member, holdings=holdings_of(member))
    if form.is_valid():
        try:
            outcome = remove(user=request.user, membership=member, **form.cleaned_data)
        except Refused as refusal:
            check_is_of_the_state(refusal)
            if not members.filter(pk=pk).exists():  # by somebody else at this moment
                return _gone(request, campaign, pk)
            form = RemovalForm(**sent(request), membership=member, holdings=holdings_of(member))
            form.add_error(None, str(refusal))
        else:
            messages.success(
                request, f"{member.user} is no longer {an(member.role)} of {campaign}. {outcome}"
            )
            return redirect("campaigns:people", slug)
    context = {
        "form": form,
        "member": member,
        "why_not": why_not(check_can_remove, request.user, member),
    }
    return page(request, "campaigns/remove_member.html", campaign, "people", **context)


def _gone(request: UserRequest, campaign: Campaign, pk: int) -> HttpResponse:
    messages.info(request, how_removed(campaign, pk))
    return redirect("campaigns:people", campaign.slug)
