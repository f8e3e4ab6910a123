"""Guidelines for assessors: Markdown into HTML."""

from markdown_it import MarkdownIt

# Characters. A page of a book has 3,000; the worst text of this size takes a second or two.
MAX_CHARACTERS = 20_000
# The time for a bracket grows with the depth to which brackets are followed; beyond that depth they are text.
MAX_NESTING = 20
_MARKDOWN = MarkdownIt(
    "js-default", {"html": False, "linkify": False, "maxNesting": MAX_NESTING}
)


def rendered(text: str) -> str:
    r"""Return Markdown as HTML that is safe to show: tags in it become text, and links go to web addresses and mail only.

    >>> rendered("Judge **strictly**.")
    '<p>Judge <strong>strictly</strong>.</p>\n'
    """
    return str(_MARKDOWN.render(text))
