"""The wheel of the library, with the reader compiled where there is a compiler; see pyproject.toml.

It is one for a platform, and for every Python: the reader knows nothing of Python's own interface.
"""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

BUILD = Path("cleverdon", "trec", "engine", "build.py")


class Compiling(build_py):
    def run(self) -> None:
        super().run()
        folder = Path(self.build_lib, BUILD.parent)
        for stale in folder.glob("*.so"):
            stale.unlink()
        reader = runpy.run_path(str(BUILD))
        is_built = reader["build"](folder.resolve())
        print(reader["COMPILED" if is_built else "PLAIN"])  # noqa: T201 - to the terminal


class OfOnePlatform(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        is_compiled = any(Path(self.bdist_dir or "").rglob("lines-*.so"))
        return ("py3", "none", super().get_tag()[2]) if is_compiled else super().get_tag()

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = not any(runpy.run_path(str(BUILD))["compilers"]())


setup(cmdclass={"build_py": Compiling, "bdist_wheel": OfOnePlatform})
