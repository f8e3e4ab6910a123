"""Compile `lines.c`, if this machine can: python cleverdon/trec/engine/build.py.

It needs nothing but Python, so that it can run before anything is installed.
"""

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).with_name("lines.c")
OPTIONS = ["-std=c11", "-O3", "-shared", "-fPIC"]
COMPILED = "Runs and qrels are read by the compiled reader."
PLAIN = "Runs and qrels are read in plain Python, several times slower: nothing here compiles C."


def library(folder: Path = SOURCE.parent) -> Path:
    """Return where the library of the present source is, or would be."""
    return folder / f"lines-{zlib.crc32(SOURCE.read_bytes()):08x}.so"


def compilers() -> Iterator[list[str]]:
    """Yield the commands that may compile it: the machine's, then that of the package ziglang."""
    import shutil  # noqa: PLC0415 - not needed to find the library
    from importlib.util import find_spec  # noqa: PLC0415

    yield from ([found] for name in ("cc", "gcc", "clang") if (found := shutil.which(name)))
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "cc"]


def build(folder: Path = SOURCE.parent) -> bool:
    """Compile it into a folder, unless it is there; tell whether it is there now."""
    import subprocess  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    target = library(folder)
    for compiler in [] if target.exists() else compilers():
        with tempfile.TemporaryDirectory(dir=folder) as beside:
            made = Path(beside) / "lines.so"
            command = [*compiler, *OPTIONS, "-o", str(made), str(SOURCE), "-lm"]
            done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own command line
            if done.returncode == 0:
                made.replace(target)  # whole at once, for those who load it meanwhile
                break
    return target.exists()


if __name__ == "__main__":
    is_built = build()
    print(COMPILED if is_built else PLAIN)  # noqa: T201 - to the terminal
    sys.exit(not is_built)
