import pytest

from demo.core import true_grades
from demo.core.collection import Docstring


def grade(document, *lines):
    patterns = true_grades.read_patterns(lines)["1"]
    line = true_grades.line_of(document)
    return true_grades.topic_grades([document], [line], patterns).get(document.docno, 0)


POP = Docstring("heapq.heappop", "heapq.heappop(heap)", "Pop the smallest\nitem.")


def test_the_first_pattern_that_matches_decides():
    assert grade(POP, r"1 3 docno heapq\..+", r"1 1 text smallest") == 3
    assert grade(POP, r"1 0 docno heapq\..+", r"1 1 text smallest") == 0


def test_a_document_that_no_pattern_matches_has_grade_zero():
    assert grade(POP, "1 2 text largest") == 0


def test_a_docno_pattern_wants_the_whole_docno():
    assert grade(POP, "1 2 docno heapq") == 0


def test_a_text_pattern_reads_across_lines_and_in_any_case():
    assert grade(POP, "1 2 text SMALLEST item") == 2


def test_comments_and_blank_lines_are_skipped():
    assert grade(POP, "# comment", "", "1 2 text pop") == 2


@pytest.mark.parametrize("line", ["1 2 docno", "1 4 docno x", "1 2 title x", "1"])
def test_a_malformed_line_is_refused_with_its_number(line):
    with pytest.raises(ValueError, match="Line 2"):
        true_grades.read_patterns(["1 2 docno x", line])
