"""The audit of a pool: the deepest depth at which runs are fully judged, by each order rule."""

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.universe import Universe
from cleverdon.pools.audit import WHOLE, audited, parts_of
from cleverdon.pools.command import main
from cleverdon.trec.ranking import ORDER_RULES
from cleverdon.trec.runs.read import read_run

ROOT = Path(__file__).resolve().parents[3]
# Ties at 5, and ranks that contradict the scores: each rule has another document first in topic 1.
RUN = (
    "1 Q0 b 2 5 one\n1 Q0 c 3 5 one\n1 Q0 a 1 5 one\n1 Q0 d 0 1 one\n"
    "2 Q0 a 1 9 one\n2 Q0 b 2 8 one\n9 Q0 z 1 1 one\n"
)
FIRST = {"trec_eval-9": "c", "docno-ascending": "a", "file-rank": "d"}
OTHER = "2 Q0 b 1 9 two\n2 Q0 x 2 8 two\n2 Q0 y 3 7 two\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A function that writes files where the command runs."""
    monkeypatch.chdir(tmp_path)

    def write(**contents: str | bytes) -> None:
        for name, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / name).write_bytes(data)

    return write


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return main(arguments, out, err), out.getvalue(), err.getvalue()


def rows(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines() if not line.startswith(("#", "order"))]


@pytest.mark.parametrize("rule", ORDER_RULES)
def test_each_order_rule_reads_its_own_first_document(files, rule):
    files(qrels=f"1 0 {FIRST[rule]} 1\n2 0 a 0\n", run=RUN)
    depths = {each: int(each == rule) for each in ORDER_RULES}
    status, out, err = run("audit", "qrels", "run")
    assert (status, err, out.splitlines()[:2]) == (0, "", ["# topics: 2", "# runs: 1"])
    assert {row[0]: int(row[2]) for row in rows(out)} == depths
    assert run("audit", "--order", rule, "qrels", "run")[1].splitlines()[3:] == [
        line for line in out.splitlines() if line.startswith(f"{rule}\t")
    ]
    assert rows(out)[list(ORDER_RULES).index(rule)][3] == "2"
    pool = "".join(sorted([f"1 {FIRST[rule]}\n", "2 a\n", "9 z\n"]))
    assert run("depth", "-k", "1", "--order", rule, "run") == (0, pool, "")


def test_a_pool_is_as_deep_as_its_shallowest_run(files):
    files(qrels="1 0 c 1\n1 0 b 0\n1 0 zz 1\n2 0 a 0\n2 0 b 1\n", run=RUN, two=OTHER)
    _, out, _ = run("audit", "--per-run", "--order", "trec_eval-9", "qrels", "run", "two")
    assert rows(out) == [
        ["trec_eval-9", "all", "1", "3", "1", "2 x"],
        ["trec_eval-9", "run", "2", "4", "1", "1 a"],
        ["trec_eval-9", "two", "1", "1", "1", "2 x"],
    ]


def test_documents_that_several_runs_lack_count_once(files):
    files(qrels="2 0 b 1\n", one=OTHER, two=OTHER.replace("two", "one"))
    [row] = rows(run("audit", "--order", "trec_eval-9", "qrels", "one", "two")[1])
    assert row[2:] == ["1", "1", "1", "2 x"]


def test_a_few_of_what_is_missing_are_named_in_byte_order(files):
    files(qrels="1 0 q 1\n", **{f"r{n}": f"1 Q0 d{n} 1 1 r\n" for n in range(7)})
    [row] = rows(run("audit", "--order", "file-rank", "qrels", *[f"r{n}" for n in range(7)])[1])
    assert row[2:] == ["0", "0", "7", "1 d0, 1 d1, 1 d2, 1 d3, 1 d4"]


def test_where_every_document_is_judged_the_depth_is_all(files):
    files(qrels="2 0 b 1\n2 0 x 0\n2 0 y 0\n2 0 q 0\n3 0 q 0\n", two=OTHER)
    [row] = rows(run("audit", "--order", "file-rank", "qrels", "two")[1])
    assert row[2:] == ["all", "3", "0", "-"]


def test_json_has_the_same_figures_and_gzip_is_read_as_it_is(files):
    files(qrels="1 0 c 1\n2 0 a 0\n2 0 b 1\n2 0 x 0\n2 0 y 0\n", run=gzip.compress(RUN.encode()))
    files(two=OTHER)
    names = ("--order", "trec_eval-9", "qrels", "run", "two")
    found = json.loads(run("audit", "--json", "--per-run", *names)[1])
    one = {"depth": 1, "documents": 3, "unjudged_next": 1, "named": [{"topic": "1", "docno": "b"}]}
    assert (found["topics"], found["orders"]) == (2, {"trec_eval-9": one})
    own, whole = found["runs"]
    assert own == {"file": "run", "orders": {"trec_eval-9": {**one, "documents": 2}}}
    assert whole["orders"]["trec_eval-9"]["depth"] is None
    assert json.loads(run("audit", "--json", *names)[1])["runs"] == [
        {"file": "run"},
        {"file": "two"},
    ]


def test_the_depth_pool_has_each_document_once(files):
    files(run=RUN, two=OTHER)
    _, out, _ = run("depth", "-k", "2", "run", "two")
    assert out == "1 b\n1 c\n2 a\n2 b\n2 x\n9 z\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels", "run", "bad"], "bad, line 2: It has 5 columns; a run has six"),
        (["qrels", "ranks"], "ranks, line 1: The rank '1.5' is not a whole number."),
        (["run", "run"], "run, line 1: It has 6 columns; qrels have four"),
        (["qrels", "none"], "none: No such file or directory."),
        (["qrels", "foreign"], "foreign: It has no topic of the judgments."),
    ],
)
def test_a_bad_file_is_one_sentence_with_its_line(files, arguments, message):
    files(qrels="1 0 c 1\n", run=RUN, bad="1 Q0 a 1 1 t\n1 Q0 b 2 1\n")
    files(ranks="1 Q0 a 1.5 1 t\n", foreign="7 Q0 a 1 1 t\n")
    status, out, err = run("audit", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(message)


def test_ranks_that_no_rule_asks_for_may_be_anything(files):
    files(qrels="1 0 a 1\n", run="1 Q0 a x 1 t\n")
    assert run("audit", "--order", "docno-ascending", "qrels", "run")[0] == 0
    assert run("depth", "-k", "1", "run") == (0, "1 a\n", "")
    assert run("depth", "-k", "1", "--order", "file-rank", "run")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: audit|depth"),
        (["audit", "qrels"], "the following arguments are required: RUN"),
        (["depth", "run"], "the following arguments are required: -k"),
        (["depth", "-k", "0", "run"], "0: it must be a whole number from 1"),
        (["depth", "-k", "\N{SUPERSCRIPT TWO}", "run"], "it must be a whole number from 1"),
        (["audit", "--order", "tag", "qrels", "run"], "invalid choice: 'tag'"),
        (["audit", "-", "-"], "standard input, -, can be read only once"),
    ],
)
def test_a_malformed_command_line_ends_with_status_2(capsys, arguments, message):
    with pytest.raises(SystemExit, match=r"^2$"):
        run(*arguments)
    assert message in capsys.readouterr().err


def test_it_runs_as_a_module_without_django_and_writes_any_bytes(files, tmp_path):
    files(run=b"1 Q0 \xff 1 1 t\n")
    code = (
        "import runpy, sys, atexit; slow = 'django', 'scipy', 'pandas'; "
        "atexit.register(lambda: print([name for name in slow if name in sys.modules])); "
        "runpy.run_module('cleverdon', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "pool", "depth", "-k", "3", tmp_path / "run"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"1 \xff\n[]\n"


DOCNOS = [f"d{number}" for number in range(7)] + ["D1", "é"]
LINES = st.lists(
    st.tuples(
        st.sampled_from("123"),
        st.sampled_from(DOCNOS),
        st.integers(0, 9),
        # Both are one number in single precision.
        st.sampled_from((1.0, 1.00000001, 2.0)),
    ),
    min_size=1,
    max_size=14,
    unique_by=lambda line: line[:2],
)
KEYS = {
    "trec_eval-9": lambda line: (-round(line[3], 6), [-byte for byte in line[1].encode()] + [1]),
    "docno-ascending": lambda line: (-round(line[3], 6), line[1].encode()),
}
KEYS["file-rank"] = lambda line: (line[2], *KEYS["trec_eval-9"](line))


def lists_of(lines: list, rule: str) -> Mapping[str, list[str]]:
    return {
        topic: [line[1] for line in sorted(lines, key=KEYS[rule]) if line[0] == topic]
        for topic in {line[0] for line in lines}
    }


def brute(runs: list, judged: set[tuple[str, str]], rule: str) -> tuple[int, int, int]:
    """Form the pools of depths 1, 2, … until one has a document that is not judged."""
    topics = {topic for topic, _ in judged}
    before: set[tuple[str, str]] = set()
    for depth in range(1, len(DOCNOS) + 2):
        pool = {
            (topic, docno)
            for lines in runs
            for topic, docnos in lists_of(lines, rule).items()
            for docno in docnos[:depth]
            if topic in topics
        }
        if pool - judged:
            return depth - 1, len(before), len(pool - judged)
        before = pool
    return WHOLE, len(before), 0


@given(
    st.lists(LINES, min_size=1, max_size=3),
    st.sets(st.tuples(st.sampled_from("12"), st.sampled_from(DOCNOS)), min_size=1),
)
def test_the_audit_equals_a_recount_depth_by_depth(runs, judged):
    universe = Universe.from_rows((topic, docno, 0) for topic, docno in judged)
    parts = []
    for lines in runs:
        text = "".join(f"{t} Q0 {docno} {rank} {score!r} t\n" for t, docno, rank, score in lines)
        parts.append(parts_of(read_run(io.BytesIO(text.encode()), with_ranks=True), universe))
    audit = audited(parts, len(judged))
    for rule in ORDER_RULES:
        assert audit.overall[rule][:3] == brute(runs, judged, rule)
        for lines, own in zip(runs, audit.by_run, strict=True):
            assert own[rule][:3] == brute([lines], judged, rule)
