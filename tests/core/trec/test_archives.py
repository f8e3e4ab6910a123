"""Archives of runs: what comes out, and where it ends."""

import errno
import gzip
import io
import re
import struct
import tarfile
import tracemalloc
import zipfile
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.trec import archives
from cleverdon.trec.archives import Bounds, files, is_archive
from cleverdon.trec.streams import FormatError

BOUNDS = Bounds(file_bytes=1 << 16, all_bytes=1 << 20, expansion=100)
FILES = {"one.txt": b"1 Q0 d1 1 1 one\n", "deep/er/two.run": b"two" * 1000}
CLUTTER = dict.fromkeys(["__MACOSX/._a", ".DS_Store", "deep/.DS_Store", "deep/._two.run"], b"x")
CLUTTER |= dict.fromkeys(["Thumbs.db", "deep/desktop.ini"], b"x")


def zipped(contents) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("empty")
        for name, content in contents.items():
            archive.writestr(name, content)
    return made


def tarred(contents) -> io.BytesIO:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name in ("link", "folder"):
            member = tarfile.TarInfo(name)
            member.type = tarfile.SYMTYPE if name == "link" else tarfile.DIRTYPE
            member.linkname = "/etc/passwd"
            archive.addfile(member)
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made


def tar_gz(contents) -> io.BytesIO:
    return io.BytesIO(gzip.compress(tarred(contents).getvalue()))


KINDS = pytest.mark.parametrize("made", [zipped, tarred, tar_gz])


def found(stream, bounds=BOUNDS):
    return [(each.name, each.content.read()) for each in files(stream, bounds)]


@KINDS
def test_the_files_of_an_archive_come_out_and_nothing_else(made):
    archive = made({**FILES, **CLUTTER})
    assert is_archive(archive)
    assert found(archive) == list(FILES.items())


@pytest.mark.parametrize("content", [b"", b"1 Q0 d1 1 1 one\n", b"1 Q0 d1 1 1 one\n" * 99])
def test_a_run_is_no_archive(content):
    for stream in (io.BytesIO(content), io.BytesIO(gzip.compress(content))):
        assert not is_archive(stream)
        assert stream.tell() == 0
    assert not is_archive(io.BytesIO(gzip.compress(content)[:-9]))


@KINDS
def test_a_file_is_named_if_its_path_begins_with_a_dot(made):
    dotted = ["../one.txt", "deep/../two.txt", ".three/run.txt", ".four"]
    archive = made({**dict.fromkeys(dotted, b"x"), "./five.txt": b"x"})
    faults = {each.name: each.fault for each in files(archive, BOUNDS)}
    said = dict.fromkeys(dotted, "A name in its path begins with a dot.")
    assert faults == {**said, "five.txt": ""}


def named(written: bytes, extra: bytes = b"") -> io.BytesIO:
    """Return a zip with one file, whose name has these bytes, without the flag of UTF-8."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        member = zipfile.ZipInfo("?" * len(written))
        member.extra = extra
        archive.writestr(member, b"x")
    return io.BytesIO(made.getvalue().replace(b"?" * len(written), written))


def unicode_path(written: bytes, name: bytes) -> bytes:
    field = b"\x01" + struct.pack("<L", zlib.crc32(written)) + name
    return struct.pack("<HH", 0x7075, len(field)) + field


GBK = "北京/a.txt".encode("gbk")


@pytest.mark.parametrize(
    ("archive", "name", "is_sure"),
    [
        (named(b"North\\deep\\one.txt"), "North/deep/one.txt", True),
        (named("Köln/a.txt".encode()), "Köln/a.txt", True),
        (named("Köln\\a.txt".encode("cp850")), "Köln/a.txt", False),
        (named(GBK), GBK.decode("cp437"), False),
        (named(GBK, unicode_path(GBK, "北京/a.txt".encode())), "北京/a.txt", True),
        (named(GBK, unicode_path(b"other", "北京/a.txt".encode())), GBK.decode("cp437"), False),
        (zipped({"北京/a.txt": b"x"}), "北京/a.txt", True),
        (tarred({"北京/a.txt": b"x"}), "北京/a.txt", True),
        (tarred({GBK.decode(errors="surrogateescape"): b"x"}), "????/a.txt", False),
    ],
)
def test_names_have_slashes_and_letters_of_another_code_page_are_not_sure(archive, name, is_sure):
    [found_] = files(archive, BOUNDS)
    assert (found_.name, not found_.readings) == (name, is_sure)


@pytest.mark.parametrize(
    "archive", [named(GBK), tarred({GBK.decode(errors="surrogateescape"): b"x"})]
)
def test_a_name_that_is_not_sure_has_its_readings(archive):
    [found_] = files(archive, BOUNDS)
    assert {GBK.decode("cp437"), GBK.decode("cp850"), "北京/a.txt"} < {*found_.readings}
    assert len(found_.readings) == len({*found_.readings}) <= len(archives.CODE_PAGES)


def test_a_folder_with_a_backslash_at_its_end_is_none_of_the_files():
    assert found(zipped({"North\\": b"", "North\\one.txt": b"x"})) == [("North/one.txt", b"x")]
    [member] = files(zipped({"..\\one.txt": b"x"}), BOUNDS)
    assert member.fault == "A name in its path begins with a dot."


def test_a_name_is_quoted_without_what_cannot_be_printed():
    [(name, *_)] = found(tarred({"a\x1b[1m\u202e.txt": b"x"}))
    assert name == "a?[1m?.txt"


@KINDS
def test_a_file_that_is_too_long_is_told_before_any_comes_out(made):
    archive = made({"a": b"a", "b": bytes((1 << 16) + 1)})
    stream = files(archive, BOUNDS)
    with pytest.raises(FormatError, match=r"b has 65,537 bytes; at most 65,536"):
        next(stream)


@KINDS
def test_all_files_together_have_a_limit(made):
    archive = made({str(n): bytes(range(256)) * 250 for n in range(20)})
    with pytest.raises(FormatError, match="1,048,576"):
        found(archive)


@pytest.mark.parametrize("made", [zipped, tar_gz])
def test_an_archive_that_expands_too_far_is_refused(made):
    bounds = Bounds(1 << 26, 1 << 30, expansion=4)
    archive = made({str(n): bytes(1 << 24) for n in range(2)})
    with pytest.raises(FormatError, match="more than 4 times as long"):
        found(archive, bounds)


@KINDS
def test_so_many_files_are_read_and_no_more(made, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILES", 3)
    assert len(found(made(dict.fromkeys("abc", b"x")))) == 3
    with pytest.raises(FormatError, match="more than 3 files"):
        next(files(made(dict.fromkeys("abcd", b"x")), BOUNDS))


@KINDS
def test_so_many_members_are_looked_at_and_no_more(made, monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    with pytest.raises(FormatError, match="more than 3 members"):
        found(made({f".{n}": b"x" for n in range(9)}))


@KINDS
def test_a_damaged_archive_is_refused_with_a_sentence(made):
    content = made({"a": bytes(range(256)) * 200}).getvalue()
    with pytest.raises(FormatError, match=r"damaged|cut short"):
        found(io.BytesIO(content[: len(content) // 2]))


def test_a_locked_file_is_named():
    archive = zipped({"a": b"x" * 50})
    content = bytearray(archive.getvalue())
    # The bit that says so, in the list at the end of the archive.
    at = content.rindex(b"PK\x01\x02")
    content[at + 8] |= 1
    with pytest.raises(FormatError, match="is locked by a password"):
        found(io.BytesIO(bytes(content)))


# Where the end record says that the list begins, and the list that a member does.
OFFSETS = {"of the list": (b"PK\x05\x06", 16), "of a member": (b"PK\x01\x02", 42)}


@pytest.mark.parametrize(("mark", "at"), OFFSETS.values(), ids=OFFSETS)
@pytest.mark.parametrize("lie", [1, 2**31, 2**32 - 2])
def test_an_offset_that_lies_ends_in_a_sentence(tmp_path, mark, at, lie):
    content = bytearray(zipped(FILES).getvalue())
    start = content.rindex(mark) + at
    content[start : start + 4] = lie.to_bytes(4, "little")
    path = tmp_path / "runs.zip"  # a file: memory says it in another way
    path.write_bytes(content)
    with path.open("rb") as stream:
        assert "is damaged" in outcome(stream)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_is_told_however_the_archive_is_packed(method):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("one.txt", bytes(range(256)) * 200)
    content = bytearray(made.getvalue())
    content[50:90] = bytes(40)
    assert "is damaged" in outcome(io.BytesIO(bytes(content)))


def test_a_disk_that_is_full_is_no_damage(monkeypatch):
    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives.tempfile, "TemporaryFile", Full)
    with pytest.raises(OSError, match="No space left"):
        found(tarred(FILES))


def test_a_list_of_members_is_not_read_beyond_its_bound():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a", b"")
        archive.filelist *= 100_000  # 47 bytes each
    tracemalloc.start()
    with pytest.raises(FormatError, match="list of its members has 4,700,000 bytes"):
        found(made)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


# Headers of tar


def headed(kind: bytes, content: bytes, n: int = 1) -> io.BytesIO:
    """An archive with one run, before whose header stand others of a kind."""
    made = io.BytesIO()
    for _ in range(n):
        before = tarfile.TarInfo("before")
        before.type, before.size = kind, len(content)
        made.write(before.tobuf() + content + bytes(-len(content) % 512))
    made.write(tarred(FILES).getvalue())
    return made


def pax(**values: str) -> bytes:
    lines = b""
    for name, value in values.items():
        text = f" {name.replace('__', '.')}={value}\n".encode()
        length = len(text) + len(str(len(text) + len(str(len(text)))))
        lines += str(length).encode() + text
    return lines


HEADERS = {
    "longname": (tarfile.GNUTYPE_LONGNAME, b"n" * (2 << 20), 1),
    "longlink": (tarfile.GNUTYPE_LONGLINK, b"n" * (2 << 20), 1),
    "pax": (tarfile.XHDTYPE, pax(path="n" * (2 << 20)), 1),
    "solaris": (tarfile.SOLARIS_XHDTYPE, pax(path="n" * (2 << 20)), 1),
    "many one after the other": (tarfile.XHDTYPE, pax(comment="x"), 400),
    "many for all": (tarfile.XGLTYPE, pax(comment="n" * 50_000), 40),
}


@pytest.mark.parametrize(("kind", "content", "n"), HEADERS.values(), ids=HEADERS)
def test_a_header_is_not_read_beyond_its_bound(kind, content, n):
    archive = headed(kind, content, n)
    generous = Bounds(file_bytes=1 << 30, all_bytes=1 << 30, expansion=1 << 20)
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"more of a file in its headers than 1,048,576 bytes"):
        found(archive, generous)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


@pytest.mark.parametrize(
    "content", [pax(path="other.txt"), pax(path="other.txt", comment="x" * 9000)]
)
def test_what_tar_writes_of_a_long_name_is_read(content):
    names = [name for name, _ in found(headed(tarfile.XHDTYPE, content))]
    assert names[-1] == "deep/er/two.run"


SPARSE_10 = {"major": "1", "minor": "0", "name": "x", "realsize": "9"}
SPARSE_10 = {f"GNU__sparse__{name}": value for name, value in SPARSE_10.items()}
ODD = {
    "a length of 5,000 digits": (tarfile.XHDTYPE, b"9" * 5000 + b" path=x\n", "is damaged"),
    "a size that is no number": (tarfile.XHDTYPE, pax(size="x"), "2 files"),
    "a sparse file": (tarfile.GNUTYPE_SPARSE, b"", "sparse file"),
    "a map of 5,000 digits": (tarfile.XHDTYPE, pax(**SPARSE_10), "sparse file"),
    "a sparse file of PAX 0.0": (tarfile.XHDTYPE, pax(GNU__sparse__size="60000"), "sparse file"),
    "a sparse file of PAX 0.1": (
        tarfile.XHDTYPE,
        pax(GNU__sparse__map="0,1", GNU__sparse__size="60000"),
        "sparse file",
    ),
    "a map that is no number": (tarfile.XHDTYPE, pax(GNU__sparse__map="x,y"), "sparse file"),
}


@pytest.mark.parametrize(("kind", "content", "sentence"), ODD.values(), ids=ODD)
def test_an_odd_header_ends_in_a_sentence(kind, content, sentence):
    assert re.search(sentence, outcome(headed(kind, content)))


def outcome(stream) -> str:
    """How many files come out, or the sentence."""
    try:
        return f"{len(found(stream))} files"
    except FormatError as error:
        return str(error)


@example(at=308, value=b"\0")  # a name in the zip's list begins with the byte that ends it
@given(at=st.integers(0, 2047), value=st.binary(min_size=1, max_size=12))
def test_a_damaged_archive_is_read_or_refused_with_a_sentence(at, value):
    for made in (tarred(FILES), zipped(FILES)):
        content = bytearray(made.getvalue())
        content[at : at + len(value)] = value
        assert outcome(io.BytesIO(bytes(content)))
