"""Print how large the product is, in nodes of the syntax tree: python -m docs.size.

Lines grow shorter when they are made wider; nodes do not. Migrations, tests, benchmarks and the
tools of the documentation are left out.
"""

import ast
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = frozenset({"tests", "benchmarks", "docs", "migrations", "var", "build"})


def nodes(source: str) -> int:
    """Count the nodes of a source's syntax tree.

    >>> nodes("a = 1") == nodes("a  =  1  # one")
    True
    """
    return sum(1 for _ in ast.walk(ast.parse(source)))


def by_folder(root: Path = ROOT) -> Counter[str]:
    """Return the nodes of each folder of the product that holds code."""
    found: Counter[str] = Counter()
    for path in sources(root):
        folder = path.relative_to(root).parts[0]
        found[folder] += nodes(path.read_text(encoding="utf-8"))
    return found


def sources(root: Path) -> Iterable[Path]:
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        if not LEFT_OUT.intersection(parts) and not parts[0].startswith("."):
            yield path


if __name__ == "__main__":
    found = by_folder()
    largest = ", ".join(f"{folder} {n:,}" for folder, n in found.most_common(5))
    print(f"{found.total():,} nodes of the syntax tree: {largest} and others.")  # noqa: T201
