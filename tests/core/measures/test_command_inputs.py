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


def printed(*arguments) -> dict[str, str]:
    """What is printed for all topics, by measure."""
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    rows = map(str.split, out.splitlines())
    return {name: value for name, topic, value in rows if topic == "all"}


def test_qrels_of_several_assessors_are_averaged(files):
    files[0].write_text("1 ann a 1\n1 ben a 0\n1 ben b 1\n")
    found = printed("-R", "qrels_jg", *files)
    assert (found["map_avgjg"], found["P_avgjg_5"]) == ("0.7500", "0.2000")


def test_a_sample_by_stratum_gives_inferred_measures_and_others(files):
    files[0].write_text("1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 -1\n1 0 d 2 1\n")
    # Relevant are a, and two by d. b is at rank 1, a at 2: (1 + 0.00001/1.00003) / 2 over 3.
    found = printed("-R", "qrels_strata", *files)
    assert found == {"num_q": "1", "xinfAP": "0.1667", "infNDCG": "0.2961"}
    assert printed("-R", "qrels_strata", "-m", "num_rel", *files) == {"num_rel": "2"}


def test_qrels_by_subtopic_give_measures_of_diversity(files):
    files[0].write_text("1 1 a 1\n1 2 a 0\n1 2 b 1\n")
    found = printed("-R", "qrels_subtopics", "-m", "StRecall@1", "-m", "StRecall@5", *files)
    assert found == {"StRecall@1": "0.5000", "StRecall@5": "1.0000"}
    assert {"alpha_nDCG@20", "AP_IA"} <= set(printed("-R", "qrels_subtopics", *files))


@pytest.mark.parametrize(
    ("kind", "line"), [("prefs", "1 g s {} {}\n"), ("qrels_prefs", "1 g {} {}\n")]
)
def test_preferences_are_counted(files, kind, line):
    """Of b over a, b over c, a over c the run fulfils two: it has b above a and no c."""
    levels = (("b", 2), ("a", 1.5), ("c", 1))
    files[0].write_text("".join(line.format(*each) for each in levels))
    files[1].write_text(RUN.replace("1 Q0 b 1 3", "1 Q0 b 1 1"))
    found = printed("-R", kind, *files)
    counts = found["prefs_num_prefs_poss"], found["prefs_num_prefs_ful"], found["prefs_simp"]
    assert counts == ("3", "2", "0.6667")
    files[0].write_text("1 g\n")
    assert f"{files[0]}, line 1: " in run("-R", kind, *files)[2]


@pytest.mark.parametrize(
    ("kind", "name", "sentence"),
    [
        ("qrels_jg", "map", "map reads grades: -R qrels_jg has none."),
        ("qrels", "qrels_jg", "map_avgjg reads grades by assessor: -R qrels has none."),
        ("qrels", "xinfAP", "xinfAP reads strata of the sample: -R qrels has none."),
        ("qrels", "prefs_simp", "prefs_simp reads preferences: -R qrels has none."),
    ],
)
def test_a_measure_that_reads_other_judgments_is_refused(kind, name, sentence):
    status, out, err = run("-R", kind, "-m", name, "q", "r")
    assert (status, out, err) == (1, "", f"cleverdon evaluate: {sentence} Try -h.\n")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run", "1 Q0 a 1 2\n", "line 1: It has 5 columns; a run has six"),
        ("run", "", ": The file is empty."),
        ("run", "7 Q0 a 1 1 one\n", ": It has no topic of the judgments."),
        ("qrels", "1 0 a 1.5\n", "line 1: The grade '1.5' is not a whole number."),
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


def test_a_missing_file_and_damaged_gzip_are_errors(files, tmp_path):
    none = tmp_path / "none"
    assert run(none, files[1])[::2] == (1, f"{none}: No such file or directory.\n")
    files[1].write_bytes(gzip.compress(RUN.encode())[:-9])
    assert "cut short" in run(*files)[2]
