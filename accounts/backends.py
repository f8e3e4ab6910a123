"""Django's sign-in with users loaded by hand-written SQL, as every request loads one."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.db import connection
from django.db.models import Value
from django.db.models.functions import Lower
from django.http import HttpRequest

from accounts.models import User
from accounts.rows import Columns

USER = Columns(User, "person")
BY_ID = f"SELECT {USER.sql} FROM accounts_user person WHERE person.id = %s"  # noqa: S608 - columns


class Backend(ModelBackend):
    """Django's own, with a quicker `get_user`, and user names in any case."""

    def authenticate(  # type: ignore[override]
        self, request: HttpRequest | None, **given: Any
    ) -> Any:
        name = Lower(Value(given.get("username") or ""))
        users = User.objects.alias(name=Lower("username")).filter(name=name)
        if stored_name := users.values_list("username", flat=True).first():
            given["username"] = stored_name
        return super().authenticate(request, **given)

    def get_user(self, user_id: Any) -> User | None:
        with connection.cursor() as cursor:
            cursor.execute(BY_ID, [user_id])
            row = cursor.fetchone()
        user = USER.make(row) if row else None
        return user if user and self.user_can_authenticate(user) else None
