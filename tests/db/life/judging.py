"""The same campaign's assessors, judgments, qrels and scores."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import combinations

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from accounts.models import User
from agreement.tallies import so_far
from assess.core.answers import Answer, Provenance, Seen
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.services import adjudicating, assigning, correcting, handover, judging, reopening
from campaigns.models.people import Role
from campaigns.models.releases import Release
from cleverdon.agreement.measured import Groups
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion
from evaluation import services as scoring
from evaluation.models.scores import Evaluation
from overview.services import leaving
from pooling import services as pooling
from pooling.models.pools import Pool
from qrels.models import Qrels, QrelsImport
from qrels.services import importing, publishing
from runs.models import Run
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
from tests.several import twice_judged

CHANGES = (
    *(handover.hand_over, handover.take_back),
    *(reopening.reset, reopening.reopen, reopening.restore),
)


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
            self.change_batch("olga", 0, pooling.freeze_batch)
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
        kind=st.sampled_from(Assignment.DEALT_KINDS),
    )
    def assign(self, name: str, number: str, assessor: str, kind: str) -> None:
        topic, person = self.campaign.topic_set.get(number=number), self.people[assessor]
        self.attempt(name, assigning.assign, topic=topic, assessor=person, kind=kind)

    @rule(
        name=organizers, which=st.integers(0, 9), assessor=assessors, act=st.sampled_from(CHANGES)
    )
    def change_work(self, name: str, which: int, assessor: str, act: Callable[..., object]) -> None:
        if not (assignments := self.page(name).assignments):
            return
        assignment, more = assignments[which % len(assignments)], {}
        if act is handover.hand_over:
            more = {"assessor": self.people[assessor]}
        if act is reopening.restore:
            rows = Judgment.objects.filter(assignment=assignment, set_aside_at__isnull=False)
            if not rows:
                return
            more = {"set_aside_at": rows[0].set_aside_at}
        self.attempt(name, act, assignment=assignment, **more)

    @rule(name=organizers, who=assessors)
    def remove(self, name: str, who: str) -> None:
        person = self.people[who]
        if membership := self.campaign.membership_set.filter(user=person).first():
            self.attempt(name, leaving.remove_member, membership=membership)
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
        how = Provenance()
        judgment = self.attempt(
            name,
            judging.judge,
            "assessor",
            assignment=assignment,
            answer=Answer(docno, Judgment.State.JUDGED, {"grade": grade}),
            provenance=how,
            seen=seen,
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
            self.attempt(name, undo, "assessor", assignment=assignment)

    # Where they differ

    @rule(name=organizers, who=assessors, least_steps=st.integers(1, 3))
    def adjudicate(self, name: str, who: str, least_steps: int) -> None:
        person = self.people[who]
        act, campaign = adjudicating.adjudicate, self.campaign
        self.attempt(name, act, campaign=campaign, assessor=person, least_steps=least_steps)

    @rule(name=assessors)
    def bring_disputes(self, name: str) -> None:
        """An adjudicator has what is in dispute now, and nothing else that is open."""
        mine = Assignment.objects.filter(
            kind="adjudication", assessor=self.people[name], taken_back_at=None
        )
        for each in mine.filter(topic__campaign=self.campaign):
            brought = self.attempt(name, adjudicating.bring, "assessor", assignment=each)
            if isinstance(brought, list):
                left = {entry.docno for entry in each.entries.still_open()}
                done = each.entries.filter(judgment__state__in=Judgment.DECIDED_STATES)
                decided = {entry.docno for entry in done}
                assert left == self.in_dispute(each.topic, each.least_steps) - decided

    def in_dispute(self, topic: Topic, least_steps: int) -> set[str]:
        step = {each.value: n for n, each in enumerate(self.campaign.scale.grades)}
        given: dict[str, list[int]] = {}
        kinds = ["primary", "second"]
        rows = Judgment.objects.filter(topic=topic, purpose__in=kinds, set_aside_at=None)
        for docno, grade in rows.filter(state="judged").values_list("item__key", "grade"):
            given.setdefault(docno, []).append(step[grade])
        corrected = {
            each.item.key
            for each in OfficialGrade.objects.filter(
                rule="correction", until=None, item__topic=topic
            )
        }
        far = {key for key, steps in given.items() if max(steps) - min(steps) >= least_steps}
        return far - corrected

    @rule(name=organizers, number=topics, docno=docnos, grade=st.integers(0, 3))
    def correct(self, name: str, number: str, docno: str, grade: int) -> None:
        topic, reason = self.campaign.topic_set.get(number=number), "It was read once more."
        of = {"topic": topic, "docno": docno, "grade": grade, "reason": reason}
        self.attempt(name, correcting.correct, **of)

    @rule(name=organizers, number=topics, docno=docnos)
    def take_back_correction(self, name: str, number: str, docno: str) -> None:
        topic = self.campaign.topic_set.get(number=number)
        self.attempt(name, correcting.take_back_correction, topic=topic, docno=docno)

    # Qrels and scores

    @rule(name=organizers, level=st.integers(1, 3))
    def publish(self, name: str, level: int) -> None:
        n_earlier = Judgment.objects.n_on_earlier(self.campaign)
        campaign = self.page(name).campaign
        qrels = self.attempt(name, publishing.publish_qrels, campaign=campaign, level=level)
        if isinstance(qrels, Qrels):
            rows = records.read(records.kept(qrels.judgments))
            assert records.RULES[qrels.rule](rows) == make.content(qrels.file)
            marked = sum(bool(row["earlier"]) for row in records.grounds(rows))
            assert qrels.n_earlier == n_earlier == marked
            self.check_agreement(rows)

    def check_agreement(self, rows: records.Rows) -> None:
        """What the page of agreement shows follows from the judgments alone."""
        scale = self.campaign.scale
        grades, level = [grade.value for grade in scale.grades], scale.level
        ratings, items = so_far(self.campaign).grades, records.judged_by_several(rows)
        pairs = [pair for given in items.values() for pair in combinations(given, 2)]
        twice = [(row[2:4], row[4:]) for row in twice_judged(self.campaign)]
        assert sorted(pairs) == sorted(twice)
        groups = Groups(ratings, level)
        is_one_pair = len({name for pair in pairs for name, _ in pair}) == 2
        keys = ("cohen", "kappa-quadratic") if is_one_pair else ("alpha", "alpha-ordinal")
        graded = records.agreed(items.values(), grades)
        binary = records.agreed(records.relevant(items.values(), level), [0, 1])
        for key, on, expected in (
            ("raw", "grades", graded.equal),
            (keys[0], "grades", graded.plain),
            (keys[1], "grades", graded.weighted),
            ("raw", "relevance", binary.equal),
            (keys[0], "relevance", binary.plain),
        ):
            [figure] = groups.figures(key, on)
            assert figure.n == graded.n
            assert figure.value == (expected if expected is None else pytest.approx(expected))

    @rule(
        name=organizers,
        grades=st.lists(st.integers(-1, 3), min_size=3, max_size=3),
        level=st.integers(1, 2),
    )
    def import_qrels(self, name: str, grades: list[int], level: int) -> None:
        """Import judgments made elsewhere, of a document that no pool has too."""
        lines = zip(("d1", "d2", "elsewhere"), grades, strict=True)
        content = "".join(f"1 2.5 {docno} {grade}\n" for docno, grade in lines).encode()
        file, campaign = ContentFile(content, name="qrels.txt"), self.page(name).campaign
        upload = self.attempt(
            name, importing.upload_qrels, campaign=campaign, file=file, source="NIST"
        )
        self.work()
        if isinstance(upload, QrelsImport):
            qrels = self.attempt(name, importing.import_qrels, upload=upload, level=level)
            assert not isinstance(qrels, Qrels) or make.content(qrels.file) == content

    @rule(name=organizers, which=st.integers(0, 9), withdraws=st.booleans())
    def change_qrels(self, name: str, which: int, *, withdraws: bool) -> None:
        if versions := self.page(name).qrels:
            qrels = versions[which % len(versions)]
            if withdraws:
                self.attempt(name, publishing.withdraw_qrels, qrels=qrels, reason="A mistake.")
            else:
                self.attempt(name, publishing.reinstate_qrels, qrels=qrels)

    @rule(
        name=organizers,
        what=st.sampled_from(Release.What.values),
        audience=st.sampled_from(Release.Audience.values),
        which=st.integers(0, 9),
        hours=st.sampled_from((0, 0, 1)),
    )
    def release(self, name: str, what: str, audience: str, which: int, hours: int) -> None:
        """Release any evaluation or version, or the runs or topics that there are, now or later."""
        pool = Pool.objects.of(self.campaign)
        keys: list[int | None] = [*range(1, pool.version + 1)] if pool else []
        if what in {"runs", "topics"}:
            keys = [None]
        elif what != "pool":
            model = Evaluation if what == "scores" else Qrels
            rows = model.objects.filter(campaign=self.campaign).order_by("pk")
            keys = list(rows.values_list("pk", flat=True))
        if keys:
            key = keys[which % len(keys)]
            row = self.attempt(
                name,
                scoring.release,
                campaign=self.page(name).campaign,
                what=what,
                audience=audience,
                subject_id=key,
                from_at=timezone.now() + timedelta(hours=hours) if hours else None,
            )
            if row:
                self.released[what, audience] = key, hours == 0
                of_it = Run.objects.valid() if what == "runs" else Topic.objects.all()
                self.shown_names[what, audience] = {*of_it.values_list("pk", flat=True)}

    @rule(
        name=organizers,
        what=st.sampled_from(Release.What.values),
        audience=st.sampled_from(Release.Audience.values),
    )
    def take_back(self, name: str, what: str, audience: str) -> None:
        campaign = self.page(name).campaign
        self.attempt(
            name, scoring.take_back_release, campaign=campaign, what=what, audience=audience
        )
        self.released.pop((what, audience), None)

    @rule(name=organizers, which=st.integers(0, 9))
    def score(self, name: str, which: int) -> None:
        if versions := self.page(name).qrels:
            qrels = versions[which % len(versions)]
            self.attempt(name, scoring.request_evaluation, **make.scope(qrels), measures=MEASURES)
            self.work()
