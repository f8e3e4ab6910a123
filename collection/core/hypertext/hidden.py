"""What the author of a page has hidden is left out: elements with `hidden`, and those that their own style does not show."""

from collections import Counter
from collections.abc import Iterable, Iterator

from collection.core.hypertext.blocks import BOUNDARIES, LISTS
from collection.core.hypertext.tokens import Raw, Tag, Token

# Elements that hold nothing, so that no end of theirs is looked for.
VOID = frozenset(
    {
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "image",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
# A page is hidden as a whole only until a script shows it.
WHOLE = frozenset({"html", "body"})
HIDING = {"display": {"none"}, "visibility": {"hidden", "collapse"}}
_WITHIN = frozenset({"button", "select", "optgroup", "option"})
_ROWS, _CELLS = frozenset({"tbody", "thead", "tfoot"}), frozenset({"td", "th"})
# Elements whose end tag may be missing: the tags that begin after them, unless in another one of these, which is within them.
_ENDED_BY = {
    "p": (BOUNDARIES - _WITHIN, frozenset[str]()),
    "li": (frozenset({"li"}), frozenset(LISTS)),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}))),
    **dict.fromkeys(_CELLS, (_CELLS | _ROWS | {"tr"}, frozenset({"table"}))),
    "tr": (_ROWS | {"tr"}, frozenset({"table"})),
    **dict.fromkeys(_ROWS, (_ROWS, frozenset({"table"}))),
    "option": (frozenset({"option", "optgroup"}), frozenset[str]()),
}


def is_hidden(tag: Tag) -> bool:
    """Tell whether an element is not shown. What is hidden only until it is searched for can be read.

    >>> is_hidden(Tag("p", {"hidden": ""})), is_hidden(Tag("p", {"style": "color: red; DISPLAY: none !important"}))
    (True, True)
    >>> is_hidden(Tag("p", {"style": "display: none; display: block"})), is_hidden(Tag("p", {"hidden": "until-found"}))
    (False, False)
    """
    if not tag.attributes or tag.is_end or tag.name in WHOLE:
        return False
    if tag.attributes.get("hidden", "until-found").strip().lower() != "until-found":
        return True
    stated = dict[str, str]()
    for declaration in tag.attributes.get("style", "").lower().split(";"):
        name, _, value = declaration.partition(":")
        stated[name.strip()] = value.split("!")[0].strip()
    return any(stated.get(name) in values for name, values in HIDING.items())


class Shown:
    """Follows the tokens of a source from tag to tag, and tells what is hidden: in one pass, however deep they are nested."""

    def __init__(self) -> None:
        self._hidden = ""  # the element that is left out now
        self._around, self._within = Counter[str](), Counter[str]()

    def through(self, source: Iterable[Token]) -> Iterator[Token]:
        """Yield the tokens that are shown."""
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
        """Tell whether the hidden element ends with a tag or before it; count what is open within it."""
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
        # A block has ended the paragraph that it stands in, whose end tag means nothing there.
        is_around = self._around[name] > 0 and not (name == "p" and hidden in BOUNDARIES)
        return name == hidden or is_around
