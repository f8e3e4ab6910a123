"""Submit runs, take them out and back in, move them, check them again, download their files."""

from collections.abc import Mapping
from typing import Any, BinaryIO, cast

from django.contrib.auth.models import AnonymousUser
from django.core.files import File
from django.db import IntegrityError, transaction
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.access import Invalid, NotYours, Refused, check, check_seen
from accounts.models import User
from campaigns.access.roles import organizes, roles, team_of
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.rounds import Round, deadline_of
from campaigns.models.trail import AuditEvent
from cleverdon.trec.archives import is_archive
from cleverdon.trec.runs.run import CheckReport
from cleverdon.trec.streams import readable
from cleverdon.trec.versions import version
from jobs import work
from jobs.models import Job
from runs import checking, unpacking
from runs.access.runs import Runs
from runs.events import RunEvent
from runs.models import Run


@act(Runs.submit)
def submit_run(
    *,
    user: User,
    campaign: Campaign,
    tag: str,
    file: File[bytes],
    description: str = "",
    is_manual: bool | None = None,
    priority: int | None = None,
    team: Team | None = None,
    **efficiency: Any,
) -> Run:
    """Store a run and have a worker check it; organizers name its team, or none for a baseline.

    What is left empty is as it was said of the team's earlier run under this tag. The same file
    under the same tag again is the run that is there.
    """
    run = Run(
        campaign=campaign,
        team=Team.objects.held(_team(user, campaign, team)),
        submitted_by=user,
        tag=tag,
        description=description,
        is_manual=is_manual,
        priority=priority,
        file=file,
        **efficiency,
    )
    run.keep_said()
    return checking.take(run, user, **_for_team(user, run))


def _team(user: User, campaign: Campaign, team: Team | None) -> Team:
    """Return a participant's own team, whatever is asked for; for organizers the one asked for."""
    if Role.ORGANIZER in roles(user, campaign):
        if team and team.campaign_id != campaign.pk:
            raise Refused("This team is not in this campaign.")
        return team or _baselines(campaign)
    own = team_of(user, campaign)
    if own is None:
        raise NotYours(f"Only participants of {campaign} may submit runs.")
    return own


def _baselines(campaign: Campaign) -> Team:
    """Return the team of the organizers' own runs, created under a free name."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    teams = Team.objects.filter(campaign=campaign)
    if team := teams.filter(is_baseline=True).first():
        return team
    taken = {name.lower() for name in teams.values_list("name", flat=True)}
    names = ["baselines", *(f"baselines {n}" for n in range(2, len(taken) + 3))]
    name = next(name for name in names if name not in taken)
    return Team.objects.create(campaign=campaign, name=name, is_baseline=True)


def _for_team(user: User, run: Run) -> dict[str, object]:
    """Return the detail of the audit event: the team for which an organizer has uploaded."""
    own = team_of(user, run.campaign)
    return {} if own == run.team else {"team": run.team.name}


@in_campaign
def submit_archive(
    *,
    user: User,
    campaign: Campaign,
    file: File[bytes],
    team: Team | None = None,
    by_folder: bool = False,
    converts: bool = False,
) -> Job:
    """Store a zip or tar archive, and have a worker take the runs out of it.

    They are one team's; or, `by_folder`, of the teams that the folders name, new ones included.
    With `converts` runs of three columns are taken too.
    """
    check(Runs.submit_for_teams if by_folder else Runs.submit, user, campaign)
    if not is_archive(cast("BinaryIO", file.file)):
        raise Invalid("file", "This is no zip or tar archive: a run is uploaded by itself.")
    name, kind, subject_id, detail = file.name or "", unpacking.unpack_by_folder, campaign.pk, {}
    if not by_folder:
        team = Team.objects.held(_team(user, campaign, team))
        kind, subject_id, detail = unpacking.unpack_runs, team.pk, {"team": team.name}
    AuditEvent.record(campaign, user, RunEvent.RUNS_UPLOADED, name, **detail)
    return work.request(
        campaign=campaign,
        kind=kind,
        subject_id=subject_id,
        user=user,
        file=file,
        about=readable(name),
        converts=converts,
    )


@act(Runs.withdraw)
def withdraw_run(*, user: User, run: Run, reason: str = "", seen: str | None = None) -> None:
    """Take a run out and end its check; file, report and scores stay.

    `seen` is the version of whether it is pooled.
    """
    _take_out(user, run, Run.State.WITHDRAWN, reason, seen)


@act(Runs.disqualify)
def disqualify_run(*, user: User, run: Run, reason: str, seen: str | None = None) -> None:
    """Rule a run out, for a reason that its team reads; file, report and scores stay.

    Otherwise as `withdraw_run`.
    """
    _take_out(user, run, Run.State.DISQUALIFIED, reason, seen)


def _take_out(user: User, run: Run, state: Run.State, reason: str, seen: str | None) -> None:
    work.cancel(checking.check_run, run.pk, f"Run {run} was {state}.")
    row = Run.objects.filter(pk=run.pk)
    now = row.select_for_update(no_key=True).get()
    pooled = "now in the frozen pool" if now.is_pooled else "no longer in a frozen pool"
    check_seen(seen, version(int(now.is_pooled)), f"Run {run}, {pooled},")
    if not row.move(state, out_at=timezone.now(), out_by=user, out_reason=reason):
        raise Refused(f"Run {run} has just changed state. Look at it again.")
    is_withdrawn = state == Run.State.WITHDRAWN
    event = RunEvent.RUN_WITHDRAWN if is_withdrawn else RunEvent.RUN_DISQUALIFIED
    AuditEvent.record(run.campaign, user, event, run, **({"reason": reason} if reason else {}))


@act(Runs.reinstate)
def reinstate_run(*, user: User, run: Run) -> None:
    """Take a run back in, in the state of its report, or waiting for a check."""
    state, row = Run.State.WAITING, Run.objects.filter(pk=run.pk)
    if run.report:
        is_valid = run.is_pooled or CheckReport.from_json(run.report).is_valid
        state = Run.State.VALID if is_valid else Run.State.INVALID
    try:
        with transaction.atomic():
            moved = row.move(state, out_at=None, out_by=None, out_reason="")
    except IntegrityError as error:
        raise Refused(f"Another run has just been given the tag {run.tag}.") from error
    if not moved:
        raise Refused(f"Run {run} has just changed state. Look at it again.")
    AuditEvent.record(run.campaign, user, RunEvent.RUN_REINSTATED, run)
    # Topics and documents may have changed while it was out.
    kind = checking.recheck_run if run.report else checking.check_run
    work.request(campaign=run.campaign, kind=kind, subject_id=run.pk, user=user)


@in_campaign
def move_run(*, user: User, run: Run, team: Team | None, seen: str | None = None) -> Team:
    """Give a run to another team, or to none, as a baseline.

    `seen` is the version of the team's id.
    """
    check(organizes, user, run)
    to = Team.objects.held(_team(user, run.campaign, team))
    locked = Run.objects.select_for_update(of=["self"], no_key=True)
    now = locked.select_related("team", "campaign").get(pk=run.pk)
    check(Runs.move_to_team, user, now)
    check_seen(seen, version(now.team_id), f"Run {run}, now with team {now.team},")
    if to == now.team:
        raise Refused(f"Run {run} is already with team {to}.")
    Run.objects.filter(pk=run.pk).update(team=to)
    moved = f"{run} from {now.team} to {to}"
    teams = {"from": now.team_id, "to": to.pk}
    AuditEvent.record(run.campaign, user, RunEvent.RUN_MOVED, moved, run=run.pk, **teams)
    return to


@in_campaign
def move_to_round(*, user: User, run: Run, number: int, seen: str | None = None) -> Run:
    """Have a run belong to another round, by whose topics it is then checked again.

    It is late if it was taken after the deadline of that round. `seen` is the version of its round.
    """
    # The round cannot be taken back meanwhile.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=run.campaign_id)
    now = Run.objects.select_for_update(of=["self"], no_key=True).get(pk=run.pk)
    check(Runs.move_to_round, user, now)
    check_seen(seen, version(now.round), f"Run {run}, now in round {now.round},")
    if number not in Round.objects.numbers(campaign):
        raise Refused(f"There is no round {number}.")
    if number == now.round:
        raise Refused(f"Run {run} is already in round {number}.")
    closed_at = deadline_of(campaign, number)
    detail = {"run": run.pk, "from": now.round, "to": number}
    now.round, now.is_late = number, closed_at is not None and now.submitted_at >= closed_at
    now.save(update_fields=["round", "is_late"])
    AuditEvent.record(campaign, user, RunEvent.RUN_MOVED, f"{run} to round {number}", **detail)
    if now.is_settled:
        work.request(campaign=campaign, kind=checking.recheck_run, subject_id=run.pk, user=user)
    return now


@act(Runs.recheck)
def recheck_run(*, user: User, run: Run) -> Job:
    """Have a run checked again; its report stays until the new one is there.

    One that was never checked to the end, whatever the reason, is checked from the beginning.
    """
    AuditEvent.record(run.campaign, user, RunEvent.RUN_RECHECKED, run)
    if not run.is_settled:
        work.cancel(checking.check_run, run.pk, "The check was asked for anew.")
        kind = checking.check_run
        return work.request(campaign=run.campaign, kind=kind, subject_id=run.pk, user=user)
    kind = checking.recheck_run
    jobs = Job.objects.filter(kind=kind.name, subject_id=run.pk, state=Job.State.WAITING)
    return jobs.first() or work.request(
        campaign=run.campaign, kind=kind, subject_id=run.pk, user=user
    )


@act(Runs.describe)
def describe_run(*, user: User, run: Run, changes: Mapping[str, Any]) -> None:
    """Change how a run is described; the audit event keeps the description before."""
    now = Run.objects.select_for_update(of=["self"], no_key=True).get(pk=run.pk)
    before = {name: getattr(now, name) for name in changes}
    if before == changes:
        return
    detail = {"run": run.pk, "before": before, "after": dict(changes)}
    AuditEvent.record(run.campaign, user, RunEvent.RUN_DESCRIBED, run, **detail)
    Run.objects.filter(pk=run.pk).update(**changes)


@act(Runs.download)
def download_run(*, user: User | AnonymousUser, run: Run) -> FieldFile:
    """Open the uploaded file, and record which member downloaded it."""
    if isinstance(user, User) and roles(user, run.campaign):
        AuditEvent.record(run.campaign, user, RunEvent.RUN_DOWNLOADED, run)
    run.file.open("rb")
    return run.file
