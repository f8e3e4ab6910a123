"""Name the pictures of the documentation that are older than what they show: python -m docs.stale.

`make screenshots` keeps, beside the pictures, a hash of each template and style that they show.
These are found from the page's template: what it extends, includes and links to.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = Path(__file__).resolve().parent / "images" / "made-of.json"
_JUDGING = ("desk/judge.html", "desk/_document.html")
# The templates of each picture's page; those that a view chooses by name stand beside.
SHOWN: Mapping[str, tuple[str, ...]] = {
    "overview.png": ("overview/overview.html",),
    "pool.png": ("pooling/extend.html",),
    "agreement.png": ("agreement/agreement.html",),
    "leaderboard.png": ("evaluation/leaderboard.html",),
    "report.png": ("runs/run.html",),
    "judging.png": _JUDGING,
    "judging-dark.png": _JUDGING,
    "judging-phone.png": _JUDGING,
    "judging-criteria.png": _JUDGING,
    "practice.png": _JUDGING,
    "controls.png": ("agreement/controls.html",),
    "criteria.png": ("campaigns/settings.html", "campaigns/_settings_grades.html"),
}
_LEADS_TO = re.compile(
    r"""\{% (?:extends|include) ["']([\w/.-]+)["']|\{% static ["'](css/[^"']+)"""
)


def files_of(templates: Iterable[str], root: Path = ROOT) -> set[str]:
    """Return the paths of templates and of all templates and styles that they lead to."""
    found, open_ = set[str](), [f"templates/{name}" for name in templates]
    while open_:
        path = open_.pop()
        if path in found:
            continue
        found.add(path)
        if path.endswith(".html"):
            text = (root / path).read_text(encoding="utf-8")
            for template, style in _LEADS_TO.findall(text):
                open_.append(f"static/{style}" if style else f"templates/{template}")
    return found


def hashes(root: Path = ROOT) -> dict[str, str]:
    """Return a short hash of each file that some picture shows."""
    paths = set[str]().union(*(files_of(each, root) for each in SHOWN.values()))
    return {path: _hash(root / path) for path in sorted(paths)}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def changed(kept: Mapping[str, str], root: Path = ROOT) -> dict[str, list[str]]:
    """Return the stale pictures, each with the files that are not as they were when it was made."""
    now = hashes(root)
    fresh = {path for path, found in now.items() if kept.get(path) == found}
    files = {name: files_of(templates, root) for name, templates in SHOWN.items()}
    return {name: sorted(each - fresh) for name, each in files.items() if each - fresh}


def keep() -> None:
    """Keep what the pictures are made of now."""
    KEPT.write_text(json.dumps(hashes(), indent=1) + "\n", encoding="utf-8")


def main() -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    stale = changed(kept)
    for name, paths in stale.items():
        more = f" and {len(paths) - 2} more" if len(paths) > 2 else ""
        print(f"docs/images/{name} is older than {', '.join(paths[:2])}{more}.")  # noqa: T201
    if stale:
        print("make screenshots takes the pictures anew.")  # noqa: T201 - to the terminal


if __name__ == "__main__":
    main()
