"""No process of the command outlives it. (What several print: test_command.)"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from cleverdon.measures.scoring.processes import LostProcess, in_processes

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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("command", [["evaluate", 0, 1], ["pool", "depth", "-k", "5", 1]])
def test_an_output_that_cannot_be_written_is_told_in_a_line(files, command):
    words = [str(files[word]) if isinstance(word, int) else word for word in command]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cleverdon", *words],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "The output cannot be written: No space left on device.\n"


def test_a_process_that_is_ended_from_outside_is_told():
    with pytest.raises(LostProcess, match="A process that read files was ended"):
        list(in_processes(lambda _: os.kill(os.getpid(), signal.SIGKILL), [1, 2], 2))


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
