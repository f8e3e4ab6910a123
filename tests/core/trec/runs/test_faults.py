"""The faults of a run by kind, with the line and the column that is wrong."""

import gzip
import io

import pytest

from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.faults import MAX_SHOWN, OTHERS, by_kind, with_lines
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.runs.run import CheckReport, Problem
from cleverdon.trec.streams import opened


def found(*lines: str, pack=bytes):
    content = pack("".join(f"{line}\n" for line in lines).encode())
    report = check_run(opened(io.BytesIO(content)), tag="t", topics=["1"], depth=2).report
    return by_kind(with_lines(report, opened(io.BytesIO(content))))


@pytest.mark.parametrize(
    ("line", "kind", "wrong"),
    [
        ("1 Q0 d 1 5 other", "Another tag", "other"),
        ("9 Q0 d 1 5 t", "Unknown topics", "9"),
        (f"1 Q0 {'d' * 300} 1 5 t", "Docnos that are too long", f"{'d' * (MAX_SHOWN - 5)}…"),
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
    assert fault.name == "Topics with too many documents"
    assert fault.rows[0][2] == ("", "1", " Q0 d3 3 6 t")


def test_another_tag_is_said_for_all_lines_at_once_with_what_to_do():
    [fault] = found("1 Q0 a 1 9 x", "1 Q0 b 1 8 x")
    assert fault.rows[0][:2] == ("all", "All 2 lines carry the tag 'x', not 't'.")
    assert "left empty" in fault.advice


def test_of_two_tags_it_is_said_which_lines_carry_the_other():
    [fault] = found("1 Q0 a 1 9 t", "1 Q0 b 2 8 x")
    assert fault.rows[0][:2] == ("2", "The tag is 'x', not 't'.")
    said = "Two tags or more in one file: 1 of 2 lines carries another one. Send each run as its"
    assert fault.advice == f"{said} own file."


HEADERS = [
    "topic Q0 docno rank score tag",
    "qid iter docid rank sim run_id",
    "# query_id\tQ0\tdoc_id\trank\tscore\trun",
    "topic\tdocno\trank\tscore\ttag",
    '"topic","Q0","docno","rank","score","tag"',
]


@pytest.mark.parametrize("before", ["", "\n"])
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_is_called_one_and_is_the_only_fault(before, header):
    number = before.count("\n") + 1
    [fault] = found(before + header, "1 Q0 a 1 9 t", "1 Q0 b 2 8 t")
    assert (fault.name, fault.n) == ("A header", 1)
    assert fault.rows[0][:2] == (str(number), f"Line {number} is a header: remove it.")


def test_a_header_is_no_line_of_a_run_and_only_the_first_line_is_one(monkeypatch):
    [_, tags] = sorted(found(HEADERS[0], "1 Q0 a 1 9 x", "1 Q0 b 2 8 x"))
    assert tags.rows[0][1] == "All 2 lines carry the tag 'x', not 't'."
    assert [fault.name for fault in found(HEADERS[0])] == ["A header"]
    for size in (1 << 20, 1):  # one block for both lines, and one for each
        monkeypatch.setattr("cleverdon.trec.text.BLOCK", size)
        assert "A header" not in [fault.name for fault in found("1 Q0 a 1 9 t", HEADERS[0])]


@pytest.mark.parametrize("header", HEADERS)
def test_the_tag_is_that_of_the_first_line_below_the_header(header):
    assert first_tag(io.BytesIO(f"{header}\n1 Q0 a 1 9 mine\n".encode())) == "mine"


def test_columns_between_commas_are_told_how_to_be_separated():
    _, columns = sorted(found(HEADERS[4], "1,Q0,a,1,9,t", "1,Q0,b,2,8,t"))
    assert columns.advice.startswith("The columns are separated by commas")


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("1 7067032 1", "Its first line has three columns, as MS MARCO's runs"),
        ("1 0 d1 2", "These look like qrels, of four columns"),
        ("1 Q0 d1 1 9", "Its first line has five columns: the tag is missing"),
        ("1 Q0 d1 1 9 t x", "Its first line has seven columns"),
        ("1 Q0 d1", ""),
    ],
)
def test_lines_of_other_columns_are_called_by_their_name(line, advice):
    [columns] = found(line, line)
    assert columns.advice.startswith(advice)
    assert bool(columns.advice) == bool(advice)
    [columns] = found("1 Q0 a 1 9 t", line)
    assert not columns.advice


def test_kinds_stand_by_how_many_lines_they_are_on():
    kinds = found("9 Q0 a 1 9 t", "1 Q0 b x 9 t", "1 Q0 c y 9 t", "8 Q0 c 1 9 t", "1 Q0 e x 9 t")
    assert [(kind.name[:5], kind.n) for kind in kinds] == [("Ranks", 3), ("Unkno", 2)]
    assert [row[0] for row in kinds[0].rows] == ["2, 5", "3"]


def test_a_fault_of_the_whole_file_has_no_line():
    [fault] = found("")
    assert fault.rows[0][2] == ("", "", "")


def test_a_line_after_the_end_of_what_can_be_read_is_left_out():
    content = gzip.compress(b"1 Q0 a 1 9 t\n" * 9)[:-3]
    report = CheckReport(errors=[Problem("It is wrong.", [99])])
    assert with_lines(report, opened(io.BytesIO(content))).errors[0].text == ""
