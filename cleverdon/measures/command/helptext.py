"""What -h and -v print."""

from cleverdon.measures.command.options import Options

VERSION = "evaluation of Cleverdon; rules of trec_eval 9 (default), 10 and 11\n"
USAGE = """\
%(program)s [options] qrels run…

Score runs against judgments, as trec_eval does: the same options, the same lines. Several runs are
scored one after the other. Either file may be gzipped; - is standard input.

  -m NAME[.PARAMETERS]  a measure or a set of them (official, set, prefs, all_prefs, qrels_jg,
                        all_trec); may be repeated: -m P.5,10 -m ndcg; or a name of
                        docs/measures.md: -m ERR@20 -m "RBP(p=0.95,graded=True)", one that is
                        usual elsewhere, or several: -m "MRR@10, MAP@100"
  -q                    print each topic's values too
  -n                    print no summary
  -c                    means over all topics of the qrels: one missing from the run counts 0
  -l N                  the lowest grade that is relevant (1)
  -M N                  only the first N documents of each topic
  -J                    remove unjudged documents from the rankings first
  -N N                  number of documents in the collection
  -R FORMAT             format of the judgments: qrels, qrels_jg (several assessors), prefs,
                        qrels_prefs, qrels_strata (a sample; the stratum before the grade),
                        qrels_subtopics (second column)
  -T trec_results       format of the runs
  -Z FILE               print z-scores; lines of FILE: topic, measure, mean, standard deviation
  -j N                  read run files in N processes (one for each core); the output is the same
  -h                    this text; with -m also what those measures are
  -v                    the version
  --rules 9|10|11       the rules of trec_eval 9, 10 or 11: scores compared in single (9) or double
                        precision, recall points, comments, names and order of measures (11)
  -C, --ci              after each mean its interval over topics, by the percentile bootstrap of
                        trec_eval 11: NAME_ci_lower and NAME_ci_upper
  --ci-alpha X          the share outside the interval (0.05)
  --ci-samples N        resamples of the topics (1000)
  --seed N              what all draws follow from (1)
  --compare TEST        test each run against the first: randomization, t, wilcoxon, sign, bootstrap
  --sides 1|2           one-sided: the run is higher; or two-sided (2)
  --draws N             draws of randomization and bootstrap (100000); all signs if they are no more
  --correction NAME     for the number of runs: holm (default), bonferroni, bh, none
  --least X             the sign test counts only differences above X (0)
  --json, --csv         print JSON or CSV, numbers in full

Exit status: 0, or 1 after a line on standard error that names what is wrong, with file and line. A
run that cannot be scored stops no other.
"""


def text(options: Options) -> str:
    """Return the help, and the definitions of the measures named."""
    usage = USAGE % {"program": options.program}
    if not options.measures:
        return usage
    from cleverdon.measures.reference import definitions  # noqa: PLC0415 - numpy

    return usage + definitions(options.measures, options.rules)
