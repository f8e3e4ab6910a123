"""Intervals and comparisons of the command, against the functions and scipy."""

import csv
import io
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from cleverdon.measures.command import options as of_command
from cleverdon.measures.inputs import evidence
from cleverdon.measures.interface import evaluate
from cleverdon.measures.trec_eval import SETS
from cleverdon.significance import corrections, intervals, paired, randomization
from cleverdon.trec.ranking import DEFAULT_RULES, RULES
from tests.core.measures.commands import run

N_TOPICS = 30
NAMES = ("one", "two", "three")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Judgments of thirty topics and three runs, which lack some of them."""
    folder, rng = tmp_path_factory.mktemp("significance"), np.random.default_rng(1)
    documents = [f"d{n}" for n in range(20)]
    lines = [
        f"{topic} 0 {docno} {rng.integers(0, 3)}\n"
        for topic in range(N_TOPICS)
        for docno in documents
    ]
    (folder / "qrels").write_text("".join(lines))
    for n, name in enumerate(NAMES):
        ranked = [
            f"{topic} Q0 {docno} 0 {score} {name}\n"
            for topic in range(N_TOPICS)
            if (topic + n) % 10
            for docno, score in zip(documents, rng.random(20).round(2), strict=True)
        ]
        (folder / name).write_text("".join(ranked))
    return folder


def values(files, name, measure="AP"):
    """The values of the topics that a run has, by topic."""
    scored = evaluate(files / "qrels", [files / name], [measure])
    found = scored.per_topic(measure, name)
    return {topic: value for topic, value in found.items() if topic not in scored.missing[0]}


def test_an_interval_is_two_rows_after_its_mean(files):
    asked = ("-C", "--seed", "42", "-m", "runid", "-m", "map", "-m", "num_ret", "-m", "gm_map")
    _, out, _ = run("-q", *asked, files / "qrels", files / "one")
    rows = [line.split() for line in out.splitlines() if line.split()[1] == "all"]
    names = [name for name, *_ in rows]
    assert names == [
        *("runid", "num_ret", "map", "map_ci_lower", "map_ci_upper"),
        *("gm_map", "gm_map_ci_lower", "gm_map_ci_upper"),
    ]
    assert not [line for line in out.splitlines() if "_ci_" in line and "\tall\t" not in line]
    found = {name: value for name, _, value in rows}
    terms = np.array([[*values(files, "one").values()]])
    ends = [float(each[0]) for each in intervals.intervals(terms, seed=42)]
    assert [found["map_ci_lower"], found["map_ci_upper"]] == [f"{end:.4f}" for end in ends]
    logs = np.log(np.maximum(terms, 0.00001))
    ends = [float(each[0]) for each in intervals.intervals(logs, seed=42, transform=np.exp)]
    assert [found["gm_map_ci_lower"], found["gm_map_ci_upper"]] == [f"{end:.4f}" for end in ends]


def test_the_level_the_resamples_and_the_seed_are_options(files):
    def interval(*options):
        _, out, _ = run("--json", "-c", "-C", "-m", "map", *options, files / "qrels", files / "two")
        printed = json.loads(out)
        assert set(printed["intervals"]) == {"alpha", "samples", "seed"}
        for name, value in zip(options[::2], options[1::2], strict=True):
            assert printed["intervals"][name.removeprefix("--").removeprefix("ci-")] == float(value)
        scores = printed["runs"][0]["scores"]["all"]
        return scores["map_ci_lower"], scores["map_ci_upper"]

    scored = evaluate(files / "qrels", [files / "two"], ["AP"])
    everywhere = np.array([[*scored.per_topic("AP", "two").values()]])
    for options, given in (
        ((), {}),
        (("--ci-alpha", "0.3"), {"alpha": 0.3}),
        (("--ci-samples", "77"), {"n_draws": 77}),
        (("--seed", "9"), {"seed": 9}),
    ):
        expected = [float(each[0]) for each in intervals.intervals(everywhere, **given)]
        assert interval(*options) == pytest.approx(expected)


def compared(files, *options):
    paths = [files / name for name in ("qrels", *NAMES)]
    status, out, err = run("--compare", *options, *paths)
    assert (status, err) == (0, "")
    return out


def test_each_run_is_tested_against_the_first_on_the_topics_of_both(files):
    found = json.loads(compared(files, "t", "--json", "-m", "map", "-m", "num_ret"))
    assert (found["test"], found["sides"], found["correction"], found["tests"]) == (
        *("t", 2, "holm", 2),
    )
    first, rows = values(files, "one"), found["comparisons"]
    assert [row["run"] for row in rows] == ["two", "three"], "a count is no mean"
    for row in rows:
        other = values(files, row["run"])
        both = sorted(first.keys() & other.keys())
        theirs = stats.ttest_rel([other[t] for t in both], [first[t] for t in both])
        assert row["topics"] == len(both)
        assert (row["statistic"], row["p"]) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert row["difference"] == pytest.approx(row["run_mean"] - row["baseline_mean"])
        assert row["higher"] + row["equal"] + row["lower"] == len(both)
    p = np.array([row["p"] for row in rows])
    assert [row["p_corrected"] for row in rows] == pytest.approx(corrections.holm(p))


@pytest.mark.parametrize("name", of_command.TESTS)
def test_every_test_prints_the_same_in_each_layout(files, name):
    options = (name, "--draws", "500", "--seed", "3", "--sides", "1", "--correction", "bh")
    rows = json.loads(compared(files, *options, "--json", "-m", "map"))["comparisons"]
    lines = [*csv.DictReader(io.StringIO(compared(files, *options, "--csv", "-m", "map")))]
    text = compared(files, *options, "-m", "map").splitlines()
    comments = [line for line in text if line.startswith("#")]
    assert f"# test: {name}" in comments
    assert ("# seed: 3" in comments) == (name in {"randomization", "bootstrap"})
    heads, *cells = (line.split("\t") for line in text if not line.startswith("#"))
    for row, line, own in zip(rows, lines, cells, strict=True):
        assert float(line["p"]) == row["p"]
        assert (line["test"], line["correction"]) == (name, "bh")
        assert dict(zip(heads, own, strict=True))["p"] == f"{row['p']:.4g}"


def test_draws_that_are_too_few_are_warned_of(files):
    out = compared(files, "randomization", "--draws", "30", "-m", "map")
    warning = "30 draws cannot resolve 2 tests with holm at 0.05: at least 39 are needed."
    assert f"# warning: {warning}" in out
    assert "warning" not in compared(files, "randomization", "--draws", "39", "-m", "map")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--compare", "t"), "--compare needs at least two runs: the first is the baseline."),
        (("--compare", "z"), "--compare z: it must be one of randomization, t,"),
        (("-C", "--ci-alpha", "1"), "--ci-alpha 1: it must be a number from 0.0001 to below 1."),
        (("-C", "--ci-alpha", "x"), "--ci-alpha x: it must be a number"),
        (("-C", "--ci-samples", "0"), "--ci-samples 0: it must be a whole number from 1."),
        (("-C", "--ci-alpha", "0"), "--ci-alpha 0: it must be a number from 0.0001 to below 1."),
        (("-C", "--ci-samples", "2000000"), "--ci-samples 2000000: it is too large: at most 1,000"),
        (("--compare", "t", "-q"), "--compare prints comparisons alone: leave -C, -q and -n out."),
        (("-C", "--seed", "-1"), "--seed -1: it must be a whole number from 0."),
        (("-C", "-Z", "means"), "-Z prints z-scores, of which there are no intervals"),
    ],
)
def test_what_cannot_be_asked_is_said(files, options, sentence):
    status, out, err = run(*options, files / "qrels", files / "one")
    assert (status, out) == (1, "")
    assert err.startswith(f"cleverdon evaluate: {sentence}")


def test_nothing_is_compared_with_another_run_than_the_first(files):
    for runs, why in ((["none", "two"], "the baseline"), (["one", "none"], "no other run")):
        paths = [files / name for name in ("qrels", *runs)]
        status, out, err = run("--compare", "t", "-m", "map", *paths)
        assert (status, out) == (1, "")
        assert f"Nothing was compared, as {why} can" in err.replace("cannot", "can")


def test_what_can_be_compared_with_nothing_is_said(files, tmp_path):
    (tmp_path / "apart").write_text("0 Q0 d1 0 1 apart\n")
    status, out, err = run("--compare", "t", files / "qrels", files / "one", tmp_path / "apart")
    assert (status, out) == (1, "")
    assert "apart: It has no topic in common with the baseline." in err
    status, out, err = run(
        *["--compare", "t", "-m", "runid"], *(files / n for n in ("qrels", *NAMES))
    )
    assert (status, out) == (1, "")
    assert "no measure asked for is a mean over topics" in err


def test_the_names_of_the_options_are_those_of_the_functions():
    assert set(of_command.TESTS) == set(paired.TESTS)
    assert set(of_command.CORRECTIONS) == set(corrections.CORRECTIONS)
    assert list(of_command.RULE_SETS.values()) == list(RULES)
    assert of_command.DEFAULT_RULES == DEFAULT_RULES
    assert of_command.NO_CUTOFF == evidence.NO_CUTOFF
    by_intervals = intervals.ALPHA, intervals.LEAST_ALPHA, intervals.N_DRAWS, intervals.SEED
    assert by_intervals == (
        of_command.ALPHA,
        of_command.LEAST_ALPHA,
        of_command.N_SAMPLES,
        of_command.SEED,
    )
    assert of_command.N_DRAWS == randomization.N_DRAWS


def test_the_sets_that_the_help_names_are_all():
    named = re.search(r"a set of them \((.*?)\)", run("-h")[1], re.DOTALL)[1]
    for known in SETS.values():
        assert set(re.split(r",\s+", named)) == set(known)


def test_without_scipy_a_comparison_is_refused_in_one_sentence(files):
    code = (
        "import sys; sys.modules['scipy'] = None; "
        "from cleverdon.measures.command.program import main; "
        "sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))"
    )
    compared = [files / "qrels", files / "one", files / "two"]
    for asked, status in ((["--compare", "t"], 1), (["-C"], 0)):
        done = subprocess.run(
            [sys.executable, "-c", code, *asked, *map(str, compared)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status
        what = "--compare needs scipy, which is not installed: pip install scipy."
        assert done.stderr == f"cleverdon evaluate: {what}\n" * status
