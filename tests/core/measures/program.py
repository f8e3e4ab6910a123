"""trec_eval 9 as compiled into pytrec_eval's wheel: its functions in its main program's order.

Used to record outputs, each in a process of its own: the functions keep what they read, and print
to the standard output of C.

    python -m tests.core.measures.program -q -m map qrels.txt run.txt
"""

import ctypes
import getopt
import sys
from itertools import takewhile

from tests.core.measures.compiled import _PROGRAM as PROGRAM
from tests.core.measures.compiled import (
    ANY,
    TEXT,
    _AllJudged,
    _AllRankings,
    _Measure,
    _Options,
    _structure,
    _Value,
    _Values,
    read,
)

MARKED = -2


_Argument = _structure(measure=TEXT, parameters=ANY)
_Set = _structure(name=TEXT, names=ctypes.POINTER(TEXT))


def checked(function, *structures):
    addresses = [ctypes.addressof(structure) for structure in structures]
    if function(*addresses) == -1:
        sys.exit(4)


def measures():
    n = ctypes.c_int.in_dll(PROGRAM, "te_num_trec_measures").value
    pointers = (ctypes.POINTER(_Measure) * n).in_dll(PROGRAM, "te_trec_measures")
    return [pointer.contents for pointer in pointers]


def sets():
    n = ctypes.c_int.in_dll(PROGRAM, "te_num_trec_measure_nicknames").value
    found = (_Set * n).in_dll(PROGRAM, "te_trec_measure_nicknames")
    return {each.name: list(takewhile(bool, each.names)) for each in found}


def mark(requests, options):
    """Mark what -m asks for, with its parameters."""
    arguments = (_Argument * (len(requests) + 1))()
    given, by_name, keep = 0, {each.name: each for each in measures()}, []
    for request in requests:
        name, point, parameters = request.encode().partition(b".")
        if point:
            keep.append(ctypes.create_string_buffer(parameters))
            arguments[given] = _Argument(name, ctypes.addressof(keep[-1]))
            given += 1
        for each in sets().get(name, [name]):
            by_name[each].place = MARKED
    options.arguments = ctypes.addressof(arguments)
    return arguments, keep


def main(command):
    given, (judged, run) = getopt.gnu_getopt(command, "qm:cl:nJN:M:R:Z:")
    wanted = dict(given)
    options = _Options(
        by_topic="-q" in wanted,
        summary="-n" not in wanted,
        relational=1,
        complete="-c" in wanted,
        judged_only="-J" in wanted,
        n_documents=int(wanted.get("-N", 0)),
        level=int(wanted.get("-l", 1)),
        depth=int(wanted.get("-M", 1 << 40)),
        judgments=wanted.get("-R", "qrels").encode(),
        results=b"trec_results",
        zscores="-Z" in wanted,
    )
    all_judged, all_rankings = _AllJudged(), _AllRankings()
    read(f"te_get_{options.judgments.decode()}", options, judged, all_judged)
    read("te_get_trec_results", options, run, all_rankings)
    means = (ctypes.c_long * 2)()
    if "-Z" in wanted:
        read("te_get_zscores", options, wanted["-Z"], means)
    requests = [value for name, value in given if name == "-m"] or ["official"]
    keep = mark(requests, options)
    score(options, all_judged, all_rankings, means, keep)


def score(options, all_judged, all_rankings, means, _):
    everything = _Values(topic=b"all")
    for each in measures():
        if each.place == MARKED:
            checked(each.init, options, each, everything)
    asked = [each for each in measures() if each.place >= 0]
    judged = {each.topic: each for each in all_judged.topics[: all_judged.n]}
    for ranking in all_rankings.topics[: all_rankings.n]:
        if ranking.topic in judged:
            add_topic(options, asked, judged[ranking.topic], ranking, means, everything)
    for each in asked:
        checked(each.average, options, each, all_judged, everything)
        checked(each.print_all, options, each, everything)
    ctypes.CDLL(None).fflush(None)


def add_topic(options, asked, judged, ranking, means, everything):
    """Calculate a topic's values, print them if wanted, and add them to those of all topics."""
    values = (_Value * max(everything.n, 1))()
    for i in range(everything.n):
        values[i].name = everything.values[i].name
    topic = _Values(ranking.topic, 0, values, everything.n, everything.n)
    for each in asked:
        checked(each.calculate, options, judged, ranking, each, topic)
    if options.zscores:
        PROGRAM.te_convert_to_zscore(ctypes.byref(means), ctypes.byref(topic))
    for each in asked:
        checked(each.add, options, each, topic, everything)
        if options.by_topic:
            checked(each.print_topic, options, each, topic)
    everything.n_topics += 1


if __name__ == "__main__":
    main(sys.argv[1:])
