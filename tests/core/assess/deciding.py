"""What becomes of an act: the tables that `decide` and the page's queue are checked against.

The first row that fits holds; an empty cell fits all.
"""

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from assess.core.answers import Act, Answer, Provenance, Seen, with_grade
from assess.core.deciding import OTHER_SCALE, Change, Present, Refusal, Standing
from campaigns.core.criteria import Criterion
from campaigns.core.grades import Grade

# `page`: it showed what there is, does not say, showed something earlier, or one's own undone so
# that another's counts again. `text`: what the act says was read. `replaced`: the judgment that
# one's own had set aside; its author may be busy with the topic elsewhere. `room`: of a shared
# document, in which a place may be kept for what was undone.
TABLE = """
act     | document     | by      | page    | text     | replaced | room | becomes
undo    | unjudged     |         |         |          |          |      | refused: nothing to undo
undo    |              | another |         |          |          |      | refused: nothing to undo
undo    |              |         | earlier |          |          |      | stale: not undone
undo    | reopened     |         |         |          |          |      | refused: nothing to undo
undo    |              |         |         |          | decided  |      | brought back
undo    |              |         |         |          |          |      | recorded
        |              |         |         | unsaid   |          |      | invalid: which text
        |              |         |         | replaced |          |      | stale: another text
        |              |         |         | missing  |          |      | stale: a text by now
        |              |         |         | restated |          |      | stale: another statement
        |              |         |         | rescaled |          |      | stale: another scale
grade 1 |              |         |         | empty    |          |      | refused: no text
grade 2 |              |         |         | empty    |          |      | refused: no text
        | unjudged     |         | earlier |          |          |      | stale: set aside
        |              | another | earlier |          |          |      | stale: judged by another
later   | later        |         | earlier |          |          |      | recorded
cannot  | cannot_judge |         | earlier |          |          |      | recorded
grade 2 | judged       |         | earlier |          |          |      | recorded
        |              |         | earlier |          |          |      | stale: answered elsewhere
later   |              |         |         |          |          |      | recorded
cannot  |              |         |         |          |          |      | recorded
        | judged       |         |         |          |          |      | recorded
        |              |         |         |          |          | full | refused: others were first
        |              |         |         |          |          |      | recorded
"""
# How many more documents are in each state, and what becomes of the lease of a shared one.
MOVES = """
from         | to           | judged | cannot_judge | lease
judged       | judged       |  0     |  0           | ends
judged       | cannot_judge | -1     |  1           | ends
judged       |              | -1     |  0           | begins
cannot_judge | judged       |  1     | -1           | ends
cannot_judge | cannot_judge |  0     |  0           | ends
cannot_judge |              |  0     | -1           | begins
             | judged       |  1     |  0           | ends
             | cannot_judge |  0     |  1           | ends
             |              |  0     |  0           | stays
"""
SENTENCES = {
    "nothing to undo": "There is nothing to undo.",
    "not undone": "{elsewhere} So nothing was undone.",
    "which text": (
        "The text of d1 has had other versions: say in document_version which one was judged."
    ),
    "another text": "The text of d1 is not the one that was read: read it again.",
    "a text by now": "d1 was missing, and is here now: read it first.",
    "another statement": "The statement of topic 7 is not the one that was read: read it again.",
    "another scale": OTHER_SCALE,
    "no text": "d1 is empty, so it cannot be graded: say that it is missing.",
    "set aside": "d1 has no judgment now. Yours, if there was one, was set aside.",
    "judged by another": "Ada has judged d1 meanwhile.",
    "answered elsewhere": "{elsewhere}",
    "others were first": "Others finished d1 first: it has its 2 judgments.",
}
ELSEWHERE = {
    "judged": "You graded d1 elsewhere meanwhile: 2.",
    "later": "You answered d1 elsewhere meanwhile: later.",
    "cannot_judge": "You answered d1 elsewhere meanwhile: cannot_judge.",
    "reopened": "d1 was reopened meanwhile.",
}


def said(state: str, grade: int | None = None, reason: str = "") -> Answer:
    return Answer("d1", state, with_grade(grade), reason, passages=())


ASKED = (Criterion("relevance", "", (Grade(1, "no"), Grade(2, "yes"))),)
JUDGED, LATER, REOPENED = said("judged", 2), said("later"), said("reopened")
CANNOT = said("cannot_judge", None, "language")
UNDO, GRADE_1 = Answer("d1", "reopened"), said("judged", 1)
ACTS = {"undo": UNDO, "grade 1": GRADE_1, "grade 2": JUDGED, "later": LATER, "cannot": CANNOT}
DOCUMENTS = {"unjudged": None} | {each.state: each for each in (JUDGED, LATER, CANNOT, REOPENED)}
BY = ("", "oneself", "another")
PAGES = ("it", "unsaid", "earlier", "undone")
TEXTS: dict[str, dict[str, Any]] = {
    "read": {},
    "unsaid": {"document_version": None},
    "replaced": {"document_version": 1},
    "missing": {"document_version": 0},
    "restated": {"topic_version": 1},
    "rescaled": {"scale": "old"},
    "empty": {},
}
REPLACED = {"": (), "open": ("later", True), "busy": ("judged",), "decided": ("judged", True)}
ROOMS = {"own": (), "free": (2, 1), "full": (2, 2), "kept": (1, 1, True)}
AXES = (ACTS, DOCUMENTS, BY, PAGES, TEXTS, REPLACED, ROOMS)


class Case(NamedTuple):
    act: str
    document: str
    by: str
    page: str
    text: str
    replaced: str
    room: str

    @property
    def can_be(self) -> bool:
        """Whether there is such a case; a shared topic passes to nobody else."""
        return (
            (self.by == "") == (self.document == "unjudged")
            and (self.page != "undone" or self.by == "another")
            and (self.replaced == "" or self.by == "oneself")
            and (self.room == "own" or (self.replaced == "" and self.by != "another"))
        )

    @property
    def given(self) -> tuple[Act, Standing]:
        answer = DOCUMENTS[self.document]
        now = Seen(2, 2, "scale", 5 if answer else 0)
        shown = {"it": now.change, "unsaid": None}.get(self.page, 3)
        seen = replace(now, change=shown, **TEXTS[self.text])
        how = {"author": "Ada", "is_undone": self.page == "undone"}
        known = (self.document, self.by == "oneself", True, *REPLACED[self.replaced])
        present = Present(answer, *known, **how) if answer else None
        fault = ("is empty", "missing") if self.text == "empty" else None
        standing = Standing("topic 7", now, fault, present, *ROOMS[self.room], criteria=ASKED)
        return Act(ACTS[self.act], Provenance(), seen, is_undo=self.act == "undo"), standing


CASES = [case for case in map(Case._make, product(*AXES)) if case.can_be]


@cache
def rows_of(table: str) -> list[tuple[str, ...]]:
    return [tuple(map(str.strip, line.split("|"))) for line in table.strip().splitlines()[1:]]


def row_of(table: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first row that fits."""
    pairs = ((row, zip(row, values, strict=False)) for row in rows_of(table))
    return next(row for row, cells in pairs if all(cell in {"", value} for cell, value in cells))


def outcome_of(case: Case) -> Change | Refusal:
    becomes = row_of(TABLE, case)[-1]
    kind, _, why = becomes.partition(": ")
    if why:
        sentence = SENTENCES[why].format(elsewhere=ELSEWHERE.get(case.document))
        return Refusal(sentence, kind == "stale", "document_version" * (kind == "invalid"))
    state = "judged" if becomes == "brought back" else ACTS[case.act].state
    return Change(ACTS[case.act], case.document, state, sets_aside=case.by == "another")


def cases_of_page() -> list[dict[str, Any]]:
    """Return what the page knew of a document, what is pressed, and how the document is then."""
    found = []
    for case in CASES:
        if (case.text, case.room) != ("read", "own") or case.page == "unsaid":
            continue
        outcome, there = outcome_of(case), DOCUMENTS[case.document]
        now = _on_page(there, 5, case.by)
        earlier = {"earlier": LATER, "undone": REOPENED}.get(case.page)
        pressed = {
            "name": ", ".join(filter(None, case[:4] + case[5:6])),
            "knew": _on_page(earlier, 3, "oneself") if earlier else now,
            "choice": case.act.removeprefix("grade ").replace("cannot", "cannot_judge"),
            "reason": ACTS[case.act].reason,
            "isShown": case.page == "it",
            "isRefused": isinstance(outcome, Refusal),
        }
        if isinstance(outcome, Change):
            now = _on_page(outcome.answer, 6, "oneself")
            if outcome.brings_back:
                now = _on_page(said(outcome.to_state, 2), 4, "another")
        found.append({**pressed, "now": now})
    return found


def _on_page(answer: Answer | None, change: int, by: str) -> dict[str, Any]:
    """Return how the server tells the page of a judgment; of another's only that there is one."""
    if answer is None:
        return {"state": "unjudged", "grade": None, "reason": "", "change": 0, "by": ""}
    own = {"grade": answer.grade, "reason": answer.reason, "by": ""}
    hidden = {"grade": None, "reason": "", "by": "Ada"}
    return {"state": answer.state, "change": change, **(hidden if by == "another" else own)}
