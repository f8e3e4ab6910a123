"""Leave out what a page hides: elements with `hidden`, by their own style, and fallbacks."""

from collections import Counter
from collections.abc import Iterable, Iterator

from collection.core.hypertext.blocks import BOUNDARIES, LISTS
from collection.core.hypertext.tokens import Raw, Tag, Token, names

# Elements without content and end tag.
VOID = names(
    """area base basefont bgsound br col embed frame hr image img input keygen link meta param
    source track wbr"""
)
# What is in them is for browsers that cannot show them.
FALLBACKS = names("applet audio canvas object video")
# A page that is hidden as a whole is shown by a script.
WHOLE = names("html body")
HIDING = {"display": {"none"}, "visibility": {"hidden", "collapse"}}
_ROWS, _CELLS = names("tbody thead tfoot"), names("td th")
# Elements whose end tag may be missing: the tags that end them, but not within certain elements.
_ENDED_BY = {
    "p": (BOUNDARIES - names("button select optgroup option"), names("")),
    "li": (names("li"), frozenset(LISTS)),
    **dict.fromkeys(("dt", "dd"), (names("dt dd"), names("dl"))),
    **dict.fromkeys(_CELLS, (_CELLS | _ROWS | {"tr"}, names("table"))),
    "tr": (_ROWS | {"tr"}, names("table")),
    **dict.fromkeys(_ROWS, (_ROWS, names("table"))),
    "option": (names("option optgroup"), names("")),
}


def is_hidden(tag: Tag) -> bool:
    """Return whether an element is not shown. Text that is hidden until found can be read.

    >>> [is_hidden(Tag("p", {"hidden": value})) for value in ("", "until-found")]
    [True, False]
    >>> styles = ("color: red; DISPLAY: none !important", "display: none; display: block")
    >>> [is_hidden(Tag("p", {"style": style})) for style in styles]
    [True, False]
    """
    if tag.name in FALLBACKS:
        return not tag.is_end
    if not tag.attributes or tag.is_end or tag.name in WHOLE:
        return False
    if tag.attributes.get("hidden", "until-found").strip().lower() != "until-found":
        return True
    stated = dict[str, str]()
    for declaration in tag.attributes.get("style", "").lower().split(";"):
        name, _, value = declaration.partition(":")
        stated[name.strip()] = value.split("!")[0].strip()
    return any(stated.get(name) in values for name, values in HIDING.items())


class HiddenFilter:
    """Leaves out the hidden tokens of a source, in one pass however deep they are nested."""

    def __init__(self) -> None:
        self._hidden = ""  # the element being left out
        self._around, self._within = Counter[str](), Counter[str]()

    def through(self, source: Iterable[Token]) -> Iterator[Token]:
        for token in source:
            if isinstance(token, Tag):
                if self._is_shown(token):
                    yield token
            elif not self._hidden or isinstance(token, Raw):
                yield token

    def _is_shown(self, tag: Tag) -> bool:
        if self._hidden and not self._ends(tag):
            return False
        if self._hidden:
            is_its_own = tag.is_end and tag.name == self._hidden and not self._within[tag.name]
            self._hidden, self._within = "", Counter()
            if is_its_own:
                return False
        if is_hidden(tag):
            self._hidden = "" if tag.name in VOID else tag.name
            return False
        if tag.is_end:
            self._around[tag.name] -= self._around[tag.name] > 0
        elif tag.name not in VOID:
            self._around[tag.name] += 1
        return True

    def _ends(self, tag: Tag) -> bool:
        """Return whether the hidden element ends at a tag; count what is open in it."""
        name, hidden = tag.name, self._hidden
        if not tag.is_end:
            starts, inner = _ENDED_BY.get(hidden, (frozenset(), frozenset()))
            if name in starts and not any(self._within[each] for each in inner):
                return True
            self._within[name] += name not in VOID
            return False
        if self._within[name]:
            self._within[name] -= 1
            return False
        # A block ends the paragraph around it, whose end tag then means nothing.
        is_around = self._around[name] > 0 and not (name == "p" and hidden in BOUNDARIES)
        return name == hidden or is_around
