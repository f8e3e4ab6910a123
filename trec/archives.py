"""The files in a zip or tar archive, within bounds, one after the other."""

import errno
import lzma
import shutil
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO, NamedTuple, Self, cast

from trec.streams import GZIP, FormatError, opened, readable

# The second is of an empty one.
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
TAR, TAR_AT = b"ustar", 257
# Files in an archive, and members of any kind; beyond them it is not read.
MAX_FILES = 500
MAX_MEMBERS = 10 * MAX_FILES
PIECE = 1 << 20
# Headers that come before a member's own, or for all of them, which are read whole: long names, and what PAX says more.
MAX_HEADER_BYTES, LEAST_OF_A_HEADER = 1 << 20, 1 << 16
# The list of members at the end of a zip, which is read whole too.
MAX_LIST_BYTES = 4 << 20
EXTENSIONS = {
    tarfile.XHDTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}
TOO_LONG = f"The archive says more of a file in its headers than {MAX_HEADER_BYTES:,} bytes, which is the limit."
SPARSE = (
    "The archive holds a sparse file, which is not read here: make it without (tar without -S)."
)

DAMAGES = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    OverflowError,
    NotImplementedError,
    struct.error,
    OSError,
)
# Numbers of an OSError that the archive is to blame for: a seek before its start, and bz2's own.
OF_AN_ARCHIVE = {errno.EINVAL, None}


class Bounds(NamedTuple):
    """What may come out of an archive: bytes of one file, and of all; how many times as long as the archive."""

    file_bytes: int
    all_bytes: int
    expansion: int


class Member(NamedTuple):
    """A file of an archive: its path there, its content, and why it is not to be taken, "" if it is."""

    name: str
    content: BinaryIO
    fault: str


def is_archive(stream: BinaryIO) -> bool:
    """Tell whether a file is a zip or tar archive, the latter plain or as gzip. The stream is left at its start."""
    stream.seek(0)
    head = stream.read(TAR_AT + len(TAR))
    if head.startswith(GZIP):
        stream.seek(0)
        try:
            head = opened(stream).read(TAR_AT + len(TAR))
        except FormatError:
            head = b""
    stream.seek(0)
    return head.startswith(ZIP) or head[TAR_AT:] == TAR


def files(stream: BinaryIO, bounds: Bounds) -> Iterator[Member]:
    """Yield each file; its content can be read until the next is asked for.

    Folders, links, and what an operating system adds to an archive are passed over. FormatError, before any file is yielded,
    for an archive that is locked, passes a bound or is seen to be damaged from its list; later for damage within a file.
    """
    try:
        _check_number(sum(1 for _ in _listed(stream, bounds)))
        for name, content in _listed(stream, bounds):
            with tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(content, copy, PIECE)
                copy.seek(0)
                yield Member(_quoted(name), copy, _fault(name))
    except FormatError:
        raise
    except DAMAGES as error:
        if getattr(error, "errno", None) not in OF_AN_ARCHIVE:
            raise
        raise FormatError(None, "The archive is damaged.") from error


def _listed(stream: BinaryIO, bounds: Bounds) -> Iterator[tuple[str, BinaryIO]]:
    stream.seek(0)
    members = _zipped if stream.read(4) in ZIP else _tarred
    stream.seek(0)
    return (each for each in members(stream, bounds) if not _is_litter(each[0]))


def _is_litter(name: str) -> bool:
    """Tell whether a file was put there by the system that made the archive."""
    *folders, last = PurePosixPath(name).parts or [""]
    is_mac = last == ".DS_Store" or last.startswith("._")
    return not last or is_mac or "__MACOSX" in folders


def _fault(name: str) -> str:
    """Say why a file is not looked at; "" if it is."""
    if any(part.startswith(".") for part in PurePosixPath(name).parts):
        return "A name in its path begins with a dot."
    return ""


def _quoted(name: str) -> str:
    """Return a path as a sentence can quote it."""
    return readable(str(PurePosixPath(name)))


class _Listed:
    """A zip of which no more is read at once than its list of members may have."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def read(self, n_bytes: int = -1) -> bytes:
        if n_bytes > MAX_LIST_BYTES:
            raise FormatError(
                None,
                f"The archive's list of its members has {n_bytes:,} bytes; "
                f"at most {MAX_LIST_BYTES:,} are accepted.",
            )
        return self._stream.read(n_bytes)


def _zipped(stream: BinaryIO, bounds: Bounds) -> Iterator[tuple[str, BinaryIO]]:
    with zipfile.ZipFile(cast("BinaryIO", _Listed(stream))) as archive:
        members = [each for each in archive.infolist() if not each.is_dir()]
        if len(members) > MAX_MEMBERS:
            raise FormatError(
                None, f"The archive holds more than {MAX_MEMBERS:,} members, which is the limit."
            )
        n_packed = sum(each.compress_size for each in members)
        _check_total(sum(each.file_size for each in members), n_packed, bounds)
        for each in members:
            if each.flag_bits & 1:
                raise FormatError(None, f"{_quoted(each.filename)} is locked by a password.")
            _check_size(_quoted(each.filename), each.file_size, bounds)
            try:  # no more comes out than its size says
                content = archive.open(each)
            except (NotImplementedError, RuntimeError) as error:
                raise FormatError(
                    None,
                    f"{_quoted(each.filename)} is packed in a way that cannot be unpacked here: use deflate.",
                ) from error
            with content:
                yield each.filename, content  # type: ignore[misc]


def _bounded() -> type[tarfile.TarInfo]:
    """Return the reader of an archive's headers, which keeps the bounds before one is read."""

    class Header(tarfile.TarInfo):
        n_before = n_for_all = 0

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            found = super().frombuf(buf, encoding, errors)
            if found.type == tarfile.GNUTYPE_SPARSE:
                raise FormatError(None, SPARSE)
            n_bytes = max(found.size, LEAST_OF_A_HEADER)
            if found.type == tarfile.XGLTYPE:
                cls.n_for_all += n_bytes
            cls.n_before = cls.n_before + n_bytes if found.type in EXTENSIONS else 0
            if max(cls.n_before, cls.n_for_all) > MAX_HEADER_BYTES:
                raise FormatError(None, TOO_LONG)
            return found

        def _refuse_sparse(self, *_: object) -> None:
            raise FormatError(None, SPARSE)

        # PAX has had three ways to say so.
        _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = _refuse_sparse

    return Header


def _tarred(stream: BinaryIO, bounds: Bounds) -> Iterator[tuple[str, BinaryIO]]:
    content = opened(stream, limit=bounds.all_bytes, max_expansion=bounds.expansion)
    with tarfile.open(fileobj=content, mode="r|", tarinfo=_bounded()) as archive:
        for number, member in enumerate(archive, 1):
            if number > MAX_MEMBERS:
                raise FormatError(
                    None,
                    f"The archive holds more than {MAX_MEMBERS:,} members, which is the limit.",
                )
            archive.members.clear()  # type: ignore[attr-defined]  # it would keep all of them
            if not member.isreg():
                continue
            _check_size(_quoted(member.name), member.size, bounds)
            file = archive.extractfile(member)
            if file is not None:
                yield member.name, file  # type: ignore[misc]


def _check_number(n_files: int) -> None:
    if n_files > MAX_FILES:
        raise FormatError(
            None, f"The archive holds more than {MAX_FILES:,} files, which is the limit."
        )


def _check_size(name: str, n_bytes: int, bounds: Bounds) -> None:
    if n_bytes > bounds.file_bytes:
        raise FormatError(
            None, f"{name} has {n_bytes:,} bytes; at most {bounds.file_bytes:,} are accepted."
        )


def _check_total(n_bytes: int, n_packed: int, bounds: Bounds) -> None:
    if n_bytes > bounds.all_bytes:
        raise FormatError(
            None, f"The archive holds {n_bytes:,} bytes; at most {bounds.all_bytes:,} are accepted."
        )
    if n_bytes > bounds.expansion * max(n_packed, PIECE):
        raise FormatError(
            None,
            f"Unpacked, the archive is more than {bounds.expansion} times as long, which is the limit.",
        )
