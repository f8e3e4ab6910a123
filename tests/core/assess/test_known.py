"""Known grades, read from a file: what is right is read, and each line that is wrong says why."""

import pytest

from assess.core.known_grades import KnownLine, faults_of, read_known
from cleverdon.trec.streams import MOST_TOLD

X = "The grade 'x' is not a whole number."
AGAIN = "Document d1 is judged twice for topic 1; it was on line {}."


@pytest.mark.parametrize(
    ("content", "lines", "said"),
    [
        (b"1 0 d1 1\r\n1 0 d2 2\r\n", [1, 2], []),
        (b"1 0 d1 x\n1 0 d2 2\n1 0 d3 x\n", [2], [f"Line 1: {X}", f"Line 3: {X}"]),
        (b"1 0 d1 1\n1 0 d1 2\n1 0 d2 x\n", [1], [f"Line 2: {AGAIN.format(1)}", f"Line 3: {X}"]),
        # What is wrong for another reason is not the line that a document was on.
        (b"1 0 d1 x\n1 0 d1 1\n1 0 d1 2\n", [2], [f"Line 1: {X}", f"Line 3: {AGAIN.format(2)}"]),
        (b"1 0 d1 0000000000001\n1 0 d2 x\n", [1], [f"Line 2: {X}"]),
        (
            b"1 0 d1 1\n\n1 0 d2 2\n",
            [1, 3],
            ["Line 2: It has 0 columns; qrels have four: topic, 0, docno, grade."],
        ),
        (
            b"\xef\xbb\xbf1 0 d1 1\n1 0 d2 1\n",
            [2],
            ["Line 1: It begins with a byte order mark: save the file as UTF-8 without one."],
        ),
        (b"", [], ["The file is empty."]),
    ],
)
def test_of_each_line_it_is_said_why_it_is_wrong(content, lines, said):
    found, faults = read_known(content)
    assert ([each.line for each in found], [str(fault) for fault in faults]) == (lines, said)


def test_a_file_of_another_kind_is_one_fault():
    found, [fault] = read_known(b"1 Q0 d1 1 9.5 bm25\n1 Q0 d2 2 9.1 bm25\n")
    assert (found, fault.line) == ([], None)
    assert "looks like a run" in fault.message


@pytest.mark.parametrize(
    ("docno", "why"), [(b"d\xff", "It is not UTF-8"), (b"d" * 256, "is 256 bytes long")]
)
def test_what_no_document_can_be_called_is_told_of_each_line(docno, why):
    lines, faults = read_known(b"1 0 d1 1\n1 0 %b 1\n2 0 %b 1\n" % (docno, docno))
    assert lines == [KnownLine(1, "1", "d1", 1)]
    assert [fault.line for fault in faults] == [2, 3]
    assert all(why in fault.message for fault in faults)


def test_names_in_any_script_are_read():
    assert read_known("1 0 dé 1\n2 0 d1 x\n".encode())[0] == [KnownLine(1, "1", "dé", 1)]


def test_of_many_malformed_lines_each_that_is_told_has_its_sentence():
    _, faults = read_known(b"1 0 d1 x\n" * (MOST_TOLD + 5))
    assert len(faults) == MOST_TOLD + 5
    assert {fault.message for fault in faults[:MOST_TOLD]} == {X}
    assert {fault.message for fault in faults[MOST_TOLD:]} == {""}


def test_a_line_that_the_campaign_has_nothing_for_says_what_it_lacks():
    lines = [KnownLine(1, "1", "d1", 1), KnownLine(2, "\x00", "d\x00", 7)]
    [fault] = faults_of(lines, {"1"}, {"d1"}, [0, 1])
    assert (
        str(fault)
        == "Line 2: The campaign has no topic ?, and document d? has not been imported, and 7 is "
        "not a grade of the scale."
    )
