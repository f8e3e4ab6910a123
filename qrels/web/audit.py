"""The page of a pool audit: how deep the runs are judged in a version of the qrels."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, signed_in
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import attempt, guarded, page, tabled
from cleverdon.pools.audit import NOWHERE, WHOLE
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.ranking import ORDER_RULES
from jobs.models import Job
from qrels.access import QrelsVersions
from qrels.models import PoolAudit, Qrels
from qrels.services.publishing import request_audit
from qrels.tasks import audit_pool
from runs.models import Run

Figures = dict[str, Any]  # `cleverdon.pools.audit.Found` as JSON


DEPTHS = Sorting(
    "depths",
    run=Cell(lambda row: row[0].tag),
    team=Cell(lambda row: row[0].team.name),
    ties_by_docno_descending=Figure(lambda row: row[1][0].value),
    ties_by_docno_ascending=Figure(lambda row: row[1][1].value),
    rank_column=Figure(lambda row: row[1][2].value),
)


class Depth(NamedTuple):
    """A fully judged depth, for sorting and in words: a dash without a topic of the judgments."""

    value: int
    text: str

    @classmethod
    def of(cls, found: Figures) -> "Depth":
        if found["depth"] is not None:
            return cls(found["depth"], f"{found['depth']:,}")
        return cls(WHOLE, "all") if found["documents"] else cls(NOWHERE, "\N{EN DASH}")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def audit(request: UserRequest, slug: str, number: int) -> HttpResponse:
    """Show the audit to organizers, who ask for it here."""
    campaign = guarded(request, slug, QrelsVersions.audit)
    qrels = get_object_or_404(Qrels, campaign=campaign, number=number)
    if request.method == "POST":
        if refusal := attempt(request_audit, user=request.user, qrels=qrels):
            messages.error(request, refusal)
        return redirect("qrels:audit", slug, number)
    # The job is read first: if it ends meanwhile, the page still loads itself again.
    job = Job.objects.about(audit_pool.name, qrels.pk)
    made = PoolAudit.objects.filter(qrels=qrels).first()
    shown = _shown(request, made) if made else {}
    return page(request, "qrels/audit.html", campaign, "qrels", qrels=qrels, job=job, **shown)


def _shown(request: UserRequest, made: PoolAudit) -> dict[str, Any]:
    """Return the figures of each order rule, that of the deepest pool, and the runs' depths.

    `n_since` runs are valid now and were not then, or the other way round.
    """
    overall, by_run = made.found["overall"], made.found["runs"]
    rules = [(ORDER_RULES[rule], Depth.of(overall[rule]), overall[rule]) for rule in ORDER_RULES]
    deepest = max(rules, key=lambda row: row[1].value)
    runs = Run.objects.select_related("team").in_bulk([each["run"] for each in by_run])
    rows = [
        (runs[each["run"]], [Depth.of(each["by_rule"][rule]) for rule in ORDER_RULES])
        for each in by_run
        if each["run"] in runs
    ]
    at = rules.index(deepest)
    valid = Run.objects.filter(campaign=made.qrels.campaign_id).valid()
    rows.sort(key=lambda row: (row[1][at].value, natural_key(row[0].tag)))
    return {
        "made": made,
        "rules": rules,
        "deepest": deepest,
        "is_alone": [row[1].value for row in rules].count(deepest[1].value) == 1,
        "at": at,
        "rows": tabled(request, rows, DEPTHS),
        "n_since": len({each["run"] for each in by_run} ^ set(valid.values_list("pk", flat=True))),
    }
