"""The inside of a block of HTML: text, emphasis, line breaks, texts of images, links."""

import re
from collections.abc import Iterator
from html import escape

from collection.core.hypertext.tokens import Tag, names

# Emphasis, and how it is written. All other tags are left out.
KEPT = {
    **{name: name for name in names("b strong i em u s code sub sup mark")},
    **dict.fromkeys(("cite", "dfn", "var"), "i"),
    **dict.fromkeys(("tt", "kbd", "samp"), "code"),
    **dict.fromkeys(("strike", "del"), "s"),
    "ins": "u",
}
MOST_OPEN = 4  # nested
MOST_CHARACTERS = 8_000  # of a block with its tags; a longer one is continued in the next
MOST_OF_ADDRESS = 2_000
IMAGE = '<span class="image">'
# Other addresses are programs, or the content itself.
SCHEMES = frozenset({"http", "https", "ftp", "mailto"})
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_PIECE = re.compile(rf"[\s\S]{{1,{MOST_CHARACTERS}}}(?:(?=[ \n])|\Z)|[\s\S]{{1,{MOST_CHARACTERS}}}")
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_NEVER_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f-\x9f]+")
_LINE_END = re.compile(r"\r\n?")


class Inline:
    """The block being written, as HTML and as text with the same characters, white space aside.

    Tags are written once they have text, so that none is empty, and all end with the block.
    """

    def __init__(self) -> None:
        self._wanted = list[tuple[str, str]]()  # name and tag, the innermost last
        self._begin()

    def _begin(self) -> None:
        self._html, self._text = list[str](), list[str]()
        self._written = list[tuple[str, str]]()
        self._n, self._ends_in_blank, self._is_first_line = 0, True, False
        self._is_after_image = False

    def begin_code(self) -> None:
        self._is_first_line = True  # a line end right after the tag does not count

    def write(self, text: str, *, is_code: bool) -> Iterator[None]:
        """Write text; yield where the block is full, for the caller to end it first."""
        plain = self._lines(text) if is_code else _BLANKS.sub(" ", text)
        if plain == " " and self._ends_in_blank and not is_code:
            return
        for piece in _PIECE.findall(plain):
            if self._n and self._n + len(piece) > MOST_CHARACTERS:
                yield
            self._add(piece if is_code or not self._ends_in_blank else piece.lstrip(" "))

    def _lines(self, text: str) -> str:
        plain = _LINE_END.sub("\n", text)
        if self._is_first_line:
            plain = plain.removeprefix("\n")
        self._is_first_line = False
        return plain

    def _add(self, text: str) -> None:
        if not text:
            return
        if self._is_after_image and text[0] not in " \n":
            text = f" {text}"
        self._is_after_image = False
        self._nest()
        self._html.append(escape(text, quote=False).replace("\n", "<br>"))
        self._text.append(text)
        self._n += len(text)
        self._ends_in_blank = text[-1] in " \n"

    def _nest(self) -> None:
        """Close and open tags until the wanted ones are open."""
        if self._written == self._wanted:
            return
        n_same = 0
        for is_open, wanted in zip(self._written, self._wanted, strict=False):
            if is_open != wanted:
                break
            n_same += 1
        self._close(n_same)
        tags = [tag for _, tag in self._wanted[n_same:]]
        self._html.extend(tags)
        self._n += sum(map(len, tags))
        self._written = self._wanted.copy()

    def _close(self, n_left: int) -> None:
        self._html.extend(f"</{name}>" for name, _ in reversed(self._written[n_left:]))

    def tag(self, tag: Tag) -> None:
        """Take a tag within a block; ignore one that means nothing here."""
        name = KEPT.get(tag.name, tag.name)
        if tag.is_end:
            self._unwant(name)
        elif name == "br":
            self._add("\n")
        elif name in {"img", "image", "area"}:
            self._image(tag.attributes.get("alt", ""))
        elif name == "a":
            self._unwant("a")
            address = _address(tag)
            if address:
                self._want("a", f'<a title="{escape(address)}">')
        elif name == "span" and tag.attributes.get("class") == "image":
            self._want("span", IMAGE)
        elif tag.name in KEPT:
            self._want(name, f"<{name}>")

    def _want(self, name: str, tag: str) -> None:
        if len(self._wanted) < MOST_OPEN and all(name != each for each, _ in self._wanted):
            self._wanted.append((name, tag))

    def _unwant(self, name: str) -> None:
        self._wanted = [each for each in self._wanted if each[0] != name]

    def _image(self, alt: str) -> None:
        """Write what an image says, with blanks around it: words beside it are others."""
        if text := _BLANKS.sub(" ", alt).strip()[:MOST_CHARACTERS]:
            if not self._ends_in_blank:
                self._add(" ")
            outer = self._wanted
            self._unwant("span")
            self._wanted.append(("span", IMAGE))
            self._add(text)
            self._wanted, self._is_after_image = outer, True

    def ended(self) -> tuple[str, str]:
        """Return the block as HTML and as text, and begin the next one."""
        if not self._text:
            return "", ""
        self._strip_end()
        self._close(0)
        html, text = "".join(self._html), "".join(self._text)
        self._wanted = []
        self._begin()
        return html, text

    def _strip_end(self) -> None:
        """Take away a blank at the end, with the tags that were opened for it alone."""
        self._html[-1] = self._html[-1].rstrip(" ")
        if not self._html[-1]:
            self._html.pop()
            while self._written and self._html[-1:] == [self._written[-1][1]]:
                self._html.pop()
                self._written.pop()


def _address(tag: Tag) -> str:
    """Return where a link leads; "" if only a program could follow it."""
    given = tag.attributes.get("href", tag.attributes.get("title", ""))
    address = _NEVER_IN_ADDRESS.sub("", given)[:MOST_OF_ADDRESS]
    scheme = _SCHEME.match(address)
    return "" if scheme and scheme[1].lower() not in SCHEMES else address
