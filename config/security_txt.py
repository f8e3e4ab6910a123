"""Where to report a vulnerability: `/.well-known/security.txt` (RFC 9116)."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

LASTS = timedelta(days=180)  # of the year at most that the standard advises


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Name the contact of whoever runs the site, if the settings have one."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + LASTS).strftime("%Y-%m-%dT00:00:00Z")
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {expires}",
        f"Canonical: {settings.SITE_URL}{request.path_info}",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
