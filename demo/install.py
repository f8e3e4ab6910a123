"""Create the virtual environment and install the packages. Runs on any Python."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WHEELS = "or use Python 3.11 to 3.13, for which ready wheels exist."
PACKAGE = ("Collecting ", "Requirement already satisfied")  # a line of pip for each
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
        say("Making the virtual environment ...")
        run([sys.executable, "-m", "venv", str(VENV)], "the virtual environment could not be made")
    say("Installing the packages, a dot for each; the first time takes a minute or two ", end="")
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--require-hashes"]
    pip += ["--disable-pip-version-check", "--no-color", "--progress-bar", "off"]
    run([*pip, "-r", str(ROOT / requirements)], "the packages could not be installed")
    say(" done.")
    compile_reader()


def compile_reader() -> None:
    """Compile the reader of runs and qrels; without a compiler, by one that is fetched for it."""
    python, build = str(VENV / "bin" / "python"), str(ROOT / "cleverdon/trec/engine/build.py")
    done = subprocess.run([python, build], stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603
    if done.returncode:
        say("There is no C compiler: fetching one for the reader of runs and qrels ...")
        with tempfile.TemporaryDirectory() as folder:
            pip = [python, "-m", "pip", "install", "--quiet", "--require-hashes", "--only-binary"]
            pip += [":all:", "--target", folder, "-r", str(ROOT / "requirements-compiler.lock")]
            fetched = subprocess.run(pip, capture_output=True, check=False)  # noqa: S603
            if fetched.returncode == 0:
                environment = {**os.environ, "PYTHONPATH": folder, "ZIG_GLOBAL_CACHE_DIR": folder}
                done = subprocess.run(  # noqa: S603
                    [python, build], stdout=subprocess.PIPE, text=True, check=False, env=environment
                )
    say(done.stdout.strip())


def run(command: list[str], failure: str) -> None:
    """Run a command with a dot for each package that it names; what it says is for a failure."""
    lines = []
    # Our own command line. Both streams are one, so that an error stands behind what it is about.
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as running:
        for line in running.stdout or ():
            lines.append(line)
            if line.startswith(PACKAGE):
                say(".", end="")
            elif line.startswith("Installing collected packages"):
                say(" unpacking them ...", end="")
    if running.returncode:
        explain("".join(lines), failure)


def explain(output: str, failure: str) -> None:
    """Stop with what a command said, and what that means."""
    hints = (hint for sign, hint in HINTS.items() if sign in output)
    reason = next(hints, "the lines above say why.")
    if "Permission denied" in output or "Read-only file system" in output:
        reason = f"the folder {ROOT} cannot be written to."
    sys.stderr.write(f"\n{output[-4000:]}")
    stop(f"{failure}: {reason}")


def say(words: str, end: str = "\n") -> None:
    print(words, end=end, flush=True)  # noqa: T201 - to the terminal


def stop(sentence: str) -> None:
    sys.exit(f"\nSetting up stopped: {sentence}")


if __name__ == "__main__":
    main(sys.argv[1])
