"""Archives of runs: a worker takes each run out, as if it had been uploaded by itself."""

from typing import BinaryIO

from django.conf import settings
from django.core.files import File
from django.template.defaultfilters import pluralize

from accounts.access import Refused
from campaigns import checking, jobs
from campaigns.access import check_is_of
from campaigns.models import Job, Run, Team
from trec import archives
from trec.archives import Bounds
from trec.runs.read import first_tag
from trec.runs.run import check_tag
from trec.streams import FormatError, opened

# Of the files that are not taken, so many are named.
MAX_NAMED = 20


def tag_in(file: BinaryIO) -> str:
    """Return the tag that a run's file names itself by; ValueError with a sentence if it names none, or none that can be."""
    file.seek(0)
    content = opened(
        file, limit=settings.MAX_RUN_BYTES, max_expansion=checking.MAX_EXPANSION
    )
    tag = first_tag(content)
    file.seek(0)
    if not tag:
        raise ValueError("No line at its beginning has the six columns of a run.")
    check_tag(tag)
    return tag


@jobs.kind("take runs out of an archive")
def unpack_runs(job: Job) -> str:
    """Take each file of the archive as a run; name those that are none, or whose tag is taken."""
    team = Team.objects.select_related("campaign").filter(pk=job.subject_id).first()
    if team is None:
        raise jobs.CannotFinish(
            "The team is no longer there: it has been merged into another or deleted. Upload the archive again."
        )
    bounds = Bounds(
        settings.MAX_RUN_BYTES, settings.MAX_EXPANDED_BYTES, checking.MAX_EXPANSION
    )
    taken, faults = 0, list[str]()
    with job.file.open("rb") as file:
        jobs.report(job, 0, file.size)
        try:
            for name, content in archives.files(file.file, bounds):
                fault = _take(job, team, name, content)
                taken, faults = taken + (not fault), faults + ([fault] if fault else [])
                jobs.report(job, min(file.file.tell(), file.size))
        except FormatError as error:
            raise jobs.CannotFinish(f"{error} {_said(taken, faults)}") from error
    if not taken and not faults:
        raise jobs.CannotFinish("The archive holds no file.")
    return _said(taken, faults)


def _said(taken: int, faults: list[str]) -> str:
    said = f"{taken or 'No'} run{pluralize(taken)} taken."
    if faults:
        said += f" Not taken: {' '.join(faults[:MAX_NAMED])}"
    more = len(faults[MAX_NAMED:])
    return f"{said} And {more:,} more." if more else said


def _take(job: Job, team: Team, name: str, content: BinaryIO) -> str:
    """Take a run, or return why not. One that an earlier attempt of the job has taken is passed over."""
    user = job.created_by
    try:
        tag = tag_in(content)
        run = Run(
            campaign=job.campaign,
            team=team,
            submitted_by=user,
            submitted_at=job.created_at,
            tag=tag,
            is_late=checking.is_late(job.campaign, job.created_at),
            file=File(content, name=name),
        )
        if Run.objects.filter(team=team, tag=tag, submitted_at=job.created_at).exists():
            return ""
        with jobs.writing(job):
            check_is_of(user, team)
            checking.take(run, user, team=team.name)
    except (Refused, ValueError) as error:
        return f"{name}: {error}"
    return ""
