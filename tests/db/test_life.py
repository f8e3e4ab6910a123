"""A campaign's life in any order, by people whose pages are of any age.

Whatever they do, the chain holds: from every score back to the texts that were judged and to the run that was uploaded.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts.access import Refused
from accounts.models import User
from assess import services as assessing
from assess.core.answers import Answer, Provenance, Seen
from assess.models import Assignment, Judgment, JudgmentEvent, Qrels, QrelsImport
from campaigns import jobs, services
from campaigns.models import Campaign, Document, DocumentVersion, Import, Job, Role, Run
from evaluation import services as scoring
from evaluation import tasks as scoring_tasks
from evaluation.interface import evaluate
from evaluation.models import Score
from pooling import services as pooling
from pooling.models import Pool
from tests import make

N_LIVES, N_ACTS = (300, 60) if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else (6, 40)  # fmt: skip
ORGANIZERS, ASSESSORS, PARTICIPANTS = ("olga", "oscar"), ("ada", "ben"), ("pat", "quinn")  # fmt: skip
TOPICS, DOCNOS, TAGS, MEASURES = ("1", "2"), ("d1", "d2", "d3", "d4"), ("a", "b"), ("AP", "nDCG@3")  # fmt: skip
organizers, assessors, participants = map(st.sampled_from, (ORGANIZERS, ASSESSORS, PARTICIPANTS))  # fmt: skip
topics, docnos, tags = map(st.sampled_from, (TOPICS, DOCNOS, TAGS))
rankings = st.permutations(DOCNOS).map(lambda found: " ".join(found[:3]))


@dataclass
class Page:
    """What somebody has before their eyes: the rows as they were when they last looked."""

    campaign: Campaign
    runs: list[Run]
    pool: Pool | None
    assignments: list[Assignment]
    documents: dict[str, Document]
    changes: dict[tuple[str, str], int]  # of the own judgments, by topic and docno
    qrels: list[Qrels]


class Life(RuleBasedStateMachine):
    """What people may do in any order, and what holds meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        names = (*ORGANIZERS, *ASSESSORS, *PARTICIPANTS)
        self.people = {name: make.user(name) for name in names}
        assessing_people = [self.people[name] for name in ASSESSORS]
        teams = {f"team of {name}": [self.people[name]] for name in PARTICIPANTS}
        self.campaign = make.campaign(self.people["olga"], assessors=assessing_people, participants=teams, topics=TOPICS, docnos=DOCNOS)  # fmt: skip
        self.campaign.membership_set.create(user=self.people["oscar"], role=Role.ORGANIZER)  # fmt: skip
        self.pages: dict[str, Page] = {}
        self.uploaded: dict[int, bytes] = {}
        self.published: dict[int, bytes] = {}
        self.scored: dict[int, tuple[list[float], bytes]] = {}
        self.read: dict[
            object, tuple[str, str]
        ] = {}  # the text and the topic's title, by client id
        self.n_events_at_removal: dict[int, tuple[User, int]] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.block.__exit__(None, None, None)

    @initialize(stage=st.sampled_from((0, 1, 2, 3, 3, 3)))
    def begin(self, stage: int) -> None:
        """Begin with an empty campaign, with runs, with a frozen pool, or with its topics assigned."""
        olga, ada = self.people["olga"], self.people["ada"]
        for name, tag in zip(PARTICIPANTS[:stage], TAGS, strict=False):
            self.upload(name, tag, "d1 d2 d3", "d2 d4")
        if stage > 1:
            self.look("olga")
            self.build("olga", 3)
            self.look("olga")
            self.freeze("olga")
        if stage > 2:
            for topic in self.campaign.topic_set.all():
                assessing.assign(user=olga, topic=topic, assessor=ada, kind="primary")
        self.pages.clear()

    # Looking, and doing something about what was seen

    def page(self, name: str) -> Page:
        if name not in self.pages:
            self.look(name)
        return self.pages[name]

    @rule(name=st.sampled_from((*ORGANIZERS, *ASSESSORS, *PARTICIPANTS)))
    def look(self, name: str) -> None:
        """Load all pages anew."""
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        own = Judgment.objects.current().filter(assessor=self.people[name])
        self.pages[name] = Page(
            campaign,
            list(campaign.run_set.order_by("pk")),
            Pool.objects.current_of(campaign),
            list(Assignment.objects.in_campaign(campaign)),
            {document.docno: document for document in campaign.document_set.all()},
            {(number, docno): change for number, docno, change in own.values_list("topic__number", "docno", "change")},
            list(Qrels.objects.filter(campaign=campaign).order_by("number")),
        )  # fmt: skip

    def attempt(self, act: Callable[[], object]) -> object:
        """Do something that may be refused; a refusal leaves no trace."""
        with suppress(Refused), transaction.atomic():
            return act()
        return None

    def work(self) -> None:
        """Do the jobs that wait, as workers do."""
        for job in Job.objects.filter(campaign=self.campaign).unfinished().order_by("pk"):  # fmt: skip
            jobs.kinds[job.kind](job.pk)

    # Topics and documents

    @rule(
        name=organizers,
        docno=docnos,
        version=st.integers(0, 2),
        number=topics,
        as_versions=st.booleans(),
        of_topics=st.booleans(),
    )
    def import_texts(
        self,
        name: str,
        docno: str,
        version: int,
        number: str,
        *,
        as_versions: bool,
        of_topics: bool,
    ) -> None:
        """Import another text of a document or of a topic; what is in a frozen pool is replaced only as a new version."""
        user, kind = (
            self.people[name],
            Import.Kind.TOPICS if of_topics else Import.Kind.DOCUMENTS,
        )
        content = (
            f"{number}\tTitle {version}\n"
            if of_topics
            else f"{docno}\tTitle\tText {version}\n"
        )
        file = ContentFile(content.encode(), name="texts.tsv")
        row = self.attempt(
            lambda: services.request_import(
                user=user, campaign=self.page(name).campaign, kind=kind, file=file
            )
        )
        self.work()
        if isinstance(row, Import):
            row.refresh_from_db()
            self.attempt(
                lambda: services.confirm_import(
                    user=user, row=row, takes_versions=as_versions
                )
            )
            self.work()

    @rule(name=organizers, which=st.integers(0, 9))
    def undo_import(self, name: str, which: int) -> None:
        if imports := Import.objects.filter(campaign=self.campaign):
            row = imports[which % len(imports)]
            self.attempt(lambda: services.undo_import(user=self.people[name], row=row))
            self.work()

    # Runs

    @rule(name=participants, tag=tags, first=rankings, second=rankings)
    def upload(self, name: str, tag: str, first: str, second: str) -> None:
        content = make.run_text({"1": first, "2": second}, tag).encode()
        run = self.attempt(lambda: services.submit_run(user=self.people[name], campaign=self.page(name).campaign, tag=tag, file=ContentFile(content, name=tag)))  # fmt: skip
        if isinstance(run, Run):
            self.uploaded[run.pk] = content
            self.work()

    @rule(
        name=st.sampled_from((*PARTICIPANTS, *ORGANIZERS)),
        which=st.integers(0, 9),
        act=st.sampled_from(["withdraw", "disqualify", "reinstate", "check again"]),
    )
    def change_run(self, name: str, which: int, act: str) -> None:
        if not (runs := self.page(name).runs):
            return
        user, run = self.people[name], runs[which % len(runs)]
        done: dict[str, Callable[[], object]] = {
            "withdraw": lambda: services.withdraw_run(user=user, run=run),
            "disqualify": lambda: services.disqualify_run(
                user=user, run=run, reason="A mistake."
            ),
            "reinstate": lambda: services.reinstate_run(user=user, run=run),
            "check again": lambda: services.recheck_run(user=user, run=run),
        }
        self.attempt(done[act])
        self.work()

    # The pool

    @rule(name=organizers, depth=st.integers(1, 3))
    def build(self, name: str, depth: int) -> None:
        page = self.page(name)
        runs = [run for run in page.runs if run.state == Run.State.VALID]
        self.attempt(lambda: pooling.request_pool(user=self.people[name], campaign=page.campaign, runs=runs, depth=depth))  # fmt: skip
        self.work()

    @rule(name=organizers)
    def freeze(self, name: str) -> None:
        if pool := self.page(name).pool:
            self.attempt(lambda: pooling.freeze_pool(user=self.people[name], pool=pool, sha256=pool.sha256))  # fmt: skip

    @rule(name=organizers)
    def unfreeze(self, name: str) -> None:
        if pool := self.page(name).pool:
            self.attempt(
                lambda: pooling.unfreeze_pool(user=self.people[name], pool=pool)
            )

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

    # What holds

    @invariant()
    def a_run_is_the_file_that_was_uploaded(self) -> None:
        for run in Run.objects.filter(campaign=self.campaign):
            content = make.content(run.file)
            assert content == self.uploaded[run.pk]
            assert run.sha256 in {"", hashlib.sha256(content).hexdigest()}

    @invariant()
    def a_frozen_pool_names_its_runs_for_good(self) -> None:
        pool = Pool.objects.frozen_of(self.campaign)
        if pool is None:
            return
        for contributor in pool.contributors.select_related("run"):
            run = contributor.run
            assert contributor.run_sha256 == run.sha256
            others = Run.objects.filter(campaign=self.campaign, tag=run.tag)
            assert not others.exclude(pk=run.pk).filter(state=Run.State.VALID).exists()

    @invariant()
    def a_judgment_is_about_the_texts_that_its_assessor_saw(self) -> None:
        events = JudgmentEvent.objects.filter(client_id__in=self.read)
        for event in events.select_related("judgment__topic"):
            text, title = self.read[event.client_id]
            document = Document.objects.get(campaign=self.campaign, docno=event.judgment.docno)  # fmt: skip
            assert text_at(document, event.document_version) == text
            topic = event.judgment.topic
            if topic.version != event.topic_version:
                assert topic.earlier.get(version=event.topic_version).title == title
        assert events.count() == len(self.read)

    @invariant()
    def whoever_was_removed_does_nothing(self) -> None:
        for person, n_events in self.n_events_at_removal.values():
            assert self.n_events(person) == n_events

    @invariant()
    def counts_are_true(self) -> None:
        for assignment in Assignment.objects.in_campaign(self.campaign):
            states = list(assignment.entries.filter(judgment__isnull=False).values_list("judgment__state", flat=True))  # fmt: skip
            assert assignment.n_judged == states.count("judged")
            assert assignment.n_cannot_judge == states.count("cannot_judge")
            assert assignment.n_later == states.count("later") + states.count("reopened")  # fmt: skip

    @invariant()
    def published_qrels_never_change(self) -> None:
        for qrels in Qrels.objects.filter(campaign=self.campaign):
            content = make.content(qrels.file)
            assert hashlib.sha256(content).hexdigest() == qrels.sha256
            assert self.published.setdefault(qrels.pk, content) == content
        assert Qrels.objects.filter(campaign=self.campaign).count() == len(self.published)  # fmt: skip

    @invariant()
    def a_score_is_that_of_its_bytes_and_stays(self) -> None:
        scores = Score.objects.filter(evaluation__campaign=self.campaign)
        for score in scores.select_related("evaluation__qrels", "run"):
            now = score.aggregates, bytes(score.content)
            if score.pk not in self.scored:
                self.scored[score.pk] = now
                qrels, run = score.evaluation.qrels, self.uploaded[score.run_id]
                again = evaluate(BytesIO(self.published[qrels.pk]), BytesIO(run), MEASURES, level=qrels.level)  # fmt: skip
                assert [again.aggregate(name) for name in MEASURES] == score.aggregates
            assert self.scored[score.pk] == now


def text_at(document: Document, version: int) -> str:
    """The text of a version of a document, the present or an earlier one."""
    if version == document.version:
        return document.text
    earlier: DocumentVersion = document.earlier.get(version=version)
    return earlier.text


@pytest.mark.slow
@pytest.mark.django_db
def test_the_chain_holds_whatever_happens(queued, monkeypatch):
    monkeypatch.setattr(scoring_tasks.score_batch, "apply_async", lambda sent: scoring_tasks.score_batch(*sent))  # fmt: skip
    limits = hypothesis_settings(max_examples=N_LIVES, stateful_step_count=N_ACTS, deadline=None, suppress_health_check=list(HealthCheck))  # fmt: skip
    run_state_machine_as_test(Life, settings=limits)
