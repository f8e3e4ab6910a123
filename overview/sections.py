"""What the overview of a report says, section by section."""

from collections import Counter

from django.conf import settings

from agreement.tallies import documents, so_far, weighing
from cleverdon.agreement.measured import Groups
from cleverdon.pictures.numbers import written
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted
from evaluation.core.columns import NOTHING, MeasureColumn
from evaluation.core.standing import Standing
from overview import origins
from overview.core.report import Report, Section, Table
from overview.subject import Subject

TO = "\N{EN DASH}"


def report_of(subject: Subject) -> Report:
    """Return the report on an evaluation, dated by its qrels."""
    evaluation, qrels = subject.evaluation, subject.evaluation.qrels
    campaign = evaluation.campaign
    sections = [
        _topics(subject),
        origins.runs(subject),
        origins.pool(subject),
        origins.judging(subject),
        _agreement(subject),
        _board(subject),
        _significance(subject),
        _by_topic(subject),
    ]
    return Report(
        campaign.name,
        f"Scores against {subject.against}, SHA-256 {qrels.sha256}. "
        f"Made with Cleverdon {settings.VERSION}.",
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


def _agreement(subject: Subject) -> Section | None:
    scale = subject.campaign.scale
    ratings = so_far(subject.campaign).grades
    if not ratings.n_items:
        return None
    every = [figure for (figure,) in Groups(ratings, scale.level).every()]
    lines = [
        (
            {"relevance": "relevant or not", "grades": "grades as given"}[each.on],
            each.coefficient.name,
            "undefined" if each.value is None else written(each.value, 3),
            TO.join(written(end, 3) for end in each.interval) if each.interval else NOTHING,
        )
        for each in every
    ]
    caption = (
        f"Agreement of {counted(len(ratings.raters), 'assessor')}, by judgments as they are now, "
        f"relevant from grade {scale.level}, with 95 % intervals that leave out each of "
        f"{counted(every[0].n_units, 'document' if every[0].of_documents else 'topic')} in turn. "
        "Coefficients of two assessors are means over the pairs, weighted by their documents."
    )
    about = f"{documents(ratings)}, none seeing another's grade. {weighing(ratings)}".rstrip()
    heads = ("on", "coefficient", "value", "95 % interval")
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
