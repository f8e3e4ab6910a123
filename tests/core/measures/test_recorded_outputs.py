"""Recorded outputs of trec_eval, to the last of 17 digits, under both rule sets."""

import io
import json
from pathlib import Path

import pytest

from measures.command.program import main

CASES = sorted((Path(__file__).resolve().parents[2] / "vectors" / "trec_eval").glob("0*"))
# Averaged in another order than trec_eval's, which adds missing topics up first.
NEARLY = {"gm_map", "gm_bpref"}


def ours(case: Path, options: list[str], rules: str) -> dict[tuple[str, str], object]:
    """Our values in full, by topic and name."""
    out, err = io.StringIO(), io.StringIO()
    files = str(case / "qrels.txt"), str(case / "run.txt")
    assert main([*options, "--json", "--rules", rules, *files], out, err) == 0, err
    scores = json.loads(out.getvalue())["runs"][0]["scores"]
    return {
        (topic, name): value for topic, values in scores.items() for name, value in values.items()
    }


def recorded(text: str, unreliable: list[str]) -> dict[tuple[str, str], object]:
    """The values of an output of 17 digits."""
    lines = (map(str.strip, line.split("\t")) for line in text.splitlines())
    return {
        (topic, name): value if name in {"runid", "relstring"} else float(value)
        for name, topic, value in lines
        if name not in unreliable
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_recorded_value_is_met_in_every_bit(case):
    outputs = json.loads((case / "expected.json").read_text())
    n_values = 0
    for output in outputs:
        found = ours(case, output["options"], output["rules"])
        for key, value in recorded(output["full"], output.get("unreliable", [])).items():
            expected = pytest.approx(value, rel=1e-12) if key[1] in NEARLY else value
            assert found[key] == expected, (output["rules"], output["options"], key)
            n_values += 1
    assert n_values > 500
