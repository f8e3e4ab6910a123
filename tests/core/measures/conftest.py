"""Two small files for the command."""

import pytest

from tests.core.measures.commands import QRELS, RUN


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path / "qrels", tmp_path / "run"
