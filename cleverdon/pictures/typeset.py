"""Typst, which sets pages as PDF and PNG; it is slow to import and so is looking for fonts."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

# Pixels of SVG to the inch.
PER_INCH = 96


def compiled(
    source: str,
    files: Mapping[str, bytes],
    kind: Literal["pdf", "png"] = "pdf",
    *,
    density: int = 1,
    system_fonts: bool = False,
) -> bytes:
    """Set a page of Typst with the files it names; a PNG has `density` pixels for one of an SVG.

    Only the fonts that Typst brings give the same bytes on every machine.
    """
    import typst  # noqa: PLC0415 - slow import

    sources: Any = {"main.typ": source.encode(), **files}  # its types leave dictionaries out
    made: bytes = typst.compile(
        sources, format=kind, ppi=PER_INCH * density, font_paths=_fonts(system=system_fonts)
    )
    return made


@cache
def _fonts(*, system: bool) -> Any:
    import typst  # noqa: PLC0415 - slow import

    return typst.Fonts(include_system_fonts=system)
