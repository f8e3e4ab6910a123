"""What is kept of a person: handed out as lines, and taken from their name."""

import json
import re
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models import Q
from django.utils.crypto import get_random_string

from accounts.access import Refused
from accounts.append_only import naming
from accounts.from_above import TOKENS_END
from accounts.models import AccountEvent, User
from campaigns.from_above import HISTORIES
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role
from campaigns.models.trail import AuditEvent

SECRETS = {"password", "password_mark", "token", "token_hash"}


def links() -> Iterator[tuple[type[models.Model], str]]:
    """Yield each table whose rows refer to a person, with the lookup that leads there."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey) and field.related_model is User:
                yield model, field.name
    for label, lookup in HISTORIES:
        yield apps.get_model(label), lookup


def export(user: User) -> Iterator[str]:
    """Yield what is stored of a person, a line of JSON a row: the account, then all else.

    Whatever refers to the person is there, also what they may not know yet, such as which documents
    were controls. Of texts and files that they sent the row is there, without the content.
    """
    yield from _lines(User, "", {"pk": user.pk})
    for model, lookup in links():
        yield from _lines(model, lookup, {lookup: user})


def _columns(model: type[models.Model]) -> list[str]:
    """Return the columns that are handed out: all but secrets and what is stored as bytes."""
    return [
        field.attname
        for field in model._meta.concrete_fields
        if field.name not in SECRETS and not isinstance(field, models.BinaryField)
    ]


def _lines(model: type[models.Model], lookup: str, found: dict[str, Any]) -> Iterator[str]:
    rows = model._base_manager.filter(**found).order_by("pk").values("pk", *_columns(model))
    for row in rows.iterator():
        kept = {"table": model._meta.label, "as": lookup, "id": row.pop("pk"), "row": row}
        yield json.dumps(kept, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n"


@transaction.atomic
def pseudonymize(user: User) -> tuple[str, int]:
    """Give a person's account a made-up name and end it; return that, and how many events changed.

    What they did stays, and is the pseudonym's. The names go out of the words of events too, and
    out of the names of invitations, where they had a part. What somebody has written, and files
    whose SHA-256 is on record, stay.
    """
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    _check_replaceable(locked)
    names = {locked.label, locked.get_full_name(), locked.username, locked.email} - {""}
    pseudonym = f"person-{get_random_string(8, 'abcdefghjkmnpqrstuvwxyz23456789')}"
    TOKENS_END(locked, None, "closed")
    n = _rename(locked, names, pseudonym)
    locked.username, locked.first_name, locked.last_name, locked.email = pseudonym, "", "", ""
    locked.is_active = locked.is_staff = locked.is_superuser = False
    locked.set_unusable_password()  # which ends all sessions
    locked.save()
    LogEntry.objects.filter(object_id=str(user.pk), content_type__model="user").update(
        object_repr=pseudonym
    )
    locked.resets.all().delete()
    AccountEvent.objects.create(user=locked, kind=AccountEvent.Kind.PSEUDONYMIZED)
    return pseudonym, n


def _check_replaceable(user: User) -> None:
    """Refuse to leave a campaign without an organizer."""
    organizers = Membership.objects.filter(role=Role.ORGANIZER)
    others = organizers.exclude(user=user).filter(user__is_active=True)
    own = Campaign.objects.filter(pk__in=organizers.filter(user=user).values("campaign"))
    alone = own.exclude(pk__in=others.values("campaign")).order_by("pk").first()
    if alone:
        raise Refused(
            f"{user} is the only organizer of {alone}: make somebody else one first, "
            "or delete the campaign."
        )


def _rename(user: User, names: set[str], pseudonym: str) -> int:
    """Put the pseudonym for the names where the person had a part; return in how many events.

    The names go out of the words of events and of the names of invitations. Rows are locked as they
    are read, for somebody else's names may be taken out at once.
    """
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
    belongs = Membership.objects.filter(user=user).values("campaign")
    acted = AuditEvent.objects.filter(actor=user).order_by().values("campaign")
    own = Q(campaign__in=belongs) | Q(campaign__in=acted)
    audits = AuditEvent.objects.filter(own | Q(campaign=None)).select_for_update(no_key=True)
    n = 0
    with naming():
        for event in audits.iterator():
            subject = named.sub(pseudonym, event.subject)[:200]
            detail = _renamed(event.detail, named, pseudonym)
            if (subject, detail) != (event.subject, event.detail):
                AuditEvent.objects.filter(pk=event.pk).update(subject=subject, detail=detail)
                n += 1
        for change in AccountEvent.objects.exclude(subject="").select_for_update(no_key=True):
            if named.search(change.subject):
                subject = named.sub(pseudonym, change.subject)[:200]
                AccountEvent.objects.filter(pk=change.pk).update(subject=subject)
                n += 1
    for link in Invitation.objects.filter(own).exclude(name="").select_for_update(no_key=True):
        link.name = named.sub(pseudonym, link.name)[:60]
        link.save(update_fields=["name"])
    return n


def _renamed(value: Any, named: re.Pattern[str], pseudonym: str) -> Any:
    """Return the value of an event's detail with the pseudonym in all its texts."""
    if isinstance(value, str):
        return named.sub(pseudonym, value)
    if isinstance(value, list):
        return [_renamed(each, named, pseudonym) for each in value]
    if isinstance(value, dict):
        return {key: _renamed(each, named, pseudonym) for key, each in value.items()}
    return value
