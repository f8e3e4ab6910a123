"""`python -m cleverdon`: the command `cleverdon` where it is not installed."""

import sys

from cleverdon.commands import main

if __name__ == "__main__":
    sys.exit(main())
