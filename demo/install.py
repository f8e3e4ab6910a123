"""Create the virtual environment and install the packages. Runs on any Python."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WHEELS = "or use Python 3.11 to 3.13, for which ready wheels exist."
HINTS = {  # by what pip or the compiler prints
    "Python.h": "a package has to be compiled and the Python headers are missing: "
    f"install python3-dev, {WHEELS}",
    "gcc": f"a package has to be compiled and there is no C compiler: install gcc, {WHEELS}",
    "No space left": "the disk is full.",
    "name resolution": "the package index cannot be reached: check the network.",
    "No matching distribution": "a package has no version for this Python or machine; "
    "the lines above name it.",
    "DO NOT MATCH THE HASHES": "a package that arrived is not the one that was locked: "
    "try again, and if it happens again, distrust the package index.",
}


def main(requirements: str) -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - it runs before anything is installed
        version = sys.version.split()[0]
        stop(f"this is Python {version} and at least 3.11 is needed: run make PYTHON=python3.11.")
    if not (VENV / "bin" / "python").exists():
        print("Making the virtual environment ...", flush=True)  # noqa: T201 - to the terminal
        run([sys.executable, "-m", "venv", str(VENV)], "the virtual environment could not be made")
    wait = "Installing the packages; the first time takes a minute or two ..."
    print(wait, flush=True)  # noqa: T201 - to the terminal
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes"]
    pip += ["--disable-pip-version-check"]
    run([*pip, "-r", str(ROOT / requirements)], "the packages could not be installed")


def run(command: list[str], failure: str) -> None:
    # Our own command line.
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode == 0:
        return
    output = done.stdout + done.stderr
    hints = (hint for sign, hint in HINTS.items() if sign in output)
    reason = next(hints, "the lines above say why.")
    if "Permission denied" in output or "Read-only file system" in output:
        reason = f"the folder {ROOT} cannot be written to."
    sys.stderr.write(output[-4000:])
    stop(f"{failure}: {reason}")


def stop(sentence: str) -> None:
    sys.exit(f"\nSetting up stopped: {sentence}")


if __name__ == "__main__":
    main(sys.argv[1])
