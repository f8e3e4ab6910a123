"""A stored run gives back what was written, or says that it is damaged."""

import io
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given

from cleverdon.trec.docnos import Docnos
from cleverdon.trec.mapped import DamagedFile
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.runs.stored import MAGIC, open_columns, write
from tests.core.measures.made import ranked
from tests.strategies import runs

NAMES = ("offsets", "scores", "ranks")


def stored(run) -> bytes:
    stream = io.BytesIO()
    write(run, stream)
    return stream.getvalue()


@pytest.fixture
def example() -> bytes:
    return stored(ranked({"1": {"d1": 2.0, "é": 1.0}, "10": {"d1": 0.5}}))


@given(runs())
def test_opening_gives_back_what_was_written(run):
    written = ranked(run)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        path.write_bytes(stored(written))
        opened = open_columns(path)
        assert opened.topics == written.topics
        assert (opened.tag, opened.rules) == (written.tag, written.rules)
        assert opened.docnos.tolist() == written.docnos.tolist()
        assert np.array_equal(opened.docnos.hashes, Docnos.of(opened.docnos.tolist()).hashes)
        for name in NAMES:
            assert np.array_equal(getattr(opened, name), getattr(written, name))


@pytest.mark.parametrize("n", [1, 1023, 1024, 1025, 2048, 2500])
def test_docnos_of_a_stored_run_are_found_wherever_they_begin(tmp_path, n):
    names = [b"d" * (1 + i % 255) + b"%d" % i for i in range(n)]
    docnos = Docnos.of([name[:255] for name in names])
    run = RankedRun(("1",), np.array([0, n]), np.arange(n, 0, -1.0), docnos)
    (tmp_path / "run").write_bytes(stored(run))
    whole = docnos.tolist()
    for span in ((0, 3), (1020, 1030), (n - 1, n), (n, n), (None, None, 2)):
        opened = open_columns(tmp_path / "run").docnos
        assert opened.take(slice(*span)).tolist() == whole[slice(*span)]
    assert opened.take(np.array([n - 1, 0])).tolist() == [whole[-1], whole[0]]
    assert opened.tolist() == whole


def test_arrays_are_aligned_and_cannot_be_changed(tmp_path, example):
    (tmp_path / "run").write_bytes(example)
    run = open_columns(tmp_path / "run")
    for array in (run.offsets, run.scores, run.docnos.hashes, run.docnos.content):
        assert array.ctypes.data % 64 == 0
        assert not array.flags.writeable


def test_a_file_cut_anywhere_is_refused(tmp_path, example):
    for length in range(len(example)):
        (tmp_path / "run").write_bytes(example[:length])
        with pytest.raises(DamagedFile):
            open_columns(tmp_path / "run")


def test_another_kind_of_file_is_refused_by_name(tmp_path):
    (tmp_path / "notes.txt").write_bytes(b"x" * 100)
    with pytest.raises(DamagedFile, match=r"notes\.txt is not a file of this kind"):
        open_columns(tmp_path / "notes.txt")


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header["facts"].pop("topics"),
        lambda header: header["facts"]["topics"].append("11"),
        lambda header: header["arrays"].update(scores=["<f8", 2]),
        lambda header: header["arrays"].update(scores=["<f8", -1]),
        lambda header: header["arrays"].update(scores=["<f8", "3"]),
        lambda header: header["arrays"].pop("docnos"),
        lambda header: header["arrays"].update(ranks=["|i1", 2]),
    ],
)
def test_a_header_that_does_not_fit_is_refused(tmp_path, example, change):
    size = int.from_bytes(example[len(MAGIC) : len(MAGIC) + 8], "little")
    header = json.loads(example[len(MAGIC) + 8 :][:size])
    change(header)
    text = json.dumps(header).encode().ljust(size)
    content = MAGIC + len(text).to_bytes(8, "little") + text
    content += example[len(MAGIC) + 8 + size :]
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(DamagedFile, match="damaged"):
        open_columns(tmp_path / "run")


def test_offsets_that_do_not_begin_at_0_are_refused(tmp_path):
    run = ranked({"1": {"d1": 2.0, "d2": 1.0}})
    (tmp_path / "run").write_bytes(stored(replace(run, offsets=run.offsets.clip(1))))
    with pytest.raises(DamagedFile, match="its parts do not fit"):
        open_columns(tmp_path / "run")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda example: example[:24] + b"#" + example[25:],
        lambda _: MAGIC + (2).to_bytes(8, "little") + b"[]" + bytes(99),
        lambda _: MAGIC + b"\xff" * 8 + b"{}",
    ],
    ids=["no JSON", "no object", "longer than the file"],
)
def test_what_is_no_header_is_refused(tmp_path, example, spoil):
    (tmp_path / "run").write_bytes(spoil(example))
    with pytest.raises(DamagedFile, match="damaged"):
        open_columns(tmp_path / "run")
