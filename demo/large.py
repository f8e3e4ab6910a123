"""Fill a large campaign through the services that people use: `make demo SIZE=large`."""

import json
from collections.abc import Callable, Sequence
from itertools import product
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np

from accounts.models import User
from assess.models.assigning import Assignment
from assess.services.assigning import assign
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from cleverdon.trec.topics import TopicRecord
from demo.core import collection, large
from demo.people import FIRST_NAMES, LAST_NAMES, PLACES
from demo.steps import begin, packed, person, pool, publish, send, simulate
from evaluation.services import release
from runs.models import Run

NAME = "Large example"
SEED = 1992
SECOND_SHARE = 0.2
LOWEST_RATE, HIGHEST_RATE = 0.05, 0.25
JUDGED = (0.7, 0.9)  # the share of topics judged completely, and the share judged at all
NOTICE = (
    "A large example: the documents are real; topics, runs, judgments and times are simulated. "
    "Each run mixes eight retrieval systems, and each assessor errs at a rate of their own, "
    f"between {100 * LOWEST_RATE:.0f} and {100 * HIGHEST_RATE:.0f} %."
)
Documents = Sequence[collection.Docstring]


class Cast(NamedTuple):
    olga: User
    assessors: list[User]
    participants: dict[str, User]  # by the name of their team


def fill(
    say: Callable[[str], None],
    wait: Callable[[], None],
    size: large.ExampleSize = large.LARGE,
    documents: Documents = (),
) -> Campaign:
    """Fill the campaign step by step; `wait` returns when the workers have finished their jobs."""
    rng = np.random.default_rng(SEED)
    documents = documents or collection.documents()
    topics = large.topics_of(documents, size.n_topics, rng)
    say(f"Inviting {size.n_assessors + size.n_teams} people ...")
    cast = _cast(size)
    campaign = _campaign(cast, size, documents, topics)
    wait()
    say(f"Making {size.n_runs} runs for {size.n_topics} topics ...")
    _submit(campaign, cast, documents, topics, size=size, rng=rng)
    say("Checking them ...")
    wait()
    say("Pooling ...")
    runs = Run.objects.filter(campaign=campaign).valid()
    recipe = {"strategy": "depth", "parameters": {"depth": size.pool_depth}}
    pool(campaign, cast.olga, runs, recipe, wait)
    _judge(campaign, cast, large.true_grades(documents, topics), rng, say)
    say("Publishing and scoring ...")
    release(
        user=cast.olga,
        campaign=campaign,
        what=Release.What.SCORES,
        audience=Release.Audience.PARTICIPANTS,
        subject_id=publish(campaign, cast.olga, wait).pk,
    )
    return campaign


def _cast(size: large.ExampleSize) -> Cast:
    """Return the people of the small example and as many more as are needed."""
    names = ((first, last) for last, first in product(LAST_NAMES, FIRST_NAMES))

    def people(role: str, known: list[str], n: int) -> list[User]:
        new = range(len(known) + 1, n + 1)
        others = [person(f"{role}{number}", next(names)) for number in new]
        return [person(name) for name in known[:n]] + others

    assessors = people("assessor", ["ada", "ben", "cleo"], size.n_assessors)
    participants = people("participant", ["pat", "quinn"], size.n_teams)
    return Cast(person("olga"), assessors, dict(zip(PLACES, participants, strict=False)))


def _campaign(
    cast: Cast, size: large.ExampleSize, documents: Documents, topics: Sequence[TopicRecord]
) -> Campaign:
    lines = "".join(json.dumps(topic._asdict()) + "\n" for topic in topics)
    files = {"topics.jsonl": lines.encode(), "documents.jsonl.gz": packed(documents)}
    people = [*cast.assessors, *cast.participants.values()]
    return begin(cast.olga, _content(cast, size), files, people)


def _content(cast: Cast, size: large.ExampleSize) -> dict[str, Any]:
    """Return what a campaign.toml of this size says."""
    assessors = [{"name": each.get_full_name(), "role": "assessor"} for each in cast.assessors]
    participants = [
        {"name": each.get_full_name(), "role": "participant", "team": team}
        for team, each in cast.participants.items()
    ]
    return {
        "name": NAME,
        "settings": {"notice": NOTICE, "run_depth": size.run_depth, "seconds_per_judgment": 20},
        "topics": {"file": "topics.jsonl"},
        "documents": {"files": ["documents.jsonl.gz"], "completes_collection": True},
        "invitations": [*assessors, *participants],
    }


def _submit(
    campaign: Campaign,
    cast: Cast,
    documents: Documents,
    topics: Sequence[TopicRecord],
    *,
    size: large.ExampleSize,
    rng: np.random.Generator,
) -> None:
    turns = product(ascii_lowercase, cast.participants)
    senders = {f"{team.lower()}-{letter}": cast.participants[team] for letter, team in turns}
    tags = list(senders)[: size.n_runs]
    texts = large.runs_of(documents, topics, tags, size.run_depth, rng)
    for tag, text in zip(tags, texts, strict=True):
        send(campaign, senders[tag], tag, "A mixture of systems.", text)


def _judge(
    campaign: Campaign,
    cast: Cast,
    truth: large.Truth,
    rng: np.random.Generator,
    say: Callable[[str], None],
) -> None:
    """Assign each topic to an assessor and a share of it to the next one, and judge most."""
    uniform = rng.uniform(LOWEST_RATE, HIGHEST_RATE, len(cast.assessors))
    rates = dict(zip(cast.assessors, uniform, strict=True))
    topics = list(campaign.topic_set.all())
    for turn, topic in enumerate(topics):
        if turn % 20 == 0:
            say(f"Judging: topic {turn + 1} of {len(topics)} ...")
        for kind, share, who in (
            (Assignment.Kind.PRIMARY, 1.0, turn),
            (Assignment.Kind.SECOND, SECOND_SHARE, turn + 1),
        ):
            assessor = cast.assessors[who % len(cast.assessors)]
            given = assign(user=cast.olga, topic=topic, assessor=assessor, kind=kind, share=share)
            if judged := _share(turn / len(topics)):
                simulate(given, truth[topic.number], rates[assessor], judged, rng)


def _share(position: float) -> float:
    """Return the share of a topic that is judged, by its position among the topics, 0 to 1."""
    complete, in_part = JUDGED
    return 1.0 if position < complete else 0.5 if position < in_part else 0.0
