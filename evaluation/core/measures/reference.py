"""The table of measures as a page: docs/measures.md is what `python -m evaluation.core.measures.reference` prints."""

import sys
from collections.abc import Iterable

from evaluation.core.measures import FAMILIES
from evaluation.core.measures.examples import EXAMPLES, Example
from evaluation.core.measures.family import Family, Input, Parameter, Spelling, shown
from evaluation.core.measures.names import pattern

INTRODUCTION = """\
# Measures

A measure's name is its identity in pages, files and addresses. trec_eval's spelling is read too: `ndcg_cut_10` is `nDCG@10`.
In trec_eval's names k is a cutoff and X a parameter: a multiple of R (`Rprec_mult_0.60`), a recall
(`iprec_at_recall_0.10`), gains (`ndcg_1=2,2=4`). What is in brackets may be left out.

Every value equals trec_eval's to the last bit where trec_eval has the measure, under the rule set stated: `trec_eval-9`, the default,
compares scores in single precision, as published figures were; `trec_eval-10` in double, and rounds recall points.

- **k** is a cutoff: the ranking is read down to rank k, the qrels are not cut.
- **Level** is the lowest grade that counts as relevant: the campaign's, or the one named, as in `P(level=2)@5`. `rel=` is read too.
- **R** is the number of relevant documents known for the topic, **N** of those judged not relevant.
- **Unjudged** documents, not in the qrels or with a negative grade there, are not relevant to any measure.
- `judged_only=True` takes unjudged documents out of the ranking first, whatever the measure: the condensed list of Sakai
  (2007), trec_eval's `-J`. `AP(judged_only=True)`, for example.
- **Over topics**: unless stated otherwise, over all topics of the qrels; one that is missing from the run, or has no relevant
  document, counts 0 (trec_eval `-c`). The number of topics is shown with every mean.
- **Ties** are ranked as trec_eval ranks them: docno descending.
"""

WORKED = """
## Worked examples

A ranking is given as the grades of its documents from the top, with the grades of the judged documents that it lacks. The tests check every value.

"""


def reference() -> str:
    """Render the table of measures as `docs/measures.md`."""
    groups = [
        _group(f"Measures that read {reads}", [f for f in FAMILIES if f.reads is reads])
        for reads in Input
    ]
    heads = "Measure", "Ranking", "Not retrieved", "Value", "Source"
    examples = _table(heads, map(_example, EXAMPLES))
    return INTRODUCTION + "".join(groups) + WORKED + examples


HEADS = "Measure", "In trec_eval", "Definition", "Values", "Level", "Over topics", "Source"  # fmt: skip


def _group(title: str, families: list[Family]) -> str:
    rows = _table(HEADS, map(_row, families))
    return f"\n## {title}\n\n{rows}" if families else ""


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = heads, ("---",) * len(heads), *rows
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _example(example: Example) -> tuple[str, ...]:
    names = [f"`{name}`" for name in example.measures]
    if len(names) > 1:
        names = [names[0], "…", names[-1]]
    return (
        " ".join(names),
        f"`{example.ranking}`",
        f"`{example.lacks}`" if example.lacks else "",
        " ".join(example.values),
        example.source,
    )


def _row(family: Family) -> tuple[str, ...]:
    return (
        f"`{pattern(family)}`",
        spellings(family),
        definition(family),
        family.unit,
        "yes" if family.reads_level else "no",
        family.aggregation,
        family.source,
    )


def spellings(family: Family) -> str:
    """Return trec_eval's names for the measures of a family: k is a cutoff, X a parameter."""
    return ", ".join(f"`{s.name}{_ending(s)}`" for s in family.spellings) or "none"


def _ending(spelling: Spelling) -> str:
    if spelling.carries in {"", "cutoff"}:
        return spelling.carries and "_k"
    return "[_X]" if spelling.layout is None else "_X"


def definition(family: Family) -> str:
    """Return the definition of a family, with its parameters and its history."""
    parameters = map(_explained, family.parameters)
    return " ".join([family.definition, *parameters, family.history]).rstrip()


def _explained(parameter: Parameter) -> str:
    default = parameter.default
    given = "" if default is None else f" (default {shown(default)})"
    return f"`{parameter.name}`: {parameter.meaning}{given}."


if __name__ == "__main__":
    sys.stdout.write(reference())
