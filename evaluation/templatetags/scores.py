"""Tags and filters that draw and print scores, and state what they were computed from."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone

from campaigns.models.moments import SHORT_MINUTE, dated, zone_name
from cleverdon.measures.names import parse
from cleverdon.pictures.bars import signed
from cleverdon.pictures.numbers import written
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.words import counted, first_of
from evaluation.core.scope import JUDGED, MEANS_OVER
from evaluation.models.preliminary import Preliminary
from evaluation.models.scores import Evaluation
from evaluation.web import drawing
from evaluation.web.scoring_forms import EvaluationForm
from qrels.models import Qrels

MOST_NAMED = 5  # runs in a sentence
register = template.Library()
for drawn in (
    drawing.column_axis,
    drawing.topics_axis,
    drawing.axis_head,
    drawing.value_dot,
    drawing.board_dot,
    drawing.class_ticks,
    drawing.measure_strip,
    drawing.topic_range,
    drawing.value_rows,
    drawing.gap_axis,
    drawing.gap_row,
    drawing.gap_ends,
    drawing.pair_measure,
):
    register.simple_tag(drawn)


@register.filter
def figure(value: float) -> str:
    """Print three decimals, rounded as C's printf does; exports have all digits.

    >>> figure(0.12345), figure(1.0)
    ('0.123', '1.000')
    """
    return written(value, 3)


@register.filter
def figure_2(value: float) -> str:
    """Print two decimals, as of an effect."""
    return written(value, 2)


@register.filter
def figure_p(p: float) -> str:
    """Print a p-value without its sign, in a column of its own.

    >>> figure_p(0.0321), figure_p(0.0004)
    ('0.032', '< 0.001')
    """
    return p_value(p).removeprefix("= ")


@register.filter
def p_value(p: float) -> str:
    """Print a p-value with its sign.

    >>> p_value(0.0321), p_value(0.0004)
    ('= 0.032', '< 0.001')
    """
    return f"= {written(p, 3)}" if p >= 0.001 else "< 0.001"


@register.filter
def moved(n_ranks: int | None) -> str:
    """Print how many ranks a run rose or fell.

    >>> moved(3), moved(-1), moved(0)
    ('▲3', '▼1', '=')
    """
    if n_ranks is None:
        return "\N{EN DASH}"
    if not n_ranks:
        return "="
    return f"{'▲' if n_ranks > 0 else '▼'}{abs(n_ranks):,}"


@register.filter
def change(percent: float | None) -> str:
    """Print by how much percent a score changes; a dash where that is not known.

    >>> [change(each)[:-2] for each in (12.54, 0.04)]
    ['+12.5', '0.0']
    """
    if percent is None:
        return "\N{EN DASH}"
    return f"{signed(round(percent, 1), 1)}\N{NO-BREAK SPACE}%"


@register.filter
def stamp(measured: Evaluation | Preliminary) -> SafeString:
    """State what a table was scored against, and by which rules."""
    return _of_board(measured) if isinstance(measured, Preliminary) else _of_scores(measured)


def _of_scores(evaluation: Evaluation) -> SafeString:
    qrels, scope = evaluation.qrels, evaluation.scope
    judgments = counted(evaluation.n_judgments, "judgment")
    if not scope.is_partial:  # hidden topics may have judgments too
        of_all = counted(qrels.n_judgments, "judgment")
        judgments = of_all if scope.has_all_judgments else f"{evaluation.n_judgments:,} of {of_all}"
    return format_html(
        '{} {}{} on {}, relevant from grade {}, <code title="SHA-256 {}">{}</code>{}; {} ({}), '
        "rules {}.",
        scope.sentence(evaluation.withdrawn),
        "Preliminary: " if qrels.is_preliminary else "",
        judgments,
        counted(len(evaluation.topics), "public topic" if scope.is_partial else "topic"),
        qrels.level,
        qrels.sha256,
        qrels.sha256[:12],
        f", {_origin(qrels)}" if qrels.is_imported or qrels.is_other else "",
        *_moment(evaluation.finished_at, SHORT_MINUTE),
        evaluation.rules,
    )


def _origin(qrels: Qrels) -> str:
    return f"imported: {qrels.source}" if qrels.is_imported else qrels.rule_in_words


def _of_board(board: Preliminary) -> SafeString:
    return format_html(
        "Scored against <strong>{} of {}</strong> on {} of {}, relevant from grade {}, on {} ({}); "
        "means over {}, rules {}.",
        intcomma(sum(board.n_judged)),
        counted(board.n_pooled, "judgment"),
        board.n_topics,
        counted(len(board.topics), "topic"),
        board.level,
        *_moment(board.refreshed_at, f"{SHORT_MINUTE}:s"),
        MEANS_OVER[JUDGED],
        board.rules,
    )


def _moment(at: datetime | None, layout: str) -> tuple[str, str]:
    """Return a moment as it is written, and the name of its time zone."""
    zone = get_current_timezone()
    return dated(at, zone, layout), zone_name(zone)


@register.filter
def label(evaluation: Evaluation, is_organizer: bool) -> str:
    """Return a name such as "qrels v2 without v1 (withdrawn), 3 May 2026, 09:30"."""
    at, _ = _moment(evaluation.finished_at, SHORT_MINUTE)
    n_available = evaluation.n_available if is_organizer else 0
    return f"{evaluation.scope.named(evaluation.withdrawn, n_available)}, {at}"


@register.filter
def choice(evaluation: Evaluation, is_organizer: bool) -> str:
    """Return the label with what tells evaluations of the same minute apart.

    That is the measures, and topic set and rules where they are not the usual ones.
    """
    scope = evaluation.scope
    besides = [
        f"means over {scope.means_over}" * (scope.topic_set != JUDGED),
        f"rules {evaluation.rules}" * (evaluation.rules != DEFAULT_RULES),
    ]
    names, more = evaluation.measures[:3], len(evaluation.measures) - 3
    measures = f"{', '.join(names)}{f' and {more} more' if more > 0 else ''}"
    said = ", ".join(filter(None, besides))
    return f"{label(evaluation, is_organizer)}: {measures}{said and f'; {said}'}"


@register.filter
def told_apart(evaluations: Sequence[Evaluation], is_organizer: bool) -> list[tuple[int, str]]:
    """Return the id of each with its label, which is short, or its choice if labels are equal."""
    labels = [label(each, is_organizer) for each in evaluations]
    times = Counter(labels)
    return [
        (each.pk, said if times[said] == 1 else choice(each, is_organizer))
        for each, said in zip(evaluations, labels, strict=True)
    ]


@register.filter
def first_few(tags: Sequence[str]) -> str:
    """Name the first runs, and count the others."""
    return first_of(tags, MOST_NAMED)


@register.filter
def code(text: str) -> SafeString:
    """Mark up text between backquotes as code.

    >>> code("`p`: a <number>.")
    '<code>p</code>: a &lt;number&gt;.'
    """
    parts = escape(text).split("`")
    marked = [f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts)]
    return mark_safe("".join(marked))  # noqa: S308 - escaped above


@register.filter
def cut_slash(address: str) -> str:
    """Return a page's address without its last slash, as those of its files begin."""
    return address.rstrip("/")


@register.filter
def choices(form: EvaluationForm) -> Iterator[tuple[str, str, bool]]:
    """Yield each measure that can be picked: its name, its definition, and whether it is picked."""
    picked = form["picked"].value() or []
    for name in form.offered:
        yield name, parse(name).family.definition, name in picked


@register.filter
def of_docno(titles: Mapping[str, str], docno: str) -> str:
    return titles.get(docno, "")
