"""The registry as a page: docs/measures.md is what `python -m evaluation.core.measures.reference` prints."""

import sys
from collections.abc import Iterable

from evaluation.core.measures import FAMILIES
from evaluation.core.measures.examples import EXAMPLES, Example
from evaluation.core.measures.family import Family, Input, Parameter, shown
from evaluation.core.measures.names import pattern

INTRODUCTION = """\
# Measures

A measure's name is its identity in pages, files and addresses. trec_eval's spelling is read too: `ndcg_cut_10` is `nDCG@10`.
Every value equals trec_eval's to the last bit where trec_eval has the measure, under the rule set stated: `trec_eval-9`, the default,
compares scores in single precision, as published figures were; `trec_eval-10` in double, and rounds recall points.

- **k** is a cutoff: the ranking is read down to rank k, the qrels are not cut. `[@k]` may be left out.
- **Level** is the lowest grade that counts as relevant: the campaign's, or the one named, as in `P(level=2)@5`. `rel=` is read too.
- **R** is the number of relevant documents known for the topic, **N** of those judged not relevant.
- **Unjudged** documents, not in the qrels or with a negative grade there, are not relevant to any measure.
- `judged_only=True` takes unjudged documents out of the ranking first, whatever the measure: the condensed list of Sakai
  (2007), trec_eval's `-J`. `AP(judged_only=True)`, for example.
- **Over topics**: unless said otherwise over all topics of the qrels; one that a run has nothing for, or that has no relevant
  document, counts 0 (trec_eval `-c`). The number of topics stands beside every mean.
- **Ties** are ranked as trec_eval ranks them: docno descending.
"""

WORKED = """
## Worked examples

Rankings as the grades of their documents from the top, and the grades of judged documents that they lack. The tests compute every value.

"""


def reference() -> str:
    """Render the registry as `docs/measures.md`."""
    groups = [
        _group(f"What reads {reads}", [f for f in FAMILIES if f.reads is reads])
        for reads in Input
    ]
    heads = "Measure", "Ranking", "It lacks", "Value", "Source"
    examples = _table(heads, map(_example, EXAMPLES))
    return INTRODUCTION + "".join(groups) + WORKED + examples


HEADS = (
    "Measure",
    "In trec_eval",
    "Definition",
    "Values",
    "Level",
    "Over topics",
    "Source",
)


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
    """Return trec_eval's names for the measures of a family."""
    shown_after = {"": "", "cutoff": "_k"}
    names = [
        f"`{spelling.name}{shown_after.get(spelling.carries, f'_{spelling.carries}')}`"
        for spelling in family.spellings
    ]
    return ", ".join(names) or "none"


def definition(family: Family) -> str:
    """Return what a family's measures are, its parameters told."""
    return " ".join([family.definition, *map(_told, family.parameters)])


def _told(parameter: Parameter) -> str:
    default = (
        ""
        if parameter.default is None
        else f" ({shown(parameter.default)} unless given)"
    )
    return f"`{parameter.name}`: {parameter.meaning}{default}."


if __name__ == "__main__":
    sys.stdout.write(reference())
