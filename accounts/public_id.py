"""A name for rows that programs speak of and people never named."""

from uuid import uuid4

from django.contrib.postgres.functions import RandomUUID
from django.db import models


def a_public_id() -> models.UUIDField[object, object]:
    """Return the column: it says nothing of how many rows there are, and stays in a copy."""
    return models.UUIDField(default=uuid4, db_default=RandomUUID(), unique=True, editable=False)
