"""`pip install .` brings the library and its command, with numpy alone and nothing of the site."""

import re
import subprocess
import sys
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import pytest

from cleverdon.client.command.main import NOT_INSTALLED
from tests.deployment import ROOT

TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOTEBOOK = """
from cleverdon import evaluate
from cleverdon.agreement.measured import Groups
from cleverdon.agreement.ratings import Ratings
print(evaluate("q", ["r"], ["AP"]).aggregates[0, 0])
ratings = Ratings.of([[0, 0], [0, 0], [1, 1], [0, 1]], [0, 1])
print(Groups(ratings, 1).figures("cohen", "grades")[0].value)
"""
PICTURE = """
from cleverdon.pictures.files import svg_file
from cleverdon.pictures.histogram import histogram
drawn = histogram([0.1, 0.7], sentence="Two.", heads=("AP", "Runs"), edges=[0, 0.5, 1])
print(svg_file(drawn).decode())
"""
# Imports every module, but the compiled reader, and prints those that miss a package.
EVERYTHING = """
import importlib, pkgutil, cleverdon
found = [each.name for each in pkgutil.walk_packages(cleverdon.__path__, "cleverdon.")]
for name in found:
    try:
        name.endswith("__main__") or "-" in name or importlib.import_module(name)
    except ModuleNotFoundError as error:
        print(name, error.name)
print(len(found) > 100)
"""
# The client, and what compares runs, for which there are extras.
OF_AN_EXTRA = """\
cleverdon.client.command.campaigns rich
cleverdon.client.command.getting rich
cleverdon.client.command.others rich
cleverdon.client.command.output rich
cleverdon.client.command.signing httpx
cleverdon.client.connection httpx
cleverdon.client.site httpx
cleverdon.measures.command.comparing scipy
cleverdon.significance.paired scipy
cleverdon.significance.power scipy
"""


def source(folder: Path) -> Path:
    """A copy of the files under version control from which the package is built."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "*.py", "cleverdon", "pyproject.toml", "LICENSE", "NOTICE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, names.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def site_of(environment: Path) -> Path:
    [site] = environment.glob("lib/python*/site-packages")
    return site


def lend_numpy(site: Path) -> None:
    """Let an environment have numpy, for there may be no network to fetch it by."""
    files = metadata.files("numpy") or []
    for name in {Path(each).parts[0] for each in files} - {".."}:
        (site / name).symlink_to(Path(str(metadata.distribution("numpy").locate_file(name))))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An environment of its own that has numpy and what pip installs, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    environment, pip = folder / "environment", [sys.executable, "-m", "pip", "--quiet"]
    venv.create(environment, symlinks=True)
    lend_numpy(site_of(environment))
    built = [*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir"]
    subprocess.run([*built, folder, source(folder / "source")], check=True)
    [wheel] = folder.glob("*.whl")
    into = ["--python", environment / "bin" / "python", "install", "--no-index"]
    subprocess.run([*pip, *into, wheel], check=True)
    return environment


def said(installed: Path, folder: Path, *command: str) -> str:
    """What a program of the environment prints, which is all that it says."""
    done = subprocess.run(
        [installed / "bin" / command[0], *command[1:]],
        cwd=folder,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.deep
def test_the_command_and_the_interface_run_where_nothing_but_numpy_is(installed, tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "r").write_text("1 Q0 d2 1 2 t\n1 Q0 d1 2 1 t\n")
    scored = said(installed, tmp_path, "cleverdon", "evaluate", "-m", "map", "q", "r")
    assert scored.split() == ["map", "all", "0.5000"]
    usage = said(installed, tmp_path, "cleverdon", "evaluate", "-h")
    assert usage.startswith("cleverdon evaluate [options] qrels run…\n")
    assert said(installed, tmp_path, "cleverdon", "pool", "depth", "-k", "1", "r") == "1 d2\n"
    assert said(installed, tmp_path, "python", "-c", NOTEBOOK) == "0.5\n0.5\n"


@pytest.mark.deep
def test_without_its_extra_the_client_checks_runs_and_says_what_is_missing(installed, tmp_path):
    (tmp_path / "r").write_text("1 Q0 d2 1 2 t\n1 Q0 d1 2 1 t\n")
    assert said(installed, tmp_path, "cleverdon", "runs", "check", "r") == "r: t: valid; 2 lines.\n"
    assert said(installed, tmp_path, "cleverdon", "get", "-h").startswith("usage: cleverdon get ")
    for words in (["get", "topics"], ["login", "http://x"], ["runs", "report", "t"]):
        done = subprocess.run(
            [installed / "bin" / "cleverdon", *words, *(["--campaign", "x"] * (len(words) > 2))],
            env={"HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (1, "", NOT_INSTALLED)


@pytest.mark.deep
def test_a_picture_is_drawn_with_its_styles_inside(installed, tmp_path):
    drawn = said(installed, tmp_path, "python", "-c", PICTURE)
    assert re.search(r"<style>.*\.picture \.bar \{ fill: #[0-9a-f]{6}; \}", drawn, re.DOTALL)


@pytest.mark.deep
def test_every_module_is_installed_and_needs_numpy_alone_but_those_of_an_extra(installed, tmp_path):
    assert said(installed, tmp_path, "python", "-c", EVERYTHING) == f"{OF_AN_EXTRA}True\n"


@pytest.mark.deep
def test_nothing_of_the_site_is_installed(installed):
    names = {each.name for each in site_of(installed).iterdir()}
    assert {each for each in names if not each.startswith(("numpy", "cleverdon-"))} == {"cleverdon"}


def test_what_is_installed_beside_it_is_what_the_site_asks_for():
    asked = (ROOT / "requirements.txt").read_text().splitlines()
    extras = TOLD["project"]["optional-dependencies"]
    of_tests = (ROOT / "requirements-dev.txt").read_text().splitlines()
    assert [each for each in extras.pop("client") if each not in of_tests] == []
    told = [
        *TOLD["project"]["dependencies"],
        *(each for extra in extras.values() for each in extra),
    ]
    assert [each for each in told if each not in asked] == []
