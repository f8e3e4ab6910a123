"""What an act is answered with: the record of what came of it, as its list tells it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.urls import NoReverseMatch, reverse
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from api.reading import etag, for_reader, record_of
from api.registry import noun_of
from campaigns.access.roles import campaign_of
from campaigns.models.campaign import Campaign
from jobs.models import Job

if TYPE_CHECKING:
    from accounts.models import User
    from api.acting import Act
    from api.models import Answer
    from campaigns.noun import Noun

ACCEPTED, CREATED, DONE, NOTHING = 202, 201, 200, 204


def answered(answer: Answer, secret: Mapping[str, Any] | None = None) -> Response:
    """Return an answer as it is sent, with what is told this one time."""
    at = answer.location
    headers = {"Location": at, "ETag": etag(answer.told)} if at else {}
    told = {**answer.told, **secret} if secret else answer.told
    return Response(told, status=answer.status, headers=headers)


def answer_to(act: Act, user: User, thing: Any, subject: Any, result: Any) -> tuple[int, Any, str]:
    """Return the status, what is told of a result, and its address if it has one."""
    if act.tells:
        subject.refresh_from_db()
        record = record_of(act.tells, thing, subject)
        return DONE, plain(record), address_of(act.tells, subject, record)
    if result is None and not act.is_of_all:
        result = subject
    noun = noun_of(type(result))
    if noun is None:
        return said_of(result)
    row = result if act.is_told_as_made else as_listed(noun, user, result)
    if row is None:
        return NOTHING, None, ""
    record = record_of(noun, campaign_of(row), row)
    is_job = isinstance(result, Job)
    is_new = result != subject and act.makes(noun) and not getattr(result, "was_there", False)
    status = ACCEPTED if is_job else CREATED if is_new else DONE
    return status, plain(record), address_of(noun, result, record)


def said_of(result: Any) -> tuple[int, Any, str]:
    """Return the answer to an act that returns no row: counts, or that it was done."""
    if isinstance(result, int):
        return DONE, {"n": result}, ""
    if isinstance(result, Mapping):
        return DONE, plain(result), ""
    return (
        (DONE, plain(result._asdict()), "") if hasattr(result, "_asdict") else (NOTHING, None, "")
    )


def as_listed(noun: Noun, user: User, result: Any) -> Any | None:
    """Return a row as its list has it, with what is counted there; None if the person sees none."""
    rows = noun.rows(user, None if isinstance(result, Campaign) else campaign_of(result))
    row = rows.filter(pk=result.pk).first() if isinstance(rows, QuerySet) else result
    return row and for_reader(row, user)


def plain(record: Mapping[str, Any]) -> Any:
    """Return a record as JSON has it, to be stored and told again."""
    return json.loads(json.dumps(record, cls=JSONEncoder))


def address_of(noun: Noun, row: Any, record: Mapping[str, Any]) -> str:
    """Return the address of a record in its campaign, "" if it has none."""
    if not (noun.key.part or noun.is_one):
        return ""
    has_key = not (noun.is_one or isinstance(row, Campaign))
    key = {"key": record[noun.key.field]} if has_key else {}
    kwargs = {"slug": campaign_of(row).slug, **key}
    try:
        return reverse(f"api:{noun.name}{'' if noun.is_one else '_one'}", kwargs=kwargs)
    except NoReverseMatch:  # below another row
        return ""
