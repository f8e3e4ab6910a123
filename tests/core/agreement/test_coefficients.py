"""Coefficients of agreement: published tables, four other programs, and what always holds."""

import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.agreement import coefficients
from cleverdon.agreement.coefficients import BY_KEY, COEFFICIENTS, ONE_CATEGORY, Coefficient
from cleverdon.agreement.measured import NO_ITEM, Figure, Groups, in_order
from cleverdon.agreement.ratings import Ratings

GRADES = (0, 1, 2, 3)


@contextmanager
def quiet():
    """Others warn where something is undefined."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def figure(ratings: Ratings, key: str, on="grades", level: int = 1) -> Figure:
    [found] = Groups(ratings, level).figures(key, on)
    return found


def of_table(table) -> Ratings:
    """The ratings that a confusion matrix counts."""
    rows = [[i, j] for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return Ratings.of(rows, range(len(table)))


IIR = [[300, 20], [10, 70]]  # Manning, Raghavan and Schütze 2008, table 8.2, who print .776
FORTY = [[40, 20], [0, 40]]
THREE = [[20, 5, 1], [4, 15, 3], [1, 2, 9]]
# The "abstractors" of Gwet's irrCAC, who prints .7964094 and .7962397.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
# Feinstein and Cicchetti's paradox of prevalence: nearly all agree, and kappa is below 0.
PARADOX = [[118, 5], [2, 0]]


@pytest.mark.parametrize(
    ("table", "key", "expected"),
    [
        (IIR, "raw", 0.925),
        (IIR, "cohen", 0.7761194),
        (IIR, "scott", 0.7759104),
        (IIR, "alpha", 0.7761905),
        (IIR, "ac1", 0.88727),
        (FORTY, "cohen", 0.6153846),
        (FORTY, "scott", 0.6),
        (FORTY, "alpha", 0.602),
        (THREE, "cohen", 0.5844156),
        (THREE, "kappa-linear", 0.6336499),
        (THREE, "kappa-quadratic", 0.6875),
        (THREE, "alpha-ordinal", 0.6838523),
        (THREE, "alpha-interval", 0.6899574),
        (ABSTRACTORS, "cohen", 0.7964094),
        (ABSTRACTORS, "scott", 0.7962397),
        (ABSTRACTORS, "ac1", 0.8493305),
        (ABSTRACTORS, "alpha", 0.7972585),
        (PARADOX, "raw", 0.944),
        (PARADOX, "cohen", -0.0234),
        (PARADOX, "ac1", 0.9408),
        ([[0, 5], [5, 0]], "cohen", -1.0),
    ],
)
def test_published_tables(table, key, expected):
    digits = len(str(expected).partition(".")[2])
    assert figure(of_table(table), key).value == pytest.approx(expected, abs=0.51 * 10**-digits)


_ = None
# Krippendorff's example (2004, chapter 11) of four observers and twelve units, with gaps.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


@pytest.mark.parametrize(
    ("key", "printed"), [("alpha", 0.743), ("alpha-ordinal", 0.815), ("alpha-interval", 0.849)]
)
def test_krippendorff_s_example(key, printed):
    ratings = Ratings.of(list(zip(*OBSERVERS, strict=True)), [1, 2, 3, 4, 5])
    assert figure(ratings, key).value == pytest.approx(printed, abs=0.0005)


@pytest.mark.parametrize(
    ("one", "other", "grades", "printed"),
    [
        # Krippendorff 2011, Computing Krippendorff's alpha-reliability, sections A and B.
        ("0100000010", "1110010000", range(2), 0.095),
        ("112243123212", "112243223242"[:12], range(1, 5), None),
    ],
)
def test_two_observers(one, other, grades, printed):
    ratings = Ratings.of([[int(a), int(b)] for a, b in zip(one, other, strict=True)], grades)
    if printed is not None:
        assert figure(ratings, "alpha").value == pytest.approx(printed, abs=0.0005)


def test_fleiss_s_example():
    """Fleiss 1971: ten subjects, fourteen raters, five categories; printed .210."""
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    rows = [[grade for grade, n in enumerate(row) for _ in range(n)] for row in counts]
    assert figure(Ratings.of(rows, range(5)), "fleiss").value == pytest.approx(0.2099307, abs=5e-8)


def test_weights_are_of_the_scale_whatever_grades_were_given():
    """Nobody gave grade 2, and it still lies between 1 and 3."""
    rows = list(zip((0, 0, 1, 1, 3), (0, 0, 1, 3, 3), strict=True))
    assert figure(Ratings.of(rows, GRADES), "kappa-quadratic").value == pytest.approx(0.75)


# Tables with gaps: two to six raters, some of whom, and some grades, are hardly there.
@st.composite
def matrices(draw, n_raters=6, gaps=True):
    n, grades = draw(st.integers(2, n_raters)), draw(st.integers(2, 4))
    cell = st.integers(0, grades - 1)
    cells = st.one_of(st.none(), cell) if gaps else cell
    return draw(st.lists(st.lists(cells, min_size=n, max_size=n), max_size=25))


def kept(matrix):
    """The items that two or more have graded: others are not read."""
    return [row for row in matrix if sum(each is not None for each in row) > 1]


def is_one_category(matrix) -> bool:
    return len({each for row in matrix for each in row if each is not None}) < 2


@given(matrices())
def test_alphas_are_those_of_krippendorff_the_program(matrix):
    found, rows = Ratings.of(matrix, GRADES), kept(matrix)
    for key, level in (
        ("alpha", "nominal"),
        ("alpha-ordinal", "ordinal"),
        ("alpha-interval", "interval"),
    ):
        ours = figure(found, key)
        if is_one_category(rows):
            assert ours.value is None
            continue
        data = np.array(rows, dtype=float).T
        theirs = krippendorff.alpha(data, level_of_measurement=level, value_domain=GRADES)
        assert ours.value == pytest.approx(theirs, abs=1e-12)


@given(matrices(n_raters=2, gaps=False).filter(len))
def test_kappas_of_two_are_those_of_scikit_learn_and_statsmodels(matrix):
    from sklearn.metrics import cohen_kappa_score, jaccard_score
    from statsmodels.stats import inter_rater

    ratings, (one, other) = Ratings.of(matrix, GRADES), zip(*matrix, strict=True)
    counts = Counter(map(tuple, matrix))
    table = [[counts[i, j] for j in GRADES] for i in GRADES]
    with quiet():
        for key, weights, wt in (
            ("cohen", None, None),
            ("kappa-linear", "linear", "linear"),
            ("kappa-quadratic", "quadratic", "quadratic"),
        ):
            its = figure(ratings, key).value
            theirs = (
                cohen_kappa_score(one, other, labels=GRADES, weights=weights),
                inter_rater.cohens_kappa(np.array(table), wt=wt, return_results=False),
            )
            for each in theirs:
                assert its is None if np.isnan(each) else its == pytest.approx(each, abs=1e-12)
        pooled = inter_rater.fleiss_kappa(
            inter_rater.aggregate_raters(np.array(matrix), n_cat=4)[0]
        )
    for key in ("scott", "fleiss"):
        its = figure(ratings, key).value
        assert its is None if np.isnan(pooled) else its == pytest.approx(pooled, abs=1e-12)
    relevant = [[int(each > 0) for each in rater] for rater in (one, other)]
    overlap = figure(ratings, "jaccard", "relevance").value
    if any(map(any, relevant)):
        assert overlap == pytest.approx(jaccard_score(*relevant))
    else:
        assert overlap is None


RECORDED = (Path(__file__).parents[2] / "vectors/agreement/irrcac.txt").read_text().splitlines()


@pytest.mark.parametrize("line", RECORDED[1:])
def test_others_of_several_are_those_of_irrcac(line):
    """Recorded, as it wants a scipy of long ago; of items that two or more have graded, as it reads
    those of one too.
    """
    table, *values = line.split()
    rows = [[_ if each == "." else int(each) for each in row] for row in table.split("/")]
    found = Ratings.of(rows, GRADES)
    for key, value in zip(("fleiss", "ac1", "ac2"), values, strict=True):
        assert figure(found, key).value == pytest.approx(float(value), abs=1e-9)


@given(matrices())
def test_shares_are_those_of_the_definitions(matrix):
    """Each document counts once, however many have judged it."""
    found, rows = Ratings.of(matrix, GRADES), kept(matrix)
    equal = both = one = neither = 0.0
    for row in rows:
        given_ = [each for each in row if each is not None]
        pairs = [(a, b) for i, a in enumerate(given_) for j, b in enumerate(given_) if i != j]
        equal += sum(a == b for a, b in pairs) / len(pairs)
        both += sum(a > 0 and b > 0 for a, b in pairs) / len(pairs)
        neither += sum(a == b == 0 for a, b in pairs) / len(pairs)
        one += sum((a > 0) != (b > 0) for a, b in pairs) / len(pairs)
    expected = {
        "jaccard": (both, both + one),
        "positive": (2 * both, 2 * both + one),
        "negative": (2 * neither, 2 * neither + one),
    }
    for key, (part, whole) in expected.items():
        value = figure(found, key, "relevance").value
        assert value is None if whole < 1e-12 else value == pytest.approx(part / whole)
    raw = figure(found, "raw").value
    assert raw is None if not rows else raw == pytest.approx(equal / len(rows))


@given(matrices())
def test_a_coefficient_of_two_is_the_mean_over_pairs_weighted_by_their_documents(matrix):
    found = Ratings.of(matrix, GRADES)
    for key in ("cohen", "scott", "kappa-linear", "kappa-quadratic"):
        _, pairs = Groups.by_pair(found, 1)
        known = [each for each in pairs.figures(key, "grades") if each.value is not None]
        its = figure(found, key)
        if not known:
            assert its.value is None
            continue
        n = sum(each.n for each in known)
        expected = sum(each.n * each.value for each in known) / n
        assert its.value == pytest.approx(expected, abs=1e-12)


def everything(groups: Groups) -> list[list[float | None]]:
    """Every figure of each group: its value, its interval and how many documents it is of."""
    rows = [[(each.value, each.low, each.high, each.n) for each in its] for its in groups.every()]
    return [list(sum(column, ())) for column in zip(*rows, strict=True)]


def alike(one: list[float | None], other: list[float | None]) -> bool:
    known = [[np.nan if each is None else each for each in row] for row in (one, other)]
    return np.allclose(*known, rtol=0, atol=1e-9, equal_nan=True)


@given(matrices(), st.randoms(), st.integers(1, 3))
def test_no_figure_depends_on_names_or_on_the_order_of_anything(matrix, random, level):
    topics = [str(random.randrange(4)) for _ in matrix]
    new = dict(zip("0123", random.sample("abcd", 4), strict=True))
    rows = list(zip(matrix, topics, strict=True))
    random.shuffle(rows)
    people = random.sample(range(6), 6)
    turned = [[row[n] if n < len(row) else None for n in people] for row, _ in rows]
    renamed = [new[topic] for _, topic in rows]
    one = Ratings.of(matrix, GRADES, topics=topics)
    other = Ratings.of(turned, GRADES, topics=renamed)
    [mine], [theirs] = everything(Groups(one, level)), everything(Groups(other, level))
    assert alike(mine, theirs)
    mine, theirs = (everything(Groups.by_topic(each, level)) for each in (one, other))
    for number, topic in enumerate(one.topics):
        assert alike(mine[number], theirs[other.topics.index(new[topic])])


@given(matrices(), st.sampled_from(COEFFICIENTS))
def test_what_is_undefined_is_neither_1_nor_0_and_has_a_reason(matrix, coefficient):
    found = Ratings.of(matrix, GRADES)
    for on in coefficient.on:
        its = figure(found, coefficient.key, on)
        assert (its.value is None or its.interval is None) == bool(its.why)
        if its.value is not None:
            assert coefficient.lowest - 1e-9 <= its.value <= 1 + 1e-9 or coefficient.lowest == -1
        if its.interval:
            assert its.low <= its.value + 1e-12
            assert its.value <= its.high + 1e-12


@pytest.mark.parametrize("coefficient", COEFFICIENTS, ids=lambda each: each.key)
@pytest.mark.parametrize("grade", [0, 3])
def test_in_one_category_there_is_no_agreement_beyond_chance(coefficient, grade):
    """Gwet's AC1 would be 1 there, and scikit-learn's kappa NaN."""
    found = Ratings.of([[grade, grade]] * 30, GRADES)
    for on in coefficient.on:
        its = figure(found, coefficient.key, on)
        if coefficient.key in {"raw", "jaccard", "positive", "negative"}:
            assert its.value in {1.0, None}
        else:
            assert (its.value, its.why) == (None, ONE_CATEGORY)
    assert figure(found, "jaccard", "relevance").value == (1.0 if grade else None)
    assert figure(Ratings.of([], GRADES), coefficient.key, coefficient.on[0]).why == NO_ITEM


def test_a_new_coefficient_is_a_function_and_a_row(monkeypatch):
    """A toy: the share of documents whose grades are a step apart at most."""

    def near(table, _):
        steps = np.abs(np.subtract.outer(*[np.arange(table.shape[-1])] * 2))
        return (table * (steps <= 1)).sum(axis=(-2, -1)) / table.sum(axis=(-2, -1))

    row = Coefficient("near", "Nearly equal", "items", near, "a step apart", "", ("grades",))
    monkeypatch.setitem(BY_KEY, "near", row)
    monkeypatch.setattr("cleverdon.agreement.measured.COEFFICIENTS", (*COEFFICIENTS, row))
    found = Ratings.of([[0, 1], [1, 3], [2, 2], [0, 3]], GRADES)
    [last] = list(Groups(found, 1).every())[-1]
    assert (last.coefficient.name, last.value) == ("Nearly equal", 0.5)
    assert last.low < 0.5 < last.high


def test_every_row_says_what_it_is():
    assert len({each.key for each in COEFFICIENTS}) == len({each.name for each in COEFFICIENTS})
    assert all(each.formula and (each.source or each.key == "raw") for each in COEFFICIENTS)
    assert all(hasattr(coefficients, each.value.__name__) for each in COEFFICIENTS)


def test_grades_off_the_scale_and_grades_given_twice_are_refused():
    with pytest.raises(ValueError, match="4 is not a grade of the scale 0, 1, 2, 3"):
        Ratings.of([[0, 4]], GRADES)
    with pytest.raises(ValueError, match="ada is compared with themselves on topic 7"):
        Ratings.from_items([("7", [("ada", 0), ("ada", 1)], 0)], GRADES)


def test_the_table_of_all_has_the_first_grade_of_a_row_down():
    items = [("1", [("b", 2), ("a", 0)], 0), ("1", [("a", 1), ("c", 1), ("b", 3)], 0)]
    table = in_order(Ratings.from_items(items, GRADES))
    assert table.tolist() == [[0] * 4, [0, 1, 0, 2], [1, 0, 0, 0], [0] * 4]


def test_a_reference_is_compared_with_each_alone_and_left_out_of_the_rest():
    """As where each is compared with the adjudicated grades."""
    items = [
        ("1", [("adjudicated", n % 2), ("ada", n % 2), ("ben", n // 2 % 2)], 0) for n in range(8)
    ]
    found = Ratings.from_items(items, [0, 1])
    reference = found.raters.index("adjudicated")
    groups = Groups.by_rater(found, 1, reference)
    values = [each.value for each in groups.figures("cohen", "relevance")]
    assert dict(zip(found.raters, values, strict=True)) == {
        "ada": 1.0,
        "adjudicated": None,
        "ben": 0.0,
    }
    alone = found.without(reference)
    assert figure(alone, "cohen").value == 0.0
    assert alone.n_items == 8
