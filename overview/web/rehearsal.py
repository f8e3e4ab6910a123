"""The page that says what a rehearsal has left behind, and throws it away."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.web.campaign_forms import DeletionForm
from campaigns.web.frame import done, guarded, page
from overview.access import NOTHING_TO_THROW_AWAY, check_can_throw_away
from overview.services.rehearsal import describe_rehearsal, throw_away_rehearsal


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def rehearsal(request: UserRequest, slug: str) -> HttpResponse:
    """Ask for the campaign's name, and throw the rehearsal away."""
    campaign = guarded(request, slug, check_can_organize)
    form = DeletionForm(**sent(request), campaign=campaign)
    act = partial(throw_away_rehearsal, user=request.user, campaign=campaign)
    if form.is_valid() and done(form, partial(act, seen=form.cleaned_data["seen"])):
        messages.success(
            request, "The rehearsal is thrown away. The campaign is as before the pool."
        )
        return redirect("pooling:pool", slug)
    going = describe_rehearsal(campaign)
    why = why_not(check_can_throw_away, request.user, campaign)
    context = {
        "form": form,
        "going": going,
        "why_not": why or ("" if going else NOTHING_TO_THROW_AWAY),
    }
    return page(request, "overview/rehearsal.html", campaign, "settings", **context)
