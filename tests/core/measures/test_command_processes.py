"""No process of the command outlives it. (What several print: test_command.)"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]


def is_running(process: psutil.Process, group: int) -> bool:
    """Whether it is of this group and has not ended; an orphan may be collected late."""
    try:
        is_member = os.getpgid(process.pid) == group
        return is_member and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def no_process_is_left(group: int) -> bool:
    """Whether the processes of a group end within ten seconds."""
    for _ in range(200):
        if not any(is_running(process, group) for process in psutil.process_iter()):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("end", ["the reader goes", signal.SIGINT, signal.SIGKILL])
def test_however_it_ends_so_do_its_processes_and_quietly(files, end):
    qrels, path = map(str, files)
    command = [sys.executable, "-m", "cleverdon", "evaluate", "-j", "3", "-m", "all_trec", qrels]
    with subprocess.Popen(
        [*command, *[path] * 2000],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        process.stdout.readline()
        if end == "the reader goes":
            process.stdout.close()
            end = signal.SIGPIPE
        else:
            process.send_signal(end)
        assert process.stderr.read() == b""
        assert process.wait() == -end
    assert no_process_is_left(process.pid)
