"""Pages of people: members and invitations."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import NameTaken, Refused, why_not
from accounts.forms import SignUpForm
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.people import People
from campaigns.access.roles import what_closes_board
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role, Team
from campaigns.nouns import MEMBERS, TEAMS
from campaigns.services import people as people_services
from campaigns.sorting import Cell, Sorting
from campaigns.web.frame import check_is_of_the_state, done, guarded, listed, page
from campaigns.web.lists import page_of
from campaigns.web.people_forms import InvitationForm, TeamNameForm
from cleverdon.trec.words import an

# People of a role shown above the list of all.
SHOWN_OF_A_ROLE = 12
LINK_COLUMNS: dict[str, Any] = {
    "for_": Cell(lambda link: link.name.lower()),
    "joins_as": Cell(lambda link: link.gives.lower()),
    "joined_by_it": Cell(lambda link: link.n_uses),
    "until": Cell(lambda link: link.expires_at, is_date=True),
}
OPEN_LINKS = Sorting("open-links", **LINK_COLUMNS)
CLOSED_LINKS = Sorting("closed-links", **LINK_COLUMNS)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, People.see)
    form = InvitationForm(**sent(request))
    invite = partial(people_services.invite, user=request.user, campaign=campaign)
    if form.is_valid() and done(form, partial(invite, **form.cleaned_data), field="team_name"):
        is_assessor = form.cleaned_data["role"] == Role.ASSESSOR
        closed = what_closes_board(campaign) if is_assessor else ""
        messages.success(request, f"The link is made: copy it below and send it. {closed}".strip())
        return redirect("campaigns:people", slug)
    return people_page(request, campaign, form=form)


def people_page(
    request: UserRequest,
    campaign: Campaign,
    *,
    form: InvitationForm | None = None,
    team_form: TeamNameForm | None = None,
) -> HttpResponse:
    """Show links, teams and members, with a form that was refused."""
    at = reverse("campaigns:people", args=[campaign.slug])
    shown = partial(listed, request, at=at)
    memberships = page_of(MEMBERS, request, campaign, at=at)
    teams_shown = page_of(TEAMS, request, campaign, at=at, name="teams")
    teams = Team.objects.for_people(campaign)
    members = Membership.objects.for_people(campaign)
    with_people = [team for team in teams if team.n_members]  # type: ignore[attr-defined]
    links = list(Invitation.objects.for_people(campaign))
    context: dict[str, Any] = {
        "form": form or InvitationForm(),
        "team_form": team_form or TeamNameForm(auto_id="team_%s"),
        "memberships": memberships,
        "n_members": members.count(),
        "n_people": members.values("user").distinct().count(),
        "n_teams": sum(not team.is_baseline for team in teams),
        "groups": members.groups(SHOWN_OF_A_ROLE),
        "teams_with_people": with_people[:SHOWN_OF_A_ROLE],
        "n_more_teams": len(with_people[SHOWN_OF_A_ROLE:]),
        "search": memberships.form,
        "teams": teams_shown,
        "all_teams": teams,
        "team_search": teams_shown.form,
        "open_links": shown(
            [link for link in links if link.state == "open"], OPEN_LINKS, name="links"
        ),
        "closed_links": shown(
            [link for link in links if link.state != "open"], CLOSED_LINKS, name="closed"
        ),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return page(request, "campaigns/people.html", campaign, "people", **context)


@signed_in
@require_POST
def withdraw_invitation(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, People.withdraw_invitation)
    people_services.withdraw_invitation(
        user=request.user, invitation=get_object_or_404(Invitation, campaign=campaign, pk=pk)
    )
    return redirect("campaigns:people", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Let somebody join by a link, with their account or with a new one."""
    links = Invitation.objects.select_related("campaign", "team")
    invitation = get_object_or_404(links, token=token)
    user = request.user if isinstance(request.user, User) else User()
    refusal = why_not(People.join, user, invitation)
    form = None if user.pk else SignUpForm(**sent(request))
    if request.method != "POST" or refusal or (form and not form.is_valid()):
        return _invitation(request, invitation, form, refusal)
    try:
        return _join(request, invitation, form.save(commit=False) if form else user)
    except NameTaken as taken:
        if form:
            form.add_error("username", str(taken))
    except Refused as late:
        check_is_of_the_state(late)
        refusal = str(late)
    return _invitation(request, invitation, form, refusal)


def _invitation(
    request: HttpRequest, invitation: Invitation, form: SignUpForm | None, refusal: str
) -> HttpResponse:
    context = {"invitation": invitation, "form": form, "refusal": refusal}
    posted_status = 409 if refusal else 422
    status = posted_status if request.method == "POST" else 200
    return render(request, "campaigns/invitation.html", context, status=status)


def _join(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponse:
    is_new = user.pk is None
    membership = people_services.accept_invitation(user=user, invitation=invitation)
    if is_new:
        login(request, user)
    messages.success(request, f"You are in {invitation.campaign} as {an(membership.role)}.")
    return redirect("overview", invitation.campaign.slug)
