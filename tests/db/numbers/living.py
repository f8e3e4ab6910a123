"""A small random campaign: what people did, by the services that pages use."""

from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace

from accounts.access import Refused
from assess.core.answers import Answer
from assess.models.assigning import Assignment
from assess.services import judging
from campaigns.models.campaign import Campaign
from evaluation.models.scores import Evaluation
from evaluation.services import request_review
from overview.services.rounds import begin_round
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make
from tests.asked import graded_by
from tests.db.scoring import scored

SIZES = (1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 6, 7, 10, 11)  # numbers of topics
PLAIN = [
    *("AP", "GMAP", "nDCG", "nDCG@5", "P@5", "RR", "Rprec", "Bpref", "R@10", "Success@1"),
    *("Judged@5", "Unjudged@5", "NumRet", "NumRelRet", "ERR@5", "RBP(graded=False)"),
    *("SetP", "SetR"),
]
OF_SAMPLES = ["xinfAP", "infNDCG", "xinfAP@5"]


@dataclass
class Lived:
    """What a campaign is known to be made of, beside what can be downloaded."""

    campaign: Campaign
    evaluations: list[Evaluation] = field(default_factory=list)
    # By the number of qrels: the version of the pool when they were published, 0 for none.
    pool_of: dict[int, int] = field(default_factory=dict)
    chosen_of: dict[int, set[str]] = field(default_factory=dict)  # tags; empty for all runs
    topics_of: dict[int, list[str]] = field(default_factory=dict)  # by round
    round_of: dict[str, int] = field(default_factory=dict)  # by tag
    is_reviewed: bool = False


def ranking(rng: Random, docnos: list[str]) -> list[tuple[str, str]]:
    """Documents with their scores as written, of which many are equal, some only as floats."""
    found = rng.sample(docnos, rng.randint(1, len(docnos)))
    kind = rng.randrange(3)
    scores = [
        str(rng.randint(1, 4))
        if kind == 0
        else f"{rng.random():.6f}"
        if kind == 1
        else rng.choice(["1.00000001", "1", "0.5", "1e-3", "-2", "16777217", "16777216"])
        for _ in found
    ]
    return list(zip(found, scores, strict=True))


class Life:
    """Makes a campaign, step by step, with chances from a seed."""

    def __init__(self, seed: int, people: SimpleNamespace, sent: list) -> None:
        self.rng, self.people, self.sent = Random(seed), people, sent
        n = self.rng.choice(SIZES)
        self.topics = [f"{1 + 9 * each}" for each in range(n)]
        self.docnos = [f"d{each:02}" for each in range(self.rng.randint(6, 30))]
        campaign = make.campaign(
            people.olga,
            assessors=[people.ada, people.ben],
            participants={"Aldgate": [people.pat], "Barbican": [people.quinn]},
            topics=self.topics,
            docnos=self.docnos,
            criteria=graded_by(Campaign().scale.fixed, self.rng.choice([1, 1, 2])),
        )
        self.lived = Lived(campaign)
        self.lived.topics_of[1] = self.topics
        self.tags = iter("abcdefgh")

    def live(self) -> Lived:
        for number in range(1, self.rng.choice([2, 2, 3])):
            if number > 1 and not self.next_round(number):
                break
            self.runs(self.rng.choice([1, 1, 2, 3, 4]), number)
            self.grow(number)
            self.judge()
            self.publish()
            self.score(number)
            if self.rng.random() < 0.3:
                self.grow(number)
                self.judge()
                self.publish()
                self.score(number)
        self.review()
        return self.lived

    def next_round(self, number: int) -> bool:
        chosen = self.rng.sample(self.topics, self.rng.randint(1, len(self.topics)))
        chosen = [each for each in self.topics if each in chosen]
        begin_round(user=self.people.olga, campaign=self.lived.campaign, topics=chosen)
        self.lived.campaign.refresh_from_db()
        self.lived.topics_of[number] = chosen
        return True

    def runs(self, n: int, of_round: int) -> None:
        for _ in range(n):
            tag, team = next(self.tags), self.rng.choice([self.people.pat, self.people.quinn])
            answered = [t for t in self.lived.topics_of[of_round] if self.rng.random() < 0.85]
            lines = [
                f"{topic} Q0 {docno} {rank} {score} {tag}\n"
                for topic in answered or self.lived.topics_of[of_round][:1]
                for rank, (docno, score) in enumerate(ranking(self.rng, self.docnos), 1)
            ]
            self.rng.shuffle(lines)
            run = make.submitted(self.lived.campaign, team, "".join(lines), tag)
            make.worked("check_run", run.pk)
            self.lived.round_of[tag] = of_round

    def grow(self, of_round: int) -> None:
        """Extend the pool by a batch, if anything is new."""
        valid = list(Run.objects.filter(campaign=self.lived.campaign).valid().order_by("pk"))
        runs = [each for each in valid if each.round == of_round]
        runs = self.rng.sample(runs, self.rng.randint(1, len(runs)))
        rate, rates = self.rng.choice([20, 40, 60]), self.rng.choice([(50, 25), (100, 30)])
        strata = self.rng.choice([[[9, rate]], [[3, 100], [8, rates[0]], [20, rates[1]]]])
        recipe = self.rng.choice(
            [
                {"strategy": "depth", "parameters": {"depth": self.rng.randint(1, 8)}},
                {"strategy": "sample", "parameters": {"strata": strata}},
            ]
        )
        topics = self.lived.topics_of[of_round] if len(self.lived.topics_of) > 1 else []
        try:
            make.frozen(make.batch(self.lived.campaign, runs, topics=topics, **recipe))
        except Refused:
            return

    def judge(self) -> None:
        part = self.rng.choice([0.3, 0.8, 1, 1])
        for topic in self.lived.campaign.topic_set.filter(
            items__poolentry__isnull=False
        ).distinct():
            if self.rng.random() < 0.9:
                self.assigned(topic, self.people.ada, Assignment.Kind.PRIMARY, part)
                if self.rng.random() < 0.3:
                    self.assigned(topic, self.people.ben, Assignment.Kind.SECOND, part)

    def assigned(self, topic, assessor, kind, part: float) -> None:
        own = Assignment.objects.filter(topic=topic, kind=kind).first()
        try:
            own = own or make.assignment(topic, assessor, kind)
        except Refused:
            return
        for entry in own.entries.filter(judgment__isnull=True).order_by("pk"):
            if self.rng.random() < part:
                self.answer(own, entry.docno)

    def answer(self, own: Assignment, docno: str) -> None:
        state, grade = "judged", {"grade": self.rng.choice([0, 0, 0, 1, 1, 2, 3])}
        reason = ""
        if self.rng.random() < 0.05:
            state, grade, reason = "cannot_judge", {}, "other"
        answer = Answer(docno, state, grade, reason=reason)
        judging.judge(assessor=own.assessor, assignment=own, answer=answer)

    def publish(self) -> None:
        try:
            qrels = publish_qrels(user=self.people.olga, campaign=self.lived.campaign)
        except Refused:
            return
        self.lived.pool_of[qrels.number] = qrels.pool.version if qrels.pool else 0

    def score(self, of_round: int) -> None:
        for qrels in Qrels.objects.filter(campaign=self.lived.campaign).order_by("-number")[:1]:
            for _ in range(self.rng.choice([1, 2])):
                earlier = Qrels.objects.filter(
                    campaign=self.lived.campaign, number__lt=qrels.number
                ).first()
                names = self.rng.sample(PLAIN, self.rng.randint(2, 7))
                if qrels.is_sample:
                    names = [*names, *self.rng.sample(OF_SAMPLES, 2)]
                asked = {
                    "measures": names,
                    "rules": self.rng.choice(["trec_eval-9", "trec_eval-10"]),
                    "topic_set": self.rng.choice(["judged", "judged", "relevant", "retrieved"]),
                    "without": self.rng.choice([None, None, earlier and earlier.number]),
                    "round": self.rng.choice([None, of_round])
                    if self.lived.campaign.has_rounds
                    else None,
                }
                asked["chosen"] = self.chosen(asked["round"])
                try:
                    made = scored(self.people.olga, qrels, self.sent, **asked)
                except Refused:
                    continue
                make.worked("place_runs", made.pk)
                self.lived.chosen_of[made.pk] = set(made.scope.chosen)
                self.lived.evaluations.append(made)

    def chosen(self, of_round: int | None) -> list[str]:
        """Some valid runs in one case of three, otherwise none: the board has all."""
        valid = self.lived.campaign.run_set.filter(state="valid").order_by("tag")
        tags = [each.tag for each in valid if of_round in {None, each.round}]
        if not tags or self.rng.random() < 2 / 3:
            return []
        return self.rng.sample(tags, self.rng.randint(1, len(tags)))

    def review(self) -> None:
        try:
            review = request_review(user=self.people.olga, campaign=self.lived.campaign)
        except Refused:
            return
        make.worked("review_pool", review.pk)
        self.lived.is_reviewed = True
