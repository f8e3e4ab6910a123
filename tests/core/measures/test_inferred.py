"""xinfAP and infNDCG against NIST's script, and against both written out in plain Python."""

import io
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.strata import stratified
from cleverdon.measures.interface import evaluate
from cleverdon.trec.qrels import STRATIFIED, read_qrels
from cleverdon.trec.streams import FormatError
from tests.strategies import DOCNOS

CASES = json.loads(Path("tests/vectors/sample_eval/cases.json").read_text(encoding="utf-8"))
MOST = 1000
Drawn = dict[str, tuple[str, int]]

# A document of a topic: its stratum and its grade, -1 where it was not drawn.
STRATA = st.tuples(st.sampled_from(["10", "9", "é"]), st.integers(-2, 3))
TOPICS = st.sampled_from(["1", "2"])
SAMPLES = st.dictionaries(
    TOPICS, st.dictionaries(st.sampled_from(DOCNOS), STRATA, min_size=1), min_size=1
)
RANKED = st.lists(st.sampled_from([*DOCNOS, "other"]), unique=True, min_size=1)
RANKINGS = st.dictionaries(TOPICS, RANKED, min_size=1)
CUTOFFS = st.sampled_from([None, 1, 3, 5])


def qrels_of(samples: dict[str, Drawn]) -> bytes:
    return "".join(
        f"{topic} 0 {docno} {stratum} {grade}\n"
        for topic, drawn in samples.items()
        for docno, (stratum, grade) in drawn.items()
    ).encode()


def scores_of(rankings: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    return {
        topic: {docno: -float(rank) for rank, docno in enumerate(ranking)}
        for topic, ranking in rankings.items()
    }


class Counted:
    """What a stratum holds of some documents: all, those drawn, and the grades of these."""

    def __init__(self, drawn: Drawn, docnos, stratum: str) -> None:
        own = [drawn[d][1] for d in docnos if d in drawn and drawn[d][0] == stratum]
        self.grades = [grade for grade in own if grade >= 0]
        self.n, self.n_drawn = len(own), len(self.grades)

    def relevant(self, level: int) -> int:
        return sum(grade >= level for grade in self.grades)

    def expected(self, counted: int) -> float:
        return counted * self.n / self.n_drawn if self.n_drawn else 0.0


def xinfap(drawn: Drawn, ranking: list[str], cutoff: int | None, level: int) -> float:
    names = sorted({stratum for stratum, _ in drawn.values()})
    whole = {name: Counted(drawn, drawn, name) for name in names}
    expected = sum(c.expected(c.relevant(level)) for c in whole.values())
    total = 0.0
    for rank, docno in enumerate(ranking[:cutoff], 1):
        stratum, grade = drawn.get(docno, ("", -1))
        if grade < level:
            continue
        above = 0.0
        for name in names:
            c = Counted(drawn, ranking[: rank - 1], name)
            above += c.n * (c.relevant(level) + 0.00001) / (c.n_drawn + 0.00003)
        own = whole[stratum]
        total += (1 + above) / rank * own.n / own.n_drawn
    return total / min(expected, cutoff or math.inf) if expected else 0.0


def infndcg(drawn: Drawn, ranking: list[str], cutoff: int | None) -> float:
    names = sorted({stratum for stratum, _ in drawn.values()})
    top, dcg, best = ranking[:cutoff], 0.0, []
    for name in names:
        c = Counted(drawn, top, name)
        gained = sum(
            grade / math.log2(rank + 1)
            for rank, docno in enumerate(top, 1)
            for stratum, grade in [drawn.get(docno, ("", -1))]
            if stratum == name and grade > 0
        )
        dcg += c.expected(gained)
    for grade in (3, 2, 1):
        strata = [Counted(drawn, drawn, name) for name in names]
        expected = sum(c.expected(c.grades.count(grade)) for c in strata)
        best += [grade] * math.floor(expected + 0.5)
    ideal = sum(g / math.log2(r + 1) for r, g in enumerate(best[:cutoff], 1))
    return dcg / ideal if ideal else 0.0


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_values_are_those_of_nists_script(case):
    cutoff = case["cutoff"]
    files = (io.BytesIO(case[name].encode()) for name in ("qrels", "run"))
    names = f"xinfAP@{cutoff}", f"infNDCG@{cutoff}"
    scored = evaluate(*files, names, rules="trec_eval-10")
    for topic, expected in case["values"].items():
        ap, ndcg = scored.values[0, scored.topics.index(topic)]
        assert ap == pytest.approx(expected["infAP"], abs=1e-12)
        if cutoff == MOST:
            assert ndcg == pytest.approx(expected["infNDCG"], abs=1e-12)


@given(SAMPLES, RANKINGS, CUTOFFS, st.integers(1, 2))
def test_values_are_those_written_out(samples, rankings, cutoff, level):
    at = f"@{cutoff}" if cutoff else ""
    names = f"xinfAP{at}", f"infNDCG{at}"
    scored = evaluate(io.BytesIO(qrels_of(samples)), scores_of(rankings), names, level=level)
    assert scored.topics == tuple(sorted(samples))
    for topic, (ap, ndcg) in zip(scored.topics, scored.values[0], strict=True):
        drawn, ranking = samples[topic], rankings.get(topic, [])
        assert ap == pytest.approx(xinfap(drawn, ranking, cutoff, level), abs=1e-12)
        assert ndcg == pytest.approx(infndcg(drawn, ranking, cutoff), abs=1e-12)


def test_gains_count_for_infndcg():
    samples = {"1": {"a": ("1", 1), "b": ("1", 2), "c": ("1", -1)}}
    names = ["infNDCG", "infNDCG(gains={1:1,2:3})"]
    run = scores_of({"1": ["a", "b"]})
    plain, mapped = evaluate(io.BytesIO(qrels_of(samples)), run, names).values[0, 0]
    # Of three documents two are drawn: each grade is expected 1.5 times, 2 when rounded.
    discounts = [1 / math.log2(rank + 1) for rank in range(1, 5)]

    def ideal(high: float) -> float:
        return high * sum(discounts[:2]) + sum(discounts[2:])

    assert plain == pytest.approx((discounts[0] + 2 * discounts[1]) / ideal(2))
    assert mapped == pytest.approx((discounts[0] + 3 * discounts[1]) / ideal(3))


def read(text: str):
    return stratified(read_qrels(io.BytesIO(text.encode()), layout=STRATIFIED, comments=False))


def test_strata_follow_their_pairs():
    universe = read("2 0 b 1 0\n1 0 d 2 1\n1 0 c 1 -1\n")
    assert universe.docnos.tolist() == [b"c", b"d", b"b"]
    assert universe.detail.numbers.tolist() == [0, 1, 0]
    assert universe.grades.tolist() == [-1, 1, 0]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 0 a 1 0\n1 0 a 0\n", 2, "It has 4 columns; qrels have five: topic, 0"),
        ("1 0 a 1 x\n", 1, "The grade 'x' is not a whole number"),
        ("1 0 a 1 0\n1 0 a 2 0\n", 2, "judged twice"),
    ],
)
def test_bad_lines_are_refused_by_number(text, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        read(text)
    assert caught.value.line == line


def test_a_column_that_is_no_stratum_is_refused():
    text = "".join(f"1 0 d{number} s{number} 1\n" for number in range(1001))
    with pytest.raises(FormatError, match="1,001 different values"):
        read(text)


def test_qrels_without_strata_are_refused():
    with pytest.raises(ValueError, match="do not say which stratum"):
        evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["xinfAP"])
