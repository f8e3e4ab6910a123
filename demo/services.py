"""Fill the example campaign: made of its file by a program, lived in by the services of people."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from accounts.models import User
from assess.models.assigning import Assignment
from assess.services.adjudicating import adjudicate
from assess.services.assigning import assign
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from cleverdon.trec.topics import TopicRecord, parse_topics
from demo.core import collection, retrieval, simulation, true_grades
from demo.people import FULL_NAMES, TEAMS
from demo.steps import begin, packed, person, pool, publish, send, simulate
from evaluation.models.scores import Evaluation
from evaluation.services import release
from programs.core import Verdict
from programs.services import register_program, take_labels
from runs.models import Run

UNPOOLED = "cranfield-jm"
SECOND_SHARE = 0.25
ADJUDICATOR_RATE = 0.0  # of errors
FOLDER = Path(collection.__file__).parent
TOPICS = FOLDER / "topics.txt"
CONTENT = tomllib.loads((FOLDER / "campaign.toml").read_text(encoding="utf-8"))
NAME = CONTENT["name"]

Documents = list[collection.Docstring]
People = dict[str, User]
Truth = dict[str, dict[str, int]]  # the true grades above 0, by topic and docno
Kind = Assignment.Kind


def fill(say: Callable[[str], None], wait: Callable[[], None]) -> Campaign:
    """Fill the campaign step by step; `wait` returns when the workers have finished their jobs."""
    people = {name: person(name) for name in FULL_NAMES}
    topics = parse_topics(TOPICS.read_text(encoding="utf-8"))
    say("Reading the documentation of this Python ...")
    documents = collection.documents()
    files = {TOPICS.name: TOPICS.read_bytes(), "documents.jsonl.gz": packed(documents)}
    campaign = begin(people["olga"], CONTENT, files, people.values())
    n_systems = len(retrieval.SYSTEMS)
    say(f"Ranking {len(documents):,} documents for {len(topics)} topics by {n_systems} systems ...")
    wait()  # the check of a run needs the documents
    _submit(campaign, people, documents, topics)
    wait()
    say("Pooling, judging, publishing, scoring ...")
    # But one, so that an unpooled run can be seen on the leaderboard.
    runs = Run.objects.filter(campaign=campaign).valid().exclude(tag=UNPOOLED)
    pool(campaign, people["olga"], runs, CONTENT["pool"], wait)
    _judge(campaign, people, true_grades.true_grades(documents, topics))
    _release(campaign, people["olga"], publish(campaign, people["olga"], wait))
    return campaign


def _release(campaign: Campaign, olga: User, evaluation: Evaluation) -> None:
    """Release scores, qrels and topics to everybody."""
    what = Release.What
    subjects = {what.SCORES: evaluation.pk, what.QRELS: evaluation.qrels_id, what.TOPICS: None}
    everybody = Release.Audience.EVERYBODY
    for each, key in subjects.items():
        release(user=olga, campaign=campaign, what=each, audience=everybody, subject_id=key)


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


def _judge(campaign: Campaign, people: People, truth: Truth) -> None:
    """Assign the topics. Ada and Ben judge about half of each, and a share of each other's."""
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
    _adjudicate(campaign, people, truth, rng)
    _label(campaign, olga, truth)


def _label(campaign: Campaign, olga: User, truth: Truth) -> None:
    """Put a program on trial whose labels are the true grades with errors at a stated rate."""
    rate, unread = simulation.PROGRAM_RATE, simulation.UNREAD_RATE
    program = register_program(
        user=olga,
        campaign=campaign,
        name="simulated-1",
        model="No model: simulated",
        version="1",
        prompt="None. Its labels are the true grades of the example, with errors.",
        parameters=f"error rate {rate:.0%}, {unread:.0%} of its verdicts are no grades, seed 1",
        labelled_on=campaign.day_of(campaign.created_at),
    )
    rng = np.random.default_rng(1)
    labels = []
    for n, entry in enumerate(program.unlabelled, 1):
        topic = entry.topic.number
        grade = simulation.simulated_grade(truth[topic].get(entry.docno, 0), rate, rng)
        said = "I cannot tell." if rng.random() < unread else str(grade)
        labels.append(Verdict(n, topic, entry.docno, said, round(0.5 + rng.random() / 2, 2)))
    take_labels(user=olga, program=program, labels=labels)


def _adjudicate(campaign: Campaign, people: People, truth: Truth, rng: np.random.Generator) -> None:
    """Have Cleo decide half of what is in dispute on the first topic; the rest waits."""
    topics = list(campaign.topic_set.all()[:1])
    asked = adjudicate(
        user=people["olga"], campaign=campaign, assessor=people["cleo"], topics=topics
    )
    for each in asked.made:
        simulate(each, truth[each.topic.number], ADJUDICATOR_RATE, 0.5, rng)
