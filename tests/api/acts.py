"""The acts of the API by the services that they call, and what a program sends for each."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from django.core.files import File
from django.core.files.base import ContentFile
from django.db.models import Model

from accounts.models import User
from api.acting import Act
from api.files import FileOf
from api.registry import noun_of
from assess.models.assigning import Assignment
from campaigns.access.roles import campaign_of
from campaigns.models.campaign import Campaign
from qrels.models import Qrels


def named(value: Any) -> Any:
    """A value as a program names it."""
    if isinstance(value, User):
        return value.username
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Model):
        noun = noun_of(type(value))
        return str(
            noun.record(noun.told(campaign_of(value), value), [noun.key.field])[noun.key.field]
        )
    if isinstance(value, list | tuple | set):
        return [named(each) for each in value]
    return value


def place(at: str, act: Act | FileOf, given: dict[str, Any]) -> str:
    """The address of an act on what a service was given."""
    subject = given.get(getattr(act, "subject", "")) or next(iter(given.values()))
    campaign = campaign_of(subject) if isinstance(subject, Model) else None
    key = "" if act.of_all or not act.name else named(subject)
    if isinstance(subject, Campaign):
        key = subject.slug
    slug = campaign.slug if campaign else ""
    for part, value in (("slug:slug", slug), (f"{act.noun.key.part}:key", key)):
        at = at.replace(f"<{part}>", str(value))
    return at


def sent(act: Act, given: dict[str, Any]) -> dict[str, Any]:
    """What a program sends besides the address."""
    rest = {name: value for name, value in given.items() if name not in {act.subject, "seen"}}
    return {
        name: value if isinstance(value, File) else named(value)
        for name, value in rest.items()
        if not isinstance(value, Campaign)
    }


TEXTS = {
    "topics": lambda: ContentFile(b'{"number": "9", "title": "bats"}\n', "t"),
    "documents": lambda: ContentFile(b'{"docno": "d9", "text": "bats"}\n', "documents.jsonl"),
}
# What a service is given that a program finds at another address.
ELSEWHERE = {
    "make_reset": lambda given: {
        "membership": given["campaign"].membership_set.filter(user=given["person"]).get()
    },
    "judge_all": lambda given: {
        "assignment": Assignment.objects.get(pk=given["key"]),
        "acts": given["acts"],
    },
    "save_note": lambda given: {
        "assignment": Assignment.objects.get(pk=given["pk"]),
        "note": given["note"],
    },
}


def acted(answer) -> dict[str, str]:
    return {"client_id": str(uuid4()), "docno": answer.docno, "choice": answer.state}


A_RUN = b"1 Q0 d1 1 9.5 one\n1 Q0 d2 2 8.1 one\n2 Q0 d3 1 7.7 one\n"


def asking(name: str, question: str, *labels: str, **more: Any) -> dict[str, Any]:
    answers = [{"value": value, "label": label} for value, label in enumerate(labels)]
    return {"name": name, "question": question, "answers": answers, **more}


RELEVANCE = asking(
    "relevance", "How relevant is it?", "not relevant", "partly relevant", "relevant", level=1
)
CREDIBILITY = asking("credibility", "Do you trust it?", "no", "yes", from_grade=1)
# Of services that a program calls by other names than Python does.
OTHERWISE = {
    "change_campaign": lambda given: dict(given["changes"]),
    "invite": lambda given: {"role": given["role"], "team": given.get("team_name", "")},
    "describe_run": lambda given: dict(given["changes"]),
    "limit_assessors": lambda given: {
        "limits": {User.objects.get(pk=pk).username: n for pk, n in given["limits"].items()}
    },
    "ask": lambda given: {"text": given["text"], "client_id": str(uuid4())},
    "remove_member": lambda given: {"role": given["membership"].role},
    "share": lambda given: {
        **{name: named(value) for name, value in given.items() if name != "campaign"},
        "topics": " ".join(named(given["topics"])),
    },
    "hide_topics": lambda given: {"numbers": " ".join(given["numbers"])},
    "distribute": lambda given: {"second_percent": 0},
    "confirm_import": lambda given: {"takes_versions": True},
    "undo_import": lambda given: {"accepts": "1 topic goes with it."},
    "remove_known": lambda given: {"topic": None},
    "withdraw_run": lambda given: {"reason": "Part of the index was missing."},
    "create_campaign": lambda given: {
        **given,
        "description": "Bridges of Europe, and who built them.",
        "time_zone": "Europe/Berlin",
        "criteria": [RELEVANCE, CREDIBILITY],
    },
    "submit_run": lambda given: {"tag": given["tag"], "file": ContentFile(A_RUN, "one.txt")},
    "request_import": lambda given: {"file": TEXTS[given["kind"]]()},
    "import_known": lambda given: {"file": ContentFile(b"1 0 d1 1\n", "known.txt")},
    "request_evaluation": lambda given: {"qrels": given["scope"].qrels},
    "release": lambda given: {
        "what": given["what"],
        "audience": given["audience"],
        "version": Qrels.objects.get(pk=given["subject_id"]).number,
    },
    "judge": lambda given: [acted(given["answer"])],
    "judge_all": lambda given: [acted(each.answer) for each in given["acts"]],
    "save_note": lambda given: {**given["note"]._asdict(), "note_version": 0},
    "register_program": lambda given: {
        name: str(value) for name, value in given.items() if name != "campaign"
    },
    "take_labels": lambda given: {
        "labels": [
            {"topic": each.topic, "docno": each.docno, "grade": each.verdict, "confidence": 0.9}
            for each in given["labels"]
        ]
    },
    "delete_campaign": lambda given: {"name": given["campaign"].name},
    "make_reset": lambda given: {},
    "submit_archive": lambda given: {"file": given["file"]},
}
