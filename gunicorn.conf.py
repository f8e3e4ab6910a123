"""How gunicorn serves the site; `gunicorn config.wsgi` reads this file where it starts.

Options on the command line or in GUNICORN_CMD_ARGS come before these.
"""

from pathlib import Path
from typing import Any

from config import alive
from config.garbage import look_rarely

bind = "127.0.0.1:8000"
workers = 2
# An upload holds a thread for as long as it arrives; the other threads go on answering. Each that
# has been used keeps a connection to the database: 32 in all, of the 100 that PostgreSQL allows.
threads = 16
# A process is killed when its main thread is silent for so long, however long a request takes.
timeout = 60
graceful_timeout = 30
# A browser keeps its connection from one judgment to the next, which takes no thread.
keepalive = 60
control_socket_disable = True
# As much as it may be: a longer query is refused in words of the site, and not of gunicorn.
limit_request_line = 8190
# A process touches a file here every second, which must not wait for a disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - gunicorn makes the name

SILENCE_SECONDS = 30
# What was sent and not read, as of a refusal, is read away up to here.
READ_AWAY = 32 * 1024


def when_ready(server: Any) -> None:
    """Leave the port for `config/alive.py`; a socket in the file system has none."""
    for listener in server.LISTENERS:
        if isinstance(address := listener.sock.getsockname(), tuple):
            alive.note_port(alive.var_folder(), address[1])


def post_worker_init(worker: Any) -> None:
    """Begin to serve, with all modules loaded, if the database has the tables that they read."""
    # Here, for Django is loaded by now.
    from gunicorn.errors import AppImportError  # noqa: PLC0415

    from config.tables import why_not_begin  # noqa: PLC0415

    if why := why_not_begin():
        raise AppImportError(why)  # which ends the server, too, and is told without a traceback
    look_rarely()


def pre_request(worker: Any, req: Any) -> None:
    """Give up a client that stops in the middle, which would hold its thread for ever."""
    req.unreader.sock.settimeout(SILENCE_SECONDS)
    asked, body = req.should_close, req.body.reader
    # Behind what was not read the next request could not be found.
    req.should_close = lambda: asked() or getattr(body, "length", 0) > READ_AWAY
