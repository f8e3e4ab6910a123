"""Fill the example campaign through the services that people use, with a real worker."""

import gzip
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import numpy as np
from django.contrib.auth.hashers import make_password
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from assess.core.answers import Answer, Provenance
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.services.assigning import assign
from assess.services.judging import judge
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release
from campaigns.services import campaign as campaign_services
from campaigns.services import people as people_services
from campaigns.services.ending import erase
from collection.models.imports import Import
from collection.services import imports
from demo.core import collection, retrieval, simulation, true_grades
from demo.people import FULL_NAMES, PASSWORD, TEAMS
from evaluation.models.scores import Evaluation
from evaluation.services import release, request_evaluation
from jobs.models import Job
from pooling.models import Pool
from pooling.services import freeze_pool, request_pool
from qrels.services.publishing import publish_qrels
from runs.models import Run
from runs.services import runs as runs_services
from trec.topics import TopicRecord, parse_topics

NAME = "Python documentation search"
POOL_DEPTH = 15
UNPOOLED = "cranfield-jm"
SECOND_SHARE = 0.25
DAYS_LEFT = 6  # until judging closes
SECONDS = 22.0  # a simulated assessor's median for a document
TOPICS = Path(collection.__file__).parent / "topics.txt"

Documents = list[collection.Document]
People = dict[str, User]
Truth = dict[str, dict[str, int]]  # the true grades above 0, by topic and docno
Kind = Assignment.Kind

GUIDELINES = """
Imagine a programmer who types the topic into the search box of the Python documentation. Judge each document, the
documentation of one module, class or function, **for that need alone**.

- Judge what the text says, not what you know the function does.
- A document may be short. Length is no reason to grade it down.
- When in doubt between two grades, give the lower one.
"""
NOTICE = (
    "An example. The documents, topics and runs are real; the judgments and all times are simulated: each assessor gives the true "
    "grade, with errors at a stated rate ({rates})."
)


def fill(say: Callable[[str], None], wait: Callable[[], None]) -> Campaign:
    """Fill the campaign step by step; `wait` returns when the workers have finished their jobs."""
    people = {name: person(name) for name in FULL_NAMES}
    topics = parse_topics(TOPICS.read_text(encoding="utf-8"))
    campaign = _campaign(people, topics)
    say("Reading the documentation of this Python ...")
    documents = collection.documents()
    import_documents(campaign, people["olga"], documents, wait)
    say(
        f"Ranking {len(documents):,} documents for {len(topics)} topics by {len(retrieval.SYSTEMS)} systems ..."
    )
    wait()  # the check of a run needs the documents
    _submit(campaign, people, documents, topics)
    wait()
    say("Pooling, judging, publishing, scoring ...")
    _pool(campaign, people["olga"], wait)
    _judge(campaign, people, true_grades.true_grades(documents, topics))
    qrels = publish_qrels(user=people["olga"], campaign=campaign)
    evaluation = request_evaluation(user=people["olga"], qrels=qrels)
    wait()
    _release(campaign, people["olga"], evaluation)
    return campaign


def _release(campaign: Campaign, olga: User, evaluation: Evaluation) -> None:
    """Show the board and what it rests on to everybody."""
    what = Release.What
    subjects = {what.SCORES: evaluation.pk, what.QRELS: evaluation.qrels_id, what.TOPICS: None}
    for each, key in subjects.items():
        release(
            user=olga,
            campaign=campaign,
            what=each,
            audience=Release.Audience.EVERYBODY,
            subject_id=key,
        )


def person(name: str, full_name: tuple[str, str] | None = None) -> User:
    """Return the account of this name; a new one has the password that everybody knows."""
    first, last = full_name or FULL_NAMES[name]
    user, is_new = User.objects.get_or_create(
        username=name, defaults={"first_name": first, "last_name": last}
    )
    if is_new:
        user.password = _hashed_password()
        user.save()
    return user


@cache  # all have the same, and hashing takes half a second by design
def _hashed_password() -> str:
    return make_password(PASSWORD)


@transaction.atomic
def _campaign(people: People, topics: list[TopicRecord]) -> Campaign:
    """Create the campaign and have everybody but the stranger join by an invitation."""
    olga, error_rates = people["olga"], simulation.ERROR_RATES
    rates = ", ".join(
        f"{people[n].first_name} {100 * error_rates[n]:.0f} %" for n in ("ada", "ben")
    )
    campaign = campaign_services.create_campaign(
        user=olga,
        name=NAME,
        guidelines=GUIDELINES.strip(),
        level=1,
        seconds_per_judgment=20,
        notice=NOTICE.format(rates=rates),
        judging_closes_at=closing(),
    )
    import_topics(campaign, olga, topics)
    for name in ("ada", "ben", "cleo"):
        join(campaign, olga, people[name], Role.ASSESSOR)
    for name, team in TEAMS.items():
        join(campaign, olga, people[name], Role.PARTICIPANT, team)
    return campaign


def join(campaign: Campaign, olga: User, user: User, role: Role, team: str = "") -> None:
    """Have somebody join by an invitation."""
    invitation = people_services.invite(user=olga, campaign=campaign, role=role, team_name=team)
    people_services.accept_invitation(user=user, invitation=invitation)


def closing() -> datetime:
    """Return the end of judging: a full hour some days ahead."""
    at = timezone.now() + timedelta(days=DAYS_LEFT)
    return at.replace(hour=18, minute=0, second=0, microsecond=0)


def import_topics(campaign: Campaign, olga: User, topics: list[TopicRecord]) -> None:
    """Import topics, which are few enough to be read at once."""
    lines = "".join(json.dumps(topic._asdict()) + "\n" for topic in topics)
    row = imports.request_import(
        user=olga,
        campaign=campaign,
        kind=Import.Kind.TOPICS,
        is_short=True,
        file=ContentFile(lines.encode(), name="topics.jsonl"),
    )
    imports.confirm_import(user=olga, row=row)


def import_documents(
    campaign: Campaign, olga: User, documents: Documents, wait: Callable[[], None]
) -> None:
    """Import the whole collection, once a worker has read it."""
    rows = ({**document._asdict(), "language": "en"} for document in documents)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    packed = gzip.compress(lines.encode(), compresslevel=3)
    file = ContentFile(packed, name="python-documentation.jsonl.gz")
    row = imports.request_import(
        user=olga,
        campaign=campaign,
        kind=Import.Kind.DOCUMENTS,
        file=file,
        completes_collection=True,
    )
    wait()
    imports.confirm_import(user=olga, row=row)


def _submit(
    campaign: Campaign, people: People, documents: Documents, topics: list[TopicRecord]
) -> None:
    """Submit every run as a participant of its team, and one file with deliberate faults."""
    submitters = {team: people[name] for name, team in TEAMS.items()}
    indexed = retrieval.Collection(documents)
    for system in retrieval.SYSTEMS:
        user = submitters[system.team]
        text = retrieval.run_of(system, indexed, topics)
        send(campaign, user, system.tag, system.description, text)
    sentence = f"{system.tag} with deliberate faults, to show a check report."
    send(campaign, user, retrieval.FAULTY_TAG, sentence, retrieval.faulty_run(text))


def send(campaign: Campaign, user: User, tag: str, description: str, text: str) -> None:
    file = ContentFile(text.encode(), name=f"{tag}.txt")
    runs_services.submit_run(
        user=user, campaign=campaign, tag=tag, file=file, description=description
    )


def _pool(campaign: Campaign, olga: User, wait: Callable[[], None]) -> None:
    """Pool all valid runs but one, so that an unpooled run can be seen on the leaderboard."""
    runs = Run.objects.filter(campaign=campaign).valid().exclude(tag=UNPOOLED)
    request_pool(user=olga, campaign=campaign, runs=list(runs), depth=POOL_DEPTH)
    wait()
    pool = Pool.objects.get(campaign=campaign)
    freeze_pool(user=olga, pool=pool, sha256=pool.sha256)


def _judge(campaign: Campaign, people: People, truth: Truth) -> None:
    """Assign the topics. Ada and Ben judge the first completely and about half of the others, and both a share of each."""
    olga, pair = people["olga"], (people["ada"], people["ben"])
    topics = list(campaign.topic_set.all())
    for topic in topics[-2:]:
        assign(user=olga, topic=topic, assessor=people["cleo"], kind=Kind.PRIMARY)
    rng = np.random.default_rng(campaign.topic_set.count())
    for turn, topic in enumerate(topics[:-2]):
        primary, second = pair[turn % 2], pair[1 - turn % 2]
        first = assign(user=olga, topic=topic, assessor=primary, kind=Kind.PRIMARY)
        other = assign(
            user=olga, topic=topic, assessor=second, kind=Kind.SECOND, share=SECOND_SHARE
        )
        for assignment in (first, other):
            share = 1.0 if turn == 0 or assignment is other else 0.4 + 0.05 * turn
            rate = simulation.ERROR_RATES[assignment.assessor.username]
            simulate(assignment, truth[topic.number], rate, share, rng)


@transaction.atomic
def simulate(
    assignment: Assignment,
    truth: dict[str, int],
    rate: float,
    share: float,
    rng: np.random.Generator,
) -> None:
    """Judge a share of an assignment, from the first document served."""
    assessor = assignment.assessor
    n_judged = round(share * assignment.n_entries)
    times = np.random.default_rng(assignment.n_entries).lognormal(np.log(SECONDS), 0.7, n_judged)
    served = assignment.entries.order_by("position")[:n_judged]
    for entry, seconds in zip(served, times, strict=True):
        grade = simulation.simulated_grade(truth.get(entry.docno, 0), rate, rng)
        answer = Answer(entry.docno, Judgment.State.JUDGED, grade)
        spent = Provenance(active_ms=round(1000 * seconds))
        judge(assessor=assessor, assignment=assignment, answer=answer, provenance=spent)


def is_filled(name: str = NAME) -> bool:
    scorings = Job.objects.filter(campaign__name=name, kind="score_runs")
    return scorings.filter(state=Job.State.DONE).exists()


def discard_half_filled(name: str = NAME) -> None:
    """Delete what an interrupted filling left, so that the next one starts clean."""
    erase(Campaign.objects.filter(name=name))
