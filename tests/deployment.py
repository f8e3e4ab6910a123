"""The files that deploy the site, read as Docker and Compose read them."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# The packages of this project, from the highest floor down.
PACKAGES: list[str] = _PROJECT["tool"]["importlinter"]["root_packages"]


def enters_the_image(path: str, rules: str) -> bool:
    """Say whether `COPY . .` takes this file: the last line of .dockerignore that matches it, or a
    folder above it, decides.
    """
    parts = path.split("/")
    above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    enters = True
    for line in rules.splitlines():
        rule = line.strip()
        if not rule or rule.startswith("#"):
            continue
        pattern = _pattern(rule.removeprefix("!"))
        if any(pattern.fullmatch(name) for name in above):
            enters = rule.startswith("!")
    return enters


def _pattern(rule: str) -> re.Pattern[str]:
    words = {"**/": r"(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", rule.strip("/"))
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts))


def image_files() -> Iterator[Path]:
    """Yield the files of this tree that an image is made of, relative to it."""
    rules = (ROOT / ".dockerignore").read_text()
    for top in sorted(ROOT.iterdir()):
        if enters_the_image(top.name, rules):
            files = sorted(top.rglob("*")) if top.is_dir() else [top]
            for file in files:
                name = file.relative_to(ROOT)
                if file.is_file() and enters_the_image(name.as_posix(), rules):
                    yield name


def compose_services() -> dict[str, str]:
    """Return the text of each service of docker-compose.yml, after the texts that it shares."""
    text = (ROOT / "docker-compose.yml").read_text()
    top = dict(re.findall(r"^([\w-]+):(.*(?:\n(?:[ #].*)?)*)", text, re.MULTILINE))
    found = re.findall(r"^  (\w+):\n((?:(?:    .*)?\n)+)", top["services"], re.MULTILINE)
    return {name: _shared(own, top) + own for name, own in found}


def _shared(text: str, top: dict[str, str]) -> str:
    names = [each for each in ("app", "kept-small") if f"<<: *{each}\n" in text]
    return "".join(_shared(top[f"x-{each}"], top) + top[f"x-{each}"] for each in names)


def blocks(text: str, heading: str) -> list[str]:
    """Return the shell commands below a heading of a page: its fenced blocks, in order."""
    section = text[text.index(f"\n## {heading}\n") + 1 :].partition("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
