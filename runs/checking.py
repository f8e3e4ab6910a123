"""Store a run under a free tag, check it, and check it again when topics or documents change."""

import csv
import hashlib
import tempfile
from collections.abc import Callable, Iterable, Set
from functools import partial
from io import TextIOWrapper
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files import File
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import access
from accounts.access import Refused
from accounts.models import User
from campaigns.access.topics import topics_seen
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.rounds import topics_in
from campaigns.models.trail import AuditEvent
from cleverdon.trec.runs import check, faults, stored
from cleverdon.trec.runs.complaints import Told
from cleverdon.trec.runs.run import Problem
from cleverdon.trec.streams import MAX_EXPANSION, MAX_LINE_BYTES, opened
from cleverdon.trec.words import counted, first_of
from collection.bulk.comparing import unknown_docnos
from jobs import work
from jobs.models import Job
from runs.access.runs import Runs, has_free_tag, is_late
from runs.events import RunEvent
from runs.models import Run, open_runs

LEAST_LINES = 200_000  # read of a wrong file too, so that its report can name faults
MOST_NAMED = 20  # runs in a sentence


def take(run: Run, user: User, **detail: object) -> Run:
    """Store a new run unchanged, inside a transaction, and have a worker check it.

    The very same file again, as after a lost answer, is the run that is there.
    """
    content, name = run.file.file, str(run.file.name)
    run.file_name, run.n_bytes = name.rpartition("/")[2][-255:], content.size
    if same := _same(run, content):
        return same
    access.check(has_free_tag, user, run)
    run.file.save(name, content, save=False)
    campaign = _lock_tags(run)
    if campaign.round != run.campaign.round:  # it has just begun
        access.check(Runs.submit, user, campaign)
    run.round, run.is_late = campaign.round, is_late(campaign, run.submitted_at)
    access.check(has_free_tag, user, run)
    run.save()
    AuditEvent.record(run.campaign, user, RunEvent.RUN_SUBMITTED, run, **detail)
    work.request(campaign=run.campaign, kind=check_run, subject_id=run.pk, user=user)
    return run


def _same(run: Run, content: File[bytes]) -> Run | None:
    """Return the run of the team that has these very bytes under the tag, unless it is of no use.

    Files are read only where one as long is there.
    """
    named = {"team": run.team, "tag": run.tag, "round": run.campaign.round}
    runs = Run.objects.filter(n_bytes=run.n_bytes, **named)
    there = runs.filter(state__in=[Run.State.WAITING, Run.State.CHECKING, Run.State.VALID]).first()
    if there is None:
        return None
    with there.file.open("rb") as file:
        sha256 = there.sha256 or _sha256(file.file)
    there.was_there = sha256 == _sha256(content)
    return there if there.was_there else None


def _sha256(file: Any) -> str:
    file.seek(0)
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    file.seek(0)
    return digest


def _lock_tags(run: Run) -> Campaign:
    """Until the transaction ends, no other run of the campaign is stored and the team stays."""
    team = Team.objects.select_for_update(no_key=True).filter(pk=run.team_id).first()
    if team is None:
        raise Refused(
            f"Team {run.team} is no longer there: it has been merged into another or deleted. "
            "Upload the run again."
        )
    return Campaign.objects.select_for_update(no_key=True).get(pk=run.campaign_id)


def _give_up_check(job: Job) -> None:
    """Free the tag of the run; it can be checked again or withdrawn."""
    Run.objects.filter(pk=job.subject_id).move(Run.State.UNCHECKED)


@work.kind("check a run", of=Run, give_up=_give_up_check)
def check_run(job: Job) -> str:
    """Check, rank and store a run; its report lists the faults."""
    run = Run.objects.select_related("campaign").get(pk=job.subject_id)
    if run.is_out or run.is_settled:
        return f"Run {run} is already {run.state}."
    _mark_checking(job, run)
    with run.file.open("rb") as file:
        run.sha256 = _sha256(file.file)
        work.report(job, 0, file.size)
        checked = _checked(run, file.file, partial(work.report, job))
    with work.writing(job):
        _set_outcome(run, checked)
        run.save(update_fields=["sha256", "report", "columns", "checked_at"])
        Run.objects.filter(pk=run.pk, state=Run.State.CHECKING).move(run.state)
    return f"Run {run} is {run.state}."


def _set_outcome(run: Run, checked: check.Checked) -> None:
    """Set report and state; the ranked form is stored once, as the file never changes."""
    run.report, run.checked_at = checked.report.to_json(), timezone.now()
    run.state = Run.State.INVALID if checked.run is None else Run.State.VALID
    if checked.run is not None and not run.columns:
        with tempfile.TemporaryFile() as columns:
            stored.write(checked.run, columns)
            run.columns.save("columns", File(columns), save=False)


def errors_csv(run: Run) -> BinaryIO:
    """Check a run once more; return a temporary CSV file of all errors, maybe millions.

    It includes the errors of the report that no check finds: the tag may be another run's by now.
    """
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    text = TextIOWrapper(errors, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(["line", "kind", "error"])  # without a line if the file as a whole is wrong
    reported = (run.report or {}).get("errors", [])
    of_file = [each["message"] for each in reported if not each["lines"]]

    def add(line: int | None, sentence: str) -> None:
        if sentence in of_file:
            of_file.remove(sentence)
        writer.writerow([line, faults.kind(sentence)[0], sentence])

    with run.file.open("rb") as file:
        _checked(run, file.file, on_error=add)
    for sentence in [*of_file]:
        add(None, sentence)
    text.detach()
    errors.seek(0)
    return errors


def _checked(
    run: Run,
    file: BinaryIO,
    on_progress: Callable[[int], None] | None = None,
    on_error: Told | None = None,
) -> check.Checked:
    campaign = run.campaign
    counting = dict.fromkeys(topics_in(campaign, run.round), True)
    topics = dict.fromkeys(_known_topics(run), False) | counting
    depth = campaign.run_depth
    unpacked = partial(
        opened,
        file,
        limit=settings.MAX_RUN_BYTES,
        max_lines=max(LEAST_LINES, 2 * len(topics) * depth),
        max_line_bytes=MAX_LINE_BYTES,
        max_expansion=MAX_EXPANSION,
    )
    checked = check.check_run(
        unpacked(),
        tag=run.tag,
        topics=topics,
        depth=depth,
        unknown=partial(unknown_docnos, campaign) if campaign.has_whole_collection else None,
        on_progress=on_progress,
        on_error=on_error,
    )
    if checked.report.is_valid:
        return checked
    file.seek(0)
    return checked._replace(report=faults.with_lines(checked.report, unpacked()))


def _known_topics(run: Run) -> Iterable[str]:
    """Return the topics that a report names: those its team may see.

    Any other is worded like one that there is not, but for a run that was valid with it.
    """
    knows_all = run.columns or run.team.is_baseline
    roles = (Role.ORGANIZER if knows_all else Role.PARTICIPANT,)
    return topics_seen(roles, run.campaign).values_list("number", flat=True)


def _mark_checking(job: Job, run: Run) -> None:
    try:
        with work.writing(job):
            Run.objects.filter(pk=run.pk).move(Run.State.CHECKING)
    except IntegrityError as error:
        raise work.CannotFinish(
            f"The tag {run.tag} was given to another run after the check of this one had failed."
        ) from error


def answering(campaign: Campaign, topics: Set[str]) -> list[Run]:
    """Return the runs that become invalid without these topics."""
    if not topics:
        return []
    runs = list(Run.objects.filter(campaign=campaign).at_risk())
    by_tag = open_runs(runs)
    return [run for run in runs if not topics.isdisjoint(by_tag[run.tag].topics)]


def lost_in_words(campaign: Campaign, lost: Iterable[Run]) -> str:
    """Name the valid runs that would become invalid; "" if none would."""
    named = [f"{run} ({run.team})" for run in lost]
    if not named:
        return ""
    valid = Run.objects.filter(campaign=campaign).valid()
    share = f"{len(named):,} of {counted(valid.count(), 'valid run')}"
    return f"{share} would become invalid: {first_of(named, MOST_NAMED)}."


def request_recheck(campaign: Campaign, user: User) -> Job | None:
    """Have a worker check the campaign's runs again, once for any number of changes.

    None if no run has been checked yet.
    """
    jobs = Job.objects.filter(campaign=campaign, kind=recheck_runs.name)
    waiting = jobs.filter(state=Job.State.WAITING).first()
    if waiting or not Run.objects.filter(campaign=campaign).settled().exists():
        return waiting
    return work.request(campaign=campaign, kind=recheck_runs, subject_id=campaign.pk, user=user)


@work.kind("check the runs again")
def recheck_runs(job: Job) -> str:
    """Check every run that has a report against the current topics and documents."""
    runs = Run.objects.filter(campaign=job.campaign).settled().order_by("pk")
    ids = list(runs.values_list("pk", flat=True))
    work.report(job, 0, len(ids))
    changed = []
    for number, pk in enumerate(ids, 1):
        changed += _check_again(job, pk)
        work.report(job, number)
    changes = ", ".join(changed) or "none became valid or invalid"
    return f"{counted(len(ids), 'run')} checked again: {changes}."


@work.kind("check a run again", of=Run)
def recheck_run(job: Job) -> str:
    """Check one run against the current topics and documents."""
    changed = _check_again(job, job.subject_id)
    run = Run.objects.get(pk=job.subject_id)
    return f"{', '.join(changed) or f'{run} is {run.state}, as before'}."


def _check_again(job: Job, pk: int) -> list[str]:
    """Replace a run's report; return its new state if it changed, as in "one is now invalid"."""
    settled = Run.objects.settled().select_related("campaign")
    run = settled.filter(pk=pk).first()
    if run is None:  # withdrawn meanwhile, or not checked yet
        return []
    with run.file.open("rb") as file:
        checked = _checked(run, file.file)
    before = run.state
    with work.writing(job):
        # A run that was withdrawn meanwhile keeps its report.
        row = settled.select_for_update(of=["self"], no_key=True).filter(pk=pk, state=before)
        if now := row.first():
            _set_outcome(run, checked)
            run.is_pooled = now.is_pooled
            return _write_again(run, before)
    return []


def _write_again(run: Run, before: str) -> list[str]:
    """Write the new report. A pooled run stays valid: its documents are being judged."""
    row = Run.objects.filter(pk=run.pk)
    try:
        with transaction.atomic():
            if run.state != before and not run.is_pooled:
                row.move(run.state)
    except IntegrityError:
        run.state = before
        report = run.report or {}
        error = Problem(f"The tag {run.tag} was given to another run.", [])
        report["errors"].insert(0, error._asdict())
        report["n_errors"] += 1
    row.update(report=run.report, columns=run.columns, checked_at=run.checked_at)
    is_changed = run.state != before and not run.is_pooled
    return [f"{run} is now {run.state}"] if is_changed else []
