"""A pool that is a sample: its runs, its strata read from them and the recipes alone, and what its
measures are by sample_eval.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from cleverdon.measures.interface import evaluate
from evaluation.models.scores import Evaluation, Score
from pooling.models.batches import Batch
from qrels.models import Qrels
from runs.models import Run
from tests import make
from tests.core.measures.test_inferred import infndcg, xinfap
from tests.db.scoring import published

TOPICS, N_DOCUMENTS, N_RUNS = ("1", "2"), 60, 4
DOCNOS = [f"d{n:02}" for n in range(N_DOCUMENTS)]
SEVERAL, ONE_RATE = [[5, 100], [15, 50], [40, 25]], [[40, 40]]
ALL = range(N_RUNS)
INFERRED = ["xinfAP", "infNDCG", "xinfAP@10"]


def grade_of(topic: str, docno: str) -> int:
    """What anybody would judge: the lower numbers are more often relevant."""
    dice = np.random.default_rng([int(topic), int(docno[1:])])
    return int(dice.random() < 1 - int(docno[1:]) / N_DOCUMENTS) * int(dice.integers(1, 3))


def rankings() -> list[dict[str, list[str]]]:
    """Those of the runs, which find the relevant ones rather early."""
    rng = np.random.default_rng(7)
    noise = [
        {t: np.arange(N_DOCUMENTS) + rng.normal(0, 15, N_DOCUMENTS) for t in TOPICS} for _ in ALL
    ]
    return [{t: [DOCNOS[n] for n in own.argsort()] for t, own in each.items()} for each in noise]


def submit(campaign: Campaign, participant) -> list[Run]:
    make.documents(campaign, DOCNOS)
    return [
        make.run(campaign, participant, {t: " ".join(own) for t, own in each.items()}, f"r{n}")
        for n, each in enumerate(rankings())
    ]


class Sampling:
    """The runs of a campaign, and what extends, judges and publishes their pool."""

    def __init__(self, campaign: Campaign, runs: list[Run], assessor) -> None:
        self.campaign, self.runs, self.assessor = campaign, runs, assessor
        self.rankings = rankings()

    def extend(
        self, strategy: str, parameters: dict, of: Sequence[Run] | None = None, **choice
    ) -> Batch:
        chosen = {"strategy": strategy, "parameters": parameters, **choice}
        made = make.batch(self.campaign, of or self.runs, **chosen)
        make.frozen(made)
        return made

    def judge(self, part: float = 1.0) -> None:
        for topic in self.campaign.topic_set.filter(number__in=TOPICS):
            own = Assignment.objects.filter(topic=topic).first()
            own = own or make.assignment(topic, self.assessor)
            known = set(Judgment.objects.filter(topic=topic).values_list("item__key", flat=True))
            entries = own.entries.select_related("item").order_by("pk")
            left = [entry.docno for entry in entries if entry.docno not in known]
            now = left[: round(part * len(left))]
            make.judgments(own, {docno: grade_of(topic.number, docno) for docno in now})

    def published(self) -> Qrels:
        """Judge what there is, and publish it."""
        self.judge()
        return published(make.organizer_of(self.campaign), self.campaign)


def strata_of(sampling: Sampling, qrels: Qrels, *batches: tuple, certain=()) -> dict[str, dict]:
    """Each document of the population with its stratum and grade, from the runs and recipes alone.

    A batch is the runs that it read and its strata, or the depth of one without chance.
    """
    grades, found = qrels.grades(), {}
    for topic in TOPICS:
        own: dict[str, list[str]] = {}
        for runs, what in batches:
            deepest = what if isinstance(what, int) else what[-1][0]
            best: dict[str, int] = {}
            for each in runs:
                for rank, docno in enumerate(sampling.rankings[each][topic][:deepest], 1):
                    best[docno] = min(rank, best.get(docno, rank))
            for docno in {*best, *own}:
                stratum = "none"
                if docno in best and not isinstance(what, int):
                    stratum = str(sum(end < best[docno] for end, _ in what))
                elif docno in best:
                    stratum = "certain"
                own.setdefault(docno, []).append(stratum)
        sure = {d for d, names in own.items() if "certain" in names} | {
            d for t, d in certain if t == topic
        }
        n = len(batches)
        found[topic] = {
            docno: (
                "certain" if docno in sure else "".join(["none"] * (n - len(names)) + names),
                grades.get(topic, {}).get(docno, -1),
            )
            for docno, names in {**{d: [] for d in sure}, **own}.items()
        }
    return found


def check(evaluation: Evaluation, sampling: Sampling, strata: dict, leave=()) -> None:
    """Compare the inferred measures of the board with sample_eval's, the others with the command's.

    `leave` are pairs that a residual collection lacks.
    """
    drawn = {t: {d: v for d, v in own.items() if (t, d) not in leave} for t, own in strata.items()}
    known = {t: {d: g for d, (_, g) in own.items() if g >= 0} for t, own in drawn.items()}
    for n, run in enumerate(sampling.runs):
        lists = {t: [d for d in sampling.rankings[n][t] if (t, d) not in leave] for t in TOPICS}
        pairs = [(drawn[t], lists[t]) for t in evaluation.topics]
        expected = {
            "xinfAP": [xinfap(*pair, None, 1) for pair in pairs],
            "infNDCG": [infndcg(*pair, None) for pair in pairs],
            "xinfAP@10": [xinfap(*pair, 10, 1) for pair in pairs],
        }
        score = Score.objects.get(evaluation=evaluation, run=run)
        found = dict(zip(evaluation.measures, score.by_topic().T.tolist(), strict=True))
        for name, values in expected.items():
            assert found[name] == pytest.approx(values, abs=1e-9), (run.tag, name)
        plain = [name for name in evaluation.measures if name not in INFERRED]
        scores = {t: {d: -float(k) for k, d in enumerate(own)} for t, own in lists.items()}
        qrels = {t: known[t] for t in evaluation.topics}
        theirs = evaluate(qrels, scores, plain).values[0]
        for column, name in enumerate(plain):
            assert found[name] == pytest.approx(theirs[:, column].tolist(), abs=1e-9), name
