"""The pages of the documentation that are made from the code."""

import re
from pathlib import Path

import pytest

from cleverdon.trec.field_names import OF_DOCUMENTS, OF_TOPICS
from config.handbook import anchor
from docs import generate
from tests.deployment import PACKAGES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", generate.PAGES)
def test_a_generated_page_is_what_the_code_says_now(name):
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == generate.PAGES[name](), "run python -m docs.generate"


PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]


def test_every_link_and_file_of_the_documentation_is_there():
    named = re.compile(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|html|js|css|md))\b")
    broken = []
    for page in PAGES:
        text = page.read_text()
        links = [each for each in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in each]
        broken += [f"{page}: {each}" for each in links if not (page.parent / each).exists()]
        files = named.findall(text)
        bases = (ROOT, ROOT / "static")
        broken += [
            f"{page}: {each}" for each in files if not any((b / each).exists() for b in bases)
        ]
    assert broken == []


def test_every_section_that_a_link_names_is_there():
    sections = {}
    for page in PAGES:
        headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
        sections[page.resolve()] = {anchor(each) for each in headings}
    broken = []
    for page in PAGES:
        for path, section in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", page.read_text()):
            target = (page.parent / path).resolve() if path else page.resolve()
            if section not in sections[target]:
                broken.append(f"{page}: {path}#{section}")
    assert broken == []


@pytest.mark.parametrize(("fields", "place"), [(OF_TOPICS, 0), (OF_DOCUMENTS, 1)])
def test_every_name_of_a_field_is_in_the_page_of_formats(fields, place):
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    table = text.split("| field | names |\n|---|---|\n")[place + 1].partition("\n\n")[0]
    stated = dict(line.strip("| ").split(" | ") for line in table.splitlines())
    stated |= dict.fromkeys(("html", "content_type"), stated.pop("html, its kind", ""))
    for field in fields.parts:
        assert set(fields.names(field)) <= set(re.findall(r"`(\w+)`", stated[field])), field


def test_every_package_has_its_reason():
    decision = (ROOT / "docs" / "decisions" / "0007-dependencies.md").read_text()
    required = "".join(path.read_text() for path in ROOT.glob("requirements*.txt"))
    packages = re.findall(r"^[A-Za-z][\w-]*", required, re.MULTILINE)
    assert packages
    assert [name for name in packages if f"**{name}**" not in decision] == []


def test_every_module_begins_with_what_is_in_it():
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    texts = {path: path.read_text() for path in files if "migrations" not in path.parts}
    assert [path for path, code in texts.items() if code and not code.startswith('"""')] == []


def test_every_floor_is_in_the_map():
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert re.findall(r"^([a-z]+)  +\w", text, re.MULTILINE) == PACKAGES


def test_every_component_and_script_is_described():
    text = (ROOT / "docs" / "components.md").read_text()
    files = [*(ROOT / "templates/_components").glob("*.html"), *(ROOT / "static/js").glob("*.js")]
    assert [path.name for path in files if f"`{path.name}`" not in text] == []
