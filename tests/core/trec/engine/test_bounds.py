"""The compiled reader stays within what it is given, as the compiler's own sanitizers see it."""

import os
import shutil
import subprocess
import sys

import pytest

from cleverdon.trec.engine.build import SOURCE
from tests.deployment import ROOT

FUZZING_SECONDS = 120


def fuzzed(tmp_path, seconds: float) -> int:
    """Return how many damaged texts were read without a complaint."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    library = tmp_path / "lines.so"
    options = ["-std=c11", "-O1", "-g", "-shared", "-fPIC", "-fno-sanitize-recover=all"]
    command = [gcc, *options, "-fsanitize=address,undefined", "-o", library, SOURCE, "-lm"]
    if subprocess.run(command, check=False).returncode:
        pytest.skip("this gcc has no sanitizers")
    runtime = subprocess.run(
        [gcc, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    ).stdout.strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime,
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own
    }
    command = [sys.executable, "-m", "tests.core.trec.engine.fuzzing", library, str(seconds)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return int(done.stdout)


def test_damaged_lines_are_read_within_their_bounds(tmp_path):
    assert fuzzed(tmp_path, 2) > 10


@pytest.mark.deep  # the same for two minutes
def test_damaged_lines_are_read_within_their_bounds_for_long(tmp_path):
    assert fuzzed(tmp_path, FUZZING_SECONDS) > 10_000
