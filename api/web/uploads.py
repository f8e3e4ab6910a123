"""Files that are sent in pieces: as those of the form that names them, and one's own, in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts import pages
from accounts.pages import signed_in
from api.models import Upload
from api.uploads import UPLOAD, arrived, delete_upload

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.utils.datastructures import MultiValueDict

    from accounts.pages import UserRequest
    from campaigns.models.campaign import Campaign


def sent(request: UserRequest, campaign: Campaign, field: str) -> dict[str, Any]:
    """Return the arguments of a form as `accounts.pages.sent` does, with uploads in a field.

    They are closed with the other files of the request.
    """
    if request.method == "POST":
        files: MultiValueDict[str, Any] = request.FILES
        for key in request.POST.getlist(UPLOAD):
            files.appendlist(field, arrived(request.user, campaign, key))
    return pages.sent(request)


@signed_in
@require_safe
def uploads(request: UserRequest) -> HttpResponse:
    """Show the files of all campaigns, as they count together towards what one may have."""
    own = Upload.objects.live().filter(user=request.user).select_related("campaign")
    return render(request, "api/uploads.html", {"uploads": own.order_by("-begun_at")})


@signed_in
@require_POST
def delete(request: UserRequest, pk: int) -> HttpResponse:
    upload = get_object_or_404(Upload, pk=pk, user=request.user)
    delete_upload(upload)
    messages.success(request, f"{upload} is deleted.")
    return redirect("own_uploads")
