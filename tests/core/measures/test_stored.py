"""Placements on disk."""

import numpy as np
import pytest
from hypothesis import given

from measures.inputs.stored import open_placements, write_placements
from measures.inputs.universe import Universe
from tests.core.measures.made import graded, placed, scored
from trec.mapped import DamagedFile

NAMES = ("offsets", "entries", "ranks", "firsts", "lasts", "n_retrieved")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("stored") / "placements"


@given(graded(), scored())
def test_what_is_written_is_opened_again(path, qrels, run):
    placements = placed(run, Universe.from_qrels(qrels))
    with path.open("wb") as file:
        write_placements(placements, file)
    opened = open_placements(path)
    for name in NAMES:
        expected = getattr(placements, name)
        assert np.array_equal(getattr(opened, name), expected)
        assert getattr(opened, name).dtype == expected.dtype
    path.unlink()


@pytest.mark.parametrize("size", [0, 10, 60, 250])
def test_a_file_cut_short_is_refused(tmp_path, size):
    universe = Universe.from_qrels({"1": {f"d{i}": 1 for i in range(40)}})
    placements = placed({"1": {f"d{i}": float(i) for i in range(40)}}, universe)
    path = tmp_path / "placements"
    with path.open("wb") as file:
        write_placements(placements, file)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedFile):
        open_placements(path)


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, and long enough to hold a header.")
    with pytest.raises(DamagedFile, match=r"notes.txt is not a file of this kind"):
        open_placements(path)
