"""What a report on an evaluation says: its sections, the sheet of each team, and all numbers."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agreement.core.statistics import agreement_report
from assess.models.judging import Judgment
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from evaluation.core.columns import NOTHING, MeasureColumn
from evaluation.core.standing import Standing
from evaluation.core.topics import best_median_worst
from evaluation.figures import BoardFigures, grades_of
from evaluation.models.scores import Evaluation, Score
from evaluation.web import gallery
from overview.core.report import Figure, Report, Section, Table
from pictures.numbers import written
from pictures.picture import Picture
from pooling.models import Contributor
from trec.arrays import Floats
from trec.words import counted

TO = "\N{EN DASH}"
METHOD = (
    "Intervals are of one run each, at 95 %: percentile bootstrap over topics, 1,000 draws, seed 1."
    " Places and classes hold for all runs at once, at 95 %: signs of the differences of all pairs"
    " flipped by topic, max-T with step-down, 4,999 draws, seed 1. A run of class A may be the"
    " best; no two runs of a class can be told apart."
)


@dataclass(frozen=True)
class Subject:
    """An evaluation by its first measure, and what several sections need of it."""

    evaluation: Evaluation

    @property
    def campaign(self) -> Campaign:
        return self.evaluation.campaign

    @cached_property
    def figures(self) -> BoardFigures:
        return BoardFigures.of(self.evaluation, self.evaluation.measures[0])

    @cached_property
    def drawn(self) -> dict[str, Picture]:
        measures = self.evaluation.measures
        chosen = self.figures.scores[: gallery.MOST_CURVES // 2]
        other = measures[min(1, len(measures) - 1)]
        return gallery.drawn(gallery.Gallery(self.figures, other, chosen))

    @cached_property
    def grades(self) -> dict[str, dict[str, int]]:
        return grades_of(self.evaluation)

    @cached_property
    def values(self) -> Floats:
        """The values of all measures, [runs x topics x measures]; NaN where they do not count."""
        return np.stack([each.counted()[:-1] for each in self.figures.scores])

    def caption(self, about: str) -> str:
        """Return what a table or figure shows, and what it rests on."""
        share = next((each for each in self.figures.columns if each.is_share), None)
        if share is None:
            return f"{about} {self.figures.caption}"
        mean = float(np.nanmean(self.figures.aggregates(share.name)))
        return f"{about} {self.figures.caption} Mean {share.name} {share.text(mean)}."

    def figure(self, name: str) -> list[Figure]:
        """Return a picture as a figure, if there is anything to draw."""
        picture = self.drawn.get(name)
        if picture is None:
            return []
        return [Figure(name, self.caption(picture.sentence), picture)]


def report_of(evaluation: Evaluation) -> Report:
    """Return the report on an evaluation, dated by its qrels."""
    subject = Subject(evaluation)
    campaign, qrels = evaluation.campaign, evaluation.qrels
    sections = [
        _topics(subject),
        _runs(subject),
        _pool(subject),
        _judging(subject),
        _agreement(subject),
        _board(subject),
        _significance(subject),
        _by_topic(subject),
    ]
    return Report(
        campaign.name,
        f"Scores against {evaluation.against}"
        f"{''.join(f', {mark}' for mark in evaluation.marks)}, SHA-256 {qrels.sha256}.",
        campaign.day_of(qrels.published_at),
        [each for each in sections if each],
    )


def _topics(subject: Subject) -> Section:
    titles = dict(subject.campaign.topic_set.values_list("number", "title"))
    level, column = subject.evaluation.qrels.level, subject.figures.column
    spread = best_median_worst(subject.values, [each.sign for each in subject.figures.columns])
    rows = [
        (
            number,
            titles.get(number, ""),
            f"{len(subject.grades.get(number, ())):,}",
            f"{sum(grade >= level for grade in subject.grades.get(number, {}).values()):,}",
            *(column.text(spread[name][n, 0]) for name in ("best", "median", "worst")),
        )
        for n, number in enumerate(subject.evaluation.topics)
    ]
    heads = ("topic", "title", "judged", "relevant", "best", "median", "worst")
    table = Table(
        "topics",
        subject.caption("Topics with their judgments, and the best, median and worst run."),
        heads,
        sorted(rows, key=lambda row: natural_key(row[0])),
        n_texts=2,
    )
    n = len(subject.evaluation.topics)
    return Section("Topics", [f"{counted(n, 'topic')} have judgments."], [table])


def _runs(subject: Subject) -> Section:
    scores = sorted(subject.figures.scores, key=lambda each: natural_key(each.run.tag))
    teams = {each.run.team_id for each in scores}
    rows = [
        (
            each.run.tag,
            each.run.team.name,
            "manual" if each.run.is_manual else "automatic",
            ", ".join(_marks(each)) or NOTHING,
            f"{len(each.missing_topics):,}",
        )
        for each in scores
    ]
    heads = ("run", "team", "type", "marks", "topics missing")
    about = f"{counted(len(scores), 'run')} of {counted(len(teams), 'team')} are scored."
    return Section("Runs", [about], [Table("runs", "Runs.", heads, rows, n_texts=4)])


def _marks(score: Score) -> list[str]:
    run = score.run
    marks = {
        "baseline": run.team.is_baseline,
        "pooled": run.is_pooled,
        "late": run.is_late,
        run.state: run.is_out,
    }
    return [mark for mark, is_so in marks.items() if is_so]


def _pool(subject: Subject) -> Section | None:
    pool = subject.evaluation.qrels.pool
    if pool is None:
        return None
    contributors = list(Contributor.objects.filter(pool=pool).in_order())
    rows = [
        (each.run.tag, each.run.team.name, f"{each.n_contributed:,}", f"{each.n_unique:,}")
        for each in contributors
    ]
    heads = ("run", "team", "documents", "of it alone")
    table = Table("pool", f"What each run brought into the pool: {pool}.", heads, rows, n_texts=2)
    about = (
        f"The pool has {counted(pool.n_entries, 'document')}: {pool.rule}. SHA-256 {pool.sha256}."
    )
    return Section("Pool", about, [table, *subject.figure("unique")])


def _judging(subject: Subject) -> Section:
    qrels, labels = subject.evaluation.qrels, {}
    for grade in subject.campaign.scale.grades:
        labels[grade.value] = grade.label
    total = max(qrels.n_judgments, 1)
    rows = [
        (str(grade), labels.get(grade, ""), f"{n:,}", f"{100 * n / total:.1f} %")
        for grade, n in qrels.grade_counts
    ]
    heads = ("grade", "label", "judgments", "share")
    table = Table("grades", f"Grades of {qrels}.", heads, rows, n_texts=2)
    about = [
        f"The {qrels} have {counted(qrels.n_judgments, 'judgment')}, {qrels.n_relevant:,} relevant."
    ]
    if qrels.n_unjudged:
        about.append(
            f"{counted(qrels.n_unjudged, 'pooled document')} had no grade when they were published;"
            f" {qrels.n_cannot_judge:,} could not be judged."
        )
    return Section("Judging", about, [table, *subject.figure("gain")])


def _agreement(subject: Subject) -> Section | None:
    scale = subject.campaign.scale
    rows = Judgment.objects.twice_judged(subject.campaign)
    if not rows:
        return None
    found = agreement_report(rows, grades=[each.value for each in scale.grades], level=scale.level)
    lines = [
        (
            name,
            f"{each.n:,}",
            *(
                "undefined" if value is None else written(value, 3)
                for value in (each.raw, each.kappa)
            ),
        )
        for name, each in (
            ("relevant or not", found.overall.binary),
            ("grades as given", found.overall.graded),
        )
    ]
    heads = ("on", "pairs of judgments", "equal", "kappa")
    caption = f"Agreement of assessors, relevant from grade {scale.level}."
    about = f"{counted(len(rows), 'pair')} of judgments are of one document by two assessors."
    return Section("Agreement", [about], [Table("agreement", caption, heads, lines)])


def _places(standing: Standing | None) -> str:
    if standing is None or standing.best is None:
        return NOTHING
    ends = (standing.best, standing.worst)
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]}{TO}{ends[1]}"


def interval(column: MeasureColumn, standing: Standing | None) -> str:
    return f"{column.text(standing.low)}{TO}{column.text(standing.high)}" if standing else NOTHING


def _board(subject: Subject) -> Section:
    figures = subject.figures
    column, rows = figures.column, []
    for entry, score in zip(figures.board, figures.scores, strict=True):
        standing = score.standing(figures.at)
        texts = [each.text(v) for each, v in zip(figures.columns, score.aggregates, strict=True)]
        rows.append(
            (
                "" if entry.rank is None else f"{entry.rank}",
                score.run.tag,
                interval(column, standing),
                _places(standing),
                standing.letter if standing else NOTHING,
                *texts,
            )
        )
    heads = ("", "run", "95 %", "places", "class", *(each.name for each in figures.columns))
    caption = subject.caption(f"Runs by {column.name}. {METHOD}")
    about = f"The first run by {column.name} is {figures.tags[0]}."
    table = Table("leaderboard", caption, heads, rows, n_texts=2)
    parts = ("intervals", "measures", "interpolated", "ranks")
    return Section("Leaderboard", [about], [table, *(p for n in parts for p in subject.figure(n))])


def _significance(subject: Subject) -> Section:
    figures = subject.figures
    by_class: dict[str, list[str]] = {}
    for tag, standing in zip(figures.tags, figures.standings, strict=True):
        if standing and standing.letter:
            by_class.setdefault(standing.letter, []).append(tag)
    if not by_class:
        return Section("Significance", ["The runs have not been compared with each other."])
    n_runs = sum(map(len, by_class.values()))
    rows = [
        (letter, tags[0], tags[-1], f"{len(tags):,}") for letter, tags in sorted(by_class.items())
    ]
    about = f"{len(by_class['A']):,} of {counted(n_runs, 'run')} may be the best by {figures.by}."
    caption = subject.caption(f"Classes of runs that cannot be told apart. {METHOD}")
    heads = ("class", "first", "last", "runs")
    table = Table("classes", caption, heads, rows, n_texts=3)
    return Section("Significance", [about], [table, *subject.figure("pairs")])


def _by_topic(subject: Subject) -> Section | None:
    parts = [*subject.figure("topics"), *subject.figure("map")]
    return Section("By topic", [each.picture.sentence for each in parts[:1]], parts)
