"""Create, rename, merge, delete and leave teams; extend their deadlines."""

from datetime import datetime

from accounts.access import Refused, check, check_seen
from accounts.models import User
from api.services import revoke_if_gone
from campaigns.access.windows import deadline, extension, shown
from campaigns.acting import act, in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import NO_TEAM_TO_MERGE, TEAM_GONE, Invitation, Membership, Role, Team
from campaigns.models.trail import AuditEvent
from cleverdon.trec.names import tidy
from cleverdon.trec.versions import version
from jobs.models import Job, JobQuerySet
from runs.access.teams import Teams
from runs.events import RunEvent
from runs.unpacking import unpack_by_folder, unpack_runs


@act(Teams.create)
def create_team(*, user: User, campaign: Campaign, name: str) -> Team:
    """Make a team, without members or runs yet."""
    team = Team(campaign=campaign, name=_free_name(campaign, name))
    team.save()
    AuditEvent.record(campaign, user, CampaignEvent.TEAM_CREATED, team)
    return team


@act(Teams.rename)
def rename_team(*, user: User, team: Team, name: str) -> Team:
    """Give a team another name, which no other team has."""
    now = Team.objects.held(team)
    was, now.name = now.name, _free_name(team.campaign, name, apart_from=team)
    now.save(update_fields=["name"])
    subject = f"{was} to {now}"
    detail = {"team": team.pk, "before": {"name": was}, "after": {"name": now.name}}
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAM_RENAMED, subject, **detail)
    return now


@act(Teams.merge)
def merge_teams(*, user: User, team: Team, into: Team, seen: str | None = None) -> Team:
    """Move a team's people, runs and links to another team and delete it; run tags stay.

    `seen` is `contents_of` both.
    """
    if team.pk == into.pk:
        raise Refused("Choose another team to merge this one into.")
    # Joining locks a link first, and a worker its job: both come before teams.
    links = Invitation.objects.filter(team=team)
    members = Membership.objects.filter(team=team)
    for moving in (links, members, _archives(team)):
        list(moving.select_for_update(no_key=True).order_by("pk"))
    team, into = _both_locked(team, into)
    check_seen(seen, contents_of(team, into), f"Team {team} or team {into}")
    moved = {}
    for relation in Team._meta.related_objects:
        model, link = relation.related_model, relation.field.name
        rows = model._base_manager.filter(**{link: team})
        moved[relation.name] = rows.update(**{link: into})
    moved["archives"] = _archives(team).update(subject_id=into.pk)
    _keep_later_deadline(into, team)
    subject = f"{team} into {into}"
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAMS_MERGED, subject, moved=moved)
    team.delete()
    return into


def contents_of(*teams: Team) -> str:
    """Return the version of what moves when teams are merged."""
    return version(
        [
            (
                team.name,
                team.membership_set.count(),
                team.run_set.count(),
                Invitation.objects.filter(team=team).n_open(),
                deadline(team.campaign, team),
            )
            for team in teams
        ]
    )


@in_campaign
def delete_team(*, user: User, team: Team) -> None:
    """Delete a team without members and runs."""
    check(Teams.delete, user, _going(team))
    _check_takes_no_archive(team)
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAM_DELETED, team)
    team.delete()


@act(Teams.leave)
def leave_team(*, user: User, team: Team) -> None:
    """Leave a team; its runs stay with the people who remain, or with the organizers."""
    Membership.objects.filter(team=team, user=user, role=Role.PARTICIPANT).delete()
    revoke_if_gone(person=user, campaign=team.campaign, by=user)
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAM_LEFT, team)


@act(Teams.extend_deadline)
def extend_deadline(*, user: User, team: Team, closes_at: datetime | None) -> None:
    """Let one team submit for longer than the others; no date takes the extension back."""
    campaign = team.campaign
    if closes_at and not campaign.submission_closes_at:
        raise Refused("The campaign has no deadline, so there is none to extend.")
    of_all = campaign.submission_closes_at
    if closes_at and of_all and closes_at <= of_all:
        raise Refused(f"It must be after the deadline of all, {shown(campaign, of_all)}.")
    before = extension(campaign, Team.objects.held(team))
    of_round = {"submission_closes_at": closes_at, "extended_round": campaign.round}
    Team.objects.filter(pk=team.pk).update(**of_round)
    subject = f"{team} until {shown(campaign, closes_at)}" if closes_at else f"{team}: none"
    moments = {"before": before, "after": closes_at}
    change = {when: {"closes_at": at and at.isoformat()} for when, at in moments.items()}
    AuditEvent.record(campaign, user, RunEvent.DEADLINE_EXTENDED, subject, team=team.pk, **change)


def _going(team: Team) -> Team:
    """Lock a team that is about to be deleted, so that no run or member can be added."""
    now = Team.objects.select_for_update(of=["self"]).filter(pk=team.pk).first()
    if now is None:
        raise Refused(TEAM_GONE)
    return now


def _both_locked(team: Team, into: Team) -> tuple[Team, Team]:
    """Return two teams as they are now, locked by ascending key."""
    lock_of = {team.pk: _going, into.pk: Team.objects.held}
    by_pk = {pk: lock_of[pk](Team(pk=pk)) for pk in sorted(lock_of)}
    team, into = by_pk[team.pk], by_pk[into.pk]
    _check_takes_no_archive(team)
    if team.is_baseline or into.is_baseline:
        raise Refused(NO_TEAM_TO_MERGE)
    return team, into


def _archives(team: Team) -> JobQuerySet:
    jobs = Job.objects.filter(campaign=team.campaign, kind=unpack_runs.name)
    return jobs.filter(subject_id=team.pk)


def _check_takes_no_archive(team: Team) -> None:
    jobs = Job.objects.filter(campaign=team.campaign, kind=unpack_by_folder.name)
    if _archives(team).unfinished().exists() or jobs.unfinished().exists():
        raise Refused(
            f"An archive that may hold runs of team {team} is being unpacked. "
            "Try again when that is done."
        )


def _keep_later_deadline(into: Team, team: Team) -> None:
    extended = [at for each in (into, team) if (at := extension(team.campaign, each))]
    into.submission_closes_at, into.extended_round = (
        max(extended, default=None),
        team.campaign.round,
    )
    into.save(update_fields=["submission_closes_at", "extended_round"])


def _free_name(campaign: Campaign, name: str, apart_from: Team | None = None) -> str:
    """Return the name as it is kept; Refused if another team has it in any spelling."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    taken = Team.objects.named(campaign, name)
    if taken and taken != apart_from:
        raise Refused(
            f"There is a team {taken} already: "
            "names that differ only in capitals or spaces are the same."
        )
    return tidy(name)
