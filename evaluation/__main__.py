"""`python -m evaluation`: `cleverdon evaluate` in the site's folder. Needs no Django."""

import sys

from cleverdon.commands import evaluate

if __name__ == "__main__":
    sys.exit(evaluate(sys.argv[1:], "evaluation"))
