"""With a terminal: its width, colors, and progress for who waits."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from contextlib import suppress

from tests.client.asking import run
from tests.deployment import ROOT

COLUMNS = 130


def at_a_terminal(asking, *words, stop=None) -> str:
    """Do a command at a terminal, until it shows what is to `stop` it; return all it shows."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    running = subprocess.Popen(
        [sys.executable, "-m", "cleverdon", *words],
        cwd=asking.folder,
        env={**variables, **asking.variables},
        stdin=far,
        stdout=far,
        stderr=far,
    )
    os.close(far)
    shown, is_stopped = b"", False
    with suppress(OSError):  # its end
        while block := os.read(near, 1 << 16):
            shown += block
            if stop and stop in shown:
                running.send_signal(signal.SIGINT)
                stop = None
                is_stopped = True
    os.close(near)
    assert running.wait() == (-signal.SIGINT if is_stopped else 0), shown.decode()
    return shown.decode()


def test_a_terminal_has_more_columns_colors_and_progress(pats, campaign):
    pats.file("alpha.txt", run("alpha", {"1": "d1", "2": "d2"}))
    sent = at_a_terminal(pats, "runs", "submit", "alpha.txt")
    assert "alpha.txt ━" in sent or "100 %" in sent
    assert "alpha.txt: alpha: valid; 2 lines.\r\n" in sent
    listed = at_a_terminal(pats, "runs", "list")
    assert "\x1b[1m" in listed
    assert "description" not in pats("runs", "list").out.splitlines()[0]
    wide = listed.splitlines()[0]
    assert "round" in wide
    assert "round" not in pats("runs", "list").out.splitlines()[0]
    assert "waiting" in at_a_terminal(pats, "watch")


def test_who_stops_what_is_sent_has_a_cursor_and_is_told_that_it_goes_on(pats, cutting):
    pats.file("alpha.txt", run("alpha", {"1": "d1", "2": "d2"}))
    pats.url = cutting.url
    assert pats("runs", "check", "alpha.txt").status == 0
    cutting.hold_at(0)
    shown = at_a_terminal(pats, "runs", "submit", "alpha.txt", stop=b"alpha.txt")
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")
    assert shown.endswith("Stopped. The same command goes on where it was.\r\n")
