"""The command called as a function, and the smallest files it can be called with."""

import io

from cleverdon.measures.command.program import main

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 c 1\n3 0 x 1\n"
RUN = "1 Q0 b 1 3 one\n1 Q0 a 2 2 one\n2 Q0 c 1 3 one\n2 Q0 z 2 2 one\n9 Q0 a 1 1 one\n"


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    status = main([str(argument) for argument in arguments], out, err)
    return status, out.getvalue(), err.getvalue()
