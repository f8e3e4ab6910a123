"""What a report says of where its scores are from: the runs, the pool, the judgments."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cleverdon.pools.entries import Standing
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted, verb
from evaluation.core.columns import NOTHING
from evaluation.figures.pictured import relevant_by_judgment
from evaluation.models.scores import Score
from overview.core.report import Figure, Section, Table
from overview.subject import Subject
from pooling.from_above import existing_judgments
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from qrels.models import Qrels
from runs.core.run_table import TYPES

LEFT_OUT = {
    Standing.POOLED: "that the pool had already",
    Standing.JUDGED: "that existing judgments have",
    Standing.DUPLICATE: "with the same text as another, whose grade they get",
    Standing.UNDRAWN: "that were not drawn",
}


# Runs


def runs(subject: Subject) -> Section:
    scores = sorted(subject.figures.scores, key=lambda each: natural_key(each.run.tag))
    rows = [
        (
            each.run.tag,
            each.run.team.name,
            ", ".join(_marks(each)) or NOTHING,
            f"{len(each.missing_topics):,}",
        )
        for each in scores
    ]
    heads = ("run", "team", "marks", "topics missing")
    parts = [Table("runs", "Runs.", heads, rows, n_texts=3), _descriptions(scores)]
    return Section("Runs", [f"Scored: {_of_teams(scores)}."], parts)


def _of_teams(scores: Sequence[Score]) -> str:
    """Return how many runs there are, the organizers' baselines apart from those of teams."""
    teams = [each.run.team_id for each in scores if not each.run.team.is_baseline]
    n_baselines = len(scores) - len(teams)
    of_teams = f"{counted(len(teams), 'run')} of {counted(len(set(teams)), 'team')}"
    baselines = counted(n_baselines, "baseline")
    parts = ([of_teams] if teams else []) + ([baselines] if n_baselines else [])
    return " and ".join(parts)


def _marks(score: Score) -> list[str]:
    run = score.run
    marks = {
        "baseline": run.team.is_baseline,
        "pooled": run.is_pooled,
        "late": run.is_late,
        run.state: run.is_out,
    }
    return [mark for mark, is_so in marks.items() if is_so]


def _descriptions(scores: Sequence[Score]) -> Table:
    rows = [
        (
            each.run.tag,
            each.run.team.name,
            TYPES[each.run.is_manual],
            " ".join(each.run.description.split()) or NOTHING,
        )
        for each in scores
    ]
    heads = ("run", "team", "type", "description")
    return Table("descriptions", "Runs as their teams describe them.", heads, rows, n_texts=4)


# Pool


def pool(subject: Subject) -> Section | None:
    qrels = subject.evaluation.qrels
    batches = list(qrels.batches.order_by("version"))
    if not batches:
        return None
    rows = [
        (
            each.run.tag,
            each.run.team.name,
            f"{each.batch.version}",
            f"{each.n_contributed:,}",
            f"{each.n_unique:,}",
        )
        for each in Contributor.objects.filter(batch__in=batches).in_order().select_related("batch")
    ]
    heads = ("run", "team", "batch", "new", "unique")
    n_topics = qrels.pooled.values("topic").distinct().count()
    caption = (
        f"What each run brought into the pool of {counted(n_topics, 'topic')}: documents to be "
        "judged that were new in the batch, and those that no other of its runs brought."
    )
    table = [Table("pool", caption, heads, rows, n_texts=2)] if rows else []
    about = [*map(_batch_words, batches), *_existing_words(qrels)]
    return Section("Pool", about, [*table, *subject.figure("unique")])


def _batch_words(batch: Batch) -> str:
    rule = f"{batch.rule[0].lower()}{batch.rule[1:]}"
    left = [f"{counted(n, 'document')} {LEFT_OUT[each]}" for each, n in _left_out(batch)]
    but = f" Left out: {', '.join(left)}." if left else ""
    n = counted(batch.n_entries, "document")
    return f"Batch {batch.version} brought {n}: {rule}.{but} Its SHA-256 is {batch.sha256}."


def _left_out(batch: Batch) -> Iterator[tuple[Standing, int]]:
    """Yield of how many documents that its runs have, or people named, it brought none to judge."""
    n = Counter({Standing(each): sum(own.values()) for each, own in batch.counts.items()})
    if STRATEGIES[batch.strategy].reads_runs:
        judged = batch.entries.filter(standing=Standing.JUDGED)
        n[Standing.JUDGED] = judged.exclude(run_ids=[]).count()
    else:
        n[Standing.JUDGED] = _n_named_and_judged(batch)
    yield from ((each, n[each]) for each in LEFT_OUT if n[each])


def _n_named_and_judged(batch: Batch) -> int:
    judged = batch.entries.filter(standing=Standing.JUDGED)
    named = {(topic, docno) for topic, docno, _ in batch.parameters["documents"]}
    return len(named & set(judged.values_list("topic__number", "item__key")))


def _n_existing(qrels: Qrels) -> Counter[str]:
    """Count the existing judgments that qrels have, by the hash of the file they are from."""
    judged = qrels.pooled.filter(standing=Standing.JUDGED).order_by()
    return Counter(judged.values_list("batch__existing_sha256", flat=True))


def _existing_words(qrels: Qrels) -> list[str]:
    """Say which judgments the pool took as they were."""
    known = existing_judgments(qrels.campaign)
    return [
        f"{counted(n, 'existing judgment')} {verb(n, 'counts')}: "
        f"{known[sha256].name if sha256 in known else 'a file'}, SHA-256 {sha256}."
        for sha256, n in sorted(_n_existing(qrels).items())
    ]


# Judging


def judging(subject: Subject) -> Section:
    qrels, labels = subject.evaluation.qrels, subject.campaign.scale.fixed
    total = max(qrels.n_judgments, 1)
    rows = [
        (str(grade), labels.get(grade, ""), f"{n:,}", f"{100 * n / total:.1f} %")
        for grade, n in qrels.grade_counts
    ]
    heads = ("grade", "label", "judgments", "share")
    table = Table("grades", f"Grades of {qrels}.", heads, rows, n_texts=2)
    n = counted(qrels.n_judgments, "judgment")
    all_of_it = f"The {qrels} have {n}, {qrels.n_relevant:,} relevant."
    about = [all_of_it + _scored_words(subject), *_made_elsewhere(qrels), *_settled(qrels)]
    if qrels.n_unjudged:
        about.append(
            f"{counted(qrels.n_unjudged, 'pooled document')} had no grade when they were published;"
            f" {qrels.n_cannot_judge:,} could not be judged."
        )
    return Section("Judging", about, [table, *_gain(subject)])


def _scored_words(subject: Subject) -> str:
    """Say how many of the judgments the scores rest on, if they are not all."""
    qrels, figures = subject.evaluation.qrels, subject.figures
    n = sum(map(len, figures.grades.values()))
    if n == qrels.n_judgments:
        return ""
    return (
        f" The scores rest on {n:,} of them, {len(figures.relevant):,} relevant: those of the "
        f"{counted(len(subject.evaluation.topics), 'topic')} of this report, {subject.against}."
    )


def _made_elsewhere(qrels: Qrels) -> list[str]:
    """Say which of the judgments nobody gave here."""
    if qrels.is_imported:
        return [f"They were imported as a file, SHA-256 {qrels.sha256}. Source: {qrels.source}"]
    other = f"Their grades are not the official ones, but those of {qrels.basis_words}."
    about = [other] if qrels.is_other else []
    if not qrels.n_carried:
        return about
    n_existing = _n_existing(qrels).total()
    n_same = qrels.n_carried - n_existing
    parts = [f"{qrels.n_judgments - qrels.n_carried:,} were given here"]
    parts += [f"{n_existing:,} existed before"] if n_existing else []
    parts += [f"{n_same:,} are those of documents with the same text"] if n_same else []
    return [*about, f"Of the judgments {', '.join(parts)}.", *_existing_words(qrels)]


def _settled(qrels: Qrels) -> list[str]:
    """Say how many grades are not what assessors gave first."""
    by = {"an adjudicator decided": qrels.n_adjudicated, "organizers corrected": qrels.n_corrected}
    parts = [f"{who} {counted(n, 'grade')}" for who, n in by.items() if n]
    if not parts:
        return []
    sentence = " and ".join(parts)
    return [f"{sentence[0].upper()}{sentence[1:]}."]


def _gain(subject: Subject) -> list[Figure]:
    """Return the figure of what judging found, with what the judgments have besides."""
    figures, drawn = subject.figures, subject.figure("gain")
    found = relevant_by_judgment(figures) if drawn else None
    if found is None:
        return []
    n_others = sum(map(len, figures.grades.values())) - len(found)
    if not n_others:
        return drawn
    n_relevant = len(figures.relevant) - int(found[-1])
    besides = (
        f" Not in it: {counted(n_others, 'document')}, {n_relevant:,} relevant, whose grades were "
        "not given here."
    )
    return [replace(each, caption=f"{each.caption}{besides}") for each in drawn]
