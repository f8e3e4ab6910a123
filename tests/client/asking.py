"""Somebody who asks a site: by the command in a process of its own, and from Python."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

from cleverdon import Client
from tests.deployment import ROOT


class Said(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


class Asking:
    def __init__(self, url, token, slug, folder) -> None:
        self.url, self.token, self.slug, self.folder = url, token, slug, folder

    @property
    def variables(self) -> dict[str, str]:
        given = {"CLEVERDON_URL": self.url, "CLEVERDON_TOKEN": self.token}
        return {**given, **({"CLEVERDON_CAMPAIGN": self.slug} if self.slug else {})}

    def __call__(self, *words, stdin="", **more) -> Said:
        """Run a command in the folder; there is no terminal."""
        bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(self.folder)}
        done = subprocess.run(
            [sys.executable, "-m", "cleverdon", *map(str, words)],
            cwd=self.folder,
            env={**bare, **self.variables, **more},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def client(self, **options) -> Client:
        return Client(self.url, self.token, **options)

    @property
    def campaign(self):
        return self.client().campaign(self.slug)

    def file(self, name: str, text: str):
        path = self.folder / name
        path.write_text(text)
        return path


def run(tag: str, answers: dict[str, str]) -> str:
    """The lines of a run: docnos by topic, best first."""
    return "".join(
        f"{topic} Q0 {docno} {rank} {100 - rank} {tag}\n"
        for topic, docnos in answers.items()
        for rank, docno in enumerate(docnos.split(), 1)
    )
