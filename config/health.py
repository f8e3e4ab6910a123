"""Which services work, for a container's probes, and for pages while the queue is away."""

from collections.abc import Callable

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cleverdon.version import VERSION
from config.tables import fits
from jobs import broker
from jobs.work import is_worker_alive


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Say which services answer: 200 if the database does, with this version's tables, else 503."""
    database = _asked(_database_answers)
    tables = database and _asked(fits)
    state = {
        "version": VERSION,
        "database": database,
        "tables": tables,
        "queue": broker.answers(),
        "worker": is_worker_alive(),
    }
    return JsonResponse(state, status=200 if tables else 503)


def _asked(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except Error:
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def queue(request: HttpRequest) -> dict[str, Callable[[], bool] | str]:
    """Give templates the version, and `queue_answers`, asked only if a template reads it.

    `of_path` is the end of the names of cookies: see `settings.SITE_PATH`.
    """
    of_path = settings.OF_PATH
    return {"queue_answers": broker.answers, "version": VERSION, "of_path": of_path}
