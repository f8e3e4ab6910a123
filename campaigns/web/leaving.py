"""The page that removes a member."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.people import check_can_remove
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership
from campaigns.services.leaving import holdings_of, how_removed
from campaigns.services.leaving import remove_member as remove
from campaigns.web.frame import check_is_of_the_state, guarded, page
from campaigns.web.leaving_forms import RemovalForm
from trec.words import an


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
