"""Judgments of several assessors."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.qrels import JudgedPairs, read_qrels
from evaluation.core.measures import parse
from evaluation.core.panel import panel
from evaluation.core.scoring import score
from evaluation.core.universe import Universe
from tests.core.evaluation.made import DOCNOS, TOPICS, placed, scored

ROWS = st.dictionaries(
    st.tuples(st.sampled_from(TOPICS), st.sampled_from("abc"), st.sampled_from(DOCNOS)),
    st.integers(-1, 3),
    min_size=1,
)


def read(rows) -> Universe:
    text = "".join(
        f"{topic} {assessor} {docno} {grade}\n"
        for (topic, assessor, docno), grade in rows.items()
    )
    return panel(read_qrels(io.BytesIO(text.encode()), groups=True))


@given(ROWS, scored())
def test_each_assessor_scores_as_if_alone_and_the_mean_is_taken(rows, run):
    universe = read(rows)
    names = [parse("map_avgjg"), parse("P_avgjg_5")]
    found = score([placed(run, universe)], universe, names).values[0]
    for row, topic in enumerate(universe.topics):
        alone = []
        for assessor in "abc":
            own = {d: g for (t, a, d), g in rows.items() if (t, a) == (topic, assessor)}
            if any(grade >= 0 for grade in own.values()):
                one = Universe.from_qrels({topic: own})
                alone.append(
                    score([placed(run, one)], one, [parse("AP"), parse("P@5")]).values[
                        0, 0
                    ]
                )
        expected = sum(alone, np.zeros(2)) / len(alone) if alone else np.zeros(2)
        assert found[row].tolist() == expected.tolist()


def test_a_pair_comes_once_with_its_highest_grade():
    universe = read({("1", "b", "d1"): 0, ("1", "a", "d1"): 2, ("1", "a", "d2"): 1})
    assert universe.docnos.tolist() == [b"d1", b"d2"]
    assert universe.grades.tolist() == [2, 1]
    assert universe.opinions.tolist() == [[2, 1], [0, -1]]


def test_qrels_without_their_second_column_are_refused():
    with pytest.raises(ValueError, match="without their second column"):
        panel(JudgedPairs.from_rows([("1", "d1", 1)]))
