"""The column of a scope, and the runs that a scope has."""

from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform

from campaigns.models.campaign import Campaign
from evaluation.core.scope import Scope
from runs.models import Run, RunQuerySet


class ScopeField(models.JSONField):
    """A scope, as JSON without the parts that are as usual."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        is_part = isinstance(expression, KeyTransform)
        return found if is_part or found is None else Scope.from_json(found)

    def get_prep_value(self, value: Any) -> Any:
        return value.to_json() if isinstance(value, Scope) else value


def runs_in(campaign: Campaign, scope: Scope) -> RunQuerySet:
    """Return the runs of a scope that are valid now."""
    runs = Run.objects.of_round(campaign, scope.round).valid()
    return runs.filter(tag__in=scope.chosen) if scope.chosen else runs
