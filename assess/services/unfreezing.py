"""Unfreezing a pool removes its assignments, and is refused once anything has been judged."""

from django.db.models import Sum

from accounts.access import Refused
from accounts.models import User
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.sharing import SharedDocument, SharedQueue
from pooling.models import Pool
from trec.words import counted


def check_nothing_is_judged(pool: Pool) -> None:
    """Refuse once anything has been recorded about a document, even if it was undone."""
    events = JudgmentEvent.objects.filter(assignment__pool=pool)
    n_documents = events.values("judgment").distinct().count()
    if n_documents:
        # Published qrels rest on such judgments.
        has_qrels = pool.qrels_set.exists()
        way = "" if has_qrels else " If it was a rehearsal, throw it away in the settings."
        begun = f"Judging has begun ({counted(n_documents, 'answer')})"
        raise Refused(f"{begun}, so the pool can no longer be unfrozen.{way}")


def described(pool: Pool) -> list[str]:
    assignments = Assignment.objects.filter(pool=pool)
    if not (n := assignments.count()):
        return []
    n_people = assignments.values("assessor").distinct().count()
    n_documents = assignments.dealt().aggregate(n=Sum("n_entries"))["n"] or 0
    n_documents += SharedDocument.objects.filter(queue__pool=pool).count()
    people = f"{counted(n, 'assignment')} to {counted(n_people, 'assessor')}"
    return [f"{people}, with {counted(n_documents, 'document')} to judge"]


def remove(user: User, pool: Pool) -> None:
    """Delete the assignments, under locks: a judgment comes before, or finds nothing."""
    queues = SharedQueue.objects.filter(pool=pool)
    list(queues.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    assignments = Assignment.objects.filter(pool=pool).order_by("pk")
    list(assignments.select_for_update().values_list("pk"))
    check_nothing_is_judged(pool)
    assignments.delete()
    queues.delete()
