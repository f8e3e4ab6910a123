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
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, BinaryIO, NamedTuple, Self, cast

from cleverdon.trec.streams import GZIP, FormatError, opened, readable, storable

# The second begins an empty archive.
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
TAR, TAR_AT = b"ustar", 257
# An archive with more is not read; members include folders and links.
MAX_FILES = 500
MAX_MEMBERS = 10 * MAX_FILES
PIECE = 1 << 20
# Long names and PAX records stand before a member's own header and are read whole.
MAX_HEADER_BYTES, LEAST_OF_A_HEADER = 1 << 20, 1 << 16
# The list of members at the end of a zip is read whole too.
MAX_LIST_BYTES = 4 << 20
# What operating systems put into folders.
LITTER = {".DS_Store", "Thumbs.db", "desktop.ini"}
# Of a zip's members: the flag that a name is UTF-8, and the extra field with the name in UTF-8.
IS_UTF8, UNICODE_PATH = 0x800, 0x7075
# In which programs have written names without saying so; the first is that of the format.
CODE_PAGES = (
    *("cp437", "cp850", "cp1252", "cp1250", "cp866", "cp1251", "cp1253", "cp1254"),
    *("gb18030", "cp932", "cp949", "cp950"),
)
EXTENSIONS = {
    tarfile.XHDTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}
TOO_LONG = (
    "The archive says more of a file in its headers "
    f"than {MAX_HEADER_BYTES:,} bytes, which is the limit."
)
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
# Errno of an OSError that a damaged archive causes: a seek before its start, and bz2's own.
OF_AN_ARCHIVE = {errno.EINVAL, None}


class Bounds(NamedTuple):
    """The most bytes of one file and of all, and how often the archive's own length they may be."""

    file_bytes: int
    all_bytes: int
    expansion: int


class Member(NamedTuple):
    """A file of an archive: its path, its content, and why it is refused, "" if it is not.

    A name is not sure if the archive does not say how its letters are encoded; `readings` are then
    the paths that it may mean.
    """

    name: str
    content: BinaryIO
    fault: str
    readings: tuple[str, ...] = ()


class _Name(NamedTuple):
    """A path as the archive has it, and how else it may be read where its letters are not known."""

    path: str
    readings: tuple[str, ...] = ()


def is_archive(stream: BinaryIO) -> bool:
    """Tell whether a file is a zip, tar or tar.gz archive; leave the stream at its start."""
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

    Folders, links, and the files that an operating system adds are skipped. FormatError, before
    any file is yielded, for an archive that is locked, passes a bound or has a damaged list;
    later for damage within a file.
    """
    try:
        _check_number(sum(1 for _ in _listed(stream, bounds)), MAX_FILES, "files")
        for name, content in _listed(stream, bounds):
            with tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(content, copy, PIECE)
                copy.seek(0)
                readings = tuple(map(_quoted, name.readings))
                yield Member(_quoted(name.path), copy, _fault(name.path), readings)
    except FormatError:
        raise
    except DAMAGES as error:
        if getattr(error, "errno", None) not in OF_AN_ARCHIVE:
            raise
        raise FormatError(None, "The archive is damaged.") from error


def _listed(stream: BinaryIO, bounds: Bounds) -> Iterator[tuple[_Name, BinaryIO]]:
    stream.seek(0)
    members = _zipped if stream.read(4) in ZIP else _tarred
    stream.seek(0)
    return (each for each in members(stream, bounds) if not _is_litter(each[0].path))


def _is_litter(name: str) -> bool:
    """Tell whether the operating system added this file."""
    *folders, last = PurePosixPath(name).parts or [""]
    return not last or last in LITTER or last.startswith("._") or "__MACOSX" in folders


def _fault(name: str) -> str:
    """Say why a file is refused; "" if it is not."""
    if any(part.startswith(".") for part in PurePosixPath(name).parts):
        return "A name in its path begins with a dot."
    return ""


def _quoted(name: str) -> str:
    """Return a path as a sentence can quote it."""
    return readable(str(PurePosixPath(name)))


class _Listed:
    """A zip that refuses to read a list of members longer than MAX_LIST_BYTES."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def read(self, n_bytes: int = -1) -> bytes:
        if n_bytes > MAX_LIST_BYTES:
            raise _too_large("The archive's list of its members has", n_bytes, MAX_LIST_BYTES)
        return self._stream.read(n_bytes)


def _name_in_zip(member: zipfile.ZipInfo) -> _Name:
    """Return a member's path, with slashes also where Windows has written backslashes.

    Without the flag of UTF-8 the letters are those of a code page that is not told, but bytes that
    are UTF-8 are hardly ever anything else: so macOS writes names.
    """
    name = _Name(member.filename)
    if not (member.flag_bits & IS_UTF8 or member.filename.isascii()):
        written = member.orig_filename.encode("cp437", "replace")
        try:
            name = _Name((_unicode_path(member.extra, written) or written).decode())
        except UnicodeDecodeError:
            name = _Name(member.filename, _readings(written))
    slashed = [each.replace("\\", "/") for each in (name.path, *name.readings)]
    return _Name(slashed[0], tuple(slashed[1:]))


def _readings(written: bytes) -> tuple[str, ...]:
    """Return what bytes may mean: their texts in the code pages in which they are text."""
    found = dict[str, None]()
    for page in CODE_PAGES:
        with suppress(UnicodeDecodeError):
            found[written.decode(page)] = None
    return tuple(found)


def _unicode_path(extra: bytes, written: bytes) -> bytes:
    """Return the name that an extra field gives in UTF-8 for the one written; b"" without it."""
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == UNICODE_PATH and field[1:5] == struct.pack("<L", zlib.crc32(written)):
            return field[5:]
    return b""


def _zipped(stream: BinaryIO, bounds: Bounds) -> Iterator[tuple[_Name, BinaryIO]]:
    with zipfile.ZipFile(cast("BinaryIO", _Listed(stream))) as archive:
        listed = archive.infolist()
        if not all(each.filename for each in listed):
            raise FormatError(None, "The archive is damaged: a file in it has no name.")
        members = [each for each in listed if not each.filename.endswith(("/", "\\"))]
        _check_number(len(members), MAX_MEMBERS, "members")
        n_packed = sum(each.compress_size for each in members)
        _check_total(sum(each.file_size for each in members), n_packed, bounds)
        for each in members:
            if each.flag_bits & 1:
                raise FormatError(None, f"{_quoted(each.filename)} is locked by a password.")
            _check_size(_quoted(each.filename), each.file_size, bounds)
            try:  # no more comes out than its size says
                content = archive.open(each)
            except (NotImplementedError, RuntimeError) as error:
                sentence = "is packed in a way that cannot be unpacked here: use deflate."
                raise FormatError(None, f"{_quoted(each.filename)} {sentence}") from error
            with content:
                yield _name_in_zip(each), content  # type: ignore[misc]


def _bounded() -> type[tarfile.TarInfo]:
    """Return a reader of tar headers that checks their size before it reads one."""

    class Header(tarfile.TarInfo):
        n_before = n_for_all = 0

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            header = super().frombuf(buf, encoding, errors)
            if header.type == tarfile.GNUTYPE_SPARSE:
                raise FormatError(None, SPARSE)
            n_bytes = max(header.size, LEAST_OF_A_HEADER)
            if header.type == tarfile.XGLTYPE:
                cls.n_for_all += n_bytes
            cls.n_before = cls.n_before + n_bytes if header.type in EXTENSIONS else 0
            if max(cls.n_before, cls.n_for_all) > MAX_HEADER_BYTES:
                raise FormatError(None, TOO_LONG)
            return header

        def _refuse_sparse(self, *_: object) -> None:
            raise FormatError(None, SPARSE)

        # PAX has had three formats for sparse files.
        _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = _refuse_sparse

    return Header


def _tarred(stream: BinaryIO, bounds: Bounds) -> Iterator[tuple[_Name, BinaryIO]]:
    content = opened(stream, limit=bounds.all_bytes, max_expansion=bounds.expansion)
    with tarfile.open(fileobj=content, mode="r|", tarinfo=_bounded()) as archive:
        for number, member in enumerate(archive, 1):
            _check_number(number, MAX_MEMBERS, "members")
            archive.members.clear()  # type: ignore[attr-defined]  # it would keep all of them
            if not member.isreg():
                continue
            _check_size(_quoted(member.name), member.size, bounds)
            file = archive.extractfile(member)
            if file is not None:
                # Bytes that are no UTF-8 are surrogates in it.
                is_sure = storable(member.name) == member.name
                written = member.name.encode(errors="surrogateescape")
                yield _Name(member.name, () if is_sure else _readings(written)), file  # type: ignore[misc]


def _check_number(n: int, most: int, noun: str) -> None:
    if n > most:
        raise FormatError(None, f"The archive holds more than {most:,} {noun}, which is the limit.")


def _check_size(name: str, n_bytes: int, bounds: Bounds) -> None:
    if n_bytes > bounds.file_bytes:
        raise _too_large(f"{name} has", n_bytes, bounds.file_bytes)


def _check_total(n_bytes: int, n_packed: int, bounds: Bounds) -> None:
    if n_bytes > bounds.all_bytes:
        raise _too_large("The archive holds", n_bytes, bounds.all_bytes)
    if n_bytes > bounds.expansion * max(n_packed, PIECE):
        times = f"more than {bounds.expansion} times as long, which is the limit."
        raise FormatError(None, f"Unpacked, the archive is {times}")


def _too_large(beginning: str, n_bytes: int, most: int) -> FormatError:
    return FormatError(None, f"{beginning} {n_bytes:,} bytes; at most {most:,} are accepted.")
