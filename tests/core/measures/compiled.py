"""trec_eval as compiled into pytrec_eval's wheel, for judgments that the wheel does not offer.

It is called at its own functions: read the judgments, read the run, calculate. The measures' own
structures are copied, never changed, for pytrec_eval uses them too. Of the crashes of trec_eval
none is caught: judgments must not contradict themselves.
"""

import ctypes
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytrec_eval_ext

TEXT, NUMBER, ANY = ctypes.c_char_p, ctypes.c_long, ctypes.c_void_p


def _structure(**fields) -> type[ctypes.Structure]:
    return type("_Structure", (ctypes.Structure,), {"_fields_": list(fields.items())})


_Options = _structure(
    **dict.fromkeys(("by_topic", "summary", "debug"), NUMBER),
    debug_topic=TEXT,
    **dict.fromkeys(("relational", "complete", "judged_only"), NUMBER),
    **dict.fromkeys(("n_documents", "level", "depth"), NUMBER),
    judgments=TEXT,
    results=TEXT,
    zscores=NUMBER,
    arguments=ANY,
)
_Judged = _structure(topic=TEXT, kind=TEXT, content=ANY)
_AllJudged = _structure(n=NUMBER, space=NUMBER, topics=ctypes.POINTER(_Judged))
_Ranking = _structure(topic=TEXT, tag=TEXT, kind=TEXT, content=ANY)
_AllRankings = _structure(n=NUMBER, space=NUMBER, topics=ctypes.POINTER(_Ranking))
_Value = _structure(name=TEXT, value=ctypes.c_double)
_Values = _structure(
    topic=TEXT, n_topics=NUMBER, values=ctypes.POINTER(_Value), n=NUMBER, space=NUMBER
)
_Parameters = _structure(shown=TEXT, n=NUMBER, values=ANY)
# How many addresses each function takes.
_FUNCTIONS = {"init": 3, "calculate": 5, "add": 4, "average": 4, "print_topic": 3, "print_all": 3}
_Measure = _structure(
    name=TEXT,
    explanation=TEXT,
    **{name: ctypes.CFUNCTYPE(ctypes.c_int, *[ANY] * n) for name, n in _FUNCTIONS.items()},
    parameters=ctypes.POINTER(_Parameters),
    place=NUMBER,
)
_PROGRAM = ctypes.CDLL(pytrec_eval_ext.__file__)
_CALLS = count()


def compiled(
    kind: str,
    judgments: Sequence[Sequence[object]],
    run: Mapping[str, Mapping[str, float]],
    names: Sequence[str],
    depth: int = 1 << 40,
    level: int = 1,
    *,
    judged_only: bool = False,
) -> dict[str, list[float]]:
    """Values by topic, for the topics of both; `judgments` are the fields of a file's lines."""
    # What was found for a topic is kept until one of another name is asked for.
    call = f".{next(_CALLS)}"
    judged = [f"{t}{call} {' '.join(map(str, rest))}\n" for t, *rest in judgments]
    lines = [
        f"{topic}{call} Q0 {docno} 0 {score!r} made\n"
        for topic, scores in run.items()
        for docno, score in scores.items()
    ]
    options = _Options(
        judgments=kind.encode(),
        results=b"trec_results",
        depth=depth,
        level=level,
        judged_only=judged_only,
    )
    found = _calculate(options, "".join(judged), "".join(lines), names)
    return {topic.removesuffix(call): values for topic, values in found.items()}


def read(name, options, path, target):
    """Have a function of the program read a file."""
    assert getattr(_PROGRAM, name)(ctypes.byref(options), path.encode(), ctypes.byref(target)) == 1


def _calculate(options, judged, lines, names):
    all_judged, all_rankings = _AllJudged(), _AllRankings()
    with TemporaryDirectory() as folder:
        for name, text, target in (
            (f"te_get_{options.judgments.decode()}", judged, all_judged),
            ("te_get_trec_results", lines, all_rankings),
        ):
            file = Path(folder, name)
            file.write_text(text)
            read(name, options, str(file), target)
    rankings = {each.topic: each for each in all_rankings.topics[: all_rankings.n]}
    return {
        each.topic.decode(): [
            value for name in names for value in _values(name, options, each, rankings[each.topic])
        ]
        for each in all_judged.topics[: all_judged.n]
        if each.topic in rankings
    }


def _values(name, options, judged, ranking) -> list[float]:
    """The value of a measure for a topic, or one for each of its usual cutoffs."""
    measure = _Measure()
    ctypes.pointer(measure)[0] = _Measure.in_dll(_PROGRAM, f"te_meas_{name}")
    measure.place = 0
    n_values = measure.parameters.contents.n if measure.parameters else 1
    found = (_Value * n_values)()
    values = _Values(ranking.topic, 1, found, n_values, n_values)
    parts = (options, judged, ranking, measure, values)
    assert measure.calculate(*map(ctypes.addressof, parts)) == 1
    return [each.value for each in found]
