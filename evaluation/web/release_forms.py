"""The form that releases something."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone

from accounts.fields import AcceptField, SeenField
from campaigns.models.campaign import Campaign
from campaigns.models.moments import SHORT_MINUTE, dated
from campaigns.models.releases import Release
from campaigns.models.rounds import Round, deadline_of
from campaigns.web.zones import Moment, MomentField
from cleverdon.trec.versions import version
from evaluation.models.scores import Evaluation
from evaluation.releasing import ONE_BY_ONE, released, to_name
from pooling.models.batches import Batch
from qrels.models import Qrels

What, Audience = Release.What, Release.Audience
TO = {Audience.PARTICIPANTS: "The teams", Audience.EVERYBODY: "Everybody, also without signing in"}


class TakeBackReleaseForm(forms.Form):
    """Take a release back."""

    what = forms.ChoiceField(choices=What.choices, widget=forms.HiddenInput)
    seen = SeenField()
    audience = forms.ChoiceField(choices=Audience.choices)


class ReleaseForm(TakeBackReleaseForm):
    """Release something to the teams or to everybody; scores and qrels by name."""

    audience = forms.ChoiceField(label="to", choices=list(TO.items()), widget=forms.RadioSelect)
    subject_id = forms.TypedChoiceField(coerce=int, empty_value=None)
    from_at = MomentField(
        required=False,
        label="from",
        widget=Moment(),
        help_text="In the campaign's time zone. Empty: from now on.",
    )
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)
    accepts = AcceptField()

    def __init__(
        self,
        data: QueryDict | None,
        *,
        campaign: Campaign,
        what: Release.What,
        asked: Mapping[str, str],
    ) -> None:
        """`asked` is what the address asks for: the audience, and the subject."""
        standing = campaign.releases.standing().filter(what=what)
        rows = {each.audience: each for each in standing}
        audience = asked.get("audience") or _usual(rows)
        now = rows.get(audience)
        subject = asked.get("subject") or (now.subject_id if now else None)
        initial = {
            "what": what,
            "seen": version(released(campaign, what)),
            "audience": audience,
            "from_at": now.from_at if now and not now.is_in_force else None,
            "times_are_in": campaign.time_zone,
        }
        super().__init__(data, initial=initial)
        self.seen_now = initial["seen"]
        if what == What.TOPICS:
            public = Audience.EVERYBODY
            self.fields["audience"].choices = [(public, TO[public])]  # type: ignore[attr-defined]
            self.initial["audience"] = public
        self._choose_subject(what, campaign, subject)

    def _choose_subject(self, what: Release.What, campaign: Campaign, subject: object) -> None:
        label, choices_of = SUBJECTS[what]
        choices = list(choices_of(campaign))
        if what in ONE_BY_ONE and not choices:  # there is one round
            del self.fields["subject_id"]
            return
        self.fields["subject_id"].label = label
        self.fields["subject_id"].required = what not in ONE_BY_ONE
        self.fields["subject_id"].choices = choices  # type: ignore[attr-defined]
        self.initial["subject_id"] = subject or next((pk for pk, _ in choices), None)

    def renew(self) -> None:
        """Show what is released now, so that what was refused can be sent again."""
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["seen"] = self.seen_now  # type: ignore[index]


def _usual(audiences: Collection[str]) -> str:
    """Return the audience to choose first: everybody if they alone have it now."""
    only_public = list(audiences) == [Audience.EVERYBODY]
    return Audience.EVERYBODY if only_public else Audience.PARTICIPANTS


def _evaluations(campaign: Campaign) -> Iterable[tuple[int, str]]:
    """Yield the evaluations that can be released, that of the board first."""
    for each in Evaluation.objects.front_first(campaign).filter(qrels__withdrawn_at=None):
        marks = "".join(f", {mark}" for mark in each.marks)
        at = dated(each.finished_at, campaign.zone, SHORT_MINUTE)
        yield each.pk, f"against {each.name}{marks}: {at}, {', '.join(each.measures[:3])} …"


def _versions(campaign: Campaign) -> Iterable[tuple[int, str]]:
    """Yield the versions of the qrels that can be released, the newest first."""
    for each in Qrels.objects.standing().filter(campaign=campaign).own_first():
        source = f", imported: {each.source[:40]}" if each.is_imported else ""
        source += f", {each.basis}" if each.is_other else ""
        source += ", preliminary" if each.is_preliminary else ""
        source += _in_round(campaign, each)
        yield each.pk, f"v{each.number}{source} ({each.n_judgments:,} judgments)"


def _judged_versions(campaign: Campaign) -> Iterable[tuple[int, str]]:
    """Yield the versions that rest on judgments made here, the newest first."""
    for each in Qrels.objects.standing().filter(campaign=campaign, source=""):
        day = f"{campaign.day_of(each.published_at):%-d %B %Y}"
        yield each.pk, f"qrels v{each.number}{_in_round(campaign, each)}, of {day}"


def _pool_versions(campaign: Campaign) -> Iterable[tuple[int, str]]:
    """Yield the versions of the pool, the newest first."""
    batches = list(Batch.objects.frozen_of(campaign))
    n_after = 0
    total = sum(each.n_entries for each in batches)
    for each in batches:
        held = f"{total - n_after:,} documents"
        yield each.version or 0, f"version {each.version}{_in_round(campaign, each)} ({held})"
        n_after += each.n_entries


def _in_round(campaign: Campaign, version: Qrels | Batch) -> str:
    return f", round {version.round}" if campaign.has_rounds else ""


def _rounds(what: Release.What, campaign: Campaign) -> Iterable[tuple[int | str, str]]:
    """Yield the rounds, the last one that is closed first, and all; nothing if there is one."""
    numbers = Round.objects.numbers(campaign)
    now = timezone.now()
    closed = [n for n in numbers if (at := deadline_of(campaign, n)) and at <= now]
    for number in sorted(numbers, key=lambda n: (n not in closed, -n)):
        yield number, f"round {number} ({len(to_name(campaign, what, number)):,})"
    if numbers:
        yield "", f"all rounds ({len(to_name(campaign, what, None)):,})"


SUBJECTS: dict[Release.What, tuple[str, Callable[[Campaign], Iterable[tuple[Any, str]]]]] = {
    What.SCORES: ("scores", _evaluations),
    What.QRELS: ("version", _versions),
    What.POOL: ("version", _pool_versions),
    What.AGREEMENT: ("as of", _judged_versions),
    What.RUNS: ("runs of", partial(_rounds, What.RUNS)),
    What.TOPICS: ("topics of", partial(_rounds, What.TOPICS)),
}
