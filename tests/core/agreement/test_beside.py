"""A program beside people: errors and coefficients, weighted to all labels of the program."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from agreement.core.beside import Said, beside

GRADES = [0, 1, 2, 3]


def table_of(seed: int, n: int = 120) -> tuple[list[Said], dict[int, int]]:
    draw = random.Random(seed)
    said = []
    for number in range(n):
        label = draw.choice(GRADES)
        first = min(3, max(0, label + draw.choice([-1, 0, 0, 0, 1, 2])))
        people = [("ada", first)] + [("ben", draw.choice(GRADES))] * (number % 3 == 0)
        said.append(Said(str(number % 6), label, people))
    labels = {grade: draw.randint(200, 400) for grade in GRADES}
    return said, labels


def weights_of(said: list[Said], labels: dict[int, int]) -> list[float]:
    n = {grade: sum(each.label == grade for each in said) for grade in GRADES}
    return [labels[each.label] / n[each.label] for each in said]


@pytest.mark.parametrize("seed", range(20))
def test_figures_are_those_of_all_labels(seed):
    said, labels = table_of(seed)
    weights = weights_of(said, labels)
    found = beside(said, labels, GRADES, level=2)
    person = np.array([each.grades[0][1] for each in said])
    program = np.array([each.label for each in said])
    bias, zeros, missed = (each.value for each in found.errors())
    assert bias == pytest.approx(np.average(program - person, weights=weights), abs=1e-12)
    its, w = program >= 2, np.array(weights)
    assert zeros == pytest.approx((w * its)[person == 0].sum() / w[person == 0].sum(), abs=1e-12)
    is_relevant = person >= 2
    assert missed == pytest.approx((w * ~its)[is_relevant].sum() / w[is_relevant].sum(), abs=1e-12)
    by_key = {(each.coefficient.key, each.on): each for each, _ in found.coefficients()}
    for key, on, options in (
        ("cohen", "grades", {}),
        ("kappa-linear", "grades", {"weights": "linear"}),
        ("kappa-quadratic", "grades", {"weights": "quadratic"}),
    ):
        expected = cohen_kappa_score(person, program, labels=GRADES, sample_weight=w, **options)
        assert by_key[key, on].value == pytest.approx(expected, abs=1e-12)
    expected = cohen_kappa_score(is_relevant, its, sample_weight=w)
    assert by_key["cohen", "relevance"].value == pytest.approx(expected, abs=1e-12)
    assert by_key["cohen", "relevance"].n == len(said)
    people = [each for each in said if len(each.grades) > 1]
    pairs = zip(*((each.grades[0][1], each.grades[1][1]) for each in people), strict=True)
    both = {each.coefficient.key: each for _, each in found.coefficients() if each.on == "grades"}
    expected = cohen_kappa_score(*pairs, labels=GRADES)
    assert both["cohen"].value == pytest.approx(expected, abs=1e-12)
    assert both["cohen"].n == len(people)


@given(st.integers(0, 10_000), st.randoms())
def test_names_and_order_change_no_figure(seed, chance):
    said, labels = table_of(seed, 40)
    found = beside(said, labels, GRADES, level=2)
    renamed = [
        each._replace(
            topic=f"t{each.topic}", grades=[(f"p{name}", grade) for name, grade in each.grades]
        )
        for each in said
    ]
    chance.shuffle(renamed)
    other = beside(renamed, labels, GRADES, level=2)
    for one, its in zip(found.errors(), other.errors(), strict=True):
        assert its[2:5] == pytest.approx(one[2:5], abs=1e-9, nan_ok=True)
    for (one, ones), (its, theirs) in zip(found.coefficients(), other.coefficients(), strict=True):
        assert [its.value, theirs.value] == pytest.approx([one.value, ones.value], abs=1e-9)


def test_a_sample_drawn_by_the_programs_grade_says_what_all_labels_would():
    """On average over samples; without weights it would not."""
    everything, _ = table_of(1, 4000)
    labels = {grade: sum(each.label == grade for each in everything) for grade in GRADES}
    whole, draw = beside(everything, labels, GRADES, level=2), random.Random(2)
    truth = [each.value for each in whole.errors()]
    found = []
    for _ in range(200):
        sample = []
        for grade, n in zip(GRADES, (20, 60, 60, 60), strict=True):
            sample += draw.sample([each for each in everything if each.label == grade], n)
        found.append([each.value for each in beside(sample, labels, GRADES, level=2).errors()])
    off = np.mean(found, axis=0) - truth
    assert np.abs(off).max() < 3 * (np.std(found, axis=0) / np.sqrt(len(found))).max()


def test_what_is_off_the_scale_or_was_judged_by_nobody_takes_no_part():
    said = [Said("1", 7, [("ada", 1)]), Said("1", 1, [("ada", 9)]), Said("1", 1, [("ada", 1)])]
    found = beside(said, {1: 5, 2: 4}, GRADES, level=1)
    assert (found.n_unseen, int(found.program.n.sum())) == (4, 1)
    assert [each.weight for each in found.strata] == [None, 5, None, None]
    nothing = beside([], {1: 5}, GRADES, level=1)
    assert [each.value for each in nothing.errors()] == [None] * 3
    assert nothing.n_unseen == 5


def test_errors_of_a_scale_without_zero_are_two():
    said = [Said("1", 1 + n % 3, [("ada", 1 + n % 2)]) for n in range(30)]
    keys = [
        each.coefficient.key
        for each in beside(said, dict.fromkeys((1, 2, 3), 10), [1, 2, 3], level=2).errors()
    ]
    assert keys == ["bias", "missed"]
