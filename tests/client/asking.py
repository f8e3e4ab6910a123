"""Somebody who asks a site: by commands, and from Python."""

import io
import json
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest

from cleverdon import Client
from cleverdon.client.command.main import main
from tests.deployment import ROOT

OURS = ("CLEVERDON_URL", "CLEVERDON_TOKEN", "CLEVERDON_CAMPAIGN", "XDG_CONFIG_HOME")


class Said(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


class Asking:
    """Has a folder of their own for files, for tokens and what else is kept."""

    def __init__(self, url, token, slug, folder) -> None:
        self.url, self.token, self.slug, self.folder = url, token, slug, folder

    @property
    def variables(self) -> dict[str, str]:
        given = {"CLEVERDON_URL": self.url, "CLEVERDON_TOKEN": self.token}
        given |= {"CLEVERDON_CAMPAIGN": self.slug} if self.slug else {}
        return {name: value for name, value in given.items() if value} | {"HOME": str(self.folder)}

    def __call__(self, *words, stdin="", **more) -> Said:
        """Do a command as its process does, with no terminal."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, chdir(self.folder):
            for name in OURS:
                patch.delenv(name, raising=False)
            for name, value in {**self.variables, **more}.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.StringIO(stdin) if isinstance(stdin, str) else stdin)
            with redirect_stdout(out), redirect_stderr(err):
                try:
                    status = main([*map(str, words)])
                except SystemExit as ended:
                    status = ended.code
        return Said(status, *(_written(each) for each in (out, err)))

    def started(self, *words, **more) -> subprocess.Popen[str]:
        """Begin a command in a process of its own."""
        bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            [sys.executable, "-m", "cleverdon", *map(str, words)],
            cwd=self.folder,
            env={**bare, **self.variables, **more},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def process(self, *words, **more) -> Said:
        """Do a command in a process of its own."""
        with self.started(*words, **more) as running:
            out, err = running.communicate()
        return Said(running.returncode, out, err)

    def client(self, **options) -> Client:
        return Client(self.url, self.token, **options)

    @property
    def campaign(self):
        return self.client().campaign(self.slug)

    def file(self, name: str, text: str):
        path = self.folder / name
        path.write_text(text)
        return path


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()


def run(tag: str, answers: dict[str, str]) -> str:
    """The lines of a run: docnos by topic, best first."""
    return "".join(
        f"{topic} Q0 {docno} {rank} {100 - rank} {tag}\n"
        for topic, docnos in answers.items()
        for rank, docno in enumerate(docnos.split(), 1)
    )
