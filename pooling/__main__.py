"""`python -m pooling`: pools of run files, and their audit. Needs no Django."""

import signal
import sys

from cleverdon.pools.command import main

if __name__ == "__main__":
    # Like any command, it ends silently by Ctrl-C and when its reader ends (`| head`).
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Bytes of names that are not UTF-8 are written as they were read.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
