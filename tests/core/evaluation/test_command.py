"""The command beside trec_eval's own recorded outputs, and what it says of bad input."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluation.command.program import main

ROOT = Path(__file__).resolve().parents[3]
CASES = sorted((ROOT / "tests" / "vectors" / "trec_eval").glob("0*"))
QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 c 1\n3 0 x 1\n"
RUN = "1 Q0 b 1 3 one\n1 Q0 a 2 2 one\n2 Q0 c 1 3 one\n2 Q0 z 2 2 one\n9 Q0 a 1 1 one\n"


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    status = main([str(argument) for argument in arguments], out, err)
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path / "qrels", tmp_path / "run"


def lines_without(text: str, names: list[str]) -> list[str]:
    return [
        line for line in text.split("\n") if line.split("\t")[0].strip() not in names
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_recorded_output_is_printed_to_the_byte(case):
    """Measures that trec_eval takes from memory it never wrote are left out."""
    recorded = json.loads((case / "expected.json").read_text())
    assert len(recorded) >= 16
    for one in recorded:
        unreliable = one.get("unreliable", [])
        status, out, err = run(
            *one["options"],
            "--rules",
            one["rules"],
            case / "qrels.txt",
            case / "run.txt",
        )
        assert (status, err) == (0, "")
        assert lines_without(out, unreliable) == lines_without(
            one["printed"], unreliable
        ), one["options"]


def test_options_may_be_written_in_every_way_getopt_allows(files):
    _, expected, _ = run("-q", "-c", "-l", "2", "-M", "7", "-m", "map", *files)
    for written in (
        ["-qcl2", "-M7", "-mmap", *files],
        [*files, "-qc", "-l2", "-M", "7", "-m", "map"],
        [
            "--query_eval_wanted",
            "--complete_rel_info_wanted",
            "--level_for_rel=2",
            "--Max_retrieved_per_topic",
            "7",
            "--measure=map",
            *files,
        ],
        [
            "--query",
            "--complete",
            "--level=2",
            "--Max=7",
            "--mea",
            "map",
            "-o",
            "-D",
            "1",
            "-T",
            "trec_results",
            *files,
        ],
    ):
        assert run(*written) == (0, expected, "")


def test_without_c_only_topics_of_both_files_count(files):
    _, out, _ = run("-m", "num_q", "-m", "map", *files)
    assert (
        out == "num_q                 \tall\t2\nmap                   \tall\t0.5000\n"
    )
    _, out, _ = run("-c", "-m", "num_q", "-m", "map", *files)
    assert (
        out == "num_q                 \tall\t3\nmap                   \tall\t0.3333\n"
    )


def test_rules_10_lists_the_missing_topics(files):
    for rules, topics in (("9", ["1", "2"]), ("10", ["1", "2", "3"])):
        _, out, _ = run("--rules", rules, "-nqc", "-m", "map", *files)
        assert [line.split("\t")[1] for line in out.splitlines()] == topics


def test_several_runs_come_one_after_the_other(files, tmp_path):
    (tmp_path / "second").write_text(RUN.replace("one", "two"))
    _, out, _ = run("-m", "runid", "-m", "map", *files, tmp_path / "second")
    assert [line.split("\t")[2] for line in out.splitlines()] == [
        "one",
        "0.5000",
        "two",
        "0.5000",
    ]


def test_gzip_and_standard_input_are_read(files, tmp_path, monkeypatch):
    _, expected, _ = run(*files)
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    assert run(files[0], tmp_path / "run.gz") == (0, expected, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert run(files[0], "-") == (0, expected, "")


def test_json_and_csv_have_every_digit(files):
    _, out, _ = run("--json", "-q", "-c", "-m", "map", "-m", "num_ret", *files)
    found = json.loads(out)
    assert (found["rules"], found["topic_set"], found["level"]) == (
        "trec_eval-9",
        "judged",
        1,
    )
    assert found["runs"][0]["missing_topics"] == ["3"]
    assert found["runs"][0]["scores"]["all"] == {"num_ret": 4, "map": 1 / 3}
    assert found["runs"][0]["scores"]["1"] == {"num_ret": 2, "map": 0.5}
    _, out, _ = run("--csv", "-q", "-m", "map", *files)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["run"], row["topic"], row["value"]) for row in rows] == [
        ("one", "1", "0.5"),
        ("one", "2", "0.5"),
        ("one", "all", "0.5"),
    ]
    assert {row["topics"] for row in rows} == {"2"}


def test_zscores_are_deviations_from_the_means_given(files, tmp_path):
    (tmp_path / "z").write_text("1 map 0.25 0.5\n2 map 0.5 0\n1 num_ret 1 0.1\n")
    _, out, _ = run("-nq", "-Z", tmp_path / "z", "-m", "map", "-m", "num_ret", *files)
    assert out.splitlines() == [
        "Znum_ret              \t1\t10",
        "Zmap                  \t1\t0.5000",
        "Znum_ret              \t2\t-1000000",
        "Zmap                  \t2\t0.0000",
    ]


def test_qrels_of_several_assessors_are_averaged(tmp_path):
    (tmp_path / "qrels").write_text("1 ann a 1\n1 ben a 0\n1 ben b 1\n")
    (tmp_path / "run").write_text(RUN)
    status, out, err = run("-R", "qrels_jg", tmp_path / "qrels", tmp_path / "run")
    assert (status, err) == (0, "")
    assert "map_avgjg             \tall\t0.7500\n" in out
    assert "P_avgjg_5             \tall\t0.2000\n" in out
    assert (
        "map reads grades: -R qrels_jg has none."
        in run("-R", "qrels_jg", "-m", "map", "q", "r")[2]
    )
    assert "map_avgjg reads grades by assessor" in run("-m", "qrels_jg", "q", "r")[2]


def test_measures_of_their_own_names_follow_those_of_trec_eval(files):
    status, out, err = run(
        "-c", "-m", "nDCG@10", "-m", "map", "-m", "P(rel=2)@5", *files
    )
    assert (status, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["map", "nDCG@10", "P(level=2)@5"]
    by_trec_eval = run("-c", "-m", "ndcg_cut.10", *files)[1].split()[-1]
    assert out.splitlines()[1].split()[-1] == by_trec_eval


def test_a_sample_by_stratum_gives_inferred_measures_and_others(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 -1\n1 0 d 2 1\n")
    (tmp_path / "run").write_text(RUN)
    files = "-R", "qrels_strata", tmp_path / "qrels", tmp_path / "run"
    status, out, err = run(*files)
    assert (status, err) == (0, "")
    # Relevant are a, and what d stands for: two. b is at rank 1, a at 2: (1 + 0.00001/1.00003) / 2 over 3.
    assert [line.split() for line in out.splitlines()] == [
        ["num_q", "all", "1"],
        ["xinfAP", "all", "0.1667"],
        ["infNDCG", "all", "0.2961"],
    ]
    assert run(*files, "-m", "num_rel")[1].split() == ["num_rel", "all", "2"]
    assert (
        "xinfAP reads strata of the sample: -R qrels has none."
        in run("-m", "xinfAP", "q", "r")[2]
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
    """Of three preferences (b over a, b over c, a over c) the run fulfils two: it has b above a and no c."""
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
        "prefs_simp reads preferences: -R qrels has none."
        in run("-m", "prefs_simp", "q", "r")[2]
    )
    (tmp_path / "prefs").write_text("1 g\n")
    assert (
        f"{tmp_path / 'prefs'}, line 1: "
        in run("-R", kind, tmp_path / "prefs", tmp_path / "run")[2]
    )


def test_a_topic_with_negative_grades_alone_scores_0(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a -1\n1 0 b -2\n")
    (tmp_path / "run").write_text(RUN)
    status, out, _ = run(
        "-q", "-m", "map", "-m", "bpref", tmp_path / "qrels", tmp_path / "run"
    )
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
def test_bad_input_is_one_line_with_file_and_line(
    files, tmp_path, name, content, message
):
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


def test_a_bad_zscore_file_is_told_with_its_line(files, tmp_path):
    (tmp_path / "z").write_text("1 map 0.25 0.5\n1 map x 1\n")
    assert (
        f"{tmp_path / 'z'}, line 2: It must hold"
        in run("-Z", tmp_path / "z", *files)[2]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-x"], "Option -x not recognized."),
        (["--json=yes"], "Option --json must not have an argument."),
        (["-l", "0"], "-l 0: it must be a whole number from 1."),
        (["-l", "high"], "-l high: it must be a whole number from 1."),
        (["--rules", "8"], "--rules 8: it must be one of 9, 10."),
        (["-R", "votes"], "-R votes: it must be one of qrels"),
        (["-m", "mapp"], "'mapp' is not a measure. Did you mean map"),
        (["-m", "P.0"], "a cutoff is a rank, from 1"),
        (["-m", "P.5,5"], "a number comes twice"),
        ([], "Name a file of judgments and at least one run"),
    ],
)
def test_a_bad_command_line_is_one_sentence(arguments, message):
    status, out, err = run(*arguments, *(["only-one"] if not arguments else ["q", "r"]))
    assert (status, out) == (1, "")
    assert err.startswith("evaluation: ")
    assert message in err


def test_help_explains_options_and_measures():
    status, out, _ = run("-h", "-m", "recip_rank", "-m", "relstring")
    assert status == 0
    assert "--rules 9|10" in out
    assert "1 / rank of the first relevant document" in out
    assert "The grades of the first documents" in out
    assert "trec_eval 9" in run("-v")[2]


@pytest.mark.parametrize("layout", [[], ["--csv"], ["--json"]])
def test_several_processes_print_what_one_does(files, tmp_path, layout):
    qrels, first = files
    runs = [first, *(tmp_path / f"run{number}" for number in range(1, 9))]
    for number, path in enumerate(runs[1:]):
        path.write_text(
            RUN.replace("one", f"tag{number}").replace(" 3 ", f" {number} ")
        )
    command = ["-q", "-m", "all_trec", *layout, qrels, *runs]
    status, expected, err = run("-j", "1", *command)
    assert (status, err) == (0, "")
    assert run("-j", "3", *command) == (0, expected, "")
    assert run("-j", "20", *command) == (0, expected, "")
    runs[4].write_text("1 Q0 a 1 1\n")
    status, expected, err = run("-j", "1", *command)
    assert (status, err.count("\n")) == (1, 1)
    assert err.startswith(f"{runs[4]}, line 1: It has 5 columns")
    assert run("-j", "3", *command) == (1, expected, err)


def test_it_starts_without_django(files):
    code = "import sys; from evaluation.command.program import main; main(sys.argv[1:], sys.stdout, sys.stderr); print([m for m in ('django', 'scipy', 'pandas', 'multiprocessing') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code, "-m", "map", *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "map                   \tall\t0.5000\n[]\n"


def no_process_is_left(group: int) -> bool:
    """Whether the processes of a group end within ten seconds."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("end", ["the reader goes", signal.SIGINT, signal.SIGKILL])
def test_however_it_ends_so_do_its_processes_and_quietly(files, end):
    qrels, path = map(str, files)
    command = [sys.executable, "-m", "evaluation", "-j", "3", "-m", "all_trec", qrels]
    with subprocess.Popen(
        [*command, *[path] * 2000],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        process.stdout.readline()
        if end == "the reader goes":
            process.stdout.close()
            end = signal.SIGPIPE
        else:
            process.send_signal(end)
        assert process.stderr.read() == b""
        assert process.wait() == -end
    assert no_process_is_left(process.pid)
