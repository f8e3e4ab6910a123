"""A program beside people: the page."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.access import check
from accounts.pages import UserRequest, signed_in
from campaigns.web.frame import guarded, page
from programs.access import Programs
from programs.models import Program


@signed_in
@require_safe
def program(request: UserRequest, slug: str, name: str) -> HttpResponse:
    """Show how a program agrees with people."""
    campaign = guarded(request, slug, Programs.see)
    check(Programs.see_labels, request.user, campaign)
    rows = Program.objects.with_counts().filter(campaign=campaign)
    its = get_object_or_404(rows, name=name)
    return page(request, "agreement/program.html", campaign, "agreement", program=its)
