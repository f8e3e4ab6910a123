"""The official measures by other tools: `python -m benchmarks.peers pytrec_eval|parse|ranx FOLDER`.

pytrec_eval is the compiled trec_eval, a wheel that the tests need anyway. ranx is large, so it is
measured where it happens to be installed, in its own environment.
"""

import json
import sys
import time
from pathlib import Path

Values = dict[str, dict[str, float]]

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RANX = (
    "map",
    "r-precision",
    "mrr",
    "bpref",
    "hits",
    *(f"precision@{cutoff}" for cutoff in CUTOFFS),
)


def pytrec_eval_from_text(qrels: Path, runs: list[Path]) -> list[Values]:
    """Read the files and score them by trec_eval's official set."""
    import pytrec_eval

    with qrels.open() as file:
        judged = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"official"})
    values = []
    for path in runs:
        with path.open() as file:
            values.append(evaluator.evaluate(pytrec_eval.parse_run(file)))
    return values


def read_by_pytrec_eval(run: Path) -> None:
    import pytrec_eval

    with run.open() as file:
        pytrec_eval.parse_run(file)


def ranx_from_text(qrels: Path, runs: list[Path]) -> None:
    """Read the files and score them by the official measures but for interpolated precision."""
    import ranx

    judged = ranx.Qrels.from_file(str(qrels), kind="trec")
    for path in runs:
        run = ranx.Run.from_file(str(path), kind="trec")
        ranx.evaluate(judged, run, list(RANX), make_comparable=True)


def main(peer: str, folder: Path) -> None:
    """Score a folder; of ranx, already compiled, print the seconds."""
    qrels, runs = folder / "qrels.txt", sorted(folder.glob("run-*.txt"))
    if peer == "pytrec_eval":
        pytrec_eval_from_text(qrels, runs)
        return
    if peer == "parse":
        read_by_pytrec_eval(runs[0])
        return
    ranx_from_text(qrels, runs[:1])
    start = time.perf_counter()
    ranx_from_text(qrels, runs)
    print(json.dumps(time.perf_counter() - start))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
