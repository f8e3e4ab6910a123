"""The supervisor of the demo, with small programs of its own."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from demo import supervisor
from demo.supervisor import GaveUp, Keeper, Program

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 30


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


@pytest.fixture
def program(tmp_path):
    """A program that starts another, as gunicorn does, and outlives no kill of its group."""
    command = ["sh", "-c", f"sleep 1000 & echo $! > {tmp_path}/child; wait"]
    program = Program("sleeper", command, tmp_path)
    yield program
    program.kill()


def test_what_is_killed_is_started_again_without_what_it_left(
    program, tmp_path, capsys, monkeypatch
):
    keeper, child = Keeper(program), tmp_path / "child"
    keeper.look()
    first = wait_for(lambda: child.exists() and child.read_text().strip())
    child.unlink()
    program.process.kill()
    wait_for(lambda: not program.is_running())
    assert psutil.pid_exists(int(first))
    keeper.look()
    assert program.is_running()
    second = wait_for(lambda: child.exists() and child.read_text().strip())
    assert first != second
    wait_for(lambda: not is_alive(int(first)))
    assert capsys.readouterr().out == "sleeper ended and is started again.\n"
    monkeypatch.setattr(supervisor, "INSTANT_SECONDS", 0)
    for _ in range(2 * supervisor.MAX_INSTANT):  # what has run for long is never given up
        keeper.look()
        program.kill()


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_what_ends_at_once_each_time_is_given_up_with_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(supervisor, "PAUSE_SECONDS", 0.01)
    with pytest.raises(GaveUp) as sentence:
        supervisor.keep([], [Program("web", ["sh", "-c", "exit 3"], tmp_path)])
    assert str(sentence.value) == (
        "web ended 5 times within 5 seconds of its start; the lines above say why."
    )
    assert capsys.readouterr().out == "web ended and is started again.\n" * 4


KEEP = """
import sys
from pathlib import Path
from demo.supervisor import Program, keep
deaf = '''
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
time.sleep(1000)
'''
import demo.supervisor
demo.supervisor.STOP_SECONDS = 0.2
two = Program("two", [sys.executable, "-c", deaf], Path())
keep([], [Program("one", ["sleep", "1000"], Path()), two])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything_even_what_does_not_listen(number):
    root = Path(supervisor.__file__).parents[1]
    command = [sys.executable, "-c", KEEP]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "deaf\n"
        programs = psutil.Process(process.pid).children()
        assert len(programs) == 2
        process.send_signal(number)
        assert process.wait(PATIENCE_SECONDS) == 0
    assert not any(is_alive(program.pid) for program in programs)
