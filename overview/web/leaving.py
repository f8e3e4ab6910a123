"""The page that removes a member, and what it asks."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import why_not
from accounts.fields import PersonField, SeenField
from accounts.models import BY_NAME, User
from accounts.pages import UserRequest, sent, signed_in
from assess.access.assigning import assessors_of
from assess.services.leaving import assignments_of, listed, takers_of
from campaigns.access.people import People
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership
from campaigns.web.frame import done, guarded, page
from cleverdon.trec.words import an
from overview.services.leaving import how_removed, seen_of
from overview.services.leaving import remove_member as remove


class RemovalForm(forms.Form):
    """Who takes over the work of a member: another assessor, or nobody yet."""

    seen = SeenField()
    successor = PersonField(
        User.objects.none(),
        required=False,
        label="who takes over",
        empty_label="Nobody yet: it waits to be assigned again",
        error_messages={"invalid_choice": "The person chosen here is no longer an assessor."},
        help_text=(
            "What they cannot take waits to be assigned again. "
            "To give one topic to somebody else, hand it over on its page, before or after."
        ),
    )

    def __init__(self, *arguments: Any, membership: Membership, **options: Any) -> None:
        super().__init__(*arguments, **options)
        successor = cast("PersonField", self.fields["successor"])
        others = assessors_of(membership.campaign).exclude(pk=membership.user_id)
        successor.queryset = others.order_by(*BY_NAME)
        successor.mark(*takers_of(membership))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what a member has, and remove them."""
    campaign = guarded(request, slug, People.see)
    members = Membership.objects.filter(campaign=campaign).select_related(
        "user", "team", "campaign"
    )
    member = members.filter(pk=pk).first()
    if member is None:
        return _gone(request, campaign, pk)
    seen, form = seen_of(member), RemovalForm(**sent(request), membership=member)

    def act() -> None:
        outcome = remove(user=request.user, membership=member, **form.cleaned_data)
        said = f"{member.user} is no longer {an(member.role)} of {campaign}."
        messages.success(request, f"{said} {outcome}")

    if form.is_valid() and done(form, act):
        return redirect("campaigns:people", slug)
    if not members.filter(pk=pk).exists():  # by somebody else at this moment
        return _gone(request, campaign, pk)
    held = list(assignments_of(member))
    own = [each for each in held if not each.is_shared]
    context = {
        "form": form,
        "member": member,
        "topics": own and listed(own),
        "n_shared": len(held) - len(own),
        "seen": seen,
        "why_not": why_not(People.remove, request.user, member),
    }
    return page(request, "overview/remove_member.html", campaign, "people", **context)


def _gone(request: UserRequest, campaign: Campaign, pk: int) -> HttpResponse:
    messages.info(request, how_removed(campaign, pk))
    return redirect("campaigns:people", campaign.slug)
