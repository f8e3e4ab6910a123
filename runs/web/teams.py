"""Pages of teams: members, names, merging, leaving, deadlines."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import NotThere, Refused, can, check, why_not
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.campaign import Campaigns
from campaigns.access.windows import deadline, shown
from campaigns.models.campaign import Campaign
from campaigns.models.moments import zone_name
from campaigns.models.people import NO_TEAM_TO_MERGE, TEAM_GONE, Invitation, Membership, Team
from campaigns.sorting import Cell, Sorting
from campaigns.web.editing import Editing
from campaigns.web.frame import done, guarded, page, tabled
from campaigns.web.people import people_page
from campaigns.web.people_forms import MergeForm, RenamingForm, TeamNameForm
from campaigns.web.zones import Moment, MomentField, zone_shown
from cleverdon.trec.versions import version
from jobs.acting import stay
from runs.access.runs import is_late
from runs.access.teams import Teams
from runs.models import Run
from runs.services import teams as teams_services
from runs.services.teams import contents_of

RUNS = Sorting(
    "team-runs",
    run=Cell(lambda run: run.tag),
    state=Cell(lambda run: run.state),
    uploaded_by=Cell(lambda run: run.submitted_by),
    on=Cell(lambda run: run.submitted_at),
)
EXTENDED = Sorting(
    "extensions",
    team=Cell(lambda team: team.name),
    may_submit_until=Cell(lambda team: team.submission_closes_at),
)


class ExtensionForm(Editing, forms.Form):
    """Extend one team's deadline, or take the extension back.

    The page sends its time zone, so that a change since is noticed.
    """

    team = forms.ModelChoiceField(queryset=Team.objects.none(), empty_label="Choose")
    closes_at = MomentField(
        required=False,
        label="may submit until",
        widget=Moment(),
        help_text="In the campaign's time zone. Empty takes the extension back.",
    )
    times_are_in = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, *arguments: Any, campaign: Campaign, teams: Iterable[Team], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.campaign = campaign
        self.extended = {str(each.pk): each.submission_closes_at for each in teams}
        choices = Team.objects.filter(campaign=campaign, is_baseline=False).in_order()
        self.fields["team"].queryset = choices  # type: ignore[attr-defined]
        self.fields["times_are_in"].initial = campaign.time_zone
        chosen = str(self.data.get("team", ""))
        self.stored = {"closes_at": self.extended[chosen]} if chosen in self.extended else {}

    @property
    def versions(self) -> dict[str, str]:
        """The page lists every extension, and its team is chosen on it."""
        extended = {team: str(at) for team, at in self.extended.items() if at}
        return {"closes_at": version(self.campaign.time_zone, *sorted(extended.items()))}

    def _stored_now(self, name: str) -> str:
        sentence, zone = super()._stored_now(name), zone_shown(self.data, self.campaign)
        is_other = zone.key != self.campaign.time_zone
        return f"{sentence} It is in {zone_name(zone)}, as the page was." if is_other else sentence

    def shown(self, name: str, value: Any) -> str:
        return shown(self.campaign, value) if value else "no extension"


@signed_in
@require_POST
def create_team(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Teams.create)
    form = TeamNameForm(**sent(request), auto_id="team_%s")
    create = partial(teams_services.create_team, user=request.user, campaign=campaign)
    if form.is_valid() and (made := done(form, partial(create, **form.cleaned_data), field="name")):
        messages.success(request, f"Team {made} is created.")
        return redirect("campaigns:people", slug)
    return people_page(request, campaign, team_form=form)


@signed_in
@require_safe
def team(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    return _page(request, _team(request, slug, pk))


@signed_in
@require_safe
def my_team(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    mine = Membership.objects.filter(campaign=campaign, user=request.user)
    membership = mine.exclude(team=None).first()
    if membership is None or membership.team_id is None:
        raise NotThere
    return _page(request, _team(request, slug, membership.team_id))


@signed_in
@require_POST
@transaction.atomic
def rename_team(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    team = _organized(request, slug, pk)
    # Locked: what the form compares with what the page showed is what the service changes.
    stay(team.campaign_id)
    form = RenamingForm(request.POST, instance=Team.objects.held(team))
    if form.is_valid():
        rename = partial(teams_services.rename_team, user=request.user, team=team)
        changes = form.changes()
        if not changes or done(form, partial(rename, **changes), field="name"):
            messages.success(request, "The team has its new name.")
            return redirect("runs:team", slug, pk)
    return _page(request, team, name_form=form)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def merge_team(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show what both teams have; merge them once that is confirmed."""
    team = _organized(request, slug, pk)
    form = MergeForm(request.POST or request.GET, team=team)
    if not form.is_valid():
        return _page(request, team, merge_form=form)
    into = form.cleaned_data["into"]
    merge = partial(teams_services.merge_teams, user=request.user, team=team, **form.cleaned_data)
    if request.method == "POST" and done(form, merge):
        messages.success(request, f"Team {team} is now a part of {into}.")
        return redirect("runs:team", slug, into.pk)
    context = {"form": form, **_both(_team(request, slug, pk), _team(request, slug, into.pk))}
    return page(request, "runs/merge.html", team.campaign, "people", **context)


def _both(team: Team, into: Team) -> dict[str, Any]:
    closes = [deadline(each.campaign, each) for each in (team, into)]
    links = [Invitation.objects.filter(team=each).n_open() for each in (team, into)]
    return {
        "team": team,
        "into": into,
        "links": links,
        "closes": closes,
        "closes_at": max(filter(None, closes), default=None),
        "seen": contents_of(team, into),
    }


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def extensions(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Teams.extend_deadline)
    # Locked: what the form compares with what the page showed is what the service changes.
    stay(campaign.pk)
    teams = Team.objects.locked(campaign)
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    with timezone.override(zone_shown(request.POST, campaign)):
        form = ExtensionForm(**sent(request), campaign=campaign, teams=teams)
        is_valid = form.is_valid()
    if is_valid:
        team, changes = form.cleaned_data["team"], form.changes()
        extend = partial(teams_services.extend_deadline, user=request.user, team=team)
        if not changes or done(form, partial(extend, **changes), field="closes_at"):
            messages.success(request, f"Saved for team {team}.")
            return redirect("runs:extensions", slug)
    extended = list(Team.objects.extended(campaign).in_order())
    is_over = is_late(campaign, timezone.now())
    context: dict[str, Any] = {
        "form": form,
        "teams": tabled(request, extended, EXTENDED),
        "is_over": is_over,
    }
    return page(request, "runs/extensions.html", campaign, "runs", **context)


@signed_in
@require_POST
def delete_team(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    team = _organized(request, slug, pk)
    teams_services.delete_team(user=request.user, team=team)
    messages.success(request, f"Team {team} is deleted.")
    return redirect("campaigns:people", slug)


@signed_in
@require_POST
def leave_team(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    team = _team(request, slug, pk)
    teams_services.leave_team(user=request.user, team=team)
    messages.success(request, f"You are no longer in team {team}.")
    return redirect("home")


def _team(request: UserRequest, slug: str, pk: int) -> Team:
    """Return the team, for its members and organizers; an organizer's page may be out of date."""
    campaign = guarded(request, slug)
    teams = Team.objects.for_people(campaign).select_related("campaign")
    team = teams.filter(pk=pk).first()
    if team is None:
        raise Refused(TEAM_GONE) if can(Campaigns.organize, request.user, campaign) else NotThere()
    check(Teams.see, request.user, team)
    return team


def _organized(request: UserRequest, slug: str, pk: int) -> Team:
    team = _team(request, slug, pk)
    check(Campaigns.organize, request.user, team.campaign)
    return team


def _why_not_merge(team: Team) -> str:
    if team.is_baseline:
        return NO_TEAM_TO_MERGE
    has_others = Team.objects.to_merge_with(team).exists()
    return "" if has_others else "There is no other team."


def _page(
    request: UserRequest,
    team: Team,
    *,
    name_form: RenamingForm | None = None,
    merge_form: MergeForm | None = None,
) -> HttpResponse:
    members = list(Membership.objects.filter(team=team).select_related("user"))
    runs = list(Run.objects.filter(team=team).select_related("submitted_by"))
    context: dict[str, Any] = {
        "team": team,
        "members": members,
        "runs": tabled(request, runs, RUNS),
        "n_of_round": sum(each.round == team.campaign.round for each in runs),
        "name_form": name_form or RenamingForm(instance=team),
        "merge_form": merge_form or MergeForm(team=team),
        "why_not_merge": _why_not_merge(team),
        "why_not_delete": why_not(Teams.delete, request.user, team),
        "can_leave": can(Teams.leave, request.user, team),
    }
    # Only members have a tab of their team.
    tab = "team" if any(each.user_id == request.user.pk for each in members) else "people"
    return page(request, "runs/team.html", team.campaign, tab, **context)
