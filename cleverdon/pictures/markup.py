"""Text and addresses escaped, and numbers as SVG writes them."""

from html import escape
from urllib.parse import urlsplit

# XML cannot hold these, not even escaped.
UNWRITABLE = {
    n: "\N{REPLACEMENT CHARACTER}"
    for n in (*range(32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000))
    if n not in {9, 10, 13}
}


class Drawn(str):
    """SVG with all text escaped, safe in a template: `{{ picture.svg }}`."""

    __slots__ = ()

    def __html__(self) -> "Drawn":
        return self


def safe(text: str) -> str:
    """Escape text for an element or an attribute.

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


def element(tag: str, values: str, title: str = "", href: str = "") -> str:
    """Return a mark with a title and an address, if given; a link needs a title.

    The tab key passes over it: the table of a picture has the same links.
    """
    titled = f"<title>{safe(title)}</title>" if title else ""
    if not href:
        return f"<{tag}{values}>{titled}</{tag}>" if titled else f"<{tag}{values}/>"
    if not titled:
        raise ValueError("A mark that leads somewhere says where to.")
    return f'<a href="{address(href)}" tabindex="-1">{titled}<{tag}{values}/></a>'


def number(value: float, decimals: int = 1) -> str:
    """Write a number without trailing zeros.

    >>> number(12.04), number(-0.01), number(33.333, 2)
    ('12', '0', '33.33')
    """
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def attributes(**values: str | float) -> str:
    """Write attributes, numbers with one decimal; `cls` is the class."""
    return "".join(
        f' {_name(name)}="{value if isinstance(value, str) else number(value)}"'
        for name, value in values.items()
        if value != ""
    )


def _name(name: str) -> str:
    return {"cls": "class"}.get(name, name.replace("_", "-"))
