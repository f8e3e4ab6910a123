"""Refusals as problem details (RFC 9457): every error of the API has one shape."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import JsonResponse

API = "/api/"  # where programs are answered
MEDIA_TYPE = "application/problem+json"


class Kind(NamedTuple):
    """A kind of problem: its title, and what a program does about it."""

    title: str
    remedy: str


# By the last part of `type`, an address on the site whose page explains it.
KINDS: Mapping[str, Kind] = {
    "refused": Kind(
        "Refused as things stand", "Read `detail`: it says what would have to be otherwise."
    ),
    "unconfirmed": Kind(
        "Has a consequence that nobody accepted",
        "Send the same again with `accepts`, the text of `detail`, if you want the consequence.",
    ),
    "stale": Kind(
        "Changed since you read it", "Read it again, and send its new ETag as `If-Match`."
    ),
    "not_yours": Kind(
        "Not for you", "Read `detail`: it says who may, by which token, or from when."
    ),
    "not_found": Kind("Nothing there", "Check the address: names are those of the lists."),
    "not_signed_in": Kind(
        "Not signed in",
        "Send `Authorization: Bearer …` with a token in force; from a page, sign in again.",
    ),
    "invalid": Kind(
        "Some values do not fit", "`fields` says which, each with its sentences; nothing was done."
    ),
    "unreadable": Kind(
        "The request cannot be read",
        "Read `detail`: it says what is wrong. Acts take JSON, or a form with its files.",
    ),
    "too_large": Kind("Longer than an act may be", "Send long texts as files."),
    "upload": Kind(
        "Not as an upload goes on",
        "Read `detail`. One that is here goes on after the `Upload-Offset` that HEAD tells.",
    ),
    "too_many": Kind("Too many requests", "Wait for the seconds of `Retry-After`."),
    "wrong_method": Kind("Another method is wanted", "`Allow` names those that the address takes."),
    "not_acceptable": Kind(
        "No such form of an answer", "`Accept` application/json, application/x-ndjson or text/csv."
    ),
    "unavailable": Kind(
        "Out for a moment", "Send the same again, with the same `Idempotency-Key`, a little later."
    ),
    "error": Kind("Our fault", "It has been logged; nothing was done."),
}


def problem(kind: str, status: int, detail: str, **more: Any) -> dict[str, Any]:
    """Return a problem as JSON has it; `more` are members of its own, such as `fields`."""
    its = KINDS[kind]
    kept = {name: value for name, value in more.items() if value is not None}
    return {
        "type": f"/help/api/#{kind}",
        "title": its.title,
        "status": status,
        "detail": detail,
        "remedy": its.remedy,
        **kept,
    }


def problem_page(
    kind: str, status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> JsonResponse:
    """Answer with a problem, whatever form of an answer the program accepts."""
    body = problem(kind, status, detail, **more)
    return JsonResponse(body, status=status, content_type=MEDIA_TYPE, headers=headers)
