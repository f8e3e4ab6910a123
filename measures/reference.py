"""The table of measures as a page: `python -m measures.reference > docs/measures.md`."""

import sys
from collections.abc import Iterable

from measures import FAMILIES
from measures.examples import EXAMPLES, Example
from measures.family import Family, Input, Parameter, Spelling, shown
from measures.names import pattern

INTRODUCTION = """\
# Measures

A measure's name is its identity in pages, files and addresses. trec_eval's spelling is read too: \
`ndcg_cut_10` is `nDCG@10`.
In trec_eval's names k is a cutoff and X a parameter: a multiple of R (`Rprec_mult_0.60`), a recall
(`iprec_at_recall_0.10`), gains (`ndcg_1=2,2=4`). What is in brackets may be left out.

Where trec_eval has the measure, every value equals trec_eval's to the last bit, [a \
few](#where-trec_eval-is-not-followed) aside, under the rule set stated: `trec_eval-9`, the \
default,
compares scores in single precision, as published figures were; `trec_eval-10` in double, and \
rounds recall points. [`trec_eval-11`](#rule-set-trec_eval-11) follows the rewrite, which is not \
released yet.

- **k** is a cutoff: the ranking is read down to rank k, the qrels are not cut.
- **Level** is the lowest grade that counts as relevant: the campaign's, or the one named, as in \
`P(level=2)@5`. `rel=` is read too.
- **R** is the number of relevant documents known for the topic, **N** of those judged not relevant.
- **Unjudged** documents, not in the qrels or with a negative grade there, are not relevant to any \
measure.
- `judged_only=True` takes unjudged documents out of the ranking first, whatever the measure: the \
condensed list of Sakai
  (2007), trec_eval's `-J`. `AP(judged_only=True)`, for example.
- **Over topics**: unless stated otherwise, over all topics of the qrels; one that is missing from \
the run, or has no relevant
  document, counts 0 (trec_eval `-c`). The number of topics is shown with every mean.
- **Ties** are ranked as trec_eval ranks them: docno descending.
"""

DEVIATIONS_LEAD = """
## Where trec_eval is not followed

In these places what trec_eval does is wrong or depends on chance; here the definition counts.

"""
DEVIATION_HEADS = "What", "Version", "trec_eval", "Here"
DEVIATIONS = (
    (
        "`rbp`",
        "10",
        (
            "The smallest and the largest gain are read from memory that was never written, so "
            "that the value can change with the compiler and with the other measures asked for: "
            "0.1270 alone and 0.1049 beside others, on the same files."
        ),
        "Gains are divided by the highest of the topic where that is above 1.",
    ),
    (
        "`rbp_resid` of a topic all of whose retrieved documents are judged",
        "10",
        "0: the ranks after the last document are forgotten.",
        "0 too under trec_eval's name, to be comparable; `RBPresid` counts those ranks.",
    ),
    (
        "Gains less than 1 apart, as in `ndcg.3=0.9,2=0.5,1=0.1` (`ndcg_rel`, `Rndcg`, `G` too)",
        "both",
        (
            "They are put in order by their difference without its decimals, and not at all when "
            "that is 0: a perfect ranking gets 0 or nan."
        ),
        "They are put in order.",
    ),
    (
        "`iprec_at_recall_0.00` with `-J`, no judged document retrieved",
        "both",
        "nan, and so is the mean.",
        "0",
    ),
    (
        "`prefs_avgjg_Rnonrel` and `prefs_avgjg_Rnonrel_ret` with a level below 0",
        "both",
        "The lowest level is taken for level 0, and is read beyond its end.",
        "Level 0 is level 0.",
    ),
    ("A topic whose grades are all negative", "both", "It stops or crashes.", "0"),
    (
        "A topic that the run lacks, without `-c`",
        "10",
        "It stops.",
        "The topic is left out, as version 9 does.",
    ),
    (
        "Two comment lines in a row in qrels, or one at the end",
        "10",
        "The second is read as a judgment; it crashes.",
        "Comments are skipped.",
    ),
    (
        "`gm_map` and `gm_bpref` with `-c`",
        "9",
        "Missing topics are added last.",
        "They are added in their order, which can change the last bits (a relative 1e-12).",
    ),
)

DEVIATIONS_END = """
What trec_eval accepts and this program refuses, because it would be read as something else, is \
told in [command.md](command.md).
"""

ELEVEN_LEAD = """
## Rule set trec_eval-11

trec_eval 11 is a rewrite in Rust, read here as 11.0.0.dev0. `--rules 11` is `trec_eval-10` but \
for the first rows below.
The pages of a campaign do not offer it: stored scores would be those of `trec_eval-10`, but for \
`Utility` with coefficients of its own.

"""
ELEVEN_HEADS = "What", "trec_eval 11", "`--rules 11`"
ELEVEN = (
    ("`num_rel` with `-c`", "By the level of `-l`; until 10 every grade above 0.", "followed"),
    (
        "`utility` with coefficients, of a topic without a retrieved document",
        "What the coefficients say of the documents missed.",
        "followed",
    ),
    (
        "Several `-m`",
        "Rows in the order asked, each `-m` with its own cutoffs: `-m P.10 -m map -m P.5`.",
        "followed, but a row is printed once",
    ),
    (
        "Names",
        (
            "In any case, and printed in one: `NDCG@10` and `ndcg_cut_10` as `ndcg_cut_10`, "
            "`map@10` as `map_cut_10`, `P@5`, `precision.5` and `P_5` as `P_5`, `mrr` and `rr` as "
            "`recip_rank`."
        ),
        "followed; any other name with `@` is one of this page",
    ),
    (
        "`ndcg_p`",
        "New: `nDCG(base=2)`; 0 if no document that is relevant at the level is retrieved.",
        "there under all rules, whatever the level, as of all nDCG",
    ),
    (
        "`-C`, `--ci-alpha`, `--ci-samples`, `--seed`",
        "Rows `map_ci_lower` and `map_ci_upper`; without a seed other ones each time.",
        "there under all rules, as no older row changes; the seed is 1 unless given",
    ),
    (
        "`gm_map` and `gm_bpref` with `-c`",
        "A missing topic is added twice, and divided by once.",
        "not followed: once",
    ),
    (
        "`rbp` with `-l` above the highest grade of a topic",
        "Gains are divided by the level.",
        "not followed: by the highest grade",
    ),
    (
        "`rbp.p=0.8,1=0.5`",
        "The gains are in the name of the row alone.",
        "not followed: they are used",
    ),
    (
        "Cutoffs that do not rise: `ndcg_cut.10,5`",
        "Rows in that order, and the values of lower cutoffs are those of the whole ranking.",
        "not followed: they are put in order",
    ),
    (
        "`--global-gains`, `--ci-pretty`",
        "Gains of all measures; an interval in the row of its mean.",
        "not there: `nDCG(gains={1:1,2:3})@10`; `-C`",
    ),
    (
        "`prefs` and its measures, `dcg`, `ideal_dcg`, `-Z`",
        "Not there.",
        "there, as under rules 10",
    ),
    (
        "What is refused",
        (
            "Grades beyond 1,000,000, and text that is not UTF-8. Fields end at any space of "
            "Unicode; `-l 0` is taken."
        ),
        "not followed: as under rules 10",
    ),
)

AGREEMENT = """
## Agreement of assessors

Not a measure of runs, but computed as exactly. On the documents that two people judged: raw \
agreement, Cohen's kappa (1960, Educational and Psychological Measurement 20), whose chance \
agreement comes from each
one's own grades, and kappa with pooled marginals (Scott 1955, Public Opinion Quarterly 19; \
Manning, Raghavan and Schütze 2008, section 8.5), whose chance agreement comes from the grades of \
both.

Where documents of several pairs of people are put together, overall or for a topic, no one is the \
first assessor of all, and Cohen's kappa would depend on who is called so. Chance agreement then \
comes from the grades of all:
Fleiss' kappa (1971, Psychological Bulletin 76), made for items that different people judge, which \
for two judgments an item is Scott's. The table counts a document under its lower and its higher \
grade. No figure depends on names.
"""

WORKED = """
## Worked examples

A ranking is given as the grades of its documents from the top, with the grades of the judged \
documents that it lacks. The tests check every value.

"""


def reference() -> str:
    """Render the table of measures as `docs/measures.md`."""
    groups = [
        _group(f"Measures that read {reads}", [f for f in FAMILIES if f.reads is reads])
        for reads in Input
    ]
    heads = "Measure", "Ranking", "Not retrieved", "Value", "Source"
    examples = _table(heads, map(_example, EXAMPLES))
    deviations = DEVIATIONS_LEAD + _table(DEVIATION_HEADS, DEVIATIONS) + DEVIATIONS_END
    eleven = ELEVEN_LEAD + _table(ELEVEN_HEADS, ELEVEN)
    return "".join([INTRODUCTION, *groups, deviations, eleven, AGREEMENT, WORKED, examples])


HEADS = "Measure", "In trec_eval", "Definition", "Values", "Level", "Over topics", "Source"


def _group(title: str, families: list[Family]) -> str:
    rows = _table(HEADS, map(_row, families))
    return f"\n## {title}\n\n{rows}" if families else ""


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = heads, ("---",) * len(heads), *rows
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _example(example: Example) -> tuple[str, ...]:
    names = [f"`{name}`" for name in example.measures.split()]
    if len(names) > 1:
        names = [names[0], "…", names[-1]]
    return (
        " ".join(names),
        f"`{example.ranking}`",
        f"`{example.lacks}`" if example.lacks else "",
        example.values,
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
