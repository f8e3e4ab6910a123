"""A site of each release becomes one of today, with all that is in it."""

import os
import subprocess
import sys
import tarfile

import pytest

from demo.embedded import Embedded
from docs.example import ROOT
from docs.release import KEPT, why_not_kept, written

ARCHIVES = sorted((ROOT / KEPT).glob("*.tar.xz"))


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)
def test_the_example_of_a_release_is_upgraded_and_lives_on(archive, tmp_path):
    with tarfile.open(archive) as kept:
        kept.extractall(tmp_path, filter="data")
    servers = {"DATABASE_URL", "REDIS_URL", "REDIS_DATABASE"}  # it has its own
    environment = {name: value for name, value in os.environ.items() if name not in servers}
    environment |= {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    try:
        subprocess.run(
            [sys.executable, "-m", "tests.e2e.upgraded"], cwd=ROOT, env=environment, check=True
        )
    finally:
        Embedded(tmp_path).discard()


def test_every_release_keeps_an_example_and_its_migrations():
    listed = {path.stem for path in (ROOT / KEPT).glob("*.sha256")}
    assert listed == {path.name.removesuffix(".tar.xz") for path in ARCHIVES} != set()
    assert list(why_not_kept()) == []


@pytest.fixture
def migration(tmp_path):
    """A migration of a release."""
    path = tmp_path / "runs" / "migrations" / "0001_initial.py"
    path.parent.mkdir(parents=True)
    path.write_text("operations = []\n", encoding="utf-8")
    (tmp_path / KEPT).mkdir(parents=True)
    (tmp_path / KEPT / "9.1.0.sha256").write_text(written(tmp_path), encoding="utf-8")
    return path


def test_a_release_is_followed_by_further_migrations(tmp_path, migration):
    migration.with_name("0002_more.py").write_text("operations = []\n", encoding="utf-8")
    assert list(why_not_kept(tmp_path)) == []


def test_a_migration_of_a_release_stays_as_it_is(tmp_path, migration):
    at = "runs/migrations/0001_initial.py"
    migration.write_text("operations = [1]\n", encoding="utf-8")
    changed = f"{at} was changed since release 9.1.0: add a migration instead."
    assert list(why_not_kept(tmp_path)) == [changed]
    migration.unlink()
    gone = f"{at} is gone since release 9.1.0: add a migration instead."
    assert list(why_not_kept(tmp_path)) == [gone]
