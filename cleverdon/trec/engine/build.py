"""Compile `lines.c` beside itself, if this machine can: python -m cleverdon.trec.engine.build."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).with_name("lines.c")
OPTIONS = ["-std=c11", "-O3", "-shared", "-fPIC"]
PLAIN = "Runs and qrels are read in plain Python, several times slower: there is no C compiler."


def library() -> Path:
    """Return where the library of the present source is, or would be."""
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:12]
    return SOURCE.with_name(f"lines-{digest}.so")


def compilers() -> Iterator[list[str]]:
    """Yield the commands that may compile it: the machine's, then that of the package ziglang."""
    yield from ([found] for name in ("cc", "gcc", "clang") if (found := shutil.which(name)))
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "cc"]


def build() -> str:
    """Compile it unless that is done; return a sentence that says which reader is in use."""
    target = library()
    if target.exists():
        return "Runs and qrels are read by the compiled reader."
    for compiler in compilers():
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "lines.so"
            command = [*compiler, *OPTIONS, "-o", str(made), str(SOURCE), "-lm"]
            done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own command line
            if done.returncode == 0:
                # Another process never loads half of it.
                shutil.move(made, target.with_suffix(".new"))
                target.with_suffix(".new").replace(target)
                return f"Runs and qrels are read by the compiled reader, made by {compiler[0]}."
    return PLAIN


if __name__ == "__main__":
    print(build())  # noqa: T201 - to the terminal
