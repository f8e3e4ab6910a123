"""`pip install .` brings the commands and the interface for notebooks, and nothing of the site."""

import subprocess
import sys
import tomllib

import pytest

from tests.deployment import ROOT

TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOTEBOOK = (
    "from measures.interface import evaluate; print(evaluate('q', ['r'], ['AP']).aggregates[0, 0])"
)


def without_django(*arguments: str) -> list[str]:
    """A command of Python's that finds no Django."""
    program = "import runpy, sys; sys.modules['django'] = None; sys.argv = sys.argv[1:]; "
    return [sys.executable, "-c", program + arguments[0], *arguments[1:]]


def module(name: str) -> str:
    return f"runpy.run_module('{name}', run_name='__main__', alter_sys=True)"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what pip installs from a copy of the files under version control."""
    folder = tmp_path_factory.mktemp("installed")
    source, site = folder / "source", folder / "site"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py", "pyproject.toml", "LICENSE", "NOTICE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*pip, "--no-index", "--target", site, source], check=True)
    return site


@pytest.mark.deep
def test_the_commands_and_the_interface_run_from_what_is_installed(installed, tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "r").write_text("1 Q0 d2 1 2 t\n1 Q0 d1 2 1 t\n")
    wanted = {
        (module("evaluation"), "evaluation", "-m", "map", "q", "r"): "map\tall\t0.5000",
        (module("pooling"), "pooling", "depth", "-k", "1", "r"): "1 d2",
        (NOTEBOOK,): "0.5",
    }
    for arguments, told in wanted.items():
        done = subprocess.run(
            without_django(*arguments),
            cwd=tmp_path,
            env={"PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        assert done.stdout.replace(" ", "") == f"{told}\n".replace(" ", "")
    top = {each.name for each in installed.iterdir() if each.is_dir() and each.suffix == ""}
    assert top == {"evaluation", "measures", "pooling", "significance", "trec"}


def test_what_is_installed_beside_it_is_what_the_site_asks_for():
    asked = (ROOT / "requirements.txt").read_text().splitlines()
    told = [*TOLD["project"]["dependencies"], *TOLD["project"]["optional-dependencies"]["compare"]]
    assert [each for each in told if each not in asked] == []
