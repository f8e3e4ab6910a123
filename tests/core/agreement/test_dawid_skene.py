"""Dawid and Skene's estimates: their own example, another program, and what always holds."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.agreement.dawid_skene import Estimated, estimate

VECTORS = Path(__file__).parents[2] / "vectors/agreement/dawid_skene.json"
# Table 1 of the paper: of each of 45 patients the three assessments of the first observer, then
# those of the four others.
PATIENTS = (
    "1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 "
    "2322223 4444444 2223343 1111111 2223212 1211111 1112111 1111111 1111111 "
    "2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 "
    "1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 "
    "2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222"
)
OBSERVERS = (0, 0, 0, 1, 2, 3, 4)
FIRST_OBSERVER = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]


def of_rows(rows, n_grades: int, **options) -> Estimated:
    item, rater, place = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return estimate(item, rater, place, n_grades, **options)


def patients() -> list[tuple[int, int, int]]:
    return [
        (item, observer, int(grade) - 1)
        for item, grades in enumerate(PATIENTS.split())
        for observer, grade in zip(OBSERVERS, grades, strict=True)
    ]


def test_the_example_of_the_paper():
    """Table 2: the shares of the four grades, and the error rates of the first observer."""
    found = of_rows(patients(), 4)
    assert len(patients()) == 315
    assert found.is_converged
    assert found.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert found.errors[0].round(2).tolist() == FIRST_OBSERVER
    assert found.errors.sum(axis=2) == pytest.approx(np.ones((5, 4)))


@pytest.mark.parametrize("case", json.loads(VECTORS.read_text())["cases"])
def test_the_estimates_of_another_program_after_as_many_steps(case):
    steps = {"tolerance": -np.inf, "most_steps": case["steps"]}
    found = of_rows(case["ratings"], case["n_grades"], **steps)
    assert (found.n_steps, found.is_converged) == (case["steps"], False)
    assert found.posterior == pytest.approx(np.array(case["posterior"]), abs=1e-8)
    assert found.prior == pytest.approx(np.array(case["prior"]), abs=1e-8)
    assert np.nan_to_num(found.errors) == pytest.approx(np.array(case["errors"]), abs=1e-8)


@st.composite
def tables(draw, most_raters: int = 4) -> list[tuple[int, int, int]]:
    """Ratings of items 0 and up, each by somebody, on three grades."""
    n_raters = draw(st.integers(1, most_raters))
    given_by = st.dictionaries(st.integers(0, n_raters - 1), st.integers(0, 2), min_size=1)
    items = draw(st.lists(given_by, min_size=1, max_size=12))
    rows = [(n, who, grade) for n, each in enumerate(items) for who, grade in sorted(each.items())]
    known = {who: n for n, who in enumerate(sorted({who for _, who, _ in rows}))}
    return [(item, known[who], grade) for item, who, grade in rows]


@given(rows=tables(), data=st.data())
def test_names_of_raters_and_items_change_nothing(rows, data):
    one = of_rows(rows, 3)
    items, raters = ({row[n] for row in rows} for n in (0, 1))
    item_of = data.draw(st.permutations(sorted(items)))
    rater_of = data.draw(st.permutations(sorted(raters)))
    renamed = data.draw(st.permutations([(item_of[i], rater_of[k], g) for i, k, g in rows]))
    other = of_rows(renamed, 3)
    assert other.posterior[item_of] == pytest.approx(one.posterior, abs=1e-6)
    assert np.nan_to_num(other.errors[rater_of]) == pytest.approx(
        np.nan_to_num(one.errors), abs=1e-5
    )


@given(rows=tables(), order=st.permutations(range(3)))
def test_labels_of_grades_change_nothing(rows, order):
    one = of_rows(rows, 3)
    other = of_rows([(item, rater, order[grade]) for item, rater, grade in rows], 3)
    assert other.posterior[:, list(order)] == pytest.approx(one.posterior, abs=1e-6)


@given(rows=tables(most_raters=1))
def test_of_one_rater_it_is_their_grades(rows):
    found = of_rows(rows, 3)
    assert found.grades.tolist() == [grade for *_, grade in rows]
    assert found.right.tolist() == [1]


@given(rows=tables())
def test_each_step_is_likelier_and_all_are_probabilities(rows):
    steps = [of_rows(rows, 3, tolerance=-np.inf, most_steps=n) for n in (1, 2, 3, 8)]
    likelihoods = [each.log_likelihood for each in steps]
    assert all(low <= high + 1e-9 for low, high in pairwise(likelihoods))
    for each in steps:
        assert each.posterior.sum(axis=1) == pytest.approx(np.ones(len(each.posterior)))
        assert each.prior.sum() == pytest.approx(1)
        assert ((each.right > -1e-9) & (each.right < 1 + 1e-9)).all()


@given(rows=tables())
def test_the_log_likelihood_is_that_of_its_definition(rows):
    found = of_rows(rows, 3)
    errors = np.nan_to_num(found.errors)
    likelihood = sum(
        np.log(
            sum(
                found.prior[true] * np.prod([errors[k, true, g] for i, k, g in rows if i == item])
                for true in range(3)
            )
        )
        for item in {row[0] for row in rows}
    )
    assert found.log_likelihood == pytest.approx(likelihood, abs=1e-3)


def test_a_tie_is_the_lower_grade():
    """Two raters who differ on everything, in both directions, are equally right."""
    found = of_rows([(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)], 2)
    assert found.posterior == pytest.approx(np.full((2, 2), 0.5))
    assert found.grades.tolist() == [0, 0]
    wavering = found._replace(posterior=np.array([[0.5 - 1e-12, 0.5 + 1e-12], [0.4, 0.6]]))
    assert wavering.grades.tolist() == [0, 1]


def test_one_who_always_gives_another_grade_is_read_the_other_way_round():
    """Three agree, and the fourth says 0 where they say 1: where he alone is read, it is turned."""
    rows = [(item, rater, item % 2) for item in range(20) for rater in range(3)]
    rows += [(item, 3, 1 - item % 2) for item in range(20)] + [(20, 3, 0)]
    found = of_rows(rows, 2)
    assert found.errors[3].round(2).tolist() == [[0, 1], [1, 0]]
    assert found.grades.tolist()[-1] == 1


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "There is no rating"),
        ([(1, 0, 0)], "Every item needs a rating"),
        ([(0, 0, 2)], "none of the 2 of the scale"),
        ([(0, 0, -1)], "none of the 2 of the scale"),
    ],
)
def test_what_cannot_be_estimated_is_refused(rows, why):
    with pytest.raises(ValueError, match=why):
        of_rows(rows, 2)
