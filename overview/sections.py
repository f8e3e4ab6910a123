"""What the overview of a report says, section by section."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from statistics import fmean

from agreement.core.statistics import agreement_report
from assess.models.judging import Judgment
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from evaluation.core.columns import NOTHING, MeasureColumn
from evaluation.core.standing import Standing
from evaluation.core.topics import best_median_worst
from evaluation.figures import BoardFigures
from evaluation.models.scores import Evaluation, Score
from evaluation.web.gallery import drawn
from evaluation.web.run_pictures import MOST_CURVES, Gallery
from overview.core.report import Figure, Report, Section, Table
from pictures.numbers import written
from pictures.picture import Picture
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from runs.core.run_table import TYPES
from trec.words import counted

TO = "\N{EN DASH}"


@dataclass(frozen=True)
class Subject:
    """An evaluation by its first measure, and what several sections need of it."""

    evaluation: Evaluation

    @property
    def campaign(self) -> Campaign:
        return self.evaluation.campaign

    @property
    def against(self) -> str:
        return ", ".join([self.evaluation.against, *self.evaluation.marks])

    @cached_property
    def figures(self) -> BoardFigures:
        return BoardFigures.of(self.evaluation, self.evaluation.measures[0])

    @cached_property
    def drawn(self) -> dict[str, Picture]:
        measures = self.evaluation.measures
        chosen = self.figures.scores[: MOST_CURVES // 2]
        other = measures[min(1, len(measures) - 1)]
        return drawn(Gallery(self.figures, other, chosen))

    @cached_property
    def spread(self) -> dict[str, list[str]]:
        """The best, the median and the worst of all runs on each topic, as they are written."""
        column = self.figures.column
        found = best_median_worst(self.figures.values[:, :, None], [column.sign])
        return {name: [column.text(v) for v in each[:, 0]] for name, each in found.items()}

    def caption(self, about: str) -> str:
        """Return what a table shows, and what it rests on."""
        return f"{about} {self.figures.caption}{self.judged}"

    @property
    def judged(self) -> str:
        """The mean share judged over all runs as a sentence, if it is measured."""
        share = next((each for each in self.figures.columns if each.is_share), None)
        values = self.figures.aggregates(share.name) if share else []
        known = [each for each in values if not isnan(each)]
        return f" Mean {share.name} {share.text(fmean(known))}." if share and known else ""

    def figure(self, name: str) -> list[Figure]:
        """Return a picture as a figure, if there is anything to draw."""
        picture = self.drawn.get(name)
        if picture is None:
            return []
        return [Figure(name, f"{picture.sentence} {picture.caption}{self.judged}", picture)]


def report_of(subject: Subject) -> Report:
    """Return the report on an evaluation, dated by its qrels."""
    evaluation, qrels = subject.evaluation, subject.evaluation.qrels
    campaign = evaluation.campaign
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
        f"Scores against {subject.against}, SHA-256 {qrels.sha256}.",
        campaign.day_of(qrels.published_at),
        [each for each in sections if each],
    )


def _topics(subject: Subject) -> Section:
    titles = dict(subject.campaign.topic_set.values_list("number", "title"))
    figures, spread = subject.figures, subject.spread
    n_relevant = Counter(topic for topic, _ in figures.relevant)
    rows = [
        (
            number,
            titles.get(number, ""),
            f"{len(figures.grades[number]):,}",
            f"{n_relevant[number]:,}",
            *(values[n] for values in spread.values()),
        )
        for n, number in enumerate(subject.evaluation.topics)
    ]
    heads = ("topic", "title", "judged", "relevant", *spread)
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
            TYPES[each.run.is_manual],
            ", ".join(_marks(each)) or NOTHING,
            f"{len(each.missing_topics):,}",
        )
        for each in scores
    ]
    heads = ("run", "team", "type", "marks", "topics missing")
    about = f"Scored: {counted(len(scores), 'run')} of {counted(len(teams), 'team')}."
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
    heads = ("run", "team", "batch", "documents", "unique")
    n_topics = qrels.pooled.values("topic").distinct().count()
    caption = f"What each run brought into the pool of {counted(n_topics, 'topic')}."
    table = Table("pool", caption, heads, rows, n_texts=2)
    about = [_batch_words(each) for each in batches]
    return Section("Pool", about, [table, *subject.figure("unique")])


def _batch_words(batch: Batch) -> str:
    n, rule = counted(batch.n_entries, "document"), f"{batch.rule[0].lower()}{batch.rule[1:]}"
    return f"Batch {batch.version} has {n}: {rule}. Its SHA-256 is {batch.sha256}."


def _judging(subject: Subject) -> Section:
    qrels, labels = subject.evaluation.qrels, subject.campaign.scale.fixed
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
    kappa = "Fleiss' of all pairs" if found.overall.graded.of_several_pairs else "Cohen's"
    n_topics = len({topic for topic, *_ in rows})
    caption = (
        f"Agreement of two assessors of a document on {counted(n_topics, 'topic')}, by judgments as"
        f" they are now, relevant from grade {scale.level}; kappa is {kappa}."
    )
    about = f"{counted(len(rows), 'pair')} of judgments can be compared."
    return Section("Agreement", [about], [Table("agreement", caption, heads, lines)])


def interval(column: MeasureColumn, standing: Standing | None) -> str:
    ends = standing and standing.ends
    return TO.join(map(column.text, ends)) if ends else NOTHING


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
                (standing and standing.places) or NOTHING,
                standing.letter if standing else NOTHING,
                *texts,
            )
        )
    heads = (
        "place",
        "run",
        "95 % interval",
        "places",
        "class",
        *(each.name for each in figures.columns),
    )
    caption = subject.caption(f"Runs by {column.name}. {subject.figures.method}")
    about = [figures.leaders, *filter(None, [subject.evaluation.sampling])]
    table = Table("leaderboard", caption, heads, rows, n_texts=2)
    parts = ("intervals", "measures", "interpolated")
    return Section("Leaderboard", about, [table, *(p for n in parts for p in subject.figure(n))])


def _significance(subject: Subject) -> Section:
    letters = Counter(each.letter for each in subject.figures.standings if each and each.letter)
    if letters.total() < 2:
        return Section("Significance", ["No two runs have been compared with each other."])
    classes = ", ".join(f"{letter} {n:,}" for letter, n in sorted(letters.items()))
    n = counted(letters.total(), "run")
    about = f"{letters['A']:,} of {n} may be the best by {subject.figures.by}. By class: {classes}."
    return Section("Significance", [about, subject.figures.method], subject.figure("pairs"))


def _by_topic(subject: Subject) -> Section | None:
    parts = [part for name in ("topics", "map") for part in subject.figure(name)]
    return Section("By topic", [each.picture.sentence for each in parts[:1]], parts)
