"""The page of what was judged on an earlier text, which can be reopened as a whole."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.access import why_not
from accounts.fields import SeenForm
from accounts.pages import UserRequest, sent, signed_in
from assess.access.judging import check_takes_judgments
from assess.models.judging import Judgment
from assess.services.rejudging import reopen_earlier, version_of
from assess.web.earlier_page import grouped
from campaigns.access.roles import check_can_organize
from campaigns.web.frame import done, guarded, page, sentences
from trec.words import counted


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def earlier(request: UserRequest, slug: str) -> HttpResponse:

    campaign, form = guarded(request, slug, check_can_organize), SeenForm(**sent(request))
    act = partial(reopen_earlier, user=request.user, campaign=campaign)
    if form.is_valid() and (n := done(form, lambda: act(**form.cleaned_data))):
        messages.success(request, f"{counted(n, 'judgment')} reopened.")
        return redirect("assess:earlier", slug)
    judgments = list(Judgment.objects.on_earlier().filter(topic__campaign=campaign))
    groups = grouped(judgments)
    context = {
        "groups": groups,
        "n": len(judgments),
        "n_topics": len({each.topic.pk for each in groups}),
        "n_people": len({each.assessor.pk for each in groups}),
        "seen": version_of(judgments),
        "closed": why_not(check_takes_judgments, campaign),
        "refusal": sentences(form),
    }
    return page(request, "assess/earlier.html", campaign, "judging", **context)
