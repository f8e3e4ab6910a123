"""The pages of the documentation that are made from the code."""

import re
from pathlib import Path

import pytest

from docs import generate
from tests.deployment import PACKAGES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", generate.PAGES)
def test_a_generated_page_is_what_the_code_says_now(name):
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == generate.PAGES[name](), "run python -m docs.generate"


def test_every_link_of_the_documentation_leads_somewhere():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_file_that_the_documentation_names_is_there():
    named = re.compile(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|html|js|css|md))\b")
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    missing = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in pages
        for name in named.findall(page.read_text())
        if not any((base / name).exists() for base in (ROOT, ROOT / "static"))
    ]
    assert missing == []


def test_every_package_has_its_reason():
    decision = (ROOT / "docs" / "decisions" / "0007-dependencies.md").read_text()
    required = "".join(path.read_text() for path in ROOT.glob("requirements*.txt"))
    packages = re.findall(r"^[A-Za-z][\w-]*", required, re.MULTILINE)
    assert packages
    assert [name for name in packages if f"**{name}**" not in decision] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_begins_with_what_is_in_it(package):
    files = [path for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts]
    silent = [path for path in files if (code := path.read_text()) and not code.startswith('"""')]
    assert silent == []


def test_every_floor_is_in_the_map():
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert re.findall(r"^([a-z]+)  +\w", text, re.MULTILINE) == PACKAGES


@pytest.mark.parametrize(
    ("folder", "ending"), [("templates/_components", "html"), ("static/js", "js")]
)
def test_every_component_and_script_is_described(folder, ending):
    text = (ROOT / "docs" / "components.md").read_text()
    names = [path.name for path in (ROOT / folder).glob(f"*.{ending}")]
    assert [name for name in names if f"`{name}`" not in text] == []
