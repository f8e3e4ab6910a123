"""What is read of a block outlives it, though the next one is read into the same memory."""

import io

import pytest

from cleverdon.trec.means import read_zscores
from cleverdon.trec.preferences import read_preferences
from cleverdon.trec.qrels import GROUPED, read_qrels
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.streams import FormatError

NUMBERS = range(1, 400)
PREFERENCES = "".join(f"{n % 7} g{n % 3} s{n} d{n} {n % 5}\n" for n in NUMBERS)
QRELS = "".join(f"{n % 7} a{n % 3} d{n} {n % 5}\n" for n in NUMBERS)
MEANS = "".join(f"{n} map 0.{n} 1\n" for n in NUMBERS)
RUN = "".join(f"{n % 7} Q0 d{n} {n} {-n} tag\n" for n in NUMBERS)
LONG = RUN.replace(" tag\n", f" tag {'more ' * 50}\n")
CASES = {
    "preferences": (PREFERENCES, lambda file: read_preferences(file, "prefs").docnos.tolist()),
    "groups": (PREFERENCES, lambda file: read_preferences(file, "prefs").chain_offsets.tolist()),
    "docnos": (QRELS, lambda file: read_qrels(file, layout=GROUPED).docnos.tolist()),
    "labels": (QRELS, lambda file: read_qrels(file, layout=GROUPED).labels.tolist()),
    "means": (MEANS, read_zscores),
    "a run": (RUN, lambda file: read_run(file).docnos.tolist()),
    "a run whose lines are longer than a block": (
        LONG,
        lambda file: read_run(file).docnos.tolist(),
    ),
    "an upload": (RUN, lambda file: checked(file).run.docnos.tolist()),
    "its report": (RUN.replace("Q0", "Q0 0"), lambda file: checked(file).report),
}


def checked(file):
    return check_run(file, tag="tag", topics=list("0123456"))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_in_many_blocks_is_read_as_in_one(monkeypatch, case, end):
    text, read = CASES[case]
    content = text.replace("\n", end).encode()
    in_one = read(io.BytesIO(content))
    for size in (1, 64, 200, 1000):
        monkeypatch.setattr("cleverdon.trec.text.BLOCK", size)
        assert read(io.BytesIO(content)) == in_one
    assert in_one


def test_lines_before_a_fault_of_the_stream_are_read(monkeypatch):
    class Faulty(io.BytesIO):
        def readinto1(self, memory):
            n = super().readinto1(memory[:100])
            if not n:
                raise FormatError(None, "It is cut.")
            return n

    for size in (1, 64, 1 << 20):
        monkeypatch.setattr("cleverdon.trec.text.BLOCK", size)
        report = checked(Faulty(RUN[:-9].encode())).report
        assert [error.message for error in report.errors] == ["It is cut."]
        assert (report.n_lines, report.is_cut) == (len(NUMBERS) - 1, True)
