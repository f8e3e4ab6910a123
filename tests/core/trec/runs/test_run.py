"""A run's tag, and its arrays."""

import pytest

from cleverdon.trec.runs.run import CheckReport, Problem, check_tag


@pytest.mark.parametrize("tag", ["a", "BM25-k1_0.9", "x" * 20, "_x", "-1", "9"])
def test_a_tag_of_letters_digits_and_three_signs_is_accepted(tag):
    check_tag(tag)


@pytest.mark.parametrize("tag", ["", "x" * 21, ".x", "a b", "é", "a/b", "a\n"])
def test_any_other_tag_is_refused(tag):
    with pytest.raises(ValueError, match="must be 1 to 20 letters"):
        check_tag(tag)


def test_a_report_is_plain_data():
    report = CheckReport(3, 1, 2, 1, [Problem("It is wrong.", [3])], ["Look."])
    error = {"message": "It is wrong.", "lines": [3], "n": 1, "text": ""}
    counts = {"n_lines": 3, "n_topics": 1, "n_documents": 2, "n_errors": 1}
    counts |= {"n_missing": 0, "n_unknown": 0, "n_most": 0}
    assert report.to_json() == {"errors": [error], "warnings": ["Look."], "is_cut": False, **counts}


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((14, 3461, 0, 0), ""),
        ((1, 1, 1, 0), "its one document is not in the collection"),
        ((1, 3461, 3461, 13), "none of its 3,461 documents is in the collection"),
        ((1, 3461, 12, 13), "it answers 1 of 14 topics"),
        ((14, 3461, 12, 0), "12 of its 3,461 documents are not in the collection"),
    ],
)
def test_the_worst_that_a_valid_run_has_is_said_first(counts, said):
    names = ("n_topics", "n_documents", "n_unknown", "n_missing")
    assert CheckReport(**dict(zip(names, counts, strict=True))).caveat == said
