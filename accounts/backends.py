"""Signing in as Django does it; who has signed in is looked up by written SQL, as every request asks."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.db import connection
from django.db.models import Value
from django.db.models.functions import Lower
from django.http import HttpRequest

from accounts.models import User
from accounts.rows import Columns

USER = Columns(User, "person")
FOUND = f"SELECT {USER.sql} FROM accounts_user person WHERE person.id = %s"  # noqa: S608 - names of columns


class Backend(ModelBackend):
    """Django's own, with a quicker `get_user`, and with one name for all its spellings, as the constraint has it."""

    def authenticate(self, request: HttpRequest | None, **given: Any) -> Any:  # type: ignore[override]
        name = Lower(Value(given.get("username") or ""))
        found = User.objects.alias(name=Lower("username")).filter(name=name)
        if written := found.values_list("username", flat=True).first():
            given["username"] = written
        return super().authenticate(request, **given)

    def get_user(self, user_id: Any) -> User | None:
        with connection.cursor() as cursor:
            cursor.execute(FOUND, [user_id])
            row = cursor.fetchone()
        user = USER.make(row) if row else None
        return user if user and self.user_can_authenticate(user) else None
