"""Versions with the labels of a program: by itself, or where people said nothing."""

from functools import partial
from typing import Any

from django.db.models import F

from accounts.access import Refused
from assess.core.records import Basis
from campaigns.models.campaign import Campaign
from programs.models import Program
from qrels.from_above import Estimate, VersionBasis

ALONE, FILLING = "program", "filled"


def of_programs(campaign: Campaign) -> list[VersionBasis]:
    """Return two kinds of versions for each program with labels: its own, and people's first."""
    found = []
    for its in campaign.programs.filter(labels__grade__isnull=False).distinct():
        alone, filled = basis_keys(its)
        name = f"the program {its} ({its.model}, {its.version})"
        found += [
            VersionBasis(
                alone,
                f"only the labels of {its}, a program",
                f"the labels of {name}; no person gave any of them",
                partial(_alone, its),
            ),
            VersionBasis(
                filled,
                f"the official grades and, of what has none, the labels of {its}, a program",
                f"people's official grades; where people are silent, the labels of {name}",
                partial(_filled, its),
            ),
        ]
    return found


def fills(basis: str) -> bool:
    """Whether people's grades come first in a version of this basis."""
    return basis.startswith(f"{FILLING}-")


def basis_keys(program: Program) -> list[str]:
    return [f"{ALONE}-{program}", f"{FILLING}-{program}"]


def _alone(program: Program, _: Campaign, __: Basis) -> Estimate:
    grades = _labels(program)
    its = {(topic, docno) for topic, own in grades.items() for docno in own}
    return Estimate(grades, _found(program, len(its)), {"n_earlier": len(its & _earlier(program))})


def _filled(program: Program, _: Campaign, judged: Basis) -> Estimate:
    """Return the official grades, and labels of documents that nobody has judged."""
    grades, filled = judged.official, set[tuple[str, str]]()
    heard = judged.impossible | {(each.topic, each.docno) for each in judged.given}
    for topic, own in _labels(program).items():
        of_topic = grades.setdefault(topic, {})
        for docno, grade in own.items():
            if docno not in of_topic and (topic, docno) not in heard:
                of_topic[docno] = grade
                filled.add((topic, docno))
    n_earlier = judged.counts["n_earlier"] + len(filled & _earlier(program))
    its = {topic: own for topic, own in grades.items() if own}
    return Estimate(its, _found(program, len(filled)), {**judged.counts, "n_earlier": n_earlier})


def _labels(program: Program) -> dict[str, dict[str, int]]:
    if grades := program.labels.grades():
        return grades
    raise Refused(f"No label of {program} is a grade of a document in the pool.")


def _found(program: Program, n: int) -> dict[str, Any]:
    """Return what a version keeps of the program: its card, and how many grades are its own."""
    card = {name: getattr(program, name) for name in ("name", "model", "version", "parameters")}
    card |= {"labelled_on": program.labelled_on.isoformat(), "prompt": program.prompt}
    return {"program": {**card, "n": n}}


def _earlier(program: Program) -> set[tuple[str, str]]:
    """Return the topic and docno of each label of a text that has been replaced since."""
    texts = program.labels.filter(item__document__isnull=False)
    stale = texts.exclude(document_version=F("item__document__version"))
    return set(stale.values_list("item__topic__number", "item__key"))
