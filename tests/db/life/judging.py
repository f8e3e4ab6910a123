"""The same campaign's assessors, judgments, qrels and scores."""

from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from hypothesis import strategies as st
from hypothesis.stateful import rule

from accounts.models import User
from assess import services as assessing
from assess.core.answers import Answer, Provenance, Seen
from assess.models import Assignment, Judgment, JudgmentEvent, Qrels, QrelsImport
from campaigns import services
from campaigns.models import Role
from evaluation import services as scoring
from tests import make
from tests.db.life.collecting import (
    DOCNOS,
    MEASURES,
    Collecting,
    assessors,
    docnos,
    organizers,
    topics,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Judging(Collecting):
    """What people may do in any order with assignments, judgments, qrels and evaluations."""

    # People

    @rule(name=organizers, number=topics, assessor=assessors, kind=st.sampled_from(Assignment.Kind.values))  # fmt: skip
    def assign(self, name: str, number: str, assessor: str, kind: str) -> None:
        topic = self.campaign.topic_set.get(number=number)
        self.attempt(lambda: assessing.assign(user=self.people[name], topic=topic, assessor=self.people[assessor], kind=kind))  # fmt: skip

    @rule(name=organizers, which=st.integers(0, 9), assessor=assessors, act=st.sampled_from(["hand over", "take back", "reset", "reopen", "restore"]))  # fmt: skip
    def change_work(self, name: str, which: int, assessor: str, act: str) -> None:
        if not (assignments := self.page(name).assignments):
            return
        user, assignment = self.people[name], assignments[which % len(assignments)]
        aside = Judgment.objects.filter(assignment=assignment, set_aside_at__isnull=False).first()  # fmt: skip
        done: dict[str, Callable[[], object]] = {
            "hand over": lambda: assessing.hand_over(user=user, assignment=assignment, assessor=self.people[assessor]),
            "take back": lambda: assessing.take_back(user=user, assignment=assignment),
            "reset": lambda: assessing.reset(user=user, assignment=assignment),
            "reopen": lambda: assessing.reopen(user=user, assignment=assignment),
            "restore": lambda: assessing.restore(user=user, assignment=assignment, set_aside_at=aside.set_aside_at) if aside else None,
        }  # fmt: skip
        self.attempt(done[act])

    @rule(name=organizers, who=assessors)
    def remove(self, name: str, who: str) -> None:
        person = self.people[who]
        membership = self.campaign.membership_set.filter(user=person).first()
        if membership:
            self.attempt(lambda: services.remove_member(user=self.people[name], membership=membership))  # fmt: skip
            if not self.campaign.membership_set.filter(user=person).exists():
                self.n_events_at_removal[person.pk] = person, self.n_events(person)

    @rule(who=assessors)
    def come_back(self, who: str) -> None:
        self.n_events_at_removal.pop(self.people[who].pk, None)
        self.campaign.membership_set.get_or_create(user=self.people[who], role=Role.ASSESSOR)  # fmt: skip

    def n_events(self, person: User) -> int:
        return JudgmentEvent.objects.filter(judgment__assessor=person, by__isnull=True).count()  # fmt: skip

    # Judging

    @rule(name=assessors, which=st.integers(0, 9), docno=docnos, grade=st.integers(-1, 3))  # fmt: skip
    def judge(self, name: str, which: int, docno: str, grade: int) -> None:
        """Judge what the page shows, which may have been replaced, handed over or judged in another window since."""
        page = self.page(name)
        if not page.assignments:
            return
        assignment = page.assignments[which % len(page.assignments)]
        topic, document = assignment.topic, page.documents.get(docno)
        seen = Seen(document.version if document else 0, topic.version, change=page.changes.get((topic.number, docno), 0))  # fmt: skip
        how, answer = Provenance(), Answer(docno, Judgment.State.JUDGED, grade)
        judgment = self.attempt(lambda: assessing.judge(assessor=self.people[name], assignment=assignment, answer=answer, provenance=how, seen=seen))  # fmt: skip
        if isinstance(judgment, Judgment) and document:
            self.read[how.client_id] = document.text, topic.title
            page.changes[topic.number, docno] = judgment.change

    @rule(name=assessors, grade=st.integers(0, 3))
    def judge_all(self, name: str, grade: int) -> None:
        """Load the pages anew and judge every document."""
        self.look(name)
        for which in range(len(self.page(name).assignments)):
            for docno in DOCNOS:
                self.judge(name, which, docno, grade)

    @rule(name=assessors, which=st.integers(0, 9))
    def undo(self, name: str, which: int) -> None:
        if assignments := self.page(name).assignments:
            assignment = assignments[which % len(assignments)]
            self.attempt(lambda: assessing.undo(assessor=self.people[name], assignment=assignment))  # fmt: skip

    # Qrels and scores

    @rule(name=organizers)
    def publish(self, name: str) -> None:
        official = set(Judgment.objects.by_rule(Qrels.Rule.PRIMARY, self.campaign.pk))
        qrels = self.attempt(lambda: assessing.publish_qrels(user=self.people[name], campaign=self.page(name).campaign))  # fmt: skip
        if isinstance(qrels, Qrels):
            lines = make.content(qrels.file).decode().splitlines()
            assert {tuple(line.split()) for line in lines} == {(topic, "0", docno, str(grade)) for topic, docno, grade in official}  # fmt: skip

    @rule(
        name=organizers,
        grades=st.lists(st.integers(-1, 3), min_size=3, max_size=3),
        level=st.integers(1, 2),
    )
    def import_qrels(self, name: str, grades: list[int], level: int) -> None:
        """Import judgments made elsewhere, of a document that no pool has too."""
        user, lines = (
            self.people[name],
            zip(("d1", "d2", "elsewhere"), grades, strict=True),
        )
        content = "".join(f"1 2.5 {docno} {grade}\n" for docno, grade in lines).encode()
        file = ContentFile(content, name="qrels.txt")
        upload = self.attempt(
            lambda: assessing.upload_qrels(
                user=user, campaign=self.page(name).campaign, file=file, source="NIST"
            )
        )
        self.work()
        if isinstance(upload, QrelsImport):
            qrels = self.attempt(
                lambda: assessing.import_qrels(user=user, upload=upload, level=level)
            )
            assert not isinstance(qrels, Qrels) or make.content(qrels.file) == content

    @rule(
        name=organizers,
        which=st.integers(0, 9),
        act=st.sampled_from(["withdraw", "reinstate"]),
    )
    def change_qrels(self, name: str, which: int, act: str) -> None:
        if not (versions := self.page(name).qrels):
            return
        user, qrels = self.people[name], versions[which % len(versions)]
        done: dict[str, Callable[[], object]] = {
            "withdraw": lambda: assessing.withdraw_qrels(
                user=user, qrels=qrels, reason="A mistake."
            ),
            "reinstate": lambda: assessing.reinstate_qrels(user=user, qrels=qrels),
        }
        self.attempt(done[act])

    @rule(name=organizers, which=st.integers(0, 9))
    def score(self, name: str, which: int) -> None:
        if versions := self.page(name).qrels:
            qrels = versions[which % len(versions)]
            self.attempt(lambda: scoring.request_evaluation(user=self.people[name], qrels=qrels, measures=MEASURES))  # fmt: skip
            self.work()
