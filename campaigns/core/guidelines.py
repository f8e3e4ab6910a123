"""Guidelines for assessors: Markdown into HTML."""

from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

# Characters. A page of a book has 3,000; the worst text of this size takes a second or two.
MAX_CHARACTERS = 20_000
# Time grows with the depth to which brackets are followed; beyond it they are text.
MAX_NESTING = 20
_MARKDOWN = MarkdownIt("js-default", {"html": False, "linkify": False, "maxNesting": MAX_NESTING})


def _image_as_link(_: RendererHTML, tokens: Sequence[Token], at: int, *__: object) -> str:
    """Return a link instead of an image: loading it would tell another site who reads the page."""
    image = tokens[at]
    return f'<a href="{escape(str(image.attrGet("src")))}">{escape(image.content or "image")}</a>'


_MARKDOWN.add_render_rule("image", _image_as_link)


def rendered(text: str) -> str:
    r"""Return Markdown as safe HTML: tags become text, and links go to web addresses and mail only.

    >>> rendered("Judge **strictly**.")
    '<p>Judge <strong>strictly</strong>.</p>\n'
    >>> rendered("![a plan](https://example.org/a.png)")
    '<p><a href="https://example.org/a.png">a plan</a></p>\n'
    """
    return str(_MARKDOWN.render(text))
