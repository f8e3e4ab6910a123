"""The faults of a run by kind, with the line and the column that is wrong."""

import gzip
import io

import pytest

from trec.runs.check import check_run
from trec.runs.faults import MAX_SHOWN, OTHERS, by_kind, with_lines
from trec.runs.run import CheckReport, Problem
from trec.streams import opened


def found(*lines: str, pack=bytes):
    content = pack("".join(f"{line}\n" for line in lines).encode())
    report = check_run(opened(io.BytesIO(content)), tag="t", topics=["1"], depth=2).report  # fmt: skip
    return by_kind(with_lines(report, opened(io.BytesIO(content))))


@pytest.mark.parametrize(
    ("line", "kind", "wrong"),
    [
        ("1 Q0 d 1 5 other", "Another tag", "other"),
        ("9 Q0 d 1 5 t", "Unknown topics", "9"),
        (
            f"1 Q0 {'d' * 300} 1 5 t",
            "Docnos that are too long",
            f"{'d' * (MAX_SHOWN - 5)}…",
        ),
        ("1  Q0 d one 5 t", "Ranks that are not whole numbers", "one"),
        ("1\tQ0\td\t1\tnan\tt", "Scores that are not finite numbers", "nan"),
        ("1 Q0 a 2 4 t", "Documents that come twice", "a"),
        ("1 Q0 d 1 5", "Lines without six columns", ""),
        ("1 Q0 d\x00 1 5 t", OTHERS, ""),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_each_kind_of_fault_marks_its_column(line, kind, wrong, pack):
    [fault] = found("1 Q0 a 1 9 t", line, pack=pack)
    [(lines, _, (before, column, after))] = fault.rows
    assert (fault.name, fault.n, lines, column) == (kind, 1, "2", wrong)
    shown = line.replace("\t", " ").replace("\x00", "?")
    assert (before + column + after).removesuffix("…") == shown[:MAX_SHOWN]


def test_too_many_documents_are_a_kind_of_their_own():
    [fault] = found(*(f"1 Q0 d{n} {n} {9 - n} t" for n in (1, 2, 3)))
    assert (fault.name, fault.rows[0][2]) == ("Topics with too many documents", ("", "1", " Q0 d3 3 6 t"))  # fmt: skip


def test_another_tag_is_said_for_all_lines_at_once_with_what_to_do():
    [fault] = found("1 Q0 a 1 9 x", "1 Q0 b 1 8 x")
    assert fault.rows[0][:2] == ("all", "All 2 lines carry the tag 'x', not 't'.")
    assert "left empty" in fault.advice


def test_of_two_tags_it_is_said_which_lines_carry_the_other():
    [fault] = found("1 Q0 a 1 9 t", "1 Q0 b 2 8 x")
    assert fault.rows[0][:2] == ("2", "The tag is 'x', not 't'.")
    assert fault.advice.startswith("1 of 2 lines carries another tag than the others.")


def test_kinds_stand_by_how_many_lines_they_are_on():
    kinds = found("9 Q0 a 1 9 t", "1 Q0 b x 9 t", "1 Q0 c y 9 t", "8 Q0 c 1 9 t", "1 Q0 e x 9 t")  # fmt: skip
    assert [(kind.name[:5], kind.n) for kind in kinds] == [("Ranks", 3), ("Unkno", 2)]
    assert [row[0] for row in kinds[0].rows] == ["2, 5", "3"]


def test_a_fault_of_the_whole_file_has_no_line():
    [fault] = found("")
    assert fault.rows[0][2] == ("", "", "")


def test_a_line_after_the_end_of_what_can_be_read_is_left_out():
    content = gzip.compress(b"1 Q0 a 1 9 t\n" * 9)[:-3]
    report = CheckReport(errors=[Problem("It is wrong.", [99])])
    assert with_lines(report, opened(io.BytesIO(content))).errors[0].text == ""
