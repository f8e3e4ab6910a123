"""The page that copies a campaign, and its form."""

from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.text import get_text_list
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, page
from overview.services import copying
from overview.services.copying import PARTS


class CopyForm(forms.Form):
    name = forms.CharField(max_length=120, label="name of the copy")
    taking = forms.MultipleChoiceField(
        required=False,
        label="besides the settings, copy",
        widget=forms.CheckboxSelectMultiple,
        help_text="People keep their roles and teams: "
        "members see the copy at once, and teams may upload runs. "
        "Texts start again at version 1. "
        "Known grades are those of controls and practice.",
    )

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        name = f"{campaign.name[:113]} (copy)"
        ticked = [each for each in PARTS if each != "people"]
        options["initial"] = {"name": name, "taking": ticked}
        super().__init__(*arguments, **options)
        taking = cast("forms.MultipleChoiceField", self.fields["taking"])
        taking.choices = [(each, each.capitalize()) for each in PARTS]

    def clean_taking(self) -> list[str]:
        taking: list[str] = self.cleaned_data["taking"]
        for each in taking:
            if missing := [need for need in PARTS[each].needs if need not in taking]:
                others = get_text_list(missing, "and")
                raise ValidationError(f"{each.capitalize()} are about {others}: copy these too.")
        return taking


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Campaigns.organize)
    form = CopyForm(**sent(request), campaign=campaign)
    if form.is_valid():
        act = partial(copying.copy_campaign, user=request.user, campaign=campaign)
        if made := done(form, partial(act, **form.cleaned_data)):
            waits = "What you ticked is being copied. " if form.cleaned_data["taking"] else ""
            messages.success(request, f"This is the copy. {waits}Set its dates in the settings.")
            return redirect("overview", made.slug)
    return page(request, "overview/copy.html", campaign, "settings", form=form)
