"""Who may do what in a campaign. Each check raises `Refused` with the sentence the person reads; each rule is written once, here."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format

from accounts.access import NotThere, NotYours, Refused
from accounts.models import User
from campaigns.models import Campaign, Invitation, Membership, Role, Run


def roles(user: User, campaign: Campaign) -> set[str]:
    return set(
        Membership.objects.filter(campaign=campaign, user=user).values_list(
            "role", flat=True
        )
    )


def member_roles(user: User, campaign: Campaign) -> set[str]:
    """Return the roles of a member; a stranger does not learn that the campaign exists."""
    user_roles = roles(user, campaign)
    if not user_roles:
        raise NotThere
    return user_roles


def check_can_view(user: User, campaign: Campaign) -> None:
    member_roles(user, campaign)


def check_can_organize(user: User, campaign: Campaign) -> None:
    if Role.ORGANIZER not in member_roles(user, campaign):
        raise NotYours(f"Only organizers of {campaign} may do this.")


def check_can_join(user: User, invitation: Invitation) -> None:
    if not invitation.is_open:
        raise Refused("This invitation has expired. Ask the organizer for a new link.")
    earlier = Membership.objects.filter(
        campaign=invitation.campaign, user__pk=user.pk, role=invitation.role
    ).first()
    if earlier and earlier.team_id != invitation.team_id:
        raise Refused(f"You already submit runs for team {earlier.team}.")


def check_can_change_scale(campaign: Campaign, values: list[int]) -> None:
    """Refuse other grade values once judgments may use them."""
    fixed = [grade.value for grade in campaign.scale.grades]
    if campaign.has_fixed_scale and sorted(values) != fixed:
        raise Refused(
            f"The pool is frozen, so the grades keep their values ({', '.join(map(str, fixed))}). "
            "Their labels and descriptions can be changed."
        )


def check_can_submit(user: User, campaign: Campaign) -> None:
    if Role.PARTICIPANT not in member_roles(user, campaign):
        raise NotYours(f"Only participants of {campaign} may submit runs.")
    check_takes_runs(campaign, has_topics=campaign.topic_set.exists())


def check_takes_runs(campaign: Campaign, *, has_topics: bool) -> None:
    """Refuse runs from anybody. The caller says whether there are topics: home asks for many campaigns in one query."""
    check_window(
        campaign,
        "Submission",
        campaign.submission_opens_at,
        campaign.submission_closes_at,
    )
    if not has_topics:
        raise Refused(
            "Runs can be submitted once the organizer has imported the topics."
        )


def check_can_see_run(user: User, run: Run) -> None:
    if not Run.objects.visible_to(user, run.campaign).filter(pk=run.pk).exists():
        check_can_view(user, run.campaign)
        raise NotYours("This run belongs to another team.")


def check_can_withdraw(user: User, run: Run) -> None:
    check_can_see_run(user, run)
    if run.state == Run.State.WITHDRAWN:
        raise Refused(f"Run {run} is withdrawn and cannot be withdrawn.")
    check_window(
        run.campaign,
        "Submission",
        run.campaign.submission_opens_at,
        run.campaign.submission_closes_at,
    )


def check_window(
    campaign: Campaign, what: str, opens_at: datetime | None, closes_at: datetime | None
) -> None:
    """Refuse outside a window; the sentence gives the time in the campaign's zone."""
    now = timezone.now()
    if opens_at and now < opens_at:
        raise Refused(f"{what} opens on {_shown(campaign, opens_at)}.")
    if closes_at and now >= closes_at:
        raise Refused(f"{what} closed on {_shown(campaign, closes_at)}.")


def _shown(campaign: Campaign, moment: datetime) -> str:
    return f"{date_format(moment.astimezone(campaign.zone), 'j F Y, H:i')} ({campaign.time_zone})"
