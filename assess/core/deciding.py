"""What an act changes, or why it is refused, given how its document stands by then.

The table of all cases is in `tests/core/assess/deciding.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from assess.core.answers import Act, Answer, Seen, without_grade
from assess.core.passages import BadPassages, Quoted, located
from assess.core.rules import has_room
from campaigns.core.criteria import MAX_NAME_LENGTH, Criterion, key_of
from cleverdon.trec.streams import storable
from cleverdon.trec.words import counted

DECIDED = ("judged", "cannot_judge")
OTHER_SCALE = "The scale of grades or the criteria were changed meanwhile: load the topic again."
NO_EVIDENCE = (
    "This campaign takes no passages as evidence: load the topic again if its page still does."
)


class Present(NamedTuple):
    """The judgment of a document that counts now; `label` is its state and reason in words.

    `is_of_text` says that it was given for the present text. If it is the assessor's own,
    `replaced` is the state of the earlier assessor's that it set aside, which `may_return`.

    If the page showed an earlier change, `author` is the name of whose judgment it is,
    `shown_comment` the comment after that change, and `is_undone` says that the change took back
    the assessor's own answer, so that an earlier assessor's counts again.
    """

    answer: Answer
    label: str = ""
    is_own: bool = True
    is_of_text: bool = True
    replaced: str = ""
    may_return: bool = False
    author: str = ""
    shown_comment: str = ""
    is_undone: bool = False


@dataclass(frozen=True)
class Standing:
    """How a document stands when an act on it comes; the defaults are of one nobody has judged.

    `now` is what a page would show that is up to date. With a `fault`, what the document is and
    the reason to give instead, it cannot be graded. A shared one has `n_judged` of the judgments
    `n_wanted`, and still a place for the assessor's that was taken back where it `is_kept`.
    """

    topic: str
    now: Seen
    fault: tuple[str, str] | None = None
    present: Present | None = None
    n_wanted: int | None = None
    n_judged: int = 0
    is_kept: bool = False
    text: str = ""
    criteria: tuple[Criterion, ...] = ()
    takes_evidence: bool = False

    @property
    def own(self) -> Present | None:
        return self.present if self.present and self.present.is_own else None

    @property
    def state(self) -> str:
        return self.present.answer.state if self.present else "unjudged"

    def is_shown(self, seen: Seen) -> bool:
        """Whether the page showed the current judgment; a client without a version is trusted."""
        return seen.change in {None, self.now.change}


class Refusal(NamedTuple):
    """Why an act is refused: for what was sent in `field`, or as the page showed what is gone."""

    sentence: str
    is_stale: bool = False
    field: str = ""


class Change(NamedTuple):
    """What is written of an act: an answer, and the state of the document before and after.

    A new judgment may be one that `sets_aside` another assessor's.
    """

    answer: Answer
    from_state: str
    to_state: str
    sets_aside: bool = False

    @property
    def brings_back(self) -> bool:
        """Whether the judgment counts again that the one taken back had set aside."""
        return self.to_state != self.answer.state

    def n_more(self, state: str) -> int:
        """Return how many more documents are in a state: -1, 0 or 1."""
        return (self.to_state == state) - (self.from_state == state)

    @property
    def lease(self) -> str:
        """What becomes of the lease of a shared document."""
        if self.to_state in DECIDED:
            return "ends"
        return "begins" if self.from_state in DECIDED else "stays"


def decide(act: Act, standing: Standing) -> Change | Refusal:
    """Return what an act changes, or why it is refused."""
    own = standing.own
    if act.is_undo:
        if refusal := _why_not_undone(own, shown=standing.is_shown(act.seen)):
            return refusal
        kept = without_grade(own.answer.answers) if own else {}
        answer: Answer | Refusal = Answer(act.docno, "reopened", kept)
    else:
        answer = _why_unread(act, standing) or _completed(act.answer, standing)
        if isinstance(answer, Answer) and not standing.is_shown(act.seen):
            answer = _agreeing(answer, standing.present)
    if isinstance(answer, Refusal):
        return answer
    returns = act.is_undo and own and own.may_return and own.replaced in DECIDED
    to_state = own.replaced if own and returns else answer.state
    sets_aside = standing.present is not None and own is None
    change = Change(answer, standing.state, to_state, sets_aside)
    return _why_full(change, standing) or change


def _why_not_undone(own: Present | None, *, shown: bool) -> Refusal | None:
    if own and not shown:
        return Refusal(f"{_elsewhere(own)} So nothing was undone.", is_stale=True)
    is_open = own is None or own.answer.state == "reopened"
    return Refusal("There is nothing to undo.") if is_open else None


def _why_unread(act: Act, standing: Standing) -> Refusal | None:
    """Refuse an answer about an outdated text, statement or scale, or an unreadable document."""
    seen, now, docno = act.seen, standing.now, act.docno
    text, statement = f"The text of {docno}", f"The statement of {standing.topic}"
    shown = (
        ("document_version", seen.document_version, now.document_version, text),
        ("topic_version", seen.topic_version, now.topic_version, statement),
    )
    for field, version, current, what in shown:
        if version is None and (current or 0) > 1:
            which = f"{what} has had other versions: say in {field} which one was judged."
            return Refusal(which, field=field)
        if version == 0 and current:
            return Refusal(f"{docno} was missing, and is here now: read it first.", is_stale=True)
        if version not in {None, current}:
            why = f"{what} is not the one that was read: read it again."
            return Refusal(why, is_stale=True)
    if seen.scale not in {None, now.scale}:
        return Refusal(OTHER_SCALE, is_stale=True)
    if standing.fault and act.answer.state == "judged":
        what, reason = standing.fault
        return Refusal(f"{docno} {what}, so it cannot be graded: say that it is {reason}.")
    return None


def _completed(answer: Answer, standing: Standing) -> Answer | Refusal:
    """Return the answer completed: answers and passages that it leaves out keep their value."""
    own, passages = standing.own, answer.passages
    answers = _answers(answer, own.answer.answers if own else {}, standing.criteria)
    if isinstance(answers, str):
        return Refusal(answers, field="ratings")
    if passages is None:
        # Those of an earlier text are kept in its event only.
        passages = own.answer.passages if own and own.is_of_text else ()
    elif passages and not standing.takes_evidence:
        return Refusal(NO_EVIDENCE, field="passages")
    else:
        try:
            sent = (Quoted(each.before, each.text) for each in passages)
            passages = located(standing.text, sent)
        except BadPassages as error:
            return Refusal(str(error), field="passages")
    return replace(answer, answers=answers, passages=passages)


def _answers(
    answer: Answer, before: Mapping[str, int], criteria: Sequence[Criterion]
) -> Mapping[str, int] | str:
    """Return the answers to the criteria that apply to a grade, or what is wrong with them."""
    grade, sent = answer.grade, answer.answers
    known = {key_of(each, criteria): each for each in criteria}
    for name, value in sent.items():
        if name not in known:
            return f"{storable(name)[:MAX_NAME_LENGTH]} is not a criterion of this campaign."
        if value not in known[name].fixed:
            answers = ", ".join(f"{each} {label}" for each, label in known[name].fixed.items())
            return f"{value} is not an answer to {known[name].name}, whose answers are {answers}."
    # A criterion may have changed since, as long as no document is graded.
    kept = {name: before[name] for name, each in known.items() if before.get(name) in each.fixed}
    every = {**kept, **sent}
    asked = [name for name, each in known.items() if each.applies_to(grade)]
    if missing := [name for name in asked if name not in every]:
        names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        return f"With grade {grade} it also needs an answer to {names}."
    return without_grade(every) if grade is None else {name: every[name] for name in asked}


def _agreeing(answer: Answer, present: Present | None) -> Answer | Refusal:
    """Return an answer that equals the current judgment, which the page had not shown yet.

    A comment that only repeats what the page showed is left out.
    """
    if present is None:
        sentence = f"{answer.docno} has no judgment now. Yours, if there was one, was set aside."
        return Refusal(sentence, is_stale=True)
    if not present.is_own:
        sentence = f"{present.author} has judged {answer.docno} meanwhile."
        return answer if present.is_undone else Refusal(sentence, is_stale=True)
    there, shown = present.answer, present.shown_comment
    comment = None if answer.comment == shown else answer.comment
    keeps_comment = comment is None or there.comment in {shown, comment}
    if keeps_comment and replace(answer, comment=there.comment) == there:
        return replace(answer, comment=comment)
    is_same = (answer.state, answer.grade, answer.reason) == (
        there.state,
        there.grade,
        there.reason,
    )
    beside = " What you said beside it differs." if is_same else ""
    return Refusal(f"{_elsewhere(present)}{beside}", is_stale=True)


def _elsewhere(present: Present) -> str:
    """Say what was answered on another page: "You graded d1 elsewhere meanwhile: 2."."""
    there = present.answer
    if there.state == "reopened":
        return f"{there.docno} was reopened meanwhile."
    if there.grade is not None:
        return f"You graded {there.docno} elsewhere meanwhile: {there.grade}."
    return f"You answered {there.docno} elsewhere meanwhile: {present.label}."


def _why_full(change: Change, standing: Standing) -> Refusal | None:
    """Return why a shared document takes no further grade."""
    wanted, n = standing.n_wanted, standing.n_judged
    if wanted is None or change.n_more("judged") < 1 or has_room(wanted, n) or standing.is_kept:
        return None
    has = counted(n, "judgment")
    return Refusal(f"Others finished {change.answer.docno} first: it has its {has}.")
