"""All files of a report: the overview, a sheet for each team, and every value."""

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np
from django.utils.text import slugify

from campaigns.models.people import Team
from cleverdon.trec.cells import cell, csv_text
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import counted
from evaluation.access import hides_others
from evaluation.models.scores import Evaluation
from evaluation.pictures.topics import topics_of_run
from overview.core.report import Figure, Report, Section, Table
from overview.core.report_files import folder_of
from overview.core.report_pdf import pdf_of
from overview.sections import interval, report_of
from overview.subject import Subject


def files_of(evaluation: Evaluation) -> dict[str, bytes]:
    """Return the files of the report on an evaluation by their paths.

    Equal campaigns, qrels and scores make equal files, byte for byte.
    """
    subject = Subject(evaluation)
    sheets = {f"teams/{name}.pdf": pdf_of(sheet) for name, sheet in sheets_of(subject)}
    numbers = {"numbers.csv": numbers_of(subject).encode()}
    return folder_of(report_of(subject)) | sheets | numbers


def sheets_of(subject: Subject) -> Iterator[tuple[str, Report]]:
    """Yield a sheet for each team: its runs among all, by measure, and its best run by topic."""
    by_team: dict[Team, list[int]] = {}
    for n, each in enumerate(subject.figures.scores):
        by_team.setdefault(each.run.team, []).append(n)
    for team, own in sorted(by_team.items(), key=lambda pair: pair[0].pk):
        yield f"{slugify(team.name) or 'team'}-{team.pk}", _sheet(subject, team, own)


def _sheet(subject: Subject, team: Team, own: Sequence[int]) -> Report:
    figures, evaluation = subject.figures, subject.evaluation
    rows = [
        (
            figures.tags[n],
            interval(figures.column, figures.standings[n]),
            *(
                each.text(value)
                for each, value in zip(figures.columns, figures.scores[n].aggregates, strict=True)
            ),
        )
        for n in own
    ]
    heads = ("run", f"{figures.by}, 95 % interval", *(each.name for each in figures.columns))
    board = Table("runs", f"Runs of {team.name}. {figures.caption}", heads, rows)
    knows_spread = hides_others(evaluation, [team.pk])
    parts: list[Table | Figure] = [_own_topics(subject, own[0], knows_spread=knows_spread)]
    drawn = topics_of_run(figures, own[0]) if knows_spread else None
    if drawn:
        parts.append(Figure("topics", f"{drawn.sentence} {figures.caption}", drawn))
    return Report(
        f"{evaluation.campaign.name}: {team.name}",
        f"Scores against {subject.against}.",
        evaluation.campaign.day_of(evaluation.qrels.published_at),
        [
            Section("Runs", [f"Scored: {counted(len(own), 'run')} of {team.name}."], [board]),
            Section("By topic", [f"{figures.tags[own[0]]} by {figures.by}."], parts),
        ],
    )


def _own_topics(subject: Subject, run: int, *, knows_spread: bool) -> Table:
    """Return a run's values by topic, beside the spread of all runs if the team may know it."""
    figures = subject.figures
    columns = {figures.tags[run]: [figures.column.text(v) for v in figures.values[run]]}
    if knows_spread:
        columns |= subject.spread
    rows = [
        (number, *(values[n] for values in columns.values()))
        for n, number in enumerate(subject.evaluation.topics)
    ]
    caption = f"{figures.tags[run]} topic by topic. {figures.caption}"
    ordered = sorted(rows, key=lambda row: natural_key(row[0]))
    return Table("topics", caption, ("topic", *columns), ordered)


def numbers_of(subject: Subject) -> str:
    """Return every value of every run as CSV, in full: a line for each measure and topic."""
    scores, evaluation = subject.figures.scores, subject.evaluation
    topics = [*evaluation.topics, "all"]
    by_measure = [evaluation.values(scores, at) for at in range(len(evaluation.measures))]
    lines = [
        (cell(each.run.tag), cell(each.run.team.name), name, cell(topic), "" if isnan(v) else v)
        for each, own in zip(scores, np.stack(by_measure, axis=2).tolist(), strict=True)
        for topic, values in zip(topics, [*own, each.aggregates], strict=True)
        for name, v in zip(evaluation.measures, values, strict=True)
    ]
    return csv_text([("run", "team", "measure", "topic", "value"), *lines])
