"""The same campaign's assessors, judgments, qrels and scores."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from accounts.models import User
from agreement.core.statistics import agreement_report
from assess.core.answers import Answer, Provenance, Seen
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import assigning, handover, judging, reopening
from campaigns.models.people import Role
from campaigns.models.releases import Release
from campaigns.services import leaving
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion
from evaluation import services as scoring
from evaluation.models.scores import Evaluation
from qrels.models import Qrels, QrelsImport
from qrels.services import importing, publishing
from tests import make, records
from tests.db.judging import undo
from tests.db.life.collecting import (
    DOCNOS,
    MEASURES,
    PARTICIPANTS,
    TAGS,
    TOPICS,
    Collecting,
    assessors,
    docnos,
    organizers,
    topics,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def hash_of(text: Topic | Document | TopicVersion | DocumentVersion) -> str:
    """The hash of a text, computed anew from what there is to read."""
    names = (
        ("title", "description", "narrative")
        if hasattr(text, "narrative")
        else ("title", "text", "url", "language", "html")
    )
    return records.sha256_of(*(getattr(text, name) for name in names))


class Judging(Collecting):
    """What people may do in any order with assignments, judgments, qrels and evaluations."""

    @initialize(stage=st.sampled_from((5, 5, 5, 4, 3, 2, 1, 0)))
    def begin(self, stage: int) -> None:
        """Begin with an empty campaign, or later: runs, a frozen pool, assigned, judged twice, or
        scored and then a text replaced.
        """
        for name, tag in zip(PARTICIPANTS[:stage], TAGS, strict=False):
            self.upload(name, tag, "d1 d2 d3", "d2 d4")
        if stage > 1:
            self.look("olga")
            self.build("olga", 3)
            self.look("olga")
            self.freeze("olga")
        if stage > 2:
            self.assign_all("ada", "primary")
        if stage > 3:
            self.assign_all("ben", "second")
            self.judge_in_turn("ada", (2, 0, 3, 1))
            self.judge_in_turn("ben", (1, 0, 3, 0))
        if stage > 4:
            self.publish("olga", 2)
            self.look("olga")
            self.score("olga", 0)
            self.release("olga", "scores", "participants", 0, 0)
            self.import_texts("olga", "d2", 1, "1", as_versions=True, of_topics=False)
        self.pages.clear()

    def assign_all(self, who: str, kind: str) -> None:
        for number in TOPICS:
            self.assign("olga", number, who, kind)

    def judge_in_turn(self, name: str, grades: Sequence[int]) -> None:
        self.look(name)
        for which in range(len(self.page(name).assignments)):
            for docno, grade in zip(DOCNOS, grades, strict=True):
                self.judge(name, which, docno, grade)

    # People

    @rule(
        name=organizers,
        number=topics,
        assessor=assessors,
        kind=st.sampled_from(Assignment.Kind.values),
    )
    def assign(self, name: str, number: str, assessor: str, kind: str) -> None:
        topic = self.campaign.topic_set.get(number=number)
        self.attempt(
            lambda: assigning.assign(
                user=self.people[name], topic=topic, assessor=self.people[assessor], kind=kind
            )
        )

    @rule(
        name=organizers,
        which=st.integers(0, 9),
        assessor=assessors,
        act=st.sampled_from(["hand over", "take back", "reset", "reopen", "restore"]),
    )
    def change_work(self, name: str, which: int, assessor: str, act: str) -> None:
        if not (assignments := self.page(name).assignments):
            return
        user, assignment = self.people[name], assignments[which % len(assignments)]
        aside = Judgment.objects.filter(assignment=assignment, set_aside_at__isnull=False).first()
        done: dict[str, Callable[[], object]] = {
            "hand over": lambda: handover.hand_over(
                user=user, assignment=assignment, assessor=self.people[assessor]
            ),
            "take back": lambda: handover.take_back(user=user, assignment=assignment),
            "reset": lambda: reopening.reset(user=user, assignment=assignment),
            "reopen": lambda: reopening.reopen(user=user, assignment=assignment),
            "restore": lambda: (
                reopening.restore(user=user, assignment=assignment, set_aside_at=aside.set_aside_at)
                if aside
                else None
            ),
        }
        self.attempt(done[act])

    @rule(name=organizers, who=assessors)
    def remove(self, name: str, who: str) -> None:
        person = self.people[who]
        membership = self.campaign.membership_set.filter(user=person).first()
        if membership:
            self.attempt(
                lambda: leaving.remove_member(user=self.people[name], membership=membership)
            )
            if not self.campaign.membership_set.filter(user=person).exists():
                self.n_events_at_removal[person.pk] = person, self.n_events(person)

    @rule(who=assessors)
    def come_back(self, who: str) -> None:
        self.n_events_at_removal.pop(self.people[who].pk, None)
        self.campaign.membership_set.get_or_create(user=self.people[who], role=Role.ASSESSOR)

    def n_events(self, person: User) -> int:
        return JudgmentEvent.objects.filter(judgment__assessor=person, by__isnull=True).count()

    # Judging

    @rule(name=assessors, which=st.integers(0, 9), docno=docnos, grade=st.integers(-1, 3))
    def judge(self, name: str, which: int, docno: str, grade: int) -> None:
        """Judge what the page shows, which may have been replaced, handed over or judged since."""
        page = self.page(name)
        if not page.assignments:
            return
        assignment = page.assignments[which % len(page.assignments)]
        topic, document = assignment.topic, page.documents.get(docno)
        seen = Seen(
            document.version if document else 0,
            topic.version,
            change=page.changes.get((topic.number, docno), 0),
        )
        how, answer = Provenance(), Answer(docno, Judgment.State.JUDGED, grade)
        judgment = self.attempt(
            lambda: judging.judge(
                assessor=self.people[name],
                assignment=assignment,
                answer=answer,
                provenance=how,
                seen=seen,
            )
        )
        if isinstance(judgment, Judgment) and document:
            self.read[how.client_id] = hash_of(topic), hash_of(document)
            page.changes[topic.number, docno] = judgment.change

    @rule(name=assessors, grade=st.integers(0, 3))
    def judge_all(self, name: str, grade: int) -> None:
        """Load the pages anew and judge every document."""
        self.judge_in_turn(name, [grade] * len(DOCNOS))

    @rule(name=assessors, which=st.integers(0, 9))
    def undo(self, name: str, which: int) -> None:
        if assignments := self.page(name).assignments:
            assignment = assignments[which % len(assignments)]
            self.attempt(lambda: undo(assessor=self.people[name], assignment=assignment))

    # Qrels and scores

    @rule(name=organizers, level=st.integers(1, 3))
    def publish(self, name: str, level: int) -> None:
        official = set(Judgment.objects.by_rule(Qrels.GradeRule.PRIMARY, self.campaign.pk))
        n_earlier = Judgment.objects.n_on_earlier(self.campaign)
        qrels = self.attempt(
            lambda: publishing.publish_qrels(
                user=self.people[name], campaign=self.page(name).campaign, level=level
            )
        )
        if isinstance(qrels, Qrels):
            lines = make.content(qrels.file).decode().splitlines()
            assert {tuple(line.split()) for line in lines} == {
                (topic, "0", docno, str(grade)) for topic, docno, grade in official
            }
            rows = records.read(records.kept(qrels.judgments))
            marked = sum(bool(row["earlier"]) for row in records.official(rows))
            assert qrels.n_earlier == n_earlier == marked
            self.check_agreement(rows)

    def check_agreement(self, rows: records.Rows) -> None:
        """What the page of agreement shows follows from the judgments alone."""
        scale = self.campaign.scale
        grades, level = [grade.value for grade in scale.grades], scale.level
        shown = agreement_report(
            Judgment.objects.twice_judged(self.campaign), grades=grades, level=level
        ).overall
        pairs = [pair for _, pair in records.twice_judged(rows)]
        relevant = records.relevant(pairs, level)
        for found, given in ((shown.graded, pairs), (shown.binary, relevant)):
            assert records.agreement(given) == (found.n, found.raw, found.kappa, found.pooled_kappa)

    @rule(
        name=organizers,
        grades=st.lists(st.integers(-1, 3), min_size=3, max_size=3),
        level=st.integers(1, 2),
    )
    def import_qrels(self, name: str, grades: list[int], level: int) -> None:
        """Import judgments made elsewhere, of a document that no pool has too."""
        user, lines = (self.people[name], zip(("d1", "d2", "elsewhere"), grades, strict=True))
        content = "".join(f"1 2.5 {docno} {grade}\n" for docno, grade in lines).encode()
        file = ContentFile(content, name="qrels.txt")
        upload = self.attempt(
            lambda: importing.upload_qrels(
                user=user, campaign=self.page(name).campaign, file=file, source="NIST"
            )
        )
        self.work()
        if isinstance(upload, QrelsImport):
            qrels = self.attempt(
                lambda: importing.import_qrels(user=user, upload=upload, level=level)
            )
            assert not isinstance(qrels, Qrels) or make.content(qrels.file) == content

    @rule(name=organizers, which=st.integers(0, 9), act=st.sampled_from(["withdraw", "reinstate"]))
    def change_qrels(self, name: str, which: int, act: str) -> None:
        if not (versions := self.page(name).qrels):
            return
        user, qrels = self.people[name], versions[which % len(versions)]
        done: dict[str, Callable[[], object]] = {
            "withdraw": lambda: publishing.withdraw_qrels(
                user=user, qrels=qrels, reason="A mistake."
            ),
            "reinstate": lambda: publishing.reinstate_qrels(user=user, qrels=qrels),
        }
        self.attempt(done[act])

    @rule(
        name=organizers,
        what=st.sampled_from(Release.What.values),
        audience=st.sampled_from(Release.Audience.values),
        which=st.integers(0, 9),
        hours=st.sampled_from((0, 0, 1)),
    )
    def release(self, name: str, what: str, audience: str, which: int, hours: int) -> None:
        """Release any evaluation or version, or what there is one of, now or from later on."""
        keys: list[int | None] = [None]
        if model := {"scores": Evaluation, "qrels": Qrels}.get(what):
            rows = model.objects.filter(campaign=self.campaign).order_by("pk")
            keys = list(rows.values_list("pk", flat=True))
        if keys:
            key, from_at = (keys[which % len(keys)], timezone.now() + timedelta(hours=hours))
            row = self.attempt(
                lambda: scoring.release(
                    user=self.people[name],
                    campaign=self.page(name).campaign,
                    what=what,
                    audience=audience,
                    subject_id=key,
                    from_at=from_at,
                )
            )
            if row:
                self.released[what, audience] = key, hours == 0

    @rule(
        name=organizers,
        what=st.sampled_from(Release.What.values),
        audience=st.sampled_from(Release.Audience.values),
    )
    def take_back(self, name: str, what: str, audience: str) -> None:
        self.attempt(
            lambda: scoring.take_back_release(
                user=self.people[name],
                campaign=self.page(name).campaign,
                what=what,
                audience=audience,
            )
        )
        self.released.pop((what, audience), None)

    @rule(name=organizers, which=st.integers(0, 9))
    def score(self, name: str, which: int) -> None:
        if versions := self.page(name).qrels:
            qrels = versions[which % len(versions)]
            self.attempt(
                lambda: scoring.request_evaluation(
                    user=self.people[name], qrels=qrels, measures=MEASURES
                )
            )
            self.work()
