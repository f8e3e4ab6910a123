"""What trec_eval's README, help and tests show, against what the program printed."""

import json
from pathlib import Path

import pytest

from tests.core.measures.commands import run

FOLDER = Path(__file__).resolve().parents[2] / "vectors" / "documented_options"
CASES = json.loads((FOLDER / "cases.json").read_text())
MEANS = "1 map 0.25 0.5\n2 map 0.5 0\n1 num_ret 1 0.1\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case["options"]))
def test_every_documented_option_prints_what_trec_eval_does(case):
    options = [FOLDER / o if o == "means.txt" else o for o in case["options"]]
    found = run(*options, FOLDER / case["judgments"], FOLDER / "run.txt")
    assert found == (0, case["printed"], "")


def test_every_option_of_scoring_is_among_them():
    given = {option for case in CASES for option in case["options"]}
    assert set("qcnlMJNRZm") <= {option[1:] for option in given if len(option) == 2}


@pytest.fixture
def means(tmp_path):
    (tmp_path / "means").write_text(MEANS)
    return tmp_path / "means"


def test_zscores_have_decimals_and_a_column_of_their_own_width(files, means):
    asked = "-Z", means, "-m", "map", "-m", "num_ret", "-m", "num_q"
    _, out, _ = run("-q", *asked, *files)
    assert out == (
        "Znum_ret               \t1\t10.0000\nZmap                   \t1\t0.5000\n"
        "Znum_ret               \t2\t-1000000.0000\nZmap                   \t2\t0.0000\n"
        "Znum_q                 \tall\t2.0000\nZnum_ret               \tall\t-999990.0000\n"
        "Zmap                   \tall\t0.2500\n"
    )


def test_missing_topics_have_zscores_under_rules_10(files, means):
    """trec_eval 10 scores a ranking of nothing for them; trec_eval 9 leaves them out of the sum."""
    means.write_text(MEANS + "3 map 0.5 0.25\n")
    asked = "-q", "-c", "-Z", means, "-m", "map", *files
    nine, ten = (run("--rules", rules, *asked)[1].split()[-5:] for rules in ("9", "10"))
    assert nine == ["2", "0.0000", "Zmap", "all", f"{0.5 / 3:.4f}"]
    assert ten == ["3", "-2.0000", "Zmap", "all", "-0.5000"]


def test_zscores_in_json_are_numbers_or_null(files, means):
    means.write_text("1 map nan nan\n2 map 0 1\n")
    asked = "-q", "--json", "-Z", means, "-m", "map", *files
    found = json.loads(run(*asked)[1], parse_constant=pytest.fail)
    scores = found["runs"][0]["scores"]
    assert scores == {"1": {"Zmap": None}, "2": {"Zmap": 0.5}, "all": {"Zmap": None}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", ": The file is empty."),
        ("\n", ", line 1: It has 0 columns; a file of means has four"),
        (MEANS + "1 P_5 0.5\n", ", line 4: It has 3 columns"),
        (MEANS + "1 P_5 x 1\n", ", line 4: 'x' is not a number."),
        (MEANS + "1 P_5 0 1_0\n", ", line 4: '1_0' is not a number."),
        (MEANS + "1 map 0 1\n", ", line 4: The mean of map for topic 1 comes twice."),
        ("\ufeff" + MEANS, ", line 1: It begins with a byte order mark"),
        (MEANS.replace("\n", "\r"), ", line 1: It holds a carriage return"),
    ],
)
def test_a_bad_file_of_means_is_named_with_its_line(files, means, text, sentence):
    means.write_bytes(text.encode())
    status, out, err = run("-Z", means, "-m", "map", *files)
    assert (status, out) == (1, "")
    assert err.startswith(f"{means}{sentence}")


GAINS = "3=0.9,2=0.5,1=0.1"


@pytest.mark.parametrize(
    ("grades", "options", "expected"),
    [
        ("321", [f"-mndcg.{GAINS}"], {f"ndcg_{GAINS}": "1.0000"}),
        ("321", [f"-mndcg_rel.{GAINS}"], {f"ndcg_rel_{GAINS}": "1.0000"}),
        ("321", [f"-mRndcg.{GAINS}"], {f"Rndcg_{GAINS}": "1.0000"}),
        ("--", ["-J", "-miprec_at_recall.0"], {"iprec_at_recall_0.00": "0.0000"}),
        ("21", ["--rules=10", "-mrbp"], {"rbp": f"{0.1 * (1 + 0.9 / 2):.4f}"}),
        ("21", ["--rules=10", "-mrbp", "-mmap"], {"map": "1.0000", "rbp": "0.1450"}),
        ("10", ["--rules=10", "-mrbp_resid"], {"rbp_resid": "0.0000"}),
        ("10", ["-mRBPresid(p=0.9)"], {"RBPresid(p=0.9)": "0.8100"}),
    ],
)
def test_where_trec_eval_is_wrong_the_definition_counts(tmp_path, grades, options, expected):
    """Documents are ranked in the order of their grades; - is one that is not judged."""
    judged = [f"1 0 d{i} {g}\n" for i, g in enumerate(grades) if g != "-"]
    (tmp_path / "qrels").write_text("".join(judged) or "1 0 other 1\n")
    lines = [f"1 Q0 d{i} {i} {-i} t\n" for i in range(len(grades))]
    (tmp_path / "run").write_text("".join(lines))
    status, out, err = run(*options, tmp_path / "qrels", tmp_path / "run")
    assert (status, err) == (0, "")
    found = {name: value for name, _, value in map(str.split, out.splitlines())}
    assert found == expected


def test_a_long_relstring_takes_no_more_than_the_ranking(files):
    _, expected, _ = run("-q", "-m", "relstring.5", *files)
    _, found, _ = run("-q", "-m", "relstring.999999999", *files)
    assert found == expected.replace("relstring_5          ", "relstring_999999999  ")
