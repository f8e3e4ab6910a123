from io import BytesIO

import numpy as np
import pytest
from hypothesis import given

from campaigns.core.checking import check_run
from campaigns.core.columns import DamagedColumns, open_columns, write
from tests import strategies


def ranked(run):
    lines = b"".join(strategies.run_lines(run))
    return check_run(BytesIO(lines), tag="made", topics=strategies.TOPICS).run


@given(strategies.runs())
def test_what_is_written_comes_back(tmp_path_factory, run):
    path = tmp_path_factory.mktemp("columns") / "run"
    made = ranked(run)
    with path.open("wb") as stream:
        write(made, stream)
    back = open_columns(path)
    assert back.topics == made.topics
    for name in ("offsets", "scores", "docno_offsets", "docnos"):
        assert np.array_equal(getattr(back, name), getattr(made, name))


def stored(tmp_path) -> tuple:
    path = tmp_path / "run"
    with path.open("wb") as stream:
        write(ranked({"1": {"d1": 1.0, "d2": 0.5}}), stream)
    return path, path.read_bytes()


def test_a_file_cut_short_is_refused(tmp_path):
    path, content = stored(tmp_path)
    path.write_bytes(content[:-3])
    with pytest.raises(DamagedColumns, match="cut short"):
        open_columns(path)


def test_another_file_is_refused(tmp_path):
    path, _ = stored(tmp_path)
    path.write_bytes(b"1 Q0 d1 1 2.0 made\n")
    with pytest.raises(DamagedColumns, match="not a stored run"):
        open_columns(path)


def test_a_damaged_header_is_refused(tmp_path):
    path, content = stored(tmp_path)
    path.write_bytes(content[:24] + b"#" + content[25:])
    with pytest.raises(DamagedColumns, match="header"):
        open_columns(path)
