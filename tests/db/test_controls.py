"""Controls: what an assessor does with them leaves everything official as it is."""

from collections import Counter

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.access import Refused
from assess.assignments import carry_out
from assess.core.plan import Given
from assess.core.purposes import CONTROLS, REPEAT
from assess.core.purposes import KNOWN as KIND_KNOWN
from assess.core.sampling import Sample
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.pacing import dwells, paces
from assess.models.records import event_records, judgment_records
from assess.models.serving import AssignmentEntry, as_served
from assess.models.totals import SERVED
from assess.services import judging, recording, reopening
from pooling.models.pools import Pool
from tests import make
from tests.db import controls
from tests.db.controls import control_counts, number_of, own_counts, say, served
from tests.db.judging import act, done, last_decided, undo
from tests.db.sharing import lent, of, shared
from tests.worlds import once


@pytest.fixture
@once
def twin(mixed, olga, ada, ben, pat):
    """The same topic in another campaign, without controls."""
    campaign = controls.campaign_of(olga, [ada, ben], pat)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def official(assignment) -> list[tuple[str, int]]:
    rows = OfficialGrade.objects.of_documents(assignment.topic.campaign)
    return sorted(rows.values_list("item__key", "grade"))


# Dealing


def test_a_topic_is_dealt_with_the_shares_of_the_settings_alone_or_with_others(mixed, ben):
    """The order and the controls follow from the seed, the documents and the known grades."""
    before = served(mixed)
    assert Counter(control for _, control in before) == {"primary": 10, KIND_KNOWN: 2, REPEAT: 2}
    assert (own_counts(mixed), control_counts(mixed)) == ((10, 0, 0, 0), (4, 0, 0, 0))
    own = [docno for docno, control in before if control == "primary"]
    assert sorted(own) == controls.DOCNOS
    assert {docno for docno, control in before if control == REPEAT} < set(own)
    positions = mixed.entries.order_by("position").values_list("position", flat=True)
    assert list(positions) == list(range(14))
    campaign = mixed.topic.campaign
    Assignment.objects.counting().delete()
    given = [Given("1", "primary", mixed.assessor_id, 10, is_in_conflict=False)]
    carry_out(given, Pool.objects.get(campaign=campaign), Sample(), mixed.created_by)
    again = Assignment.objects.counting().get()
    assert (served(again), control_counts(again)) == (before, (4, 0, 0, 0))
    campaign.known_percent = campaign.repeat_percent = 0
    campaign.save()
    other = make.assignment(campaign.topic_set.get(number="2"), ben)
    assert [control for _, control in served(other)] == ["primary"] * 2
    assert control_counts(again)[0] == 4, "settings hold for topics assigned from then on"


def test_a_known_document_that_is_somebodys_own_is_not_mixed_in(olga, ada, ben, pat):
    """To a second assessor it can be, if it is not in their sample."""
    campaign = controls.campaign_of(olga, [ada, ben], pat, known_percent=20)
    controls.know(campaign, controls.DOCNOS[:5])
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, ada)
    assert [control for _, control in served(first)] == ["primary"] * 10
    second = make.assignment(topic, ben, Assignment.Kind.SECOND, share=0.5)
    own = {docno for docno, control in served(second) if control not in CONTROLS}
    drawn = {docno for docno, control in served(second) if control in CONTROLS}
    assert len(own) == 5
    assert not drawn & own
    assert drawn <= set(controls.DOCNOS[:5])


def test_a_shared_topic_has_none(olga, ada, ben, pat):
    campaign = controls.campaign_of(olga, [ada, ben], pat, known_percent=20, repeat_percent=20)
    controls.know(campaign, controls.KNOWN)
    assignment = of(shared(campaign, [ada, ben], n_wanted=1), ada)
    lent(assignment)
    assert {control for _, control in served(assignment)} == {"shared"}


# Recording


def test_answers_to_controls_are_recorded_as_all_others_and_count_apart(mixed):
    known, again = (number_of(mixed, kind) for kind in (KIND_KNOWN, REPEAT))
    say(mixed, known, grade=3, comment="hm")
    assert (own_counts(mixed), control_counts(mixed)) == ((10, 0, 0, 0), (4, 1, 0, 0))
    say(mixed, again, "later")
    say(mixed, known, "cannot_judge", reason="other")
    assert control_counts(mixed) == (4, 0, 1, 1)
    judgment = Judgment.objects.served().get(purpose=KIND_KNOWN)
    assert (judgment.state, judgment.comment) == ("cannot_judge", "hm")
    assert (JudgmentEvent.objects.count(), Judgment.objects.counting().count()) == (3, 0)
    undone = undo(assessor=mixed.assessor, assignment=mixed)
    assert (undone.purpose, undone.state) == (KIND_KNOWN, "reopened")
    assert Assignment.objects.counting().with_reopened().get().n_reopened == 0
    assert [total["n_reopened"] for total in Assignment.objects.counting().totals().values()] == [0]
    say(mixed, known, grade=2)  # as a redo does
    assert control_counts(mixed) == (4, 1, 1, 0)


def test_the_two_places_of_a_document_are_judged_apart(mixed):
    again = number_of(mixed, REPEAT)
    docno = served(mixed)[again - 1][0]
    make.judgment(mixed, docno, 3)  # an act without a place is about the first
    assert mixed.entries.get(position=again - 1).judgment is None, "it arrives as unjudged"
    say(mixed, again, grade=1, change=0)
    with pytest.raises(Refused, match=f"You graded {docno} elsewhere meanwhile: 1"):
        say(mixed, again, grade=2, change=0)
    assert official(mixed) == [(docno, 3)]
    both = Judgment.objects.served().order_by("pk").values_list("item__key", "purpose", "grade")
    assert list(both) == [(docno, "primary", 3), (docno, REPEAT, 1)]
    make.judgment(mixed, served(mixed)[number_of(mixed, KIND_KNOWN) - 1][0], 1)
    assert control_counts(mixed) == (4, 2, 0, 0)


def test_an_act_is_recorded_once_and_at_its_place(mixed):
    (docno, _), (other, _) = served(mixed)[:2]
    wrong = [controls.sent(mixed, 2, docno), controls.sent(mixed, 99, other)]
    known = number_of(mixed, KIND_KNOWN)
    right = [
        controls.sent(mixed, number, served(mixed)[number - 1][0]) for number in (known, known)
    ]
    for _ in range(2):
        acts = [*wrong, right[0], right[0]]
        _, outcomes = judging.judge_all(assessor=mixed.assessor, key=mixed.pk, acts=acts)
        assert [str(each.refusal or "") for each in outcomes] == [
            f"{docno} is not document 2 that you were given for topic 1.",
            f"{other} is not document 99 that you were given for topic 1.",
            *("", ""),
        ]
    assert JudgmentEvent.objects.count() == 1
    assert control_counts(mixed) == (4, 1, 0, 0)


def test_the_other_place_of_a_document_needs_an_id_of_its_own(mixed):
    again = number_of(mixed, REPEAT)
    docno = served(mixed)[again - 1][0]
    act = controls.sent(mixed, None, docno)
    acts = [act, act._replace(number=again)]
    _, outcomes = judging.judge_all(assessor=mixed.assessor, key=mixed.pk, acts=acts)
    assert [str(each.refusal or "") for each in outcomes] == ["", recording.USED]
    assert JudgmentEvent.objects.count() == 1


# Life out of order


def test_what_is_done_to_a_whole_topic_is_done_to_its_controls(mixed):
    """Otherwise whoever judges would see which documents it passed by."""
    for number in range(1, 15):
        say(mixed, number, grade=number % 4)
    assert act(reopening.reopen, mixed) == 10, "organizers are told of the official ones"
    assert states_of(mixed) == {"reopened": 14}
    assert control_counts(mixed) == (4, 0, 4, 0)
    for number in range(1, 15):
        say(mixed, number, grade=1)
    assert act(reopening.reset, mixed) == 10
    assert states_of(mixed) == {"unjudged": 14}
    say(mixed, 1, grade=2)
    [(at, n)] = mixed.set_aside_groups()
    own = served(mixed)[0][1] == "primary"
    assert n == 10 - own
    assert act(reopening.restore, mixed, set_aside_at=at) == (10 - own, 10, 0, 0)
    assert states_of(mixed) == {"judged": 14}
    assert mixed.entries.get(position=0).judgment.grade == 2


def test_one_document_is_reopened_in_both_places(mixed):
    """One that stayed judged would tell which of the two is the repeat."""
    again, known = number_of(mixed, REPEAT), number_of(mixed, KIND_KNOWN)
    docno = served(mixed)[again - 1][0]
    say(mixed, known, grade=1)
    assert Assignment.objects.counting().get(pk=mixed.pk).has_only_controls
    for service in (reopening.reopen, reopening.reset):
        with pytest.raises(Refused, match=r"\. Only controls have been answered so far\.$"):
            act(service, mixed)
    with pytest.raises(Refused, match=r"has no judgment to reopen for topic 1\.$"):
        act(reopening.reopen, mixed, docno=served(mixed)[known - 1][0])
    make.judgment(mixed, docno, 3)
    say(mixed, again, grade=3)
    assert not Assignment.objects.counting().get(pk=mixed.pk).has_only_controls
    assert act(reopening.reopen, mixed, docno=docno) == 1
    assert mixed.entries.get(position=again - 1).state == "reopened"


def states_of(assignment) -> dict[str, int]:
    entries = assignment.entries.select_related("judgment")
    return dict(Counter(entry.state for entry in entries))


ACTS = "judge judge judge later cannot undo hand take reset restore reopen one"
STEPS = st.lists(
    st.tuples(st.sampled_from(ACTS.split()), st.integers(1, 14), st.integers(0, 3)), max_size=14
)
SUMMED = "n_documents judged impossible decided n_before n_put_off n_reopened"


def test_whatever_happens_all_that_is_official_is_as_without_controls(mixed, twin, ada, ben):
    """The same is done to a topic with controls and to one without; only answers to controls are
    left out there.
    """

    @given(STEPS)
    @example([("judge", 12, 0), ("one", 2, 0)])
    @example([("hand", 1, 0), ("judge", 1, 0), ("judge", 4, 0), ("undo", 1, 0)])
    def check(steps):
        with transaction.atomic():
            for step, number, grade in steps:
                play(step, number, grade)
            assert told(mixed) == told(twin)
            hold_together(mixed)
            transaction.set_rollback(True)

    def play(step, number, grade) -> None:
        its = Assignment.objects.counting().get(pk=mixed.pk)  # handed over, perhaps
        entry, other = its.entries.get(position=number - 1), ben if its.assessor == ada else ada
        docno, purpose = entry.docno, entry.purpose
        if step == "undo":
            last = last_decided(its)
            purpose = last.purpose if last else "primary"
        took = done(step, mixed, entry, grade, other)
        is_pooled = docno in controls.DOCNOS
        if not (purpose in CONTROLS and step in {"judge", "later", "cannot", "undo"}) and not (
            step == "one" and not is_pooled
        ):
            place = number_of(twin, "primary", docno) if is_pooled else 1
            entry = twin.entries.get(position=place - 1)
            assert done(step, twin, entry, grade, other) == took

    check()


def told(assignment) -> tuple:
    """All that anybody but whoever judges is told of a topic."""
    campaign = assignment.topic.campaign
    judgments = sorted(
        (each.docno, each.assessor, each.state, each.grade, each.set_aside_at is None)
        for each in judgment_records(campaign)
    )
    events = [
        (each.docno, each.assessor, each.from_state, each.to_state, each.to_grade)
        for each in event_records(campaign)
    ]
    its = Assignment.objects.counting().with_reopened().with_left().get(pk=assignment.pk)
    marks = AssignmentEntry.objects.counting().marks([its], blind=False)[its.pk]
    totals = Assignment.objects.counting().filter(pk=its.pk).totals()
    summed = [[total[name] for name in SUMMED.split()] for total in totals.values()]
    return (
        official(assignment),
        judgments,
        events,
        own_counts(its),
        its.n_left,
        its.n_reopened,
        Counter(marks),
        summed,
        Assignment.objects.n_official_by_topic(campaign).get(its.topic_id),
        sum(n for _, n in its.set_aside_groups()),
        {pk: sum(each.days) for pk, each in paces(campaign, timezone.now()).items()},
        {pk: each.n for pk, each in dwells(campaign).of_assessors.items()},
    )


def hold_together(assignment) -> None:
    """What is counted of controls, and of all documents as they are served, is what there is."""
    its = Assignment.objects.counting().get(pk=assignment.pk)
    states = Counter(entry.state for entry in its.entries.controls().select_related("judgment"))
    expected = (4, states["judged"], states["later"] + states["reopened"], states["cannot_judge"])
    assert control_counts(its) == expected
    [shown] = as_served([its])
    every = Counter(entry.state for entry in its.entries.select_related("judgment"))
    assert (shown.n_entries, shown.n_judged, shown.n_cannot_judge) == (
        14,
        every["judged"],
        every["cannot_judge"],
    )
    assert (shown.n_put_off, shown.n_reopened) == (every["later"], every["reopened"])
    listed = Assignment.objects.counting().with_left(SERVED).with_reopened(SERVED).get(pk=its.pk)
    assert listed.n_left == shown.n_left == 14 - every["judged"] - every["cannot_judge"]
    assert listed.n_reopened == every["reopened"]
    linked = set(its.entries.exclude(judgment=None).values_list("judgment", flat=True))
    assert linked == set(its.judgments.current().values_list("pk", flat=True))
    for entry in its.entries.exclude(judgment=None).select_related("judgment"):
        assert (entry.docno, entry.purpose) == (entry.judgment.docno, entry.judgment.purpose)
