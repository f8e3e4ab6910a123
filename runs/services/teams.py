"""Create, rename, merge, delete and leave teams."""

from django.utils.text import get_text_list

from accounts.access import Refused
from accounts.models import User
from campaigns.access.people import check_can_leave_team
from campaigns.access.roles import check_can_organize
from campaigns.access.windows import deadline, shown
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import NO_TEAM_TO_MERGE, TEAM_GONE, Invitation, Membership, Role, Team
from campaigns.models.trail import AuditEvent
from jobs.models import Job, JobQuerySet
from runs.access.teams import check_can_delete_team
from runs.unpacking import unpack_by_folder, unpack_runs
from trec.words import counted


@in_campaign
def create_team(*, user: User, campaign: Campaign, name: str) -> Team:
    check_can_organize(user, campaign)
    team = Team(campaign=campaign, name=_free_name(campaign, name))
    team.save()
    AuditEvent.record(campaign, user, CampaignEvent.TEAM_CREATED, team)
    return team


@in_campaign
def rename_team(*, user: User, team: Team, name: str) -> Team:
    """Give a team another name."""
    check_can_organize(user, team.campaign)
    now = Team.objects.held(team)
    was, now.name = now.name, _free_name(team.campaign, name, apart_from=team)
    now.save(update_fields=["name"])
    subject = f"{was} to {now}"
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAM_RENAMED, subject, team=team.pk)
    return now


@in_campaign
def merge_teams(*, user: User, team: Team, into: Team, seen: str | None = None) -> Team:
    """Make a team a part of another: its people, runs and links move, run tags stay as they are.

    `seen` is what the page said of both, from `describe_teams`: nothing else moves unseen.
    """
    check_can_organize(user, team.campaign)
    if team.pk == into.pk:
        raise Refused("Choose another team to merge this one into.")
    # Whoever joins by a link holds the link, and a worker its job: these come before teams.
    links = Invitation.objects.filter(team=team)
    members = Membership.objects.filter(team=team)
    for moving in (links, members, _archives(team)):
        list(moving.select_for_update(no_key=True).order_by("pk"))
    team, into = _both_locked(team, into)
    if seen is not None and seen != (now := describe_teams(team, into)):
        raise Refused(
            f"The teams have changed since this page was opened: {now}. Look at them again."
        )
    moved = {}
    for relation in Team._meta.related_objects:
        model, link = relation.related_model, relation.field.name
        theirs = model._base_manager.filter(**{link: team})
        moved[relation.name] = theirs.update(**{link: into})
    moved["archives"] = _archives(team).update(subject_id=into.pk)
    _keep_later_deadline(into, team)
    subject = f"{team} into {into}"
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAMS_MERGED, subject, moved=moved)
    team.delete()
    return into


def describe_teams(*teams: Team) -> str:
    """Return what there is in teams, in words: "Aldgate has 2 members, 1 run and 0 open links; Zoe has …", and how long each may submit."""
    return "; ".join(f"{team.name} has {_contents(team)}" for team in teams)


def _contents(team: Team) -> str:
    counts = [
        counted(team.membership_set.count(), "member"),
        counted(team.run_set.count(), "run"),
        counted(Invitation.objects.filter(team=team).n_open(), "open link"),
    ]
    closes_at = deadline(team.campaign, team)
    until = f", and may submit until {shown(team.campaign, closes_at)}" if closes_at else ""
    return f"{get_text_list(counts, 'and')}{until}"


@in_campaign
def delete_team(*, user: User, team: Team) -> None:
    """Delete a team that nobody is in and that has no run."""
    check_can_delete_team(user, _going(team))
    _check_takes_no_archive(team)
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAM_DELETED, team)
    team.delete()


@in_campaign
def leave_team(*, user: User, team: Team) -> None:
    """End one's own part in a team; its runs stay, with the people who remain or with the organizers."""
    check_can_leave_team(user, team)
    mine = Membership.objects.filter(team=team, user=user, role=Role.PARTICIPANT)
    mine.delete()
    AuditEvent.record(team.campaign, user, CampaignEvent.TEAM_LEFT, team)


def _going(team: Team) -> Team:
    """Return the team as it is now, which goes: not even a run or a member comes to it any more."""
    found = Team.objects.select_for_update(of=["self"]).filter(pk=team.pk).first()
    if found is None:
        raise Refused(TEAM_GONE)
    return found


def _both_locked(team: Team, into: Team) -> tuple[Team, Team]:
    """Return two teams as they are now, locked in one order whoever comes first."""
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
    """Refuse while a worker takes the team's runs out of an archive: it would go on for a team that is gone."""
    jobs = Job.objects.filter(campaign=team.campaign, kind=unpack_by_folder.name)
    if _archives(team).unfinished().exists() or jobs.unfinished().exists():
        raise Refused(
            f"An archive that may hold runs of team {team} is being unpacked. Try again when that is done."
        )


def _keep_later_deadline(into: Team, team: Team) -> None:
    """Let the merged team submit for as long as either might."""
    extended = [each.submission_closes_at for each in (into, team) if each.submission_closes_at]
    into.submission_closes_at = max(extended, default=None)
    into.save(update_fields=["submission_closes_at"])


def _free_name(campaign: Campaign, name: str, apart_from: Team | None = None) -> str:
    """Return the name without superfluous spaces; Refused if another team has it, however it is spelled."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    taken = Team.objects.named(campaign, name)
    if taken and taken != apart_from:
        raise Refused(
            f"There is a team {taken} already: names that differ only in capitals or spaces are the same."
        )
    return " ".join(name.split())
