"""Files that are not lines of text, by their first bytes: one fault instead of one a line."""

import re

# The first bytes of a file, and what it then is.
_SIGNATURES = {
    b"\x1f\x8b": "It is gzip data within gzip data: compress the file once.",
    b"\xff\xfe\x00\x00": "It is text in UTF-32: save the file as UTF-8.",
    b"\x00\x00\xfe\xff": "It is text in UTF-32: save the file as UTF-8.",
    b"\xff\xfe": "It is text in UTF-16: save the file as UTF-8.",
    b"\xfe\xff": "It is text in UTF-16: save the file as UTF-8.",
    b"PK\x03\x04": "It is a zip archive or a workbook, not text: unpack it, or save it as CSV.",
    b"%PDF-": "It is a PDF document, not text.",
    b"BZh": "It is compressed with bzip2: send it plain or as gzip.",
    b"\xfd7zXZ\x00": "It is compressed with xz: send it plain or as gzip.",
    b"\x28\xb5\x2f\xfd": "It is compressed with zstd: send it plain or as gzip.",
    b"\x1f\x9d": "It is compressed with compress, of old disks: unpack it with gzip -d.",
    b"\x04\x22\x4d\x18": "It is compressed with lz4: send it plain or as gzip.",
    b"PAR1": "It is Parquet: write its rows as JSON Lines.",
    b"ARROW1": "It is an Arrow file: write its rows as JSON Lines.",
    b"\x89HDF": "It is an HDF5 file: write its rows as JSON Lines.",
    b"\x93NUMPY": "It is an array of NumPy: write its rows as text.",
    b"SQLite format 3\x00": "It is a SQLite database: write its rows as JSON Lines or CSV.",
    b"\xd0\xcf\x11\xe0": "It is a document of an office program: save it as CSV.",
    b"Rar!": "It is a rar archive, not text: unpack it.",
    b"7z\xbc\xaf\x27\x1c": "It is a 7z archive, not text: unpack it.",
}
_TAR, _TAR_AT = b"ustar", 257
# Characters that no text has.
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
# The share of such characters, line ends left out; a stray one is a fault of its line.
_BINARY_SHARE = 0.08
_HALF = 0.45


def not_a_table(head: bytes) -> str | None:
    r"""Say what a file is, given its first bytes, unless it may be lines of text.

    >>> not_a_table("1 Q0 d1 1 2 tag".encode("utf-16"))
    'It is text in UTF-16: save the file as UTF-8.'
    >>> not_a_table(bytes(9))
    'It holds nothing but NUL bytes: it was not written, or not copied, to its end.'
    >>> not_a_table(b"Rar!\x1a\x07\x01\x00")[:20], not_a_table(b"")
    ('It is a rar archive,', None)
    >>> not_a_table(b"1 Q0 d1 1 2 tag\n")
    """
    for signature, sentence in _SIGNATURES.items():
        if head.startswith(signature):
            return sentence
    if head[_TAR_AT:].startswith(_TAR):
        return "It is a tar archive, not text: unpack it."
    if head and not head.strip(b"\0"):
        return "It holds nothing but NUL bytes: it was not written, or not copied, to its end."
    if any(_is_half_nul(head[first::2]) for first in (0, 1)):
        return "It is text in UTF-16: save the file as UTF-8."
    n_controls = len(_CONTROLS.findall(head))
    if n_controls > _BINARY_SHARE * (len(head) - head.count(b"\n")):
        return "It is not text but binary data."
    return None


def _is_half_nul(half: bytes) -> bool:
    """Tell whether nearly all of every second byte are NUL, as in UTF-16 without a mark."""
    return half.count(0) > 2 * _HALF * len(half) > 0
