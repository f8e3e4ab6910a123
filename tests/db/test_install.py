"""What the set-up of the example says when something stands in its way."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection

from cleverdon.trec.engine import build
from demo import install
from demo.management.commands import demo


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        (
            "psutil.c:1: fatal error: Python.h: No such file",
            "the Python headers are missing: install python3-dev",
        ),
        ("error: command 'gcc' failed: No such file", "there is no C compiler: install gcc"),
        ("OSError: [Errno 30] Read-only file system: 'x'", "cannot be written to."),
        ("PermissionError: [Errno 13] Permission denied: 'x'", "cannot be written to."),
        (
            "ERROR: No matching distribution found for x",
            "a package has no version for this Python or machine",
        ),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "a package that arrived is not the one that was locked",
        ),
        ("something else", "the lines above say why."),
    ],
)
def test_a_failed_installation_ends_with_one_sentence(says, sentence):
    failing = [sys.executable, "-c", f"import sys; print({says!r}); sys.exit(1)"]
    with pytest.raises(SystemExit) as ended:
        install.run(failing, "the packages could not be installed")
    [said] = str(ended.value).strip().splitlines()
    assert said.startswith("Setting up stopped: the packages could not be installed: ")
    assert sentence in said


def test_what_succeeds_says_nothing(capfd):
    install.run([sys.executable, "-c", "print('fine')"], "no")
    assert capfd.readouterr() == ("", "")


def test_each_package_has_a_dot_and_what_pip_says_is_kept_for_a_failure(capfd):
    lines = ["Collecting a==1 (from -r x)", "  Downloading a.whl (1 kB)", "Collecting b", "fault"]
    code = f"import sys; print(*{lines!r}, sep='\\n'); sys.exit('a reason')"
    with pytest.raises(SystemExit) as ended:
        install.run([sys.executable, "-c", code], "the packages could not be installed")
    assert ended.value.code not in {0, None}
    out, err = capfd.readouterr()
    assert out == ".."
    assert err.strip().splitlines() == [*lines, "a reason"]


def done(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=install.ROOT, timeout=60
    )


def test_an_old_python_is_refused():
    code = (
        "import sys; sys.version_info = (3, 10); from demo import install; "
        "install.main('requirements.txt')"
    )
    refused = done(sys.executable, "-c", code)
    assert refused.returncode == 1
    assert "at least 3.11 is needed: run make PYTHON=python3.11." in refused.stderr


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout in which the reader has not been compiled."""
    engine = tmp_path / "cleverdon" / "trec" / "engine"
    engine.mkdir(parents=True)
    for name in ("lines.c", "build.py"):
        shutil.copy(install.ROOT / "cleverdon" / "trec" / "engine" / name, engine)
    shutil.copy(install.ROOT / "requirements-compiler.lock", tmp_path)
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "VENV", Path(sys.prefix))
    return engine


@pytest.mark.skipif(not list(build.compilers()), reason="there is no compiler")
def test_the_reader_is_compiled_at_set_up_which_says_so(checkout, capfd):
    install.compile_reader()
    assert capfd.readouterr().out == f"{build.COMPILED}\n"
    assert [path.name for path in checkout.glob("*.so")] == [build.library().name]


def test_without_a_compiler_and_a_way_to_fetch_one_the_reader_is_plain(
    checkout, monkeypatch, capfd
):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    install.compile_reader()
    told = capfd.readouterr().out.splitlines()
    assert told == [
        "There is no C compiler: fetching one for the reader of runs and qrels ...",
        build.PLAIN,
    ]
    assert not list(checkout.glob("*.so"))


def test_make_demo_hands_the_port_on():
    told = done("make", "--dry-run", "demo", "PORT=8123")
    assert "manage.py demo --port 8123" in told.stdout


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE runs_run ADD COLUMN of_long_ago integer",
        "ALTER TABLE runs_run DROP COLUMN description",
        "DROP TABLE evaluation_evaluation_runs",
    ],
)
def test_tables_of_other_models_are_named_with_what_to_do(db, unmigrated, change):
    demo.prepare_tables()
    with connection.cursor() as cursor:
        cursor.execute(change)
    with pytest.raises(CommandError) as refusal:
        demo.prepare_tables()
    assert str(refusal.value) == (
        f"The example in {demo.mark()} was made by another version of Cleverdon: remove that "
        "folder, and start again."
    )
