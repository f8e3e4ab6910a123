"""A filter that shows the text of a document."""

from itertools import islice

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from campaigns.core.reading import CODE, LINES, Block, blocks

register = template.Library()

# Blocks that a browser lays out together; what is far away it need not lay out at all.
PART = 100
# Each block has a direction of its own.
ELEMENTS = {
    CODE: '<pre class="code">{}</pre>',
    LINES: '<p class="lines" dir="auto">{}</p>',
}


@register.filter
def readable(text: str) -> SafeString:
    """Return the text of a document as elements, in parts."""
    rest = blocks(text)
    parts = list(iter(lambda: list(islice(rest, PART)), []))
    return format_html_join("\n", "<div>{}</div>", ((_part(part),) for part in parts))


def _part(part: list[Block]) -> SafeString:
    return format_html_join("\n", "{}", ((_element(block),) for block in part))


def _element(block: Block) -> SafeString:
    return format_html(ELEMENTS.get(block.kind, '<p dir="auto">{}</p>'), block.text)
