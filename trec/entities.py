"""Characters for the entities of HTML, whatever stands in them."""

import html
import re

# No character has a number of so many digits, and Python reads no number of a few thousand.
_NO_CHARACTER = re.compile(r"&#(?:0*+[0-9]{9,}|[xX]0*+[0-9a-fA-F]{9,});?")


def unescaped(text: str) -> str:
    r"""Put characters for entities, U+FFFD for those that name none by a number.

    >>> unescaped("R&amp;D &#0000000000065; &eacute; &#xD800;")
    'R&D A é �'
    >>> unescaped("&#" + "1" * 5000 + ";") == "\N{REPLACEMENT CHARACTER}"
    True
    """
    if "&#" not in text:
        return html.unescape(text)
    return html.unescape(_NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text))
