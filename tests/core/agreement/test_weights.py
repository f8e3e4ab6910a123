"""Weighted items: as if repeated, as scikit-learn weighs them, and as none where all weigh 1."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.agreement.coefficients import COEFFICIENTS
from cleverdon.agreement.measured import Groups, in_order
from cleverdon.agreement.ratings import Ratings
from tests.core.agreement.test_coefficients import GRADES, figure, kept, matrices, quiet

EVERY = [(each.key, on) for each in COEFFICIENTS for on in each.on]


def numbers(groups: Groups) -> list[tuple[float | None, ...]]:
    return [(each.value, each.low, each.high) for row in groups.every() for each in row]


def alike(one, other, within=1e-9) -> bool:
    mine, theirs = (np.array(each, dtype=float) for each in (one, other))
    return np.allclose(mine, theirs, rtol=0, atol=within, equal_nan=True)


@given(matrices(), st.randoms())
def test_a_weight_is_how_often_an_item_is_repeated(matrix, random):
    """In every coefficient, and in the intervals that leave topics out; it is counted once."""
    topics = [str(random.randrange(3)) for _ in matrix]
    weights = [random.randint(1, 4) for _ in matrix]
    weighed = Ratings.of(matrix, GRADES, topics=topics, weights=weights)
    rows = [
        each for each, n in zip(zip(matrix, topics, strict=True), weights, strict=True) if n
        for _ in range(n)
    ]  # fmt: skip
    repeated = Ratings.of([row for row, _ in rows], GRADES, topics=[topic for _, topic in rows])
    for group in (Groups, Groups.by_topic, lambda *its: Groups.by_pair(*its)[1], Groups.by_rater):
        one, other = group(weighed, 1), group(repeated, 1)
        for mine, theirs in zip(one.every(), other.every(), strict=True):
            assert alike([each.value for each in mine], [each.value for each in theirs])
            ends = [
                [(each.low, each.high) for each in its if not each.of_documents]
                for its in (mine, theirs)
            ]
            assert alike(*ends, 1e-7)
    assert weighed.n_items == len(kept(matrix))


@given(matrices())
def test_items_that_all_weigh_1_are_as_without_weights_to_the_last_bit(matrix):
    one = Ratings.of(matrix, GRADES)
    other = Ratings.of(matrix, GRADES, weights=[1.0] * len(matrix))
    assert numbers(Groups(one, 1)) == numbers(Groups(other, 1))
    assert not one.is_weighted
    assert not other.is_weighted


@given(matrices(n_raters=2, gaps=False).filter(len), st.data())
def test_weighted_kappas_of_two_are_those_of_scikit_learn(matrix, data):
    from sklearn.metrics import cohen_kappa_score, jaccard_score

    weight = st.floats(0.1, 10)
    weights = data.draw(st.lists(weight, min_size=len(matrix), max_size=len(matrix)))
    ratings, (one, other) = (Ratings.of(matrix, GRADES, weights=weights), zip(*matrix, strict=True))
    with quiet():
        for key, how in (("cohen", None), ("kappa-linear", "linear"),
                         ("kappa-quadratic", "quadratic")):  # fmt: skip
            its = figure(ratings, key).value
            theirs = cohen_kappa_score(
                one, other, labels=GRADES, weights=how, sample_weight=weights
            )
            assert its is None if np.isnan(theirs) else its == pytest.approx(theirs, abs=1e-9)
    relevant = [[int(each > 0) for each in rater] for rater in (one, other)]
    if any(map(any, relevant)):
        found = figure(ratings, "jaccard", "relevance").value
        assert found == pytest.approx(jaccard_score(*relevant, sample_weight=weights))


@given(matrices(), st.randoms(), st.floats(0.5, 20))
def test_weights_say_how_much_more_than_others(matrix, random, times):
    """But Krippendorff's alpha, which is corrected for how few values there are."""
    weights = [random.choice((0.5, 1.0, 7.25)) for _ in matrix]
    one, other = (
        Ratings.of(matrix, GRADES, weights=[factor * each for each in weights])
        for factor in (1, times)
    )
    for key, on in EVERY:
        if not key.startswith("alpha"):
            mine, theirs = figure(one, key, on), figure(other, key, on)
            assert alike([mine.value, mine.low, mine.high], [theirs.value, theirs.low, theirs.high])


@given(matrices(), st.randoms())
def test_no_weighted_figure_depends_on_the_order_of_items_or_people(matrix, random):
    weights = [random.choice((0.3, 1.0, 2.7)) for _ in matrix]
    topics = [random.choice("abc") for _ in matrix]
    rows = list(zip(matrix, topics, weights, strict=True))
    random.shuffle(rows)
    people = random.sample(range(6), 6)
    turned = [[row[n] if n < len(row) else None for n in people] for row, *_ in rows]
    one = Ratings.of(matrix, GRADES, topics=topics, weights=weights)
    columns = {"topics": [topic for _, topic, _ in rows], "weights": [each for *_, each in rows]}
    other = Ratings.of(turned, GRADES, **columns)
    for group in (Groups, Groups.by_topic):
        assert alike(numbers(group(one, 1)), numbers(group(other, 1)), 1e-7)


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf")])
def test_a_weight_is_a_number_above_0(weight):
    with pytest.raises(ValueError, match="is not a weight: a weight is a number above 0"):
        Ratings.of([[0, 1], [1, 1]], GRADES, weights=[1, weight])


def test_there_are_as_many_weights_as_items():
    for weights in ([1], [1, 1, 1]):
        with pytest.raises(ValueError, match="zip"):
            Ratings.of([[0, 1], [1, 1]], GRADES, weights=weights)


def test_a_matrix_of_documents_counts_them_whatever_they_weigh():
    found = Ratings.of([[0, 1], [1, 1], [1, 1]], [0, 1], weights=[5, 0.5, 0.25])
    assert in_order(found).tolist() == [[0, 1], [0, 2]]
    assert figure(found, "raw").n == found.n_items == 3
    assert figure(found, "raw").value == pytest.approx(0.75 / 5.75)


def test_less_than_one_value_has_no_alpha():
    """The correction for few values would turn it round: 1 + .4 here."""
    found = Ratings.of([[0, 1]], [0, 1], weights=[0.3])
    assert figure(found, "alpha").value is None
    assert figure(found, "raw").value == 0


def test_no_rounding_is_left_where_a_topic_is_taken_away():
    """Of weights that do not add up exactly: what is left is of one category, and undefined."""
    rows = [[0, 0]] * 7 + [[0, 1], [1, 0], [1, 1]]
    topics, weights = ["a"] * 7 + ["b"] * 3, [0.1] * 7 + [0.7, 0.3, 1.1]
    for key in ("cohen", "alpha", "ac1"):
        [its] = Groups(Ratings.of(rows, [0, 1], topics=topics, weights=weights), 1).figures(
            key, "grades"
        )
        assert its.interval is None, key
        assert its.why == "No interval: it is undefined without one of the topics."


# How often first and second assessor of a topic of 1,000 documents give each two grades.
TOPIC = np.array([[846, 24, 10], [22, 38, 10], [12, 8, 30]])


def stratified(rng: np.random.Generator, each: int) -> tuple[list, list[float]]:
    """Draw as many documents from each first grade; each weighs what it stands for."""
    rows, weights = [], []
    for first, row in enumerate(TOPIC):
        documents = np.repeat(np.arange(3), row)
        drawn = rng.choice(documents, each, replace=False)
        rows += [[first, int(second)] for second in drawn]
        weights += [len(documents) / each] * each
    return rows, weights


def test_stratified_samples_are_unbiased_with_weights_and_not_without():
    """The means of 400 samples of 30 documents; kappa of all 1,000 is the truth."""
    rng, sums = np.random.default_rng(1), defaultdict(list)
    everything = [
        [i, j] for i, row in enumerate(TOPIC) for j, n in enumerate(row) for _ in range(n)
    ]
    whole = Ratings.of(everything, range(3))
    for _ in range(400):
        rows, weights = stratified(rng, 10)
        for name, asked in (("weighted", weights), ("not", ())):
            found = Ratings.of(rows, range(3), weights=asked)
            for key, on in (("cohen", "relevance"), ("raw", "grades"), ("positive", "relevance")):
                sums[name, key, on].append(figure(found, key, on).value)
    for (name, key, on), values in sums.items():
        truth, error = figure(whole, key, on).value, np.std(values) / np.sqrt(len(values))
        off = abs(np.mean(values) - truth)
        # A ratio of sums is biased by what is of the order of 1 / n.
        assert (off < 4 * error + 0.01) if name == "weighted" else (off > 0.05), (name, key, off)
