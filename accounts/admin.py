"""The admin pages of people, and what those of all other tables have in common."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpResponse

from accounts.forms import StaffSignInForm
from accounts.from_above import TOKENS_END
from accounts.models import AccountEvent, User

admin.site.login_form = StaffSignInForm
admin.site.unregister(Group)  # rights come from memberships


class ReadOnly(admin.ModelAdmin[Any]):
    """Rows to look at: whatever changes them is a service, which checks, and keeps a record."""

    actions = None

    def has_add_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, *_: object) -> bool:
        return False

    def has_delete_permission(self, *_: object) -> bool:
        return False


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    """Accounts, which are changed here; what was changed, and by whom, is told to the person.

    An account stays, as what its person did refers to it; one can make it inactive.
    """

    actions = None

    def has_delete_permission(self, *_: object) -> bool:
        return False

    def save_model(self, request: Any, obj: User, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            TOKENS_END(obj, request.user, "closed")

    def user_change_password(self, *arguments: Any, **options: Any) -> HttpResponse:
        with transaction.atomic():
            return super().user_change_password(*arguments, **options)

    def log_change(self, request: Any, user: User, message: Any) -> Any:
        changes: list[dict[str, Any]] = [each.get("changed", {}) for each in message]
        fields = [name for change in changes for name in change.get("fields", ())]
        kind, by = AccountEvent.Kind.CHANGED_BY, f"{request.user.label}: {', '.join(fields)}"
        if fields == ["password"]:
            kind, by = AccountEvent.Kind.PASSWORD_SET, request.user.label
        if fields:
            AccountEvent.objects.create(user=user, kind=kind, subject=by[:200])
        return super().log_change(request, user, message)
