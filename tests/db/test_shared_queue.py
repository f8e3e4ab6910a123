"""Whatever people do with a shared topic: no document comes twice to one person, none is lost, and
none has more judgments than wanted.
"""

from collections import Counter
from contextlib import suppress

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, stateful
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from accounts.access import Refused
from assess.core.answers import Answer
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from assess.models.sharing import SharedDocument
from assess.services import handover, judging, reopening, sharing
from assess.services.judgment_files import JUDGMENTS
from tests import make, records
from tests.db.judging import downloaded, undo
from tests.db.sharing import Clock, live, of, shared

N_LIVES, N_ACTS = 300, 80
NAMES = ("ada", "ben", "cleo", "dora")
DOCNOS = ("d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8")
MINUTES = 30
names, docnos = st.sampled_from(NAMES), st.sampled_from(DOCNOS)
DECIDED = ["judged", "cannot_judge"]


class Sharing(stateful.RuleBasedStateMachine):
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        self.olga, pat = make.user("olga"), make.user("pat")
        self.people = {name: make.user(name) for name in NAMES}
        people = {"assessors": self.people.values(), "participants": {"Pat's": [pat]}}
        self.campaign = make.campaign(self.olga, **people, topics=["1"], docnos=DOCNOS)
        self.campaign.has_fixed_scale = True
        self.campaign.save()
        run = make.run(self.campaign, pat, {"1": " ".join(DOCNOS)})
        make.frozen_pool(self.campaign, [run], depth=8)
        # What the model expects to count: by person and document.
        self.given: dict[tuple[str, str], str] = {}

    def teardown(self) -> None:
        try:
            if hasattr(self, "queue"):
                self.finish()
        finally:
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    @initialize(n_wanted=st.integers(1, 3))
    def share(self, n_wanted: int) -> None:
        people = list(self.people.values())
        self.queue = shared(self.campaign, people, n_wanted=n_wanted, minutes=MINUTES)

    def assignment(self, name: str) -> Assignment:
        return of(self.queue, self.people[name])

    @rule(name=names)
    def lend(self, name: str) -> None:
        """Nothing that was decided, no more than are wanted, and not nothing if there is any."""
        assignment, now = self.assignment(name), timezone.now()
        held = set(assignment.entries.still_open().values_list("item__key", flat=True))
        lent = live(now).filter(assignment=assignment, judgment=None)
        unsettled = self.queue.documents.unsettled()
        # Lent for the rest of its time, also where fewer judgments are wanted meanwhile.
        kept = {each.docno for each in lent} & {each.docno for each in unsettled}
        busy = Counter(live(now).exclude(assignment=assignment).values_list("item__key", flat=True))
        free = {
            each.docno
            for each in unsettled
            if each.n_judged + busy[each.docno] < each.n_wanted
            and (name, each.docno) not in self.given
        }
        with suppress(Refused):  # taken back
            sharing.lend(assessor=assignment.assessor, assignment=assignment)
            has = {each.docno for each in lent.all()}
            assert has <= free | kept
            assert has or free <= held

    def act(self, name: str, docno: str, answer: Answer) -> None:
        """Answer, from a page of any age, what was once lent."""
        assignment = self.assignment(name)
        entry = assignment.entries.filter(item__key=docno).first()
        document = self.queue.documents.get(item__key=docno)
        said = self.given.items()
        others = sum(
            (which, state) == (docno, "judged") for (who, which), state in said if who != name
        )
        try:
            judging.judge(assessor=assignment.assessor, assignment=assignment, answer=answer)
        except Refused:
            is_full = answer.state == "judged" and others >= document.n_wanted
            assert entry is None or assignment.taken_back_at or is_full
            return
        assert entry is not None
        self.given.pop((name, docno), None)
        if answer.state in DECIDED:
            self.given[name, docno] = answer.state

    @rule(name=names, grade=st.integers(0, 3))
    def judge_next(self, name: str, grade: int) -> None:
        self.lend(name)
        if entry := self.assignment(name).entries.next_open():
            self.act(name, entry.docno, Answer(entry.docno, "judged", {"grade": grade}))

    @rule(name=names)
    def judge_some(self, name: str) -> None:
        for _ in range(4):
            self.judge_next(name, 1)

    @rule(name=names, docno=docnos, grade=st.integers(0, 3))
    def judge_any(self, name: str, docno: str, grade: int) -> None:
        self.act(name, docno, Answer(docno, "judged", {"grade": grade}))

    @rule(name=names, docno=docnos)
    def put_off(self, name: str, docno: str) -> None:
        self.act(name, docno, Answer(docno, "later"))

    @rule(name=names, docno=docnos)
    def find_unreadable(self, name: str, docno: str) -> None:
        self.act(name, docno, Answer(docno, "cannot_judge", reason="unreadable"))

    @rule(name=names)
    def undo(self, name: str) -> None:
        assignment = self.assignment(name)
        with suppress(Refused):
            if undone := undo(assessor=assignment.assessor, assignment=assignment):
                self.given.pop((name, undone.docno), None)

    @rule(name=names)
    def come_late(self, name: str) -> None:
        """Answer what was lent long ago, after others were lent it and have judged some of it."""
        self.lend(name)
        old = list(self.assignment(name).entries.still_open().values_list("item__key", flat=True))
        self.clock.on(MINUTES + 1)
        for other in NAMES:
            if other != name:
                self.judge_some(other)
        for docno in old:
            self.act(name, docno, Answer(docno, "judged", {"grade": 3}))

    @rule(minutes=st.sampled_from([1, MINUTES - 1, MINUTES + 1]))
    def expire(self, minutes: int) -> None:
        self.clock.on(minutes)

    @rule(name=names)
    def take_back(self, name: str) -> None:
        with suppress(Refused):
            handover.take_back(user=self.olga, assignment=self.assignment(name))

    @rule(name=names)
    def rejoin(self, name: str) -> None:
        with suppress(Refused):
            sharing.join_sharing(user=self.olga, queue=self.queue, assessors=[self.people[name]])

    @rule(name=names)
    def reset(self, name: str) -> None:
        with suppress(Refused):
            reopening.reset(user=self.olga, assignment=self.assignment(name))
            self.given = {pair: state for pair, state in self.given.items() if pair[0] != name}

    @rule(name=names)
    def restore(self, name: str) -> None:
        assignment = self.assignment(name)
        for at, _ in list(assignment.set_aside_groups()):
            with suppress(Refused):
                reopening.restore(user=self.olga, assignment=assignment, set_aside_at=at)
        counting = Judgment.objects.current().filter(assignment=assignment, state__in=DECIDED)
        now = {(name, docno): state for docno, state in counting.values_list("item__key", "state")}
        assert {pair for pair in self.given if pair[0] == name} <= set(now)
        self.given |= now

    @rule(name=names)
    def reopen(self, name: str) -> None:
        with suppress(Refused):
            reopening.reopen(user=self.olga, assignment=self.assignment(name))
            self.given = {pair: state for pair, state in self.given.items() if pair[0] != name}

    @rule(n_wanted=st.integers(1, 4))
    def want(self, n_wanted: int) -> None:
        with suppress(Refused):
            sharing.change_sharing(
                user=self.olga, queue=self.queue, n_wanted=n_wanted, lease_minutes=MINUTES
            )

    @invariant()
    def what_was_taken_counts_and_nothing_else(self) -> None:
        counting = Judgment.objects.current().filter(state__in=DECIDED)
        rows = counting.values_list("assessor__username", "item__key", "state")
        assert {(name, docno): state for name, docno, state in rows} == self.given
        assert counting.count() == len(self.given)

    @invariant()
    def no_document_has_more_judgments_than_wanted(self) -> None:
        for each in SharedDocument.objects.select_related("queue"):
            states = [state for (_, docno), state in self.given.items() if docno == each.docno]
            assert each.n_judged == states.count("judged") <= each.n_wanted
            assert each.n_impossible == states.count("cannot_judge")
            assert each.n_wanted == max(each.queue.n_wanted, each.n_judged)

    @invariant()
    def official_is_the_median_of_what_is_settled(self) -> None:
        rows = downloaded(JUDGMENTS, self.campaign, self.olga)
        lines = records.RULES["median"](rows).decode().splitlines()
        official = OfficialGrade.objects.grades(self.campaign).get("1", {})
        assert official == {line.split()[2]: int(line.split()[3]) for line in lines}

    @invariant()
    def counts_and_times_are_true(self) -> None:
        for assignment in Assignment.objects.all():
            entries = assignment.entries
            positions = list(entries.order_by("position").values_list("position", flat=True))
            assert positions == list(range(entries.count()))
            states = Counter(entries.held().values_list("judgment__state", flat=True))
            assert assignment.n_entries == entries.held().count()
            assert assignment.n_judged == states["judged"]
            assert assignment.n_cannot_judge == states["cannot_judge"]
            assert assignment.n_later == states["later"] + states["reopened"]
            assert assignment.n_entries == assignment.n_decided or not assignment.taken_back_at
            decided = entries.filter(judgment__state__in=DECIDED)
            assert set(decided) == set(entries.held().filter(leased_until=None))
        given_up = AssignmentEntry.objects.exclude(given_up_at=None)
        assert not given_up.exclude(judgment=None, leased_until=None).exists()

    @invariant()
    def a_document_that_lacks_judgments_can_be_had(self) -> None:
        """By all who have not decided it, once the time of the others is over."""
        for assignment in Assignment.objects.live().with_left():
            name = assignment.assessor.username
            docnos = self.queue.documents.unsettled().values_list("item__key", flat=True)
            assert assignment.n_left == sum((name, docno) not in self.given for docno in docnos)

    def finish(self) -> None:
        """Whatever came before, the group can judge everything: nothing is lost."""
        self.clock.on(MINUTES + 1)
        for name in NAMES:
            self.rejoin(name)
        for name in NAMES:
            for _ in DOCNOS:
                self.judge_next(name, 2)
        left = self.queue.documents.unsettled()
        # Of what still lacks a judgment, all of them have said something.
        said = Counter(docno for _, docno in self.given)
        assert all(said[each.docno] == len(NAMES) for each in left)
        assert not SharedDocument.objects.filter(n_judged__gt=F("n_wanted")).exists()


@pytest.mark.deep
@pytest.mark.django_db
def test_a_shared_topic_holds_in_any_life(queued, monkeypatch):
    Sharing.clock = Clock(monkeypatch)
    limits = hypothesis_settings(
        max_examples=N_LIVES,
        stateful_step_count=N_ACTS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    stateful.run_state_machine_as_test(Sharing, settings=limits)
