"""Look whether the releases' migrations are unchanged, or keep a release: python -m docs.release.

Sites have applied the migrations of a release, so these stay as they are, and a change of the
models comes with a new one. With `keep`, the list of the present version is made, and its
example campaign is kept, which the tests upgrade.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cleverdon.version import VERSION
from docs.example import ROOT, example

KEPT = Path("tests", "releases")
DUMP = "database.dump"


def migrations(root: Path = ROOT) -> dict[str, str]:
    """Return the SHA-256 of each migration by its path."""
    paths = sorted(root.glob("*/migrations/0*.py"))
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def written(root: Path = ROOT) -> str:
    """Return the list of the migrations, as `sha256sum --check` reads it."""
    return "".join(f"{sha256}  {path}\n" for path, sha256 in migrations(root).items())


def why_not_kept(root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each migration of a release that is no longer what it was."""
    present = migrations(root)
    for release in sorted((root / KEPT).glob("*.sha256")):
        for line in release.read_text(encoding="utf-8").splitlines():
            sha256, path = line.split()
            if present.get(path) != sha256:
                what = "was changed" if path in present else "is gone"
                yield f"{path} {what} since release {release.stem}: add a migration instead."


def keep(root: Path = ROOT) -> None:
    """Keep the migrations and the example campaign of the present version."""
    if "dev" in VERSION:
        sys.exit(
            f"{VERSION} is no release: name it in cleverdon/version.py and pyproject.toml first."
        )
    folder = root / KEPT
    folder.mkdir(exist_ok=True)
    with example() as (_, servers), tempfile.TemporaryDirectory() as made:
        dump, postgres = Path(made, DUMP), servers.postgres
        # Not compressed, which xz does better.
        command = [
            str(postgres.program("pg_dump")),
            "--format=custom",
            "--compress=0",
            "--no-owner",
        ]
        subprocess.run([*command, "--file", str(dump), postgres.url], check=True)  # noqa: S603 - our own command line
        with tarfile.open(folder / f"{VERSION}.tar.xz", "w:xz") as archive:
            archive.add(dump, DUMP)
            archive.add(servers.var / "media", "media")
    (folder / f"{VERSION}.sha256").write_text(written(root), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["keep"]:
        keep()
    if sentences := list(why_not_kept()):
        sys.exit("\n".join(sentences))
