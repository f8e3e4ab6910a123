"""The command: options, layouts, help, errors."""

import csv
import gc
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cleverdon.measures.command.options import USUAL
from tests.core.measures.commands import RUN, run

ROOT = Path(__file__).resolve().parents[3]


def test_options_may_be_written_in_every_way_getopt_allows(files):
    _, expected, _ = run("-q", "-c", "-l", "2", "-M", "7", "-m", "map", *files)
    whole = (
        "--query_eval_wanted --complete_rel_info_wanted --level_for_rel=2 "
        "--Max_retrieved_per_topic 7 --measure=map"
    )
    shortened = "--query --complete --level=2 --Max=7 --mea map -o -D 1 -T trec_results"
    for options in ("-qcl2 -M7 -mmap", "-qc -l2 -M 7 -m map", whole, shortened):
        assert run(*options.split(), *files) == (0, expected, "")
        assert run(*files, *options.split()) == (0, expected, "")


def test_without_c_only_topics_of_both_files_count(files):
    _, out, _ = run("-m", "num_q", "-m", "map", *files)
    assert out == "num_q                 \tall\t2\nmap                   \tall\t0.5000\n"
    _, out, _ = run("-c", "-m", "num_q", "-m", "map", *files)
    assert out == "num_q                 \tall\t3\nmap                   \tall\t0.3333\n"


def test_rules_10_lists_the_missing_topics(files):
    for rules, topics in (("9", ["1", "2"]), ("10", ["1", "2", "3"])):
        _, out, _ = run("--rules", rules, "-nqc", "-m", "map", *files)
        assert [line.split("\t")[1] for line in out.splitlines()] == topics


def test_several_runs_come_one_after_the_other(files, tmp_path):
    (tmp_path / "second").write_text(RUN.replace("one", "two"))
    _, out, _ = run("-m", "runid", "-m", "map", *files, tmp_path / "second")
    assert [line.split("\t")[2] for line in out.splitlines()] == ["one", "0.5000", "two", "0.5000"]


def test_json_and_csv_have_every_digit(files):
    _, out, _ = run("--json", "-q", "-c", "-m", "map", "-m", "num_ret", *files)
    found = json.loads(out)
    assert (found["rules"], found["topic_set"], found["level"]) == ("trec_eval-9", "judged", 1)
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


def test_measures_of_their_own_names_follow_those_of_trec_eval(files):
    status, out, err = run("-c", "-m", "nDCG@10", "-m", "map", "-m", "P(rel=2)@5", *files)
    assert (status, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["map", "nDCG@10", "P(level=2)@5"]
    by_trec_eval = run("-c", "-m", "ndcg_cut.10", *files)[1].split()[-1]
    assert out.splitlines()[1].split()[-1] == by_trec_eval


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-x"], "Option -x not recognized."),
        (["--json=yes"], "Option --json must not have an argument."),
        (["-l", "0"], "-l 0: it must be a whole number from 1."),
        (["-l", "high"], "-l high: it must be a whole number from 1."),
        (["-l", "-9"], "-l -9: it must be a whole number from 1."),
        (["-l", "9" * 16], "it is too large: at most 999,999,999,999,999."),
        (["-M", "9" * 5000], "it is too large: at most 999,999,999,999,999."),
        (["-N", "9" * 400], "it is too large: at most 999,999,999,999,999."),
        (["-m", "P@9999999999"], "9999999999 is too large: at most 999,999,999."),
        (["--rules", "8"], "--rules 8: it must be one of 9, 10, 11."),
        (["-R", "votes"], "-R votes: it must be one of qrels"),
        (["-m", "mapp"], "'mapp' is not a measure. Did you mean map"),
        ([], "Name a file of judgments and at least one run"),
    ],
)
def test_a_bad_command_line_is_one_sentence(arguments, message):
    status, out, err = run(*arguments, *(["only-one"] if not arguments else ["q", "r"]))
    assert (status, out) == (1, "")
    assert err.startswith("cleverdon evaluate: ")
    assert message in err


def test_help_explains_options_and_measures():
    status, out, _ = run("-h", "-m", "recip_rank", "-m", "relstring")
    assert status == 0
    assert "--rules 9|10" in out
    assert "1 / rank of the first relevant document" in out
    assert "The grades of the first documents" in out
    assert "trec_eval 9" in run("-v")[2]


@pytest.mark.parametrize(
    ("layout", "processes"), [([], "1"), ([], "3"), (["--csv"], "20"), (["--json"], "3")]
)
def test_runs_that_cannot_be_scored_stop_no_other_and_processes_change_nothing(
    files, tmp_path, layout, processes
):
    bad = {
        "columns": ("1 Q0 a 1 1\n", ", line 1: It has 5 columns"),
        "empty": ("", ": The file is empty."),
        "strange": ("9 Q0 a 1 1 x\n", ": It has no topic of the judgments."),
        "none": (None, ": No such file or directory."),
    }
    good = [tmp_path / f"run{number}" for number in range(len(bad))]
    for number, path in enumerate(good):
        path.write_text(RUN.replace("one", f"tag{number}").replace(" 3 ", f" {number} "))
    for name, (content, _) in bad.items():
        if content is not None:
            (tmp_path / name).write_text(content)
    command = ["-c", "-q", "-m", "all_trec", *layout, files[0]]
    expected = run(*command, "-j", "1", *good)
    assert expected[::2] == (0, "")
    mixed = [path for each, name in zip(good, bad, strict=True) for path in (each, tmp_path / name)]
    status, out, err = run(*command, "-j", processes, *mixed)
    assert (status, out) == (1, expected[1])
    for line, (name, (_, sentence)) in zip(err.splitlines(), bad.items(), strict=True):
        assert line.startswith(f"{tmp_path / name}{sentence}")
    status, out, _ = run(*command, "-j", processes, *[tmp_path / name for name in bad])
    assert status == 1
    if layout == ["--json"]:
        assert json.loads(out)["runs"] == []
    else:
        assert out.count("\n") == len(layout)


@pytest.mark.parametrize("rules", ["9", "10"])
@pytest.mark.parametrize("kind", USUAL)
def test_judgments_that_hold_nothing_are_an_error(files, rules, kind):
    for text in ("", "\n", " \n\n", "\r\n", "# nothing\n"):
        files[0].write_text(text)
        status, out, err = run("-c", "--rules", rules, "-R", kind, *files)
        assert (status, out) == (1, "")
        if rules == "10" or not text:
            assert err == f"{files[0]}: The file is empty.\n"
        else:
            assert err.startswith(f"{files[0]}, line 1: It has ")


@pytest.mark.parametrize(
    "names", [["-", "-"], ["-", "run", "-"], ["qrels", "-", "-"], ["-Z", "-", "-", "run"]]
)
def test_standard_input_can_be_only_one_of_the_files(names):
    status, out, err = run("-m", "map", *names)
    assert (status, out) == (1, "")
    assert "Standard input, -, can be read only once" in err


def test_a_run_that_was_scored_leaves_nothing_to_collect(files):
    """Arrays in a circle would stay, a run's beside the next one's."""
    asked = ["-q", "-m", "all_trec", "-m", "P.5", *files]
    run(*asked)
    gc.collect()
    gc.disable()
    try:
        run(*asked)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_it_starts_without_django(files):
    code = (
        "import sys; from cleverdon.measures.command.program import main; "
        "main(sys.argv[1:], sys.stdout, sys.stderr); "
        "slow = 'django', 'scipy', 'pandas', 'multiprocessing', 'concurrent'; "
        "print([name for name in slow if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "-m", "map", *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "map                   \tall\t0.5000\n[]\n"
