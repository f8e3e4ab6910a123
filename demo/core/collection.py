"""The example collection: the docstrings of the installed Python, read without importing it."""

import ast
import os
import re
import sysconfig
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SKIPPED_FOLDERS = frozenset({"idlelib", "lib2to3", "test", "tests"})
SHORTEST_TEXT = 40  # characters: below this a docstring is a label, not a document
LONGEST_TITLE = 160  # characters: a longer signature is cut between two parameters
MODULE_FILE = re.compile(r"\w+\.py")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | Definition


class Docstring(NamedTuple):
    """A document: its docno is the dotted name of what it describes."""

    docno: str
    title: str
    text: str


def documents(root: Path | None = None) -> list[Docstring]:
    """Return every docstring of the standard library under `root`, ordered by path, then line.

    `root` defaults to the library of the running Python, so the collection differs a little from
    one Python version to the next. Raises FileNotFoundError if Python is installed without its
    source files.
    """
    root = root or Path(sysconfig.get_path("stdlib"))
    by_docno: dict[str, Docstring] = {}
    for path in source_files(root):
        module = module_name(path.relative_to(root))
        for document in documents_in(path.read_bytes(), module):
            by_docno.setdefault(document.docno, document)
    if not by_docno:
        raise FileNotFoundError(f"There is no documented Python source file under {root}.")
    return list(by_docno.values())


def source_files(root: Path) -> list[Path]:
    """Return the importable files under `root`, sorted, without tests and installed packages."""
    paths: list[Path] = []
    for folder, subfolders, names in os.walk(root):
        # An importable name has no hyphen: site-packages is not entered either.
        importable = filter(str.isidentifier, subfolders)
        subfolders[:] = [name for name in importable if name not in SKIPPED_FOLDERS]
        paths += [Path(folder, name) for name in names if MODULE_FILE.fullmatch(name)]
    return sorted(paths)


def module_name(path: Path) -> str:
    """Return the dotted name of a module from its path below the library.

    >>> module_name(Path("json/decoder.py")), module_name(Path("json/__init__.py"))
    ('json.decoder', 'json')
    """
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def documents_in(source: bytes, module: str) -> Iterator[Docstring]:
    """Yield the documents of one module: its own docstring, then its classes and functions."""
    for name, node in documented(ast.parse(source), module):
        text = UNPRINTABLE.sub(" ", ast.get_docstring(node) or "").strip()
        if len(text) >= SHORTEST_TEXT:
            docno = name.encode("ascii", "backslashreplace").decode("ascii")
            yield Docstring(docno, title_of(name, node), text)


def documented(node: ast.AST, name: str) -> Iterator[tuple[str, Documented]]:
    """Yield each module, class and function with its dotted name, except those within functions."""
    if isinstance(node, Documented):
        yield name, node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr):
        return
    for child in ast.iter_child_nodes(node):
        inner = f"{name}.{child.name}" if isinstance(child, Definition) else name
        yield from documented(child, inner)


def title_of(name: str, node: Documented) -> str:
    """Return a heading: `module json`, `class json.JSONDecoder`, `json.loads(s, *, cls=None)`."""
    if isinstance(node, ast.Module):
        return f"module {name}"
    if isinstance(node, ast.ClassDef):
        return f"class {name}"
    signature = f"{name}({ast.unparse(node.args)})"
    return textwrap.shorten(signature, LONGEST_TITLE, placeholder=" ...)")
