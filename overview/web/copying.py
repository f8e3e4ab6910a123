"""The page that copies a campaign."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.web.frame import done, guarded, page
from overview.services import copying
from overview.web.copy_form import CopyForm


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: UserRequest, slug: str) -> HttpResponse:
    """Ask what is to be copied, and lead to the copy."""
    campaign = guarded(request, slug, check_can_organize)
    form = CopyForm(**sent(request), campaign=campaign)
    if form.is_valid():
        act = partial(copying.copy_campaign, user=request.user, campaign=campaign)
        if made := done(form, partial(act, **form.cleaned_data)):
            waits = "What you ticked is being copied. " if form.cleaned_data["taking"] else ""
            messages.success(request, f"This is the copy. {waits}Set its dates in the settings.")
            return redirect("overview", made.slug)
    return page(request, "overview/copy.html", campaign, "settings", form=form)
