"""Files that a page's script has sent in pieces, as those of the form that names them."""

from typing import TYPE_CHECKING, Any

from accounts import pages
from accounts.pages import UserRequest
from api.uploads import UPLOAD, arrived
from campaigns.models.campaign import Campaign

if TYPE_CHECKING:
    from django.utils.datastructures import MultiValueDict


def sent(request: UserRequest, campaign: Campaign, field: str) -> dict[str, Any]:
    """Return the arguments of a form as `accounts.pages.sent` does, with uploads in a field.

    They are closed with the other files of the request.
    """
    if request.method == "POST":
        files: MultiValueDict[str, Any] = request.FILES
        for key in request.POST.getlist(UPLOAD):
            files.appendlist(field, arrived(request.user, campaign, key))
    return pages.sent(request)
