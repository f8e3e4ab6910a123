"""What becomes of an act follows the tables, whatever else there is."""

from collections import defaultdict
from dataclasses import replace
from itertools import product

import pytest

from assess.core.answers import Act, Answer, Provenance, Seen
from assess.core.deciding import Change, Present, Refusal, Standing, decide
from assess.core.passages import Passage
from tests.core.assess import deciding
from tests.core.assess.deciding import CASES, DOCUMENTS, MOVES, TABLE, outcome_of, row_of, rows_of

BY_ROW = defaultdict(list)
for each in CASES:
    BY_ROW[row_of(TABLE, each)].append(each)
BESIDE = Refusal(
    "You graded d1 elsewhere meanwhile: 2. What you said beside it differs.", is_stale=True
)


@pytest.mark.parametrize("row", rows_of(TABLE), ids=lambda row: ", ".join(filter(None, row)))
def test_an_act_becomes_what_the_first_row_says_that_fits(row):
    assert BY_ROW[row], "no case comes to this row"
    for case in BY_ROW[row]:
        assert decide(*case.given) == outcome_of(case), case


@pytest.mark.parametrize("states", [*product(DOCUMENTS, DOCUMENTS)], ids=" to ".join)
def test_counts_and_lease_move_with_the_state(states):
    change = Change(Answer("d1", states[1]), *states)
    moved = (str(change.n_more("judged")), str(change.n_more("cannot_judge")), change.lease)
    assert moved == row_of(MOVES, states)[2:]


# What is said beside a grade that the document has by now: what is typed, the comment that the page
# showed, what there is, and the comment that is recorded, None for nothing new.
@pytest.mark.parametrize(
    ("typed", "shown", "there", "recorded"),
    [
        ({}, "why", {"comment": "why"}, None),
        ({"comment": "why"}, "why", {"comment": "why"}, None),
        ({"comment": "why"}, "why", {"comment": "newer"}, None),
        ({"comment": "new"}, "why", {"comment": "why"}, "new"),
        ({"comment": "new"}, "why", {"comment": "new"}, "new"),
        ({"comment": "new"}, "why", {"comment": "newer"}, BESIDE),
        ({}, "", {"answers": {"grade": 2, "clear": 1}}, BESIDE),
        ({}, "", {"passages": (Passage(0, 1, 0, "A"),)}, BESIDE),
    ],
)
def test_what_is_said_beside_a_grade_is_not_replaced_unseen(typed, shown, there, recorded):
    answer, found = (replace(DOCUMENTS["judged"], **each) for each in (typed, there))
    present = Present(found, shown_comment=shown)
    standing = Standing("7", Seen(1, 1, "", 5), criteria=deciding.ASKED, present=present)
    decided = decide(Act(answer, Provenance(), Seen(change=3)), standing)
    if not isinstance(recorded, Refusal):
        recorded = Change(replace(answer, comment=recorded), "judged", "judged")
    assert decided == recorded
