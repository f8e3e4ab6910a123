"""What the command reads: judgments of every kind, compressed files, standard input; errors."""

import gzip
import io
import sys

import pytest

from tests.core.measures.commands import QRELS, RUN, run


def test_gzip_and_standard_input_are_read(files, tmp_path, monkeypatch):
    _, expected, _ = run(*files)
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    assert run(files[0], tmp_path / "run.gz") == (0, expected, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert run(files[0], "-") == (0, expected, "")


def test_qrels_of_several_assessors_are_averaged(tmp_path):
    (tmp_path / "qrels").write_text("1 ann a 1\n1 ben a 0\n1 ben b 1\n")
    (tmp_path / "run").write_text(RUN)
    status, out, err = run("-R", "qrels_jg", tmp_path / "qrels", tmp_path / "run")
    assert (status, err) == (0, "")
    assert "map_avgjg             \tall\t0.7500\n" in out
    assert "P_avgjg_5             \tall\t0.2000\n" in out
    assert (
        "map reads grades: -R qrels_jg has none." in run("-R", "qrels_jg", "-m", "map", "q", "r")[2]
    )
    assert "map_avgjg reads grades by assessor" in run("-m", "qrels_jg", "q", "r")[2]


def test_a_sample_by_stratum_gives_inferred_measures_and_others(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 -1\n1 0 d 2 1\n")
    (tmp_path / "run").write_text(RUN)
    files = "-R", "qrels_strata", tmp_path / "qrels", tmp_path / "run"
    status, out, err = run(*files)
    assert (status, err) == (0, "")
    # Relevant are a, and what d stands for: two. b is at rank 1, a at 2: (1 + 0.00001/1.00003) / 2
    # over 3.
    assert [line.split() for line in out.splitlines()] == [
        ["num_q", "all", "1"],
        ["xinfAP", "all", "0.1667"],
        ["infNDCG", "all", "0.2961"],
    ]
    assert run(*files, "-m", "num_rel")[1].split() == ["num_rel", "all", "2"]
    assert (
        "xinfAP reads strata of the sample: -R qrels has none." in run("-m", "xinfAP", "q", "r")[2]
    )


def test_qrels_by_subtopic_give_measures_of_diversity(tmp_path):
    (tmp_path / "qrels").write_text("1 1 a 1\n1 2 a 0\n1 2 b 1\n")
    (tmp_path / "run").write_text(RUN)
    command = "-R", "qrels_subtopics", "-m", "StRecall@1", "-m", "StRecall@5"
    status, out, err = run(*command, tmp_path / "qrels", tmp_path / "run")
    assert (status, err) == (0, "")
    assert [line.split()[-1] for line in out.splitlines()] == ["0.5000", "1.0000"]
    usual = run("-R", "qrels_subtopics", tmp_path / "qrels", tmp_path / "run")[1]
    assert "alpha_nDCG@20" in usual
    assert "AP_IA" in usual


@pytest.mark.parametrize(
    ("kind", "lines"), [("prefs", "1 g s {} {}\n"), ("qrels_prefs", "1 g {} {}\n")]
)
def test_preferences_are_counted(tmp_path, kind, lines):
    """Of b over a, b over c, a over c the run fulfils two: it has b above a and no c."""
    judged = "".join(
        lines.format(docno, level) for docno, level in (("b", 2), ("a", 1.5), ("c", 1))
    )
    (tmp_path / "prefs").write_text(judged)
    (tmp_path / "run").write_text(RUN.replace("1 Q0 b 1 3", "1 Q0 b 1 1"))
    status, out, err = run("-R", kind, tmp_path / "prefs", tmp_path / "run")
    assert (status, err) == (0, "")
    assert "prefs_num_prefs_poss  \tall\t3\n" in out
    assert "prefs_num_prefs_ful   \tall\t2\n" in out
    assert "prefs_simp            \tall\t0.6667\n" in out
    assert (
        "prefs_simp reads preferences: -R qrels has none." in run("-m", "prefs_simp", "q", "r")[2]
    )
    (tmp_path / "prefs").write_text("1 g\n")
    assert (
        f"{tmp_path / 'prefs'}, line 1: "
        in run("-R", kind, tmp_path / "prefs", tmp_path / "run")[2]
    )


def test_a_topic_with_negative_grades_alone_scores_0(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a -1\n1 0 b -2\n")
    (tmp_path / "run").write_text(RUN)
    status, out, _ = run("-q", "-m", "map", "-m", "bpref", tmp_path / "qrels", tmp_path / "run")
    assert status == 0
    assert "map                   \t1\t0.0000\n" in out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run", "1 Q0 a 1 2\n", "line 1: It has 5 columns; a run has six"),
        (
            "run",
            "1 Q0 a 1 x one\n",
            "line 1: The score 'x' of document 'a' is not a finite number.",
        ),
        (
            "run",
            RUN + "1 Q0 a 3 1 one\n",
            "line 6: Document 'a' comes again in topic 1; it was on line 2.",
        ),
        ("run", "", ": The file is empty."),
        ("run", "7 Q0 a 1 1 one\n", ": It has no topic of the judgments."),
        ("qrels", "1 0 a 1.5\n", "line 1: The grade '1.5' is not a whole number."),
        (
            "qrels",
            QRELS + "1 0 a 0\n",
            "line 6: Document a is judged twice for topic 1; it was on line 1.",
        ),
        ("qrels", QRELS + "\n", "line 6: It has 0 columns"),
    ],
)
def test_bad_input_is_one_line_with_file_and_line(files, tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    status, out, err = run("-q", *files)
    assert (status, out) == (1, "")
    assert err.startswith(str(tmp_path / name))
    assert message in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_and_damaged_gzip_are_told(files, tmp_path):
    assert run(tmp_path / "none", files[1])[::2] == (
        1,
        f"{tmp_path / 'none'}: No such file or directory.\n",
    )
    (tmp_path / "run").write_bytes(gzip.compress(RUN.encode())[:-9])
    assert "cut short" in run(*files)[2]
