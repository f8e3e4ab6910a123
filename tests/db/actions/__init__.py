"""Everything people do: how, by whom, what the audit trail says, and whom it is refused."""

from django.apps import apps
from django.conf import settings
from django.db import connection

from tests.db.actions.campaigns import CAMPAIGNS
from tests.db.actions.judging import JUDGING
from tests.db.actions.pools import POOLS
from tests.db.actions.programs import PROGRAMS
from tests.db.actions.qrels import QRELS

ACTIONS = {each.name: each for each in (*CAMPAIGNS, *POOLS, *JUDGING, *PROGRAMS, *QRELS)}


def snapshot() -> dict[str, list[str]]:
    """Every row there is, as PostgreSQL writes it, by the name of its model."""
    models = [
        model for name in settings.OUR_APPS for model in apps.get_app_config(name).get_models()
    ]
    rows = (
        "SELECT '{0.__name__}', coalesce(array_agg(t::text ORDER BY {0._meta.pk.column}), '{{}}') "
        "FROM {0._meta.db_table} t"
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(map(rows.format, models)))
        return dict(cursor.fetchall())
