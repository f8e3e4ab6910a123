"""Filters that print scores and state what they were computed from."""

from collections.abc import Iterator

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from campaigns.core.words import counted
from campaigns.models.campaign import ZONE_NAMES
from evaluation.core.measures.names import PICKED
from evaluation.forms import EvaluationForm
from evaluation.models import Evaluation, Measured, Preliminary

register = template.Library()


@register.filter
def score(value: float) -> str:
    """Print four decimals, rounded as C's printf does, so that the page shows the digits of trec_eval.

    >>> score(0.12345), score(1.0)
    ('0.1235', '1.0000')
    """
    return f"{value:.4f}"


@register.filter
def signed(value: float) -> str:
    """Print a difference of scores: four decimals and its sign.

    >>> signed(0.0123), signed(-0.5), signed(-0.00001)
    ('+0.0123', '-0.5000', '0.0000')
    """
    shown = f"{abs(value):.4f}"
    if not float(shown):
        return shown
    return f"{'+' if value > 0 else '-'}{shown}"


@register.filter
def moved(n_ranks: int | None) -> str:
    """Print how many ranks a run rose or fell.

    >>> moved(3), moved(-1), moved(0)
    ('▲ 3', '▼ 1', '=')
    """
    if n_ranks is None:
        return "\N{EN DASH}"
    if not n_ranks:
        return "="
    return f"{'▲' if n_ranks > 0 else '▼'} {abs(n_ranks):,}"


@register.filter
def stamp(measured: Measured) -> SafeString:
    """State what a table was scored against, and by which rules."""
    rules = format_html(
        "means over {}, rules {}.", measured.get_topic_set_display(), measured.rules
    )
    if isinstance(measured, Evaluation):
        return format_html("{} {}", _against_qrels(measured), rules)
    if isinstance(measured, Preliminary):
        return format_html("{} {}", _against_judgments(measured), rules)
    return rules


def _against_qrels(evaluation: Evaluation) -> SafeString:
    qrels, mark = evaluation.qrels, ""
    if qrels.is_withdrawn or qrels.is_preliminary:
        mark = "withdrawn" if qrels.is_withdrawn else "preliminary"
    return format_html(
        'Scored against <strong>{}</strong>{}{} ({} on {}, relevant from grade {}, <code title="SHA-256 {}">{}</code>){} on {} ({});',
        qrels,
        format_html(' <span class="mark">{}</span>', mark) if mark else "",
        f", imported: {qrels.source}" if qrels.is_imported else "",
        counted(qrels.n_judgments, "judgment"),
        counted(len(evaluation.topics), "topic"),
        qrels.level,
        qrels.sha256,
        qrels.sha256[:12],
        f", without the documents judged in v{evaluation.without.number},"
        if evaluation.without
        else "",
        f"{timezone.localtime(evaluation.finished_at):%-d %b %Y, %H:%M}",
        _zone_name(),
    )


def _zone_name() -> str:
    """Return the name of the zone in which the page shows its times."""
    name = timezone.get_current_timezone_name()
    return ZONE_NAMES.get(name, name)


def _against_judgments(board: Preliminary) -> SafeString:
    return format_html(
        "Scored against <strong>{} of {}</strong> on {} of {}, relevant from grade {}, at {} ({});",
        intcomma(sum(board.n_judged)),
        counted(board.pool.n_entries, "judgment"),
        board.n_topics,
        counted(len(board.topics), "topic"),
        board.level,
        f"{timezone.localtime(board.refreshed_at):%H:%M:%S}",
        _zone_name(),
    )


@register.filter
def code(text: str) -> SafeString:
    """Mark up text between backquotes as code.

    >>> code("`p`: a <number>.")
    '<code>p</code>: a &lt;number&gt;.'
    """
    parts = escape(text).split("`")
    marked = [
        f"<code>{part}</code>" if index % 2 else part
        for index, part in enumerate(parts)
    ]
    return mark_safe("".join(marked))  # noqa: S308 - escaped above


@register.filter
def cut_slash(address: str) -> str:
    """Return a page's address without its last slash: the addresses of its files begin so."""
    return address.rstrip("/")


@register.filter
def choices(form: EvaluationForm) -> Iterator[tuple[str, str, bool]]:
    """Yield each measure that can be picked: its name, its definition, and whether it is picked."""
    picked = form["picked"].value() or []
    for measure in PICKED:
        yield str(measure), measure.family.definition, str(measure) in picked
