"""Tags in text that is written with them: what is one, and text without them."""

import re
from collections.abc import Callable

from cleverdon.trec.entities import unescaped

# What begins and ends like a tag, of any length: no "<" within, so that it takes linear time.
BETWEEN = re.compile(r"<([^<>]*)>")
_COMMENT_OPENS, _COMMENT_ENDS = "<!--", "-->"
_NAME = r"[A-Za-z][A-Za-z0-9_-]*+(?::[A-Za-z0-9_-]++)?+"
_BARE = re.compile(rf"(/?)({_NAME})\s*+/?+")
_WITH_VALUE = re.compile(rf"{_NAME}\s++[A-Za-z_:][\w:.-]*+\s*+=")
_WITH_WORDS = re.compile(rf"{_NAME}((?:\s++[A-Za-z]++)++)\s*+/?+")
_CLOSING = re.compile(rf"</({_NAME})\s*>")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Attributes that have no value.
_SWITCHES = _names(
    """async checked compact declare defer disabled hidden ismap multiple nohref noresize noshade
    nowrap readonly selected"""
)
# Elements of HTML: their tags may stand next to a word, and need no end.
HTML = _names(
    """a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink
    blockquote body br button canvas caption center cite code col colgroup data datalist dd del
    details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
    frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins isindex kbd label legend
    li link listing main map mark marquee menu meta meter nav nobr noframes noscript object ol
    optgroup option output p param path picture plaintext pre progress q rect rp rt ruby s samp
    script section select small source span strike strong style sub summary sup svg table tbody td
    template textarea tfoot th thead time title tr track tt u ul var video wbr xmp"""
)


def plain(content: str) -> str:
    """Return text without tags, and with characters for entities.

    >>> plain("Ask <ann@example.org> of vector<int>, <b class=x>R&amp;D</b> &lt;1990, 3 <4")
    'Ask <ann@example.org> of vector<int>,  R&D  <1990, 3 <4'
    >>> plain("<P>One<!-- <b> --><ROWRULE>two <F P=100>three</F>")
    'One  two  three'
    """
    return unescaped(without_tags(content)).strip()


def without_tags(content: str) -> str:
    """Put a blank for each tag and comment. What only looks like a tag is kept."""
    if "<" not in content:
        return content
    content = _without_comments(content)
    closed = {name.lower() for name in _CLOSING.findall(content)}
    return BETWEEN.sub(_blank_for(closed), content)


def _blank_for(closed: set[str]) -> Callable[[re.Match[str]], str]:
    def blank(found: re.Match[str]) -> str:
        before = found.string[found.start() - 1 : found.start()]
        return " " if _is_tag(found[1], before, closed) else found[0]

    return blank


def _is_tag(inner: str, before: str, closed: set[str]) -> bool:
    """Tell whether what stands between < and > is a tag: by its form and, of a bare name, its use.

    A bare name that HTML does not have is one where the text closes it, or where it is in capitals
    and apart from the word before it, as in SGML; `vector<int>` and `List<T>` have none.
    """
    if inner[:1] in {"!", "?"}:
        return True
    if bare := _BARE.fullmatch(inner):
        name = bare[2].lower()
        is_known = bool(bare[1]) or name in HTML or name in closed
        return is_known or (bare[2].isupper() and not before.isalnum())
    if _WITH_VALUE.match(inner):
        return True
    words = _WITH_WORDS.fullmatch(inner)
    return words is not None and _SWITCHES.issuperset(words[1].lower().split())


def _without_comments(content: str) -> str:
    """Replace each comment by a blank; one without an end is no comment."""
    kept, at = list[str](), 0
    while (start := content.find(_COMMENT_OPENS, at)) >= 0:
        end = content.find(_COMMENT_ENDS, start + len(_COMMENT_OPENS))
        if end < 0:
            break
        kept += [content[at:start], " "]
        at = end + len(_COMMENT_ENDS)
    return "".join([*kept, content[at:]])
