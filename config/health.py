"""Which services work, for a container's probes, and for pages while the queue is away."""

from collections.abc import Callable

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from jobs import broker
from jobs.work import is_worker_alive


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Say which services answer: 200 with the database, which is enough for pages, else 503."""
    is_served = _database_answers()
    state = {"database": is_served, "queue": broker.answers(), "worker": is_worker_alive()}
    return JsonResponse(state, status=200 if is_served else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def queue(request: HttpRequest) -> dict[str, Callable[[], bool]]:
    """Give templates `queue_answers`, asked only if a template reads it."""
    return {"queue_answers": broker.answers}
