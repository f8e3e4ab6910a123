"""The command `cleverdon pool`: the depth pool of run files, by each order rule."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pools.command import main
from cleverdon.pools.depth import depth_pool
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


@pytest.mark.parametrize("rule", ORDER_RULES)
def test_each_order_rule_reads_its_own_first_document(files, rule):
    files(run=RUN)
    pool = "".join(sorted([f"1 {FIRST[rule]}\n", "2 a\n", "9 z\n"]))
    assert run("depth", "-k", "1", "--order", rule, "run") == (0, pool, "")


def test_each_document_is_listed_once_and_gzip_is_read_as_it_is(files):
    files(run=gzip.compress(RUN.encode()), two=OTHER)
    pool = "1 b\n1 c\n2 a\n2 b\n2 x\n9 z\n"
    assert run("depth", "-k", "2", "run", "two") == (0, pool, "")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["run", "bad"], "bad, line 2: It has 5 columns; a run has six"),
        (["ranks"], "ranks, line 1: The rank '1.5' is not a whole number."),
        (["none"], "none: No such file or directory."),
    ],
)
def test_a_bad_file_is_one_sentence_with_its_line(files, names, message):
    files(run=RUN, bad="1 Q0 a 1 1 t\n1 Q0 b 2 1\n", ranks="1 Q0 a 1.5 1 t\n")
    status, out, err = run("depth", "-k", "1", "--order", "file-rank", *names)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(message)


def test_ranks_that_the_rule_does_not_read_may_be_anything(files):
    files(run="1 Q0 a x 1 t\n")
    assert run("depth", "-k", "1", "run") == (0, "1 a\n", "")
    assert run("depth", "-k", "1", "--order", "file-rank", "run")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: strategy, -k, RUN"),
        (["depth", "-k", "1"], "the following arguments are required: RUN"),
        (["depth", "run"], "the following arguments are required: -k"),
        (["depth", "-k", "0", "run"], "0: it must be a whole number from 1"),
        (["depth", "-k", "\N{SUPERSCRIPT TWO}", "run"], "it must be a whole number from 1"),
        (["depth", "-k", "1", "--order", "tag", "run"], "invalid choice: 'tag'"),
        (["depth", "-k", "1", "-", "-"], "standard input, -, can be read only once"),
        (["audit", "-k", "1", "run"], "invalid choice: 'audit'"),
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


@given(st.lists(LINES, min_size=1, max_size=3), st.integers(1, 10))
def test_the_pool_has_what_sorting_the_lines_puts_so_high(runs, depth):
    texts = [
        "".join(f"{t} Q0 {docno} {rank} {score!r} t\n" for t, docno, rank, score in lines)
        for lines in runs
    ]
    read = [read_run(io.BytesIO(text.encode()), with_ranks=True) for text in texts]
    for rule in ORDER_RULES:
        expected = {
            line[:2]
            for lines in runs
            for topic in "123"
            for line in sorted((each for each in lines if each[0] == topic), key=KEYS[rule])[:depth]
        }
        found = list(depth_pool(read, depth, rule))
        assert found == sorted(expected, key=lambda pair: (pair[0], pair[1].encode()))
