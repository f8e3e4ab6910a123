"""`python -m evaluation`: a drop-in for the trec_eval command. Needs no Django."""

import signal
import sys

from cleverdon.measures.command.program import main

if __name__ == "__main__":
    # Like any command, it ends silently by Ctrl-C and when its reader ends (`| head`).
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
