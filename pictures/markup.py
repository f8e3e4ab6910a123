"""Text and addresses made harmless, and numbers as SVG writes them."""

from html import escape
from urllib.parse import urlsplit

# XML has no way to write these, not even escaped.
UNWRITABLE = {
    n: "\N{REPLACEMENT CHARACTER}"
    for n in (*range(32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000))
    if n not in {9, 10, 13}
}


class Drawn(str):
    """SVG in which all text is escaped: a template writes it as it is, `{{ picture.svg }}`."""

    __slots__ = ()

    def __html__(self) -> "Drawn":
        return self


def safe(text: str) -> str:
    """Return text for an element or an attribute.

    >>> safe('<script> & "tag"')
    '&lt;script&gt; &amp; &quot;tag&quot;'
    """
    return escape(text.translate(UNWRITABLE))


def address(href: str) -> str:
    """Return the address of a page of this site, escaped. ValueError for any other."""
    parts = urlsplit(href)
    plain = href.isprintable() and "\\" not in href and not href.startswith("//")
    if parts.scheme or parts.netloc or not plain:
        raise ValueError(f"{href!r} is no address of this site.")
    return safe(href)


def element(
    tag: str, values: str, title: str = "", href: str = "", *, is_stop: bool = False
) -> str:
    """Return a mark that may tell something under the mouse, and lead somewhere; one that leads somewhere says where to.

    The tab key stops only at links that are stops: where the table of a picture has the same links, they are fewer steps apart.
    """
    told = f"<title>{safe(title)}</title>" if title else ""
    if not href:
        return f"<{tag}{values}>{told}</{tag}>" if told else f"<{tag}{values}/>"
    if not told:
        raise ValueError("A mark that leads somewhere says where to.")
    stop = "" if is_stop else ' tabindex="-1"'
    return f'<a href="{address(href)}"{stop}>{told}<{tag}{values}/></a>'


def number(value: float, decimals: int = 1) -> str:
    """Write a number as short as its decimals allow.

    >>> number(12.04), number(-0.01), number(33.333, 2)
    ('12', '0', '33.33')
    """
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def attributes(**values: str | float) -> str:
    """Write attributes; a number with one decimal. `cls` is the class."""
    return "".join(
        f' {_name(name)}="{value if isinstance(value, str) else number(value)}"'
        for name, value in values.items()
        if value != ""
    )


def _name(name: str) -> str:
    return {"cls": "class"}.get(name, name.replace("_", "-"))
