"""The style page: every component in every state."""

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from agreement.web.matrices import grade_matrix
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import listed, tabled
from evaluation.tasks import score_runs
from jobs.models import Job
from overview.core.stages import ATTENTION, DONE, EMPTY, PROGRESS, Stage
from overview.steps import NextStep
from runs.models import Run
from runs.web.upload_forms import RunForm
from tests.style.cells import axis, rows, strips
from tests.style.pictures import large_pictures

STAGES = [EMPTY, PROGRESS, DONE, ATTENTION]
GRADES = np.array([[9, 3, 1, 0], [2, 5, 1, 0], [0, 1, 4, 1], [1, 0, 1, 3]])
JOBS = [
    {"state": Job.State.WAITING},
    {"state": Job.State.RUNNING},
    {"state": Job.State.RUNNING, "progress": 40, "total": 100},
    {"state": Job.State.DONE, "outcome": "4 runs scored on 25 topics of qrels v1."},
    {"state": Job.State.FAILED, "outcome": "The worker was lost three times."},
]

RUNS = Sorting(
    "runs",
    run=Cell(lambda each: each["tag"]),
    ap=Figure(lambda each: each["ap"], name="AP"),
    p10=Figure(lambda each: each["p10"], name="P@10"),
)


def style(request: HttpRequest) -> HttpResponse:
    scale = Campaign().scale
    waiting, none = (
        "12 documents are waiting for your judgment.",
        "No scores have been released yet.",
    )
    context = {
        "states": [
            ("Run", Run.State.values),
            ("Judgment", ["unjudged", *Judgment.State.values]),
            ("Job", Job.State.values),
            ("Stage", STAGES),
        ],
        "steps": [
            NextStep(Role.ASSESSOR, waiting, "overview"),
            NextStep(Role.PARTICIPANT, none, "overview", is_urgent=False),
        ],
        "lists": [listed(request, range(250)).paginator.page(n) for n in (1, 2, 3)],
        "jobs": [Job(pk=n, kind=score_runs.name, **each) for n, each in enumerate(JOBS, 1)],
        "runs": tabled(request, [row(n) for n in range(1, 25)], RUNS),
        "grades": scale.grades,
        "form": RunForm(),
        "refused_form": RunForm({"tag": ".bad"}),
        "stages": [
            Stage(state, "overview", 7, "of 9", state, "", is_next=state == PROGRESS)
            for state in STAGES
        ],
        "campaign": {"slug": "example"},
        "pictures": large_pictures(),
        "strips": strips(),
        "axis": axis(),
        "rows": rows(),
        "matrix": grade_matrix(GRADES, scale.grades),
    }
    return render(request, "style.html", context)


def row(n: int) -> dict[str, str]:
    ap, p10 = f"{1 / (n + 1):.3f}", f"{n * 7 % 10 / 10:.3f}"
    return {"tag": f"run-{n}", "kind": "yours" if n % 7 == 3 else "pooled", "ap": ap, "p10": p10}
