import pytest

from demo.core import true_grades
from demo.core.collection import Docstring


def grade(document, *lines):
    patterns = true_grades.read_patterns(lines)["1"]
    line = true_grades.line_of(document)
    return true_grades.topic_grades([document], [line], patterns).get(document.docno, 0)


POP = Docstring("heapq.heappop", "heapq.heappop(heap)", "Pop the smallest\nitem.")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([r"1 3 docno heapq\..+", r"1 1 text smallest"], 3),  # the first that matches decides
        ([r"1 0 docno heapq\..+", r"1 1 text smallest"], 0),
        (["1 2 text largest"], 0),  # none matches
        (["1 2 docno heapq"], 0),  # which is not the whole docno
        (["1 2 text SMALLEST item"], 2),  # across lines, in any case
        (["# comment", "", "1 2 text pop"], 2),
    ],
)
def test_a_document_has_the_grade_of_its_pattern(lines, expected):
    assert grade(POP, *lines) == expected


@pytest.mark.parametrize("line", ["1 2 docno", "1 4 docno x", "1 2 title x", "1"])
def test_a_malformed_line_is_refused_with_its_number(line):
    with pytest.raises(ValueError, match="Line 2"):
        true_grades.read_patterns(["1 2 docno x", line])
