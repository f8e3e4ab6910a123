"""List what the site installs, with versions and licences: `python -m docs.licences`."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

LOCK = Path(__file__).resolve().parent.parent / "requirements.lock"
# The beginning of a classifier such as "License :: OSI Approved :: MIT License".
CLASSIFIER = "License :: "
MOST = 40  # characters; longer ones are the text of a licence


def listed() -> Iterator[str]:
    """Yield a line for each package of `requirements.lock` that is installed."""
    for name in re.findall(r"^([A-Za-z0-9._-]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE):
        try:
            stated = metadata(name)
        except PackageNotFoundError:
            continue  # for another system or Python
        yield f"{name:24}{stated['Version']:16}{licence(stated)}"


def licence(stated: PackageMetadata) -> str:
    """Return what a package states of its licence, the most exact statement there is."""
    exact, text, classified = (
        stated.get_all(name) or [] for name in ("License-Expression", "License", "Classifier")
    )
    named = " or ".join(each.rsplit(" :: ", 1)[1] for each in classified if CLASSIFIER in each)
    brief = "".join(each for each in text if "\n" not in each and len(each) < MOST)
    return "".join(exact) or named or brief or "see its files"


if __name__ == "__main__":
    print(*listed(), sep="\n")  # noqa: T201 - it is its purpose
