"""Acts that are opposite to each other, as they are sent."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, cycle
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from assess.services.reopening import version_of
from assess.services.sharing import version_of as version_of_sharing
from campaigns.models.campaign import Campaign
from campaigns.services.ending import describe_contents
from campaigns.services.leaving import holdings_of, seen_of
from collection.models.imports import Import
from collection.models.texts import seen_of as list_seen
from evaluation.models.scores import Evaluation
from pooling.from_above import dependents_of
from pooling.models.batches import Batch
from qrels.models import Qrels
from runs.models import Run
from runs.services.teams import contents_of
from tests.db.judging import last_decided
from trec.versions import version

number, RULES = count(1), cycle(["trec_eval-9", "trec_eval-10"])


@dataclass
class World:
    """A campaign in which Olga organizes, Ada and Ben assess, and Pat takes part."""

    campaign: Campaign

    def person(self, name: str) -> User:
        return User.objects.get(username=name)

    def run(self) -> Run | None:
        return self.campaign.run_set.filter(tag="one").first()

    def member(self, name: str):
        return self.campaign.membership_set.filter(user__username=name).first()

    def assignment(self) -> Assignment | None:
        return Assignment.objects.in_campaign(self.campaign).primary().first()


# The address, its row, and what is sent: a form, or acts in JSON.
Sent = tuple[str, object, dict[str, Any] | list[dict[str, Any]]]


Act = Callable[[World], Sent]


def key(row: Any) -> int:
    """The key of a row; of one that is gone that of none."""
    return row.pk if row else 0


def upload(world: World) -> Sent:
    tag = f"t{next(number)}"
    file = SimpleUploadedFile("run.txt", f"1 Q0 d1 1 1 {tag}\n".encode())
    return "runs:runs", None, {"tag": tag, "file": file, "team": "baseline"}


def upload_archive(world: World) -> Sent:
    tag = f"t{next(number)}"
    file = SimpleUploadedFile("run.txt", f"1 Q0 d1 1 1 {tag}\n".encode())
    return "runs:upload_runs", None, {"team": "baseline", "run_files": file}


def judge(world: World) -> Sent:
    data = {
        "docno": f"d{next(number) % 3 + 1}",
        "choice": str(next(number) % 3),
        "client_id": str(uuid4()),
    }
    return "desk:acts", key(world.assignment()), [data]


def undo(world: World) -> Sent:
    assignment = world.assignment()
    last = assignment and last_decided(assignment)
    docno = last.docno if last else "d1"
    data = {"docno": docno, "choice": "undo", "client_id": str(uuid4())}
    return "desk:acts", key(assignment), [data]


def remove(name: str) -> Act:
    def act(world: World) -> Sent:
        member = world.member(name)
        return (
            "campaigns:remove_member",
            key(member),
            {"seen": seen_of(holdings_of(member))} if member else {},
        )

    return act


def of_run(act: str, **data: Any) -> Act:
    return lambda world: (f"runs:{act}", key(world.run()), data)


def of_assignment(act: str, **data: Any) -> Act:
    return lambda world: ("desk:assignment", key(world.assignment()), {"act": act, **data})


def of_queue(act: str) -> Act:
    def sent(world: World) -> Sent:
        queue = SharedQueue.objects.filter(pool__campaign=world.campaign).first()
        data = {
            "act": act,
            "seen": sharing_seen(queue, act) if queue else "",
            "assessors": [world.person("cleo").pk],
            "n_wanted": 1 + next(number) % 2,
            "lease_minutes": 9,
        }
        return "assess:shared", key(queue), data

    return sent


def sharing_seen(queue: SharedQueue, act: str) -> str:
    group = queue.assignments.live().values_list("assessor", flat=True)
    return version_of_sharing(queue, group) if act == "unshare" else queue.terms


def of_import(act: str) -> Act:
    def sent(world: World) -> Sent:
        row = Import.objects.filter(campaign=world.campaign).order_by("pk").first()
        return f"collection:{act}", key(row), {"seen": row.previewed} if row else {}

    return sent


def of_qrels(act: str, **data: Any) -> Act:
    def sent(world: World) -> Sent:
        qrels = Qrels.objects.filter(campaign=world.campaign).last()
        return act, qrels.number if qrels else 1, data

    return sent


def plain(address: str, **data: Any) -> Act:
    return lambda _: (address, None, data)


def by_rows(address: str, data: Callable[[World], dict[str, Any]]) -> Act:
    return lambda world: (address, None, data(world))


def of_batch(act: str, data: Callable[[Batch], dict[str, Any]] = lambda _: {}) -> Act:
    def sent(world: World) -> Sent:
        batch = Batch.objects.filter(campaign=world.campaign).order_by("-pk").first()
        return f"pooling:{act}", key(batch), data(batch) if batch else {}

    return sent


def going(batch: Batch) -> dict[str, Any]:
    return {"seen": version(dependents_of(batch) if batch.pool else [])}


def merge(world: World) -> Sent:
    other, team = (
        world.campaign.team_set.filter(name=name).first() for name in ("Barbican", "Aldgate")
    )
    data = {"into": key(team), "seen": contents_of(other, team) if other and team else ""}
    return "runs:merge_team", key(other), data


def of_team(act: str, team: str = "Barbican", **data: Any) -> Act:
    return lambda world: (
        f"runs:{act}",
        key(world.campaign.team_set.filter(name=team).first()),
        data,
    )


def delete(world: World) -> Sent:
    return (
        "campaigns:delete",
        None,
        {"name": world.campaign.name, "seen": version(describe_contents(world.campaign))},
    )


def judge_shared(world: World) -> Sent:
    assignment = (
        Assignment.objects.in_campaign(world.campaign).filter(assessor__username="ben").first()
    )
    data = {"docno": ("d1", "d4")[next(number) % 2], "choice": "1", "client_id": str(uuid4())}
    return "desk:acts", key(assignment), [data]


def holder(world: World) -> int:
    return (world.assignment() or Assignment()).holder or 0


def n_changes(world: World) -> int:
    return (world.assignment() or Assignment()).n_changes


def is_pooled(world: World) -> bool:
    return bool((run := world.run()) and run.is_pooled)


def round_now(world: World) -> dict[str, Any]:
    rounds = Campaign.objects.filter(pk=world.campaign.pk).values_list("round", flat=True)
    return {"seen": rounds.first()}


def to_other_round(world: World) -> Sent:
    run = world.run()
    data = {"number": 3 - run.round, "seen": run.round} if run else {}
    return "runs:move_to_round", key(run), data


def everybody(world: World) -> dict[str, Any]:
    return {"assessors": [world.person(name).pk for name in ("ada", "ben")]}


ACTS: dict[str, Act] = {
    "delete": delete,
    "begin round": by_rows("rounds", round_now),
    "take back round": by_rows("take_back_round", round_now),
    "to other round": to_other_round,
    "archive": plain("campaigns:archive"),
    "restore": plain("campaigns:restore"),
    "upload": upload,
    "upload as pat": upload,
    "upload files": upload_archive,
    "invite": plain("campaigns:people", role="assessor", max_uses=1, days=30),
    "invite a team": by_rows(
        "campaigns:people",
        lambda _: {
            "role": "participant",
            "team_name": f"Team {next(number)}",
            "max_uses": 1,
            "days": 30,
        },
    ),
    "import": by_rows(
        "collection:topics", lambda _: {"text": f"{next(number) % 5 + 10}\tnine {next(number)}"}
    ),
    "import documents": by_rows(
        "collection:documents",
        lambda _: {
            "file": SimpleUploadedFile("d.jsonl", b'{"docno": "d1", "text": "%d"}\n' % next(number))
        },
    ),
    "confirm": of_import("import"),
    "discard": of_import("discard_import"),
    "undo import": of_import("undo_import"),
    "delete topics": by_rows(
        "collection:delete_topics",
        lambda world: {"seen": list_seen(world.campaign.topic_set.all())},
    ),
    "delete documents": by_rows(
        "collection:delete_documents",
        lambda world: {"seen": list_seen(world.campaign.document_set.all())},
    ),
    "declare": plain("collection:declare_collection", is_whole="on"),
    "withdraw run": lambda world: of_run("withdraw_run", seen=int(is_pooled(world)))(world),
    "disqualify": lambda world: of_run("disqualify_run", reason="no", seen=int(is_pooled(world)))(
        world
    ),
    "reinstate": of_run("reinstate_run"),
    "describe": lambda world: (
        "runs:describe_run",
        key(world.run()),
        {"description": f"BM{next(number)}"},
    ),
    "recheck": plain("runs:recheck_runs"),
    "merge": merge,
    "rename": of_team("rename_team", "Barbican", name="Barbican II"),
    "delete team": of_team("delete_team"),
    "leave": of_team("leave_team", "Aldgate"),
    "extend": by_rows(
        "runs:extensions",
        lambda world: {"team": key(world.campaign.team_set.filter(name="Barbican").first())},
    ),
    "remove pat": remove("pat"),
    "remove ada": remove("ada"),
    "build": by_rows("pooling:build", lambda world: {"runs": [key(world.run())], "depth": 2}),
    "delete pool": of_batch("delete"),
    "freeze": of_batch("freeze", lambda batch: {"sha256": batch.sha256}),
    "unfreeze": of_batch("take_back", going),
    "assign": by_rows(
        "assess:assign",
        lambda world: {
            "topic": key(world.campaign.topic_set.filter(number="2").first()),
            "assessor": world.person("ben").pk,
            "kind": "primary",
            "share": 100,
        },
    ),
    "distribute": plain("assess:distribute", second_percent=50),
    "share": by_rows(
        "assess:share",
        lambda world: {"topics": "2", "n_wanted": 1, "lease_minutes": 30, **everybody(world)},
    ),
    "unshare": of_queue("unshare"),
    "join": of_queue("join"),
    "change sharing": of_queue("change"),
    "judge": judge,
    "undo": undo,
    "judge shared": judge_shared,
    "hand over": lambda world: of_assignment(
        "hand_over", assessor=world.person(("ada", "ben")[next(number) % 2]).pk, seen=holder(world)
    )(world),
    "take back": lambda world: of_assignment("take_back", seen=holder(world))(world),
    "reopen": of_assignment("reopen"),
    "reset": lambda world: of_assignment("reset", seen=n_changes(world))(world),
    "publish": plain("qrels:publish_qrels", level=1),
    "withdraw qrels": of_qrels("qrels:version", reason="wrong"),
    "reinstate qrels": of_qrels("qrels:reinstate_qrels"),
    "reopen earlier": by_rows(
        "assess:earlier",
        lambda world: {
            "seen": version_of(Judgment.objects.on_earlier().filter(topic__campaign=world.campaign))
        },
    ),
    "study": lambda world: (
        "evaluation:study",
        key(Evaluation.objects.filter(campaign=world.campaign).first()),
        {},
    ),
    "score": by_rows(
        "evaluation:score",
        lambda world: {
            "qrels": getattr(Qrels.objects.filter(campaign=world.campaign).last(), "number", 1),
            "picked": ["AP"],
            "rules": next(RULES),
            "topic_set": "judged",
        },
    ),
}


# Who does it where that is not Olga.
BY = {
    "upload as pat": "pat",
    "withdraw run": "pat",
    "describe": "pat",
    "leave": "pat",
    "judge": "ada",
    "undo": "ada",
    "judge shared": "ben",
}
