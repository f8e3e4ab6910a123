"""Measures of preferences, against trec_eval's own code."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.preferences.tally import rising_ties
from cleverdon.measures.inputs.preferences.universe import of_preferences
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.preferences import PREFERENCES
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.preferences import read_preferences
from tests.core.measures.compiled import compiled
from tests.core.measures.made import in_order, placed, scored
from tests.strategies import DOCNOS

NAMES = [family.name for family in PREFERENCES]
MEASURES = [family.measure() for family in PREFERENCES]
# What trec_eval computes from memory it does not own when a level is below 0.
LIMITED = [name for name in NAMES if "Rnonrel" in name]

Line = tuple[str, ...]


@st.composite
def consistent(draw, lowest: int = 0) -> list[Line]:
    """Lines of a prefs file; the chains of a group agree in their order, on levels of their own."""
    lines = []
    groups = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)
    levels = st.dictionaries(
        st.sampled_from(DOCNOS), st.integers(lowest, 3), min_size=1, max_size=8
    )
    for topic in draw(st.lists(st.sampled_from(["1", "2", "10"]), min_size=1, unique=True)):
        for group in draw(groups):
            order = draw(levels)
            for chain in draw(st.sampled_from(["s", "st", "stu"])):
                part = draw(st.lists(st.sampled_from(sorted(order)), min_size=1, unique=True))
                factor = draw(st.sampled_from([1, 0.5, 7]))
                lines += [(topic, group, chain, d, str(order[d] * factor)) for d in part]
    return lines


def universe_of(lines: list[Line], kind: str = "prefs") -> Universe:
    text = "".join(f"{' '.join(line)}\n" for line in lines)
    return of_preferences(read_preferences(BytesIO(text.encode()), kind))


def values(universe: Universe, run, rules: str = "trec_eval-9") -> dict[str, list[float]]:
    """Values by topic, [measures]."""
    found = score([run], universe, MEASURES, rules=rules).values[0]
    return dict(zip(universe.topics, found.tolist(), strict=True))


@given(consistent(), st.lists(scored(), min_size=1, max_size=2))
def test_values_of_runs_scored_together_equal_trec_evals(lines, runs):
    universe = universe_of(lines)
    together = score([placed(run, universe) for run in runs], universe, MEASURES).values
    for rows, run in zip(together.tolist(), runs, strict=True):
        found = dict(zip(universe.topics, rows, strict=True))
        expected = compiled("prefs", lines, run, NAMES)
        assert {topic: found[topic] for topic in expected} == expected


@given(consistent(), scored())
def test_values_from_qrels_equal_trec_evals(lines, run):
    qrels = {line[0:2] + line[3:4]: line[4] for line in lines}
    judged = [(*key, level) for key, level in qrels.items()]
    universe = universe_of(judged, "qrels_prefs")
    found = values(universe, placed(run, universe))
    expected = compiled("qrels_prefs", judged, run, NAMES)
    assert {topic: found[topic] for topic in expected} == expected


@given(consistent(lowest=-2), scored())
def test_levels_below_0_are_levels_too(lines, run):
    names = [name for name in NAMES if name not in LIMITED]
    universe = universe_of(lines)
    found = values(universe, placed(run, universe))
    for topic, expected in compiled("prefs", lines, run, names).items():
        row = dict(zip(NAMES, found[topic], strict=True))
        assert [row[name] for name in names] == expected


@given(consistent(), scored(), st.integers(1, 12))
def test_a_cut_comes_after_ties_are_ranked_and_unjudged_documents_change_nothing(lines, run, depth):
    universe = universe_of(lines)
    found = values(universe, rising_ties(placed(run, universe)).cut(depth))
    expected = compiled("prefs", lines, run, NAMES, depth=depth, judged_only=True)
    assert {topic: found[topic] for topic in expected} == expected


@pytest.mark.parametrize(
    ("text", "n_preferences"),
    [
        # The examples in the comment of trec_eval's get_prefs.c; of the second it leaves out 4 over
        # 3, which its code counts.
        ("g s 1 3, g s 2 2, g s 3 0, g s 4 6, g s 5 0, g s 6 2", 13),
        ("g s 1 3, g s 2 2, g s 3 1, g t 1 2, g t 2 1, g t 4 3", 6),
        ("g s 1 3, g s 2 2, h s 1 0, h s 3 6, h s 4 2, h t 1 0, h t 2 8", 5),
        ("g s 1 3, g s 2 2, g s 3 1, g t 2 5, g t 4 4", 5),
        ("g s 1 1", 0),
        ("g s 1 1, g s 2 1", 0),
        ("g s 1 1, g t 2 2", 0),
    ],
)
def test_preferences_are_those_stated_and_those_that_follow(text, n_preferences):
    universe = universe_of([("1", *line.split()) for line in text.split(",")])
    (found,) = values(universe, place(in_order({"1": ["1"]}), universe)).values()
    assert found[0] == n_preferences


def test_a_missing_topic_has_its_preferences_under_rules_10_alone():
    universe = universe_of([("1", "g", "s", "a", "1"), ("1", "g", "s", "b", "0")])
    for rules, n_possible in (("trec_eval-9", 0), ("trec_eval-10", 1)):
        run = in_order({"2": ["a"]})
        found = values(universe, place(run, universe, rules), rules)["1"]
        assert found == [n_possible, *[0] * (len(NAMES) - 1)]


def test_counts_are_summed_over_topics_and_shares_averaged():
    lines = [(t, "g", "s", d, v) for t in "12" for d, v in (("a", "1"), ("b", "0"))]
    universe = universe_of(lines)
    run = place(in_order({"1": ["a", "b"], "2": ["b", "a"]}), universe)
    totals = score([run], universe, MEASURES).aggregate().values[0]
    got = dict(zip(NAMES, totals.tolist(), strict=True))
    assert got["prefs_num_prefs_poss"] == 2
    assert got["prefs_simp"] == 0.5


def test_names_are_trec_evals_in_its_order():
    assert [
        *(f"prefs_num_prefs_{what}" for what in ("poss", "ful", "ful_ret")),
        *(f"prefs_{what}" for what in ("simp", "pair", "avgjg", "avgjg_Rnonrel")),
        *(f"prefs_{what}_ret" for what in ("simp", "pair", "avgjg", "avgjg_Rnonrel")),
        *(f"prefs_{what}_imp" for what in ("simp", "pair", "avgjg")),
    ] == NAMES
    assert [measure.trec_eval for measure in MEASURES] == NAMES


def test_judgments_that_are_not_preferences_are_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    with pytest.raises(ValueError, match="are not preferences"):
        score([place(in_order({"1": ["a"]}), universe)], universe, MEASURES)
