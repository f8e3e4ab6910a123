"""`python -m evaluation`: a drop-in for the trec_eval command. Needs no Django."""

import signal
import sys

from measures.command.program import main

if __name__ == "__main__":
    # As for any command of its kind, Ctrl-C and a reader who has seen enough (`| head`) end it without a word.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
