"""Who may do what in a campaign. Each check raises `Refused` with the sentence the person reads; each rule is written once, here."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list

from accounts.access import NotThere, NotYours, Refused, can
from accounts.models import User
from campaigns.events import CampaignEvent
from campaigns.models import (
    AuditEvent,
    Campaign,
    Invitation,
    Job,
    Membership,
    PasswordReset,
    Role,
    Run,
    Team,
)
from campaigns.models.work import check_not_archived


def roles(user: User | AnonymousUser, campaign: Campaign) -> set[str]:
    """Return the person's roles; somebody who has not signed in has none."""
    if not isinstance(user, User):
        return set()
    return set(
        Membership.objects.filter(campaign=campaign, user=user).values_list(
            "role", flat=True
        )
    )


def member_roles(user: User | AnonymousUser, campaign: Campaign) -> set[str]:
    """Return the roles of a member; a stranger does not learn that the campaign exists."""
    user_roles = roles(user, campaign)
    if not user_roles:
        raise NotThere
    return user_roles


def check_can_view(user: User | AnonymousUser, campaign: Campaign) -> None:
    member_roles(user, campaign)


def check_can_read_facts(user: User | AnonymousUser, campaign: Campaign) -> None:
    check_facts_shown(roles(user, campaign), campaign)


def check_facts_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    """Let anybody read what a public campaign is about."""
    if not user_roles and campaign.visibility != Campaign.Visibility.PUBLIC:
        raise NotThere


def may_still_judge(user_roles: Collection[str], campaign: Campaign) -> bool:
    """Whether somebody with these roles may judge now or later: an organizer knows the runs anyway."""
    if Role.ORGANIZER in user_roles or Role.ASSESSOR not in user_roles:
        return False
    return not is_judging_over(campaign)


def is_judging_over(campaign: Campaign) -> bool:
    """Whether no judgment can be given any more: judging has closed, or the campaign is archived."""
    closes_at = campaign.judging_closes_at
    return bool(campaign.archived_at or (closes_at and closes_at <= timezone.now()))


def check_can_see_topics(user: User, campaign: Campaign) -> None:
    if not {Role.ORGANIZER, Role.ASSESSOR} & member_roles(user, campaign):
        check_topics_open(campaign)


def check_topics_open(campaign: Campaign) -> None:
    """Refuse topics to participants before the date that the organizer has set."""
    opens_at = campaign.topics_open_at
    if opens_at and timezone.now() < opens_at:
        raise NotYours(f"The topics are shown from {shown(campaign, opens_at)}.")


def check_can_read_guidelines(user_roles: Collection[str], campaign: Campaign) -> None:
    if campaign.shows_guidelines or {Role.ORGANIZER, Role.ASSESSOR} & set(user_roles):
        return
    raise NotYours("The guidelines are for assessors.")


def check_can_organize(user: User, campaign: Campaign) -> None:
    if Role.ORGANIZER not in member_roles(user, campaign):
        raise NotYours(f"Only organizers of {campaign} may do this.")


def check_can_remove(user: User, membership: Membership) -> None:
    check_can_organize(user, membership.campaign)
    if not Membership.objects.filter(pk=membership.pk).exists():
        raise Refused(f"{membership.user} has been removed already.")
    if membership.user == user and membership.role == Role.ORGANIZER:
        raise Refused(
            "Another organizer must remove you: a campaign needs at least one."
        )


# What may keep a campaign from being deleted: each function returns a sentence, or "". Upper apps add theirs.
_reasons_to_keep: list[Callable[[Campaign], str]] = []


def register_reason_to_keep(reason: Callable[[Campaign], str]) -> None:
    """Add a reason not to delete a campaign, from an app's `ready`."""
    _reasons_to_keep.append(reason)


def check_can_archive(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if campaign.archived_at:
        raise Refused(f"{campaign} is archived already.")
    if Job.objects.filter(campaign=campaign).unfinished().exists():
        raise Refused("A job is still running: archive the campaign once it is finished.")  # fmt: skip


def check_can_restore(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    if not campaign.archived_at:
        raise Refused(f"{campaign} is not archived.")


def check_can_delete(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    for reason in _reasons_to_keep:
        if sentence := reason(campaign):
            raise Refused(sentence)


NEW_LINK = "Ask the organizer for a new link."


def check_can_join(user: User, invitation: Invitation) -> None:
    """Refuse a link that is over, and one made before the person was removed; a member may follow it again."""
    earlier = Membership.objects.filter(
        campaign=invitation.campaign, user__pk=user.pk, role=invitation.role
    ).first()
    if earlier and earlier.team_id != invitation.team_id:
        raise Refused(f"You already submit runs for team {earlier.team}.")
    if invitation.state in OVER:
        raise Refused(f"This invitation {OVER[invitation.state]}. {NEW_LINK}")
    if earlier:
        return
    _check_not_removed(user, invitation)
    came_by_it = any(use.user_id == user.pk for use in invitation.uses.all())
    if invitation.state == "used up" and not came_by_it:
        n = invitation.max_uses
        people = "1 person has" if n == 1 else f"{n:,} people have"
        raise Refused(f"This invitation is used up: {people} joined by it. {NEW_LINK}")


OVER = {"withdrawn": "was withdrawn", "expired": "has expired"}


def _check_not_removed(user: User, invitation: Invitation) -> None:
    """Refuse whoever was removed after the link was made: an old link is no way back in."""
    removed = AuditEvent.objects.filter(
        campaign=invitation.campaign,
        kind=CampaignEvent.MEMBER_REMOVED,
        detail__user=user.pk,
        at__gte=invitation.created_at,
    )
    if user.pk and removed.exists():
        raise Refused(
            f"You were removed from {invitation.campaign} after this link was made. {NEW_LINK}"
        )


def check_can_change_scale(campaign: Campaign, grades: list[dict[str, Any]]) -> None:
    """Refuse other values and labels once a judgment relies on them. The campaign is locked: a first judgment waits."""
    fixed = campaign.scale.fixed
    given = {grade["value"]: grade["label"] for grade in grades}
    if campaign.has_fixed_scale and given != fixed:
        listed = ", ".join(f"{value} {label}" for value, label in fixed.items())
        raise Refused(
            f"Documents have been judged, so the grades keep their values and labels: {listed}. "
            "Descriptions can still be corrected."
        )


def check_can_submit(user: User, campaign: Campaign) -> None:
    """Let participants submit while their team may, and organizers at any time: for a team, or baselines."""
    user_roles = member_roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        check_not_archived(campaign)
        check_has_topics(has_topics=campaign.topic_set.exists())
        return
    if Role.PARTICIPANT not in user_roles:
        raise NotYours(f"Only participants of {campaign} may submit runs.")
    check_takes_runs(
        campaign, has_topics=campaign.topic_set.exists(), team=team_of(user, campaign)
    )


def team_of(user: User, campaign: Campaign) -> Team | None:
    """Return the team that the person submits runs for."""
    teams = Team.objects.filter(campaign=campaign, membership__user=user)
    return teams.filter(membership__role=Role.PARTICIPANT).first()


def check_is_of(user: User, team: Team) -> None:
    """Refuse somebody who is neither in the team nor an organizer, as after having been removed."""
    user_roles = roles(user, team.campaign)
    if Role.ORGANIZER not in user_roles and team_of(user, team.campaign) != team:
        raise NotYours(f"{user} does not submit runs for team {team} any more.")


def check_takes_runs(
    campaign: Campaign, *, has_topics: bool, team: Team | None = None
) -> None:
    """Refuse runs from anybody, also before the topics are shown: the report of a run names them. The caller says whether there are topics: home asks for many campaigns in one query."""
    check_submission_open(campaign, team)
    check_topics_open(campaign)
    check_has_topics(has_topics=has_topics)


def check_submission_open(campaign: Campaign, team: Team | None) -> None:
    """Refuse outside the campaign's window, or before it and after the team's own deadline if that is later."""
    closes_at = deadline(campaign, team)
    check_window(campaign, "Submission", campaign.submission_opens_at, closes_at)


def deadline(campaign: Campaign, team: Team | None) -> datetime | None:
    """Return when submission closes for a team: later than for others if an organizer has extended its deadline."""
    closes_at, extended = campaign.submission_closes_at, team and team.submission_closes_at  # fmt: skip
    return max(closes_at, extended) if closes_at and extended else closes_at


def check_has_topics(*, has_topics: bool) -> None:
    if not has_topics:
        raise Refused(
            "Runs can be submitted once the organizer has imported the topics."
        )


def check_can_see_runs(user: User, campaign: Campaign) -> None:
    """Refuse every run to those who have none, before any is looked for: an assessor does not learn which there are."""
    if not {Role.ORGANIZER, Role.PARTICIPANT} & member_roles(user, campaign):
        raise NotYours("Runs are shown to organizers and to the teams that submitted them.")  # fmt: skip


def check_can_see_run(user: User, run: Run) -> None:
    check_can_see_runs(user, run.campaign)
    if not Run.objects.visible_to(user, run.campaign).filter(pk=run.pk).exists():
        raise NotYours("This run belongs to another team.")


def check_can_withdraw(user: User, run: Run) -> None:
    """Let an organizer withdraw a run at any time, and its team while it may submit."""
    _check_can_move(user, run)
    if run.is_out:
        raise Refused(f"Run {run} is {run.state} already.")


def check_can_disqualify(user: User, run: Run) -> None:
    check_can_organize(user, run.campaign)
    if run.is_out:
        raise Refused(f"Run {run} is {run.state} already.")


def check_can_reinstate(user: User, run: Run) -> None:
    """Let an organizer take any run back in, and a team the one that it withdrew itself, while it may submit."""
    _check_can_move(user, run)
    if not run.is_out:
        raise Refused(f"Run {run} is neither withdrawn nor disqualified.")
    user_roles = roles(user, run.campaign)
    if Role.ORGANIZER not in user_roles and not _is_out_by_team(run):
        raise Refused(f"An organizer has {run.state} run {run}, so only an organizer can reinstate it.")  # fmt: skip


def _is_out_by_team(run: Run) -> bool:
    if run.out_by is None or run.state == Run.State.DISQUALIFIED:
        return False
    return Role.ORGANIZER not in roles(run.out_by, run.campaign)


def _check_can_move(user: User, run: Run) -> None:
    check_can_see_run(user, run)
    if Role.ORGANIZER not in roles(user, run.campaign):
        check_submission_open(run.campaign, run.team)


def check_can_describe(user: User, run: Run) -> None:
    """Let a run's team say how it was made, also after the deadline; and an organizer."""
    check_can_see_run(user, run)
    check_not_archived(run.campaign)


def check_can_recheck(user: User, run: Run) -> None:
    check_can_see_run(user, run)
    if not run.is_settled:
        raise Refused(f"Run {run} is {run.state}, so there is no report to renew.")


def check_window(
    campaign: Campaign, what: str, opens_at: datetime | None, closes_at: datetime | None
) -> None:
    """Refuse outside a window; the sentence gives the time in the campaign's zone."""
    check_not_archived(campaign)
    now = timezone.now()
    if opens_at and now < opens_at:
        raise Refused(f"{what} opens on {shown(campaign, opens_at)}.")
    if closes_at and now >= closes_at:
        raise Refused(f"{what} closed on {shown(campaign, closes_at)}.")


def shown(campaign: Campaign, moment: datetime) -> str:
    """Return a moment in the campaign's zone, which is named."""
    at = date_format(moment.astimezone(campaign.zone), "j F Y, H:i")
    return f"{at} ({campaign.zone_name})"


def check_can_see_team(user: User, team: Team) -> None:
    """Let organizers and the team's own members pass; to others, assessors above all, it does not exist."""
    user_roles = member_roles(user, team.campaign)
    is_member = Membership.objects.filter(team=team, user=user).exists()
    if Role.ORGANIZER not in user_roles and not is_member:
        raise NotThere


def check_can_leave_team(user: User, team: Team) -> None:
    check_can_see_team(user, team)
    if not Membership.objects.filter(team=team, user=user).exists():
        raise NotYours(f"You are not in team {team}.")


def check_can_delete_team(user: User, team: Team) -> None:
    """Refuse to delete a team that somebody is in or may yet join, or that has a run."""
    check_can_organize(user, team.campaign)
    links = Invitation.objects.filter(team=team).prefetch_related("uses")
    hanging = {
        "a member": Membership.objects.filter(team=team).exists(),
        "a run": Run.objects.filter(team=team).exists(),
        "an open link": any(each.state == "open" for each in links),
    }
    if found := [what for what, is_there in hanging.items() if is_there]:
        raise Refused(
            f"Team {team} has {get_text_list(found, 'and')}: only an empty team can be deleted."
        )


def check_can_reset_password(user: User, campaign: Campaign, person: User) -> None:
    """Refuse a reset link that would give its maker more than they have: the account opens whatever the person may do."""
    check_can_organize(user, campaign)
    if user == person:
        raise Refused("You change your own password on your account page.")
    if not Membership.objects.filter(campaign=campaign, user=person).exists():
        raise Refused(f"{person} has no role in {campaign}.")
    if person.is_superuser or person.is_staff or not person.is_active:
        raise Refused(
            f"The account of {person} is in the hands of the people who run this site: ask them."
        )
    mine = Membership.objects.filter(user=user, role=Role.ORGANIZER)
    theirs = Membership.objects.filter(user=person)
    if theirs.exclude(campaign__in=mine.values("campaign")).exists():
        raise Refused(
            f"{person} has a role in a campaign that you do not organize, and a new password would open that one too: "
            "ask the people who run this site."
        )


def check_can_use_reset(reset: PasswordReset) -> None:
    """Refuse a link that is over, and one whose maker could not make it now."""
    if reset.state != "open":
        raise Refused(
            f"This link {RESET_OVER[reset.state]}. Ask an organizer of {reset.campaign} for a new one."
        )
    person = reset.user
    is_changed = reset.password_mark != person.get_session_auth_hash()
    if is_changed or not can(check_can_reset_password, reset.created_by, reset.campaign, person):  # fmt: skip
        raise Refused(
            f"This link holds no longer. Ask an organizer of {reset.campaign} for a new one."
        )


RESET_OVER = {
    "withdrawn": "was withdrawn",
    "expired": "has expired",
    "used": "has been used",
}
