"""A campaign whose people do anything in any order: its texts, its runs and its pool."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from collection.models.imports import Import
from collection.models.texts import Document
from collection.services import imports
from jobs import work as jobs
from jobs.models import Job
from pooling import services as pooling
from pooling.models.batches import Batch
from qrels.models import Qrels
from runs.models import Run
from runs.services import runs
from tests import make

if TYPE_CHECKING:
    from uuid import UUID

    from accounts.models import User

ORGANIZERS, ASSESSORS, PARTICIPANTS = ("olga", "oscar"), ("ada", "ben", "cleo"), ("pat", "quinn")
TOPICS, DOCNOS, TAGS, MEASURES = ("1", "2"), ("d1", "d2", "d3", "d4"), ("a", "b"), ("AP", "nDCG@3")
organizers, assessors, participants = map(st.sampled_from, (ORGANIZERS, ASSESSORS, PARTICIPANTS))
topics, docnos, tags = map(st.sampled_from, (TOPICS, DOCNOS, TAGS))
rankings = st.permutations(DOCNOS).map(lambda found: " ".join(found[:3]))


@dataclass
class Page:
    """What somebody has before their eyes: the rows as they were when they last looked."""

    campaign: Campaign
    runs: list[Run]
    batches: list[Batch]
    assignments: list[Assignment]
    documents: dict[str, Document]
    changes: dict[tuple[str, str], int]  # of the own judgments, by topic and docno
    qrels: list[Qrels]


BATCH_ACTS = (
    pooling.freeze_batch,
    pooling.freeze_batch,  # twice as often as others
    pooling.take_back_batch,
    pooling.delete_batch,
)


class Collecting(RuleBasedStateMachine):
    """What people may do in any order with topics, documents, runs and the pool."""

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        names = (*ORGANIZERS, *ASSESSORS, *PARTICIPANTS)
        self.people = {name: make.user(name) for name in names}
        self.campaign = make.campaign(
            self.people["olga"],
            assessors=[self.people[name] for name in ASSESSORS],
            participants={f"team of {name}": [self.people[name]] for name in PARTICIPANTS},
            topics=TOPICS,
            docnos=DOCNOS,
        )
        self.campaign.membership_set.create(user=self.people["oscar"], role=Role.ORGANIZER)
        self.pages: dict[str, Page] = {}
        self.uploaded: dict[int, bytes] = {}
        self.published: dict[int, bytes] = {}
        self.scored: dict[int, tuple[list[float], bytes]] = {}
        # The hashes of the statement and of the text that were on the screen, by client id.
        self.read: dict[UUID, tuple[str, str]] = {}
        self.kept: dict[int, str] = {}
        # What was released to whom, by its number or name by name, and whether it is in force.
        self.released: dict[tuple[str, str], tuple[int | None, bool]] = {}
        self.shown_names: dict[tuple[str, str], set[int]] = {}
        self.n_events_at_removal: dict[int, tuple[User, int]] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.block.__exit__(None, None, None)

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
            list(Batch.objects.filter(campaign=campaign).order_by("pk")),
            list(Assignment.objects.in_campaign(campaign)),
            {document.docno: document for document in campaign.document_set.all()},
            {
                (number, docno): change
                for number, docno, change in own.values_list("topic__number", "item__key", "change")
            },
            list(Qrels.objects.filter(campaign=campaign).order_by("number")),
        )

    def attempt(
        self, name: str, service: Callable[..., object], who: str = "user", **values: object
    ) -> object:
        """Have somebody do what may be refused; a refusal leaves no trace."""
        with suppress(Refused), transaction.atomic():
            return service(**{who: self.people[name]}, **values)
        return None

    def work(self) -> None:
        """Do the jobs that wait, as workers do."""
        for job in Job.objects.filter(campaign=self.campaign).unfinished().order_by("pk"):
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
        """Import another text of a document or of a topic; what is in a frozen pool is replaced
        only as a new version.
        """
        kind, content = Import.Kind.DOCUMENTS, f"{docno}\tTitle\tText {version}\n"
        if of_topics:
            kind, content = Import.Kind.TOPICS, f"{number}\tTitle {version}\n"
        file, campaign = ContentFile(content.encode(), name="texts.tsv"), self.page(name).campaign
        row = self.attempt(name, imports.request_import, campaign=campaign, kind=kind, file=file)
        self.work()
        if isinstance(row, Import):
            row.refresh_from_db()
            self.attempt(name, imports.confirm_import, row=row, takes_versions=as_versions)
            self.work()

    @rule(name=organizers, which=st.integers(0, 9))
    def undo_import(self, name: str, which: int) -> None:
        if rows := Import.objects.filter(campaign=self.campaign):
            self.attempt(name, imports.undo_import, row=rows[which % len(rows)])
            self.work()

    # Runs

    @rule(name=participants, tag=tags, first=rankings, second=rankings)
    def upload(self, name: str, tag: str, first: str, second: str) -> None:
        content = make.run_text({"1": first, "2": second}, tag).encode()
        file, campaign = ContentFile(content, name=tag), self.page(name).campaign
        run = self.attempt(name, runs.submit_run, campaign=campaign, tag=tag, file=file)
        if isinstance(run, Run):
            self.uploaded[run.pk] = content
            self.work()

    @rule(
        name=st.sampled_from((*PARTICIPANTS, *ORGANIZERS)),
        which=st.integers(0, 9),
        act=st.sampled_from(
            [runs.withdraw_run, runs.disqualify_run, runs.reinstate_run, runs.recheck_run]
        ),
    )
    def change_run(self, name: str, which: int, act: Callable[..., object]) -> None:
        if seen := self.page(name).runs:
            reason = {"reason": "A mistake."} if act is runs.disqualify_run else {}
            self.attempt(name, act, run=seen[which % len(seen)], **reason)
            self.work()

    # The pool

    @rule(name=organizers, depth=st.integers(1, 3))
    def build(self, name: str, depth: int) -> None:
        page = self.page(name)
        valid = [run for run in page.runs if run.state == Run.State.VALID]
        how = {"strategy": "depth", "parameters": {"depth": depth}, "runs": valid}
        self.attempt(name, pooling.request_batch, campaign=page.campaign, **how)
        self.work()

    @rule(name=organizers, which=st.integers(0, 9), act=st.sampled_from(BATCH_ACTS))
    def change_batch(self, name: str, which: int, act: Callable[..., object]) -> None:
        if seen := self.page(name).batches:
            batch = seen[which % len(seen)]
            shown = {"sha256": batch.sha256} if act is pooling.freeze_batch else {}
            self.attempt(name, act, batch=batch, **shown)
