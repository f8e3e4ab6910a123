"""Advice to stop judging a topic, by each rule, from the judgments in their order."""

import numpy as np
import pytest

from pooling.core.stopping import KNEE_MOST, KNEE_RATIO, RULES, Seen


def advise(rule: str, bits: str, n: int = 0, **known: int):
    """The advice for relevant ("1") and other documents in this order."""
    relevant = np.array([each == "1" for each in bits], dtype=bool)
    return RULES[rule].advise(Seen(relevant, **known), n or RULES[rule].usual)


@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_advised_before_the_first_judgment(rule):
    advice = advise(rule, "", n_targets=20, n_found=20)
    assert advice == ("Nothing is judged yet.", False)


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_says_when_it_stops_and_which_number_it_takes(rule):
    each = RULES[rule]
    assert bool(each.what) == bool(each.usual) == ("{n}" in each.definition)


@pytest.mark.parametrize(
    ("bits", "n", "stops", "why"),
    [
        ("1000", 3, True, "None of the last 3 documents was relevant."),
        ("1000", 4, False, "3 documents judged since the last relevant one."),
        ("0001", 1, False, "The last one judged was relevant."),
        ("000", 3, True, "None of the last 3 documents was relevant."),
        ("00", 3, False, "There is no relevant one in 2 documents yet."),
    ],
)
def test_the_last_ones_without_a_relevant_one(bits, n, stops, why):
    assert advise("tail", bits, n) == (why, stops)


@pytest.mark.parametrize(
    ("bits", "stops"),
    [
        ("1" + "0" * 20, True),
        ("1" + "0" * 19, False),
        ("10" * 149 + "11", True),  # 151 of 300
        ("10" * 150, False),  # just half
        ("1" * 299, False),
    ],
)
def test_nists_rule(bits, stops):
    assert advise("nist", bits).stops is stops


def test_too_many_relevant_documents_are_named_as_the_reason():
    assert advise("nist", "1" * 300).why == "300 of 300 are relevant, too many to find them all."


@pytest.mark.parametrize(
    ("n_targets", "n_found", "stops", "why"),
    [
        (9, 9, False, "9 relevant documents known from elsewhere; the rule takes 10."),
        (12, 11, False, "11 of the 12 known from elsewhere were found again."),
        (12, 12, True, "12 of the 12 known from elsewhere were found again."),
    ],
)
def test_target_recapture(n_targets, n_found, stops, why):
    assert advise("recapture", "10", n_targets=n_targets, n_found=n_found) == (why, stops)


def knee_by_hand(bits: str) -> bool:
    """Try every point as the knee, by its distance from the line."""
    gain, n = [bits[: i + 1].count("1") for i in range(len(bits))], len(bits)
    total = gain[-1]
    if not total:
        return False
    distances = [(gain[i - 1] / total - i / n, -i) for i in range(1, n + 1)]
    at = -max((round(distance, 9), minus) for distance, minus in distances)[1]
    if at == n:
        return False
    before, after = gain[at - 1] / at, (1 + total - gain[at - 1]) / (n - at)
    return before / after >= KNEE_RATIO - min(total, KNEE_MOST)


def test_the_knee_of_random_gain_curves():
    rng, found = np.random.default_rng(8), []
    for _ in range(100):
        rates = np.repeat([0.9, rng.random() / 30], [rng.integers(1, 300), rng.integers(0, 900)])
        bits = "".join("01"[int(each)] for each in rng.random(len(rates)) < rates)
        stops = advise("knee", bits).stops
        assert stops == knee_by_hand(bits)
        found.append(stops)
    assert 20 < sum(found) < 80


@pytest.mark.parametrize("bits", ["000", "0001", "1"])
def test_a_curve_without_a_knee_never_stops(bits):
    assert not advise("knee", bits).stops


def test_a_knee_is_told_with_what_the_rule_takes():
    advice = advise("knee", "1" * 10 + "0" * 2000)
    assert advice.stops
    assert advice.why == "After document 10 they come 2,000.0 times as rarely; the rule takes 146."
