"""`python -m evaluation`: a drop-in for the trec_eval command. Needs no Django."""

import signal
import sys

from evaluation.command.program import main

if __name__ == "__main__":
    # As any command of its kind: a reader who has seen enough (`| head`) ends it without a word.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
