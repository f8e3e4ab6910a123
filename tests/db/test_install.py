"""What the set-up says when something stands in its way."""

import subprocess
import sys

import pytest

from demo import install


def failing(says: str) -> list[str]:
    return [sys.executable, "-c", f"import sys; print({says!r}); sys.exit(1)"]


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
    with pytest.raises(SystemExit) as ended:
        install.run(failing(says), "the packages could not be installed")
    [said] = str(ended.value).strip().splitlines()
    assert said.startswith("Setting up stopped: the packages could not be installed: ")
    assert sentence in said


def test_what_succeeds_says_nothing(capfd):
    install.run([sys.executable, "-c", "print('fine')"], "no")
    assert capfd.readouterr() == ("", "")


def test_an_old_python_is_refused():
    code = (
        "import sys; sys.version_info = (3, 10); from demo import install; "
        "install.main('requirements.txt')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=install.ROOT
    )
    assert done.returncode == 1
    assert "at least 3.11 is needed: run make PYTHON=python3.11." in done.stderr


def test_make_demo_hands_the_port_on():
    done = subprocess.run(
        ["make", "--dry-run", "demo", "PORT=8123"],
        capture_output=True,
        text=True,
        check=True,
        cwd=install.ROOT,
    )
    assert "manage.py demo --port 8123" in done.stdout
