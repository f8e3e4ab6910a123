"""Acts that are opposite to each other, as they are sent."""

from collections.abc import Callable
from itertools import count, cycle
from typing import Any, NamedTuple
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.sharing import SharedQueue
from assess.services.reopening import version_of
from assess.services.sharing import version_of as version_of_sharing
from campaigns.models.campaign import Campaign
from campaigns.services.ending import describe_contents
from cleverdon.trec.versions import version
from collection.models.imports import Import
from collection.models.texts import seen_of as list_seen
from evaluation.models.scores import Evaluation
from overview.services.leaving import seen_of
from pooling.from_above import dependents_of
from pooling.models.batches import Batch
from qrels.models import Qrels
from runs.services.teams import contents_of
from tests.db.judging import last_decided

number, RULES = count(1), cycle(["trec_eval-9", "trec_eval-10"])
AUDIENCES = cycle(["participants", "everybody"])


ROWS: dict[str, Callable[[Campaign], Any]] = {
    "run": lambda campaign: campaign.run_set.get(tag="one"),
    "ada": lambda campaign: campaign.membership_set.get(user__username="ada"),
    "pat": lambda campaign: campaign.membership_set.get(user__username="pat"),
    "aldgate": lambda campaign: campaign.team_set.get(name="Aldgate"),
    "barbican": lambda campaign: campaign.team_set.get(name="Barbican"),
    "assignment": lambda campaign: given(campaign).primary().earliest("pk"),
    "bens": lambda campaign: given(campaign).filter(assessor__username="ben").earliest("pk"),
    "queue": lambda campaign: SharedQueue.objects.get(pool__campaign=campaign),
    "imported": lambda campaign: Import.objects.filter(campaign=campaign).earliest("pk"),
    "batch": lambda campaign: Batch.objects.filter(campaign=campaign).latest("pk"),
    "qrels": lambda campaign: Qrels.objects.filter(campaign=campaign).earliest("number"),
    "evaluation": lambda campaign: Evaluation.objects.filter(campaign=campaign).earliest("pk"),
    "last_evaluation": lambda campaign: Evaluation.objects.filter(campaign=campaign).latest("pk"),
}
given = Assignment.objects.in_campaign


class World(NamedTuple):
    """A campaign in which Olga organizes, Ada and Ben assess, and Pat takes part."""

    campaign: Campaign

    def __getattr__(self, name: str) -> Any:
        """Return one of the `ROWS` as it is now; raises if it is gone."""
        return ROWS[name](self.campaign)

    def people(self, *names: str) -> list[int]:
        return [User.objects.get(username=name).pk for name in names]


class Act(NamedTuple):
    """Where it is sent, to which row of the world, what, and by whom.

    What is sent is a form, or acts in JSON.
    """

    address: str
    row: str = ""
    data: Callable[[World], Any] = lambda _: {}
    who: str = "olga"

    def sent(self, world: World) -> tuple[str, Any]:
        """The address and what is sent there; raises if a row is gone."""
        row = getattr(world, self.row) if self.row else None
        key = row.number if isinstance(row, Qrels) else row and row.pk
        if self.address.startswith("api:"):
            key = row.public_id
        arguments = [world.campaign.slug, *([key] if row else [])]
        return reverse(self.address, args=arguments), self.data(world)


def typed(**data: Any) -> Callable[[World], Any]:
    return lambda _: data


def one_run(field: str) -> Callable[[World], Any]:
    """The form with a run of a tag of its own in a field for files."""

    def data(_: World) -> dict[str, Any]:
        tag = f"t{next(number)}"
        file = SimpleUploadedFile("run.txt", f"1 Q0 d1 1 1 {tag}\n".encode())
        return {"tag": tag, field: file, "team": "baseline"}

    return data


def of_documents(*docnos: str) -> Callable[[World], Any]:
    """A judgment of one of these."""
    return lambda _: [
        {
            "docno": docnos[next(number) % len(docnos)],
            "choice": str(next(number) % 3),
            "client_id": str(uuid4()),
        }
    ]


def undone(world: World) -> list[dict[str, Any]]:
    last = last_decided(world.assignment)
    docno = last.docno if last else "d1"
    return [{"docno": docno, "choice": "undo", "client_id": str(uuid4())}]


def of_run(world: World) -> dict[str, Any]:
    return {"seen": int(world.run.is_pooled), "reason": "no"}


def of_team(name: str) -> Callable[[World], Any]:
    return lambda world: {"seen": seen_of(getattr(world, name))}


def of_import(world: World) -> dict[str, Any]:
    return {"seen": world.imported.previewed}


def of_round(world: World) -> dict[str, Any]:
    return {"seen": Campaign.objects.values_list("round", flat=True).get(pk=world.campaign.pk)}


def of_group(world: World) -> dict[str, Any]:
    group = world.queue.assignments.live().values_list("assessor", flat=True)
    return {"act": "unshare", "seen": version_of_sharing(world.queue, group)}


def of_terms(world: World) -> dict[str, Any]:
    terms = {"n_wanted": 1 + next(number) % 2, "lease_minutes": 9}
    return {"act": "change", "seen": world.queue.terms, **terms}


def of_holder(act: str) -> Callable[[World], Any]:
    return lambda world: {
        "act": act,
        "seen": world.assignment.holder or 0,
        "assessor": world.people(("ada", "ben")[next(number) % 2])[0],
    }


def of_earlier(world: World) -> dict[str, Any]:
    return {
        "seen": version_of(Judgment.objects.on_earlier().filter(topic__campaign=world.campaign))
    }


def of_release(what: str, row: str = "") -> Callable[[World], Any]:
    """The form that releases this, of one round and so without a choice where no row is named."""

    def data(world: World) -> dict[str, Any]:
        subject = {"subject_id": getattr(world, row).pk} if row else {}
        return {"what": what, "audience": next(AUDIENCES), **subject}

    return data


ACTS = {
    "delete": Act(
        "campaigns:delete",
        data=lambda world: {
            "name": world.campaign.name,
            "seen": version(describe_contents(world.campaign)),
        },
    ),
    "begin round": Act("rounds", data=of_round),
    "take back round": Act("take_back_round", data=of_round),
    "to other round": Act(
        "runs:move_to_round",
        "run",
        lambda world: {"number": 3 - world.run.round, "seen": world.run.round},
    ),
    "archive": Act("campaigns:archive"),
    "restore": Act("campaigns:restore"),
    "upload": Act("runs:runs", data=one_run("file")),
    "upload as pat": Act("runs:runs", data=one_run("file"), who="pat"),
    "upload files": Act("runs:upload_runs", data=one_run("run_files")),
    "invite": Act("campaigns:people", data=typed(role="assessor", max_uses=1, days=30)),
    "invite a team": Act(
        "campaigns:people",
        data=lambda _: {
            "role": "participant",
            "team_name": f"Team {next(number)}",
            "max_uses": 1,
            "days": 30,
        },
    ),
    "import": Act(
        "collection:topics",
        data=lambda _: {"text": f"{next(number) % 5 + 10}\tnine {next(number)}"},
    ),
    "import documents": Act(
        "collection:documents",
        data=lambda _: {
            "file": SimpleUploadedFile("d.jsonl", b'{"docno": "d1", "text": "%d"}\n' % next(number))
        },
    ),
    "confirm": Act("collection:import", "imported", of_import),
    "discard": Act("collection:discard_import", "imported", of_import),
    "undo import": Act("collection:undo_import", "imported", of_import),
    "delete topics": Act(
        "collection:delete_topics",
        data=lambda world: {"seen": list_seen(world.campaign.topic_set.all())},
    ),
    "delete documents": Act(
        "collection:delete_documents",
        data=lambda world: {"seen": list_seen(world.campaign.document_set.all())},
    ),
    "declare": Act("collection:declare_collection", data=typed(is_whole="on")),
    "withdraw run": Act("runs:withdraw_run", "run", of_run, "pat"),
    "disqualify": Act("runs:disqualify_run", "run", of_run),
    "reinstate": Act("runs:reinstate_run", "run"),
    "describe": Act(
        "runs:describe_run", "run", lambda _: {"description": f"BM{next(number)}"}, "pat"
    ),
    "recheck": Act("runs:recheck_run", "run"),
    "merge": Act(
        "runs:merge_team",
        "barbican",
        lambda world: {
            "into": world.aldgate.pk,
            "seen": contents_of(world.barbican, world.aldgate),
        },
    ),
    "rename": Act("runs:rename_team", "barbican", typed(name="Barbican II")),
    "delete team": Act("runs:delete_team", "barbican"),
    "leave": Act("runs:leave_team", "aldgate", who="pat"),
    "extend": Act("runs:extensions", data=lambda world: {"team": world.barbican.pk}),
    "remove pat": Act("remove_member", "pat", of_team("pat")),
    "remove ada": Act("remove_member", "ada", of_team("ada")),
    "build": Act("pooling:build", data=lambda world: {"runs": [world.run.pk], "depth-depth": 2}),
    "delete pool": Act("pooling:delete", "batch"),
    "build again": Act("pooling:build_again", "batch"),
    "freeze": Act("pooling:freeze", "batch", lambda world: {"sha256": world.batch.sha256}),
    "unfreeze": Act(
        "pooling:take_back",
        "batch",
        lambda world: {"seen": version(dependents_of(world.batch) if world.batch.pool else [])},
    ),
    "assign": Act(
        "assess:assign",
        data=lambda world: {
            "topic": world.campaign.topic_set.get(number="2").pk,
            "assessor": world.people("ben")[0],
            "kind": "primary",
            "share": 100,
        },
    ),
    "distribute": Act("assess:distribute", data=typed(second_percent=50)),
    "share": Act(
        "assess:share",
        data=lambda world: {
            "topics": "2",
            "n_wanted": 1,
            "lease_minutes": 30,
            "assessors": world.people("ada", "ben"),
        },
    ),
    "unshare": Act("assess:shared", "queue", of_group),
    "join": Act(
        "assess:shared", "queue", lambda world: {"act": "join", "assessors": world.people("cleo")}
    ),
    "change sharing": Act("assess:shared", "queue", of_terms),
    "judge": Act("api:work_judge", "assignment", of_documents("d1", "d2", "d3"), "ada"),
    "undo": Act("api:work_judge", "assignment", undone, "ada"),
    "judge shared": Act("api:work_judge", "bens", of_documents("d1", "d4"), "ben"),
    "hand over": Act("desk:assignment", "assignment", of_holder("hand_over")),
    "take back": Act("desk:assignment", "assignment", of_holder("take_back")),
    "reopen": Act("desk:assignment", "assignment", typed(act="reopen")),
    "reset": Act(
        "desk:assignment",
        "assignment",
        lambda world: {"act": "reset", "seen": world.assignment.n_changes},
    ),
    "publish": Act("qrels:publish_qrels", data=typed(level=1)),
    "withdraw qrels": Act("qrels:version", "qrels", typed(reason="wrong")),
    "reinstate qrels": Act("qrels:reinstate_qrels", "qrels"),
    "reopen earlier": Act("assess:earlier", data=of_earlier),
    "release": Act("evaluation:releases", data=of_release("scores", "evaluation")),
    "release qrels": Act("evaluation:releases", data=of_release("qrels", "qrels")),
    "release runs": Act("evaluation:releases", data=of_release("runs")),
    "take back release": Act("evaluation:take_back", data=of_release("scores")),
    "replace": Act(
        "evaluation:replace", "evaluation", lambda world: {"by": world.last_evaluation.pk}
    ),
    "study": Act("evaluation:study", "evaluation"),
    "score": Act(
        "evaluation:score",
        data=lambda world: {
            "qrels": world.qrels.number,
            "picked": ["AP"],
            "rules": next(RULES),
            "topic_set": "judged",
        },
    ),
}
