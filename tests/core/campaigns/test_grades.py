import pytest

from campaigns.core.grades import Grade, Scale
from campaigns.core.lifecycle import JOB_TRANSITIONS, RUN_TRANSITIONS, sources


def scale(*values: int, level: int = 1) -> Scale:
    return Scale(tuple(Grade(value, f"label {value}") for value in values), level)


def test_a_scale_knows_its_grades():
    made = scale(0, 1, 2, level=2)
    assert [made.is_relevant(value) for value in (0, 1, 2)] == [False, False, True]
    assert made.has(2)
    assert not made.has(3)
    assert not made.has(None)
    assert made.label_of(1) == "label 1"
    assert Scale.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    ("values", "level", "message"),
    [
        ((0,), 1, "at least two grades"),
        ((0, 0), 1, "the same value"),
        ((0, 10), 1, "from 0 to 9"),
        ((-1, 1), 1, "from 0 to 9"),
        ((0, 1), 0, "makes every document alike"),
        ((0, 1), 2, "makes every document alike"),
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(values, level, message):
    with pytest.raises(ValueError, match=message):
        scale(*values, level=level)


def test_every_grade_needs_a_label():
    with pytest.raises(ValueError, match="needs a label"):
        Scale((Grade(0, "no"), Grade(1, " ")), 1)


@pytest.mark.parametrize("table", [RUN_TRANSITIONS, JOB_TRANSITIONS])
def test_transitions_lead_to_states_of_the_table(table):
    for targets in table.values():
        assert targets <= set(table)


def test_a_valid_run_was_checked():
    assert sources(RUN_TRANSITIONS, "valid") == ["checking"]
