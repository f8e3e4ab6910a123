"""The rounds of a campaign: what each has, how the next begins, how the last is taken back."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import why_not
from accounts.fields import SeenField, SeenForm
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.windows import date_conflicts
from campaigns.core.spans import read_numbers, spans
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.models.rounds import Round, in_no_round
from campaigns.web.campaign_forms import SECTION_TITLES
from campaigns.web.frame import attempt, done, guarded, page, sentences
from campaigns.web.zones import MOMENTS, Moment, MomentField, zone_shown
from cleverdon.trec.versions import version
from evaluation.models.scores import Evaluation
from evaluation.releasing import described
from overview.access import Rounds
from overview.services import rounds as services
from pooling.models.batches import Batch
from qrels.models import Qrels
from runs.access.teams import may_yet_submit
from runs.models import Run

# What grows in a campaign, and of which a release shows only what it names.
GROWING = [Release.What.RUNS, Release.What.POOL, Release.What.TOPICS, Release.What.AGREEMENT]
MOST_TEXT = 100_000  # characters of a list of topics


class TopicsForm(forms.Form):
    """The topics of a round."""

    topics = forms.CharField(
        required=False,
        max_length=MOST_TEXT,
        help_text="Numbers or spans such as 31-35, with blanks between; empty for all.",
    )
    seen = SeenField(required=True)

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign

    @classmethod
    def of(cls, row: Round) -> "TopicsForm":
        """Return the form with the topics that a round has."""
        initial = {"topics": spans(row.topics)}
        options = {"campaign": row.campaign, "auto_id": f"round-{row.number}-%s"}
        return cls(initial=initial, **cast("dict[str, Any]", options))

    def clean_topics(self) -> Sequence[str]:
        known = list(self.campaign.topic_set.values_list("number", flat=True))
        try:
            return read_numbers(self.cleaned_data["topics"], known)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class RoundForm(TopicsForm):
    """The next round: its topics, when the teams see them, and when its runs are taken."""

    topics_open_at = MomentField(
        required=False,
        widget=Moment(),
        label="topics are shown from",
        help_text="To the teams; an empty date shows them at once.",
    )
    submission_opens_at = MomentField(required=False, widget=Moment())
    submission_closes_at = MomentField(
        required=False, widget=Moment(), help_text="Its deadline. An empty date sets no limit."
    )
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, campaign=campaign, **options)
        self.fields["times_are_in"].initial = campaign.time_zone

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # Read by the clock of the page, which may no longer be that of the campaign.
        cleaned.pop("times_are_in", None)
        return cleaned


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def rounds(request: UserRequest, slug: str) -> HttpResponse:
    """Show the rounds, and begin the next."""
    campaign = guarded(request, slug, Rounds.see)
    with timezone.override(zone_shown(request.POST, campaign)):
        form = RoundForm(**sent(request), campaign=campaign, auto_id="next-%s")
        is_valid = form.is_valid()
    if is_valid:
        act = partial(services.begin_round, user=request.user, campaign=campaign)
        if row := done(form, partial(act, **form.cleaned_data)):
            messages.success(request, f"Round {row.number} has begun.")
            campaign.refresh_from_db()
            if conflict := date_conflicts({name: getattr(campaign, name) for name in MOMENTS}):
                messages.error(request, f"{conflict} Change one under Settings → Dates.")
            return redirect("rounds", slug)
    return _rounds_page(request, campaign, form)


@signed_in
@require_POST
def change_round(request: UserRequest, slug: str, number: int) -> HttpResponse:
    campaign = guarded(request, slug, Rounds.change)
    row = get_object_or_404(Round, campaign=campaign, number=number)
    form = TopicsForm(request.POST, campaign=campaign, auto_id=f"round-{number}-%s")
    act = partial(services.change_round, user=request.user, row=row)
    if form.is_valid() and done(form, partial(act, **form.cleaned_data), field="topics"):
        messages.success(request, f"The topics of round {number} are saved.")
        return redirect("rounds", slug)
    return _rounds_page(request, campaign, sent={number: form})


@signed_in
@require_POST
def take_back_round(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Rounds.see)
    form = SeenForm(request.POST)
    refusal = sentences(form)
    if form.is_valid():
        given = {"user": request.user, "campaign": campaign, **form.cleaned_data}
        refusal = attempt(services.take_back_round, **given)
        if not refusal:
            messages.success(request, f"Round {campaign.round} is taken back.")
            return redirect("rounds", slug)
    return _rounds_page(request, campaign, refusal=refusal)


def _rounds_page(
    request: UserRequest,
    campaign: Campaign,
    form: RoundForm | None = None,
    *,
    sent: dict[int, TopicsForm] | None = None,
    refusal: str = "",
) -> HttpResponse:
    campaign.refresh_from_db()
    context = {
        "sections": SECTION_TITLES,
        "section": "rounds",
        "rows": list(_rows(campaign, sent or {})),
        "form": form or RoundForm(campaign=campaign, auto_id="next-%s"),
        "in_no_round": spans(in_no_round(campaign)),
        "open_still": may_yet_submit(campaign),
        "released": [
            described(each)
            for each in campaign.releases.standing().filter(what__in=GROWING).order_by("pk")
        ],
        "seen": version(campaign.round),
        "refusal": refusal,
        "why_not": why_not(Rounds.begin, request.user, campaign),
        "why_not_take_back": why_not(Rounds.take_back, request.user, campaign),
    }
    return page(request, "overview/rounds.html", campaign, "settings", **context)


def _rows(campaign: Campaign, sent: dict[int, TopicsForm]) -> Iterator[dict[str, Any]]:
    """Yield each round with all that is of it; a campaign without several has one round."""
    runs = list(Run.objects.filter(campaign=campaign).values_list("round", flat=True))
    batches = list(Batch.objects.frozen_of(campaign).order_by("version"))
    versions = list(Qrels.objects.filter(campaign=campaign).order_by("number"))
    boards = list(Evaluation.objects.finished(campaign).select_related("qrels").order_by("pk"))
    for row in campaign.rounds.all() or [Round(campaign=campaign, number=1)]:
        yield {
            "round": row,
            "topics": spans(row.topics) if campaign.has_rounds else "all",
            "n_runs": runs.count(row.number),
            "batches": [each for each in batches if each.round == row.number],
            "qrels": [each for each in versions if each.round == row.number],
            "boards": [
                each for each in boards if row.number == (each.scope.round or each.qrels.round)
            ],
            "form": sent.get(row.number) or TopicsForm.of(row),
            "seen": version(*row.topics, ""),
        }
