"""Archives of runs: a worker takes each run out, as if it had been uploaded by itself."""

import re
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO

from django.conf import settings
from django.core.files import File

from accounts.access import Refused, check
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from cleverdon.trec import archives
from cleverdon.trec.archives import Bounds, Member
from cleverdon.trec.names import tidy
from cleverdon.trec.recognize import BEGINNING
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.runs.run import check_tag
from cleverdon.trec.streams import (
    MAX_EXPANSION,
    MAX_LINE_BYTES,
    FormatError,
    at_most,
    opened,
    readable,
)
from cleverdon.trec.three_columns import is_run, six_columns
from cleverdon.trec.words import counted
from jobs import work
from jobs.models import Job
from runs import checking
from runs.access.teams import Teams, check_is_of
from runs.core.run_table import MAX_BYTES, RunRow, is_run_table, read_run_table
from runs.models import SAID, Run

MAX_NAMED = 20  # files that are not taken
MAX_TEAM_NAME = 60
MOST_READINGS = 5
THREE_COLUMNS = (
    "It has three columns, as MS MARCO's runs: topic, docno and rank. Ask to have the others "
    "written, and send it again."
)
_IN_NAMES = re.compile(r"[\w .&'-]")


def tag_in(file: BinaryIO) -> str:
    """Return the tag in a run's file; ValueError with a sentence if it has no usable one."""
    tag = first_tag(_opened(file))
    file.seek(0)
    check_tag(tag)
    return tag


def _opened(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    bounds = {"max_line_bytes": MAX_LINE_BYTES, "max_expansion": MAX_EXPANSION}
    return opened(file, limit=settings.MAX_RUN_BYTES, **bounds)


@contextmanager
def with_six_columns(file: BinaryIO, name: str, *, converts: bool) -> Iterator[BinaryIO]:
    """Yield a run in six columns; one of three columns is converted, with its file's name as tag.

    Any other run is given as it is. ValueError for one of three columns without `converts`, for
    one that cannot be converted, and for a name that cannot be a tag.
    """
    try:
        beginning = _opened(file).read(BEGINNING)
    except FormatError:  # its check says why
        beginning = b""
    file.seek(0)
    if not is_run(beginning):
        yield file
        return
    if not converts:
        raise ValueError(THREE_COLUMNS)
    tag, most = PurePosixPath(name).name.partition(".")[0], settings.MAX_RUN_BYTES
    check_tag(tag)
    with tempfile.TemporaryFile() as made:
        too_long = f"With six columns it has more than {most:,} bytes."
        made.writelines(at_most(most, six_columns(_opened(file), tag), too_long))
        made.seek(0)
        yield made


@work.kind("take runs from an archive")
def unpack_runs(job: Job) -> str:
    """Take each file of the archive as a run of one team."""
    team = Team.objects.select_related("campaign").filter(pk=job.subject_id).first()
    if team is None:
        raise work.Unusable(
            "The team is no longer there: it has been merged into another or deleted. "
            "Upload the archive again."
        )
    return _unpacked(job, lambda _: team)


@work.kind("take the runs of several teams from an archive")
def unpack_by_folder(job: Job) -> str:
    """Take each file as a run of the team that its folder is named after."""
    return _unpacked(job, partial(_team_of, job))


def _team_of(job: Job, member: Member) -> Team:
    """Return the team named by a file's folder, created if it is new."""
    name, *others = map(_folder, (member.name, *member.readings))
    if not name:
        raise Refused("Its folder does not name a team.")
    if len(name) > MAX_TEAM_NAME:
        raise Refused(
            f"The name of its folder is longer than {MAX_TEAM_NAME} characters, "
            "so it cannot be a team's."
        )
    with work.writing(job):
        Campaign.objects.select_for_update(no_key=True).get(pk=job.campaign_id)
        team = _of_names(job.campaign, others) or Team.objects.named(job.campaign, name)
        if team is None and others:
            raise Refused(
                f"No team is called {readable(name)}{_perhaps(name, others)}, and none is made "
                "of this name: the archive does not say in which code page its names are written. "
                "Create the team first, or make the archive with names in UTF-8."
            )
        if team is None:
            check(Teams.create, job.created_by, job.campaign)
            team = Team.objects.create(campaign=job.campaign, name=name)
            AuditEvent.record(job.campaign, job.created_by, CampaignEvent.TEAM_CREATED, team)
    return team


def _folder(path: str) -> str:
    return tidy(PurePosixPath(path).parent.name)


def _of_names(campaign: Campaign, names: Collection[str]) -> Team | None:
    """Return the one team that has any of these names, as a name may be read in several ways."""
    found = {each.pk: each for name in names if (each := Team.objects.named(campaign, name))}
    if len(found) > 1:
        called = " or ".join(sorted(each.name for each in found.values()))
        raise Refused(
            f"Its folder may be that of {called}: the archive does not say in which code page its "
            "names are written. Make it with names in UTF-8."
        )
    return next(iter(found.values()), None)


def _perhaps(name: str, readings: Collection[str]) -> str:
    """Say what else a name may be, of the readings that are words."""
    others = [each for each in dict.fromkeys(readings) if each != name]
    words = [each for each in others if all(map(_IN_NAMES.match, each))]
    return f" (or {', '.join(words[:MOST_READINGS])})" if words else ""


def _unpacked(job: Job, team_of: Callable[[Member], Team]) -> str:
    """Take the runs out of the job's archive; name the files that are refused."""
    bounds = Bounds(settings.MAX_RUN_BYTES, settings.MAX_EXPANDED_BYTES, MAX_EXPANSION)
    taken, faults, described = set[str](), list[str](), list[RunRow]()
    with job.file.open("rb") as file:
        work.report(job, 0, file.size)
        try:
            for member in archives.files(file.file, bounds):
                try:
                    if is_run_table(member.name):
                        described += _table(member, len(described))
                    else:
                        taken.add(_take(job, team_of, member, taken))
                except (Refused, ValueError) as error:
                    faults.append(f"{member.name}: {error}")
                work.report(job, min(file.file.tell(), file.size))
        except FormatError as error:
            raise work.Unusable(f"{error} {_outcome(len(taken), faults)}") from error
    faults += _describe(job, described)
    if not taken and not faults:
        raise work.Unusable("The archive holds no file.")
    return _outcome(len(taken), faults)


def _table(member: Member, n_before: int) -> list[RunRow]:
    if member.fault:
        raise Refused(member.fault)
    return read_run_table(member.content.read(MAX_BYTES + 1), n_before)


def _describe(job: Job, described: Collection[RunRow]) -> list[str]:
    """Describe the job's runs by the archive's table; return a sentence for each row without a run.

    What it does not say is as it was said of the runs that they replace. A run that somebody has
    described since an earlier attempt keeps that description.
    """
    runs = Run.objects.filter(
        campaign=job.campaign, submitted_by=job.created_by, submitted_at=job.created_at
    )
    names, missing = list(runs.values_list("pk", "tag", "file_name")), []
    with work.writing(job):
        for row in described:
            matches = [pk for pk, tag, file in names if row.is_of(tag, file)]
            if not matches:
                missing.append(row.without_run)
            bare = runs.filter(pk__in=matches, description="", is_manual=None, priority=None)
            bare.update(**row.values)
        for run in runs.select_related("campaign", "team"):
            run.keep_said()
            run.save(update_fields=SAID)
    return missing


def _outcome(n_taken: int, faults: list[str]) -> str:
    outcome = f"{counted(n_taken, 'run') if n_taken else 'No runs'} taken."
    if faults:
        outcome += f" Not taken: {' '.join(faults[:MAX_NAMED])}"
    more = len(faults[MAX_NAMED:])
    return f"{outcome} And {more:,} more." if more else outcome


def _take(
    job: Job, team_of: Callable[[Member], Team], member: Member, taken: Collection[str]
) -> str:
    """Take a run and return its tag, unless an earlier attempt of the job has taken it."""
    if member.fault:
        raise Refused(member.fault)
    converts = bool(job.options.get("converts"))
    with with_six_columns(member.content, member.name, converts=converts) as content:
        return _stored(job, team_of, member._replace(content=content), taken)


def _stored(
    job: Job, team_of: Callable[[Member], Team], member: Member, taken: Collection[str]
) -> str:
    user, tag = job.created_by, tag_in(member.content)
    if tag in taken:
        raise Refused(f"The tag {tag} is taken: an earlier file of the archive has it.")
    team = team_of(member)
    if Run.objects.filter(team=team, tag=tag, submitted_at=job.created_at).exists():
        return tag
    run = Run(
        campaign=job.campaign,
        team=team,
        submitted_by=user,
        submitted_at=job.created_at,
        tag=tag,
        file=File(member.content, name=PurePosixPath(member.name).name),
    )
    with work.writing(job):
        check_is_of(user, team)
        checking.take(run, user, team=team.name)
    return tag
