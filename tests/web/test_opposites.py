"""Opposite acts at the same moment, through the site: one wins, the others wait or read a sentence, and nothing is left in between."""

import os
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import FileField
from django.test import Client
from django.urls import reverse

from accounts.models import User
from assess import services as assessing
from assess.models import Assignment, Qrels, SharedQueue
from assess.services.rehearsal import describe_rehearsal
from campaigns import broker
from campaigns.holdings import holdings_of, seen
from campaigns.models import Campaign, Import, Job, Run
from campaigns.services.ending import describe_contents
from campaigns.services.teams import describe_teams
from pooling.dependents import described
from pooling.models import Pool
from tests import make

N_REQUESTS = int(os.environ.get("OPPOSITES", "6"))
N_THREADS = min(N_REQUESTS, 20)
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

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


Sent = tuple[str, object, dict[str, Any]]  # the address, its row, and what is sent
Act = Callable[[World], Sent]


def key(row: Any) -> int:
    """The key of a row; of one that is gone that of none."""
    return row.pk if row else 0


def upload(world: World) -> Sent:
    tag = f"t{next(number)}"
    file = SimpleUploadedFile("run.txt", f"1 Q0 d1 1 1 {tag}\n".encode())
    return "campaigns:runs", None, {"tag": tag, "file": file, "team": "baseline"}


def upload_archive(world: World) -> Sent:
    tag = f"t{next(number)}"
    file = SimpleUploadedFile("run.txt", f"1 Q0 d1 1 1 {tag}\n".encode())
    return "campaigns:upload_runs", None, {"team": "baseline", "run_files": file}


def judge(world: World) -> Sent:
    data = {"docno": f"d{next(number) % 3 + 1}", "choice": str(next(number) % 3), "client_id": str(uuid4())}  # fmt: skip
    return "assess:judge", key(world.assignment()), data


def remove(name: str) -> Act:
    def act(world: World) -> Sent:
        member = world.member(name)
        return "campaigns:remove_member", key(member), {"seen": seen(holdings_of(member))} if member else {}  # fmt: skip

    return act


def of_run(act: str, **data: Any) -> Act:
    return lambda world: (f"campaigns:{act}", key(world.run()), data)


def move(world: World) -> Sent:
    run = world.run()
    teams = world.campaign.team_set.filter(name__in=["Aldgate", "Barbican"])
    other = teams.exclude(pk=run.team_id if run else 0).first()
    data = {"team": key(other), "seen": run.team_id if run else 0}
    return "campaigns:move_run", key(run), data


def of_assignment(act: str, **data: Any) -> Act:
    return lambda world: ("assess:assignment", key(world.assignment()), {"act": act, **data})  # fmt: skip


def of_queue(act: str) -> Act:
    def sent(world: World) -> Sent:
        queue = SharedQueue.objects.filter(pool__campaign=world.campaign).first()
        data = {"act": act, "assessors": [world.person("cleo").pk], "n_wanted": 1 + next(number) % 2, "lease_minutes": 9}  # fmt: skip
        return "assess:shared", key(queue), data

    return sent


def of_import(act: str) -> Act:
    def sent(world: World) -> Sent:
        row = Import.objects.filter(campaign=world.campaign).order_by("pk").first()
        return f"campaigns:{act}", key(row), {"shown": row.stamp} if row else {}

    return sent


def of_qrels(act: str, **data: Any) -> Act:
    def sent(world: World) -> Sent:
        qrels = Qrels.objects.filter(campaign=world.campaign).last()
        return act, qrels.number if qrels else 1, data

    return sent


def plain(address: str, **data: Any) -> Act:
    return lambda _: (address, None, data)


def pool_key(world: World) -> dict[str, str]:
    pool = Pool.objects.current_of(world.campaign)
    return {"sha256": pool.sha256 if pool else ""}


def going(world: World) -> str:
    pool = Pool.objects.frozen_of(world.campaign)
    return "; ".join(described(pool)) if pool else ""


def merge(world: World) -> Sent:
    other, team = (world.campaign.team_set.filter(name=name).first() for name in ("Barbican", "Aldgate"))  # fmt: skip
    data = {"into": key(team), "seen": describe_teams(other, team) if other and team else ""}  # fmt: skip
    return "campaigns:merge_team", key(other), data


def of_team(act: str, team: str = "Barbican", **data: Any) -> Act:
    return lambda world: (f"campaigns:{act}", key(world.campaign.team_set.filter(name=team).first()), data)  # fmt: skip


def delete(world: World) -> Sent:
    return "campaigns:delete", None, {"name": world.campaign.name, "seen": describe_contents(world.campaign)}  # fmt: skip


def judge_shared(world: World) -> Sent:
    assignment = Assignment.objects.in_campaign(world.campaign).filter(assessor__username="ben").first()  # fmt: skip
    data = {"docno": ("d1", "d4")[next(number) % 2], "choice": "1", "client_id": str(uuid4())}  # fmt: skip
    return "assess:judge", key(assignment), data


def holder(world: World) -> int:
    return (world.assignment() or Assignment()).holder or 0


def n_changes(world: World) -> int:
    return (world.assignment() or Assignment()).n_changes


def is_pooled(world: World) -> bool:
    return bool((run := world.run()) and run.is_pooled)


def everybody(world: World) -> dict[str, Any]:
    return {"assessors": [world.person(name).pk for name in ("ada", "ben")]}


ACTS: dict[str, tuple[str, Act]] = {
    "delete": ("olga", delete),
    "archive": ("olga", plain("campaigns:archive")),
    "restore": ("olga", plain("campaigns:restore")),
    "upload": ("olga", upload),
    "upload as pat": ("pat", upload),
    "upload files": ("olga", upload_archive),
    "invite": ("olga", plain("campaigns:people", role="assessor", max_uses=1, days=30)),
    "invite a team": ("olga", lambda _: ("campaigns:people", None, {"role": "participant", "team_name": f"Team {next(number)}", "max_uses": 1, "days": 30})),
    "import": ("olga", lambda _: ("campaigns:topics", None, {"text": f"{next(number) % 5 + 10}\tnine {next(number)}"})),
    "import documents": ("olga", lambda _: ("campaigns:documents", None, {"file": SimpleUploadedFile("d.jsonl", b'{"docno": "d1", "text": "%d"}\n' % next(number))})),
    "confirm": ("olga", of_import("import")),
    "discard": ("olga", of_import("discard_import")),
    "undo import": ("olga", of_import("undo_import")),
    "delete topics": ("olga", lambda world: ("campaigns:delete_topics", None, {"n_shown": world.campaign.topic_set.count()})),
    "delete documents": ("olga", lambda world: ("campaigns:delete_documents", None, {"n_shown": world.campaign.document_set.count()})),
    "declare": ("olga", plain("campaigns:declare_collection", is_whole="on")),
    "withdraw run": ("pat", lambda world: of_run("withdraw_run", is_pooled=str(is_pooled(world)))(world)),
    "disqualify": ("olga", lambda world: of_run("disqualify_run", reason="no", is_pooled=str(is_pooled(world)))(world)),
    "reinstate": ("olga", of_run("reinstate_run")),
    "describe": ("pat", lambda world: ("campaigns:describe_run", key(world.run()), {"description": f"BM{next(number)}"})),
    "recheck": ("olga", plain("campaigns:recheck_runs")),
    "move": ("olga", move),
    "copy": ("olga", plain("campaigns:copy", name="Next year", taking=["people", "topics", "documents"])),
    "throw away": ("olga", lambda world: ("assess:rehearsal", None, {"name": world.campaign.name, "seen": describe_rehearsal(world.campaign)})),
    "merge": ("olga", merge),
    "rename": ("olga", of_team("rename_team", "Barbican", name="Barbican II")),
    "delete team": ("olga", of_team("delete_team")),
    "leave": ("pat", of_team("leave_team", "Aldgate")),
    "extend": ("olga", lambda world: ("campaigns:extensions", None, {"team": key(world.campaign.team_set.filter(name="Barbican").first())})),
    "remove pat": ("olga", remove("pat")),
    "remove ada": ("olga", remove("ada")),
    "build": ("olga", lambda world: ("pooling:build", None, {"runs": [key(world.run())], "depth": 2, "seen": key(Pool.objects.filter(campaign=world.campaign).first())})),
    "forecast": ("olga", lambda world: ("pooling:forecast", None, {"runs": [key(world.run())], "depth": 2})),
    "delete pool": ("olga", lambda world: ("pooling:delete", None, {"pool": key(Pool.objects.filter(campaign=world.campaign).first())})),
    "freeze": ("olga", lambda world: ("pooling:freeze", None, pool_key(world))),
    "unfreeze": ("olga", lambda world: ("pooling:unfreeze", None, {"seen": going(world)})),
    "assign": ("olga", lambda world: ("assess:assign", None, {"topic": key(world.campaign.topic_set.filter(number="2").first()), "assessor": world.person("ben").pk, "kind": "primary", "share": 100})),
    "distribute": ("olga", plain("assess:distribute", second_percent=50)),
    "share": ("olga", lambda world: ("assess:share", None, {"topics": "2", "n_wanted": 1, "lease_minutes": 30, **everybody(world)})),
    "unshare": ("olga", of_queue("unshare")),
    "join": ("olga", of_queue("join")),
    "change sharing": ("olga", of_queue("change")),
    "judge": ("ada", judge),
    "undo": ("ada", lambda world: ("assess:undo", key(world.assignment()), {"client_id": str(uuid4())})),
    "judge shared": ("ben", judge_shared),
    "hand over": ("olga", lambda world: of_assignment("hand_over", assessor=world.person(("ada", "ben")[next(number) % 2]).pk, seen_holder=holder(world))(world)),
    "take back": ("olga", lambda world: of_assignment("take_back", seen_holder=holder(world))(world)),
    "reopen": ("olga", of_assignment("reopen")),
    "reset": ("olga", lambda world: of_assignment("reset", seen_changes=n_changes(world))(world)),
    "publish": ("olga", plain("assess:publish_qrels", level=1)),
    "withdraw qrels": ("olga", of_qrels("assess:version", reason="wrong")),
    "reinstate qrels": ("olga", of_qrels("assess:reinstate_qrels")),
    "score": ("olga", lambda world: ("evaluation:score", None, {"qrels": getattr(Qrels.objects.filter(campaign=world.campaign).last(), "number", 1), "picked": ["AP"], "rules": next(RULES), "topic_set": "judged"})),
}  # fmt: skip

# Where a campaign stands when the acts come, and which are opposite there.
PAIRS = {
    "open": [
        "delete/upload", "delete/upload files", "delete/invite", "delete/invite a team", "delete/import", "delete/withdraw run",
        "delete/recheck", "delete/merge", "delete/archive", "delete/build", "archive/upload", "archive/import", "restore/archive",
        "merge/upload as pat", "merge/rename", "merge/invite a team", "merge/delete team", "merge/extend", "remove pat/upload as pat",
        "leave/upload as pat", "withdraw run/reinstate", "describe/disqualify", "import/delete topics", "import documents/delete documents",
        "delete/copy", "archive/copy", "move/merge", "move/delete team", "move/withdraw run", "move/move",
        "confirm/discard", "confirm/undo import", "declare/delete documents", "recheck/withdraw run", "build/withdraw run", "forecast/build",
    ],
    "built": ["freeze/build", "freeze/withdraw run", "freeze/delete pool", "freeze/upload", "unfreeze/freeze", "delete/freeze", "freeze/move"],
    "frozen": [
        "share/unfreeze", "assign/unfreeze", "distribute/assign", "unshare/join", "unshare/judge shared", "change sharing/judge shared",
        "remove ada/assign", "remove ada/judge", "hand over/judge", "take back/judge", "unfreeze/judge", "delete/judge", "import documents/judge",
        "archive/judge", "throw away/judge", "throw away/assign", "throw away/share", "throw away/unfreeze", "throw away/judge shared",
    ],
    "judged": [
        "score/withdraw run", "score/describe", "score/disqualify", "publish/withdraw qrels", "publish/judge", "publish/reset",
        "score/reinstate qrels", "throw away/publish", "reopen/judge", "reset/undo", "restore/judge", "publish/hand over", "score/withdraw qrels",
    ],
}  # fmt: skip


OF_A_SHARED_TOPIC = {
    pair
    for pair in PAIRS["frozen"]
    if "shar" in pair.replace("share/", "") or "join" in pair
}


def standing(stage: str, pair: str) -> World:
    """A campaign at a stage, with files and rows of many kinds."""
    olga, ada, ben, cleo, pat, quinn = (make.known(name) if name in {"olga", "ada", "ben", "pat"} else make.user(name) for name in ("olga", "ada", "ben", "cleo", "pat", "quinn"))  # fmt: skip
    campaign = make.campaign(olga, assessors=[ada, ben, cleo], participants={"Aldgate": [pat], "Barbican": [quinn]})  # fmt: skip
    run = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d1 d4"}, "one")
    if stage == "open":
        make.uploaded(campaign, "topics", b"9\tnine\n")
    if stage == "built":
        make.pool(campaign, [run])
    if stage in {"frozen", "judged"}:
        make.frozen_pool(campaign, [run], depth=3)
        make.assignment(campaign.topic_set.get(number="1"), ada)
        if pair in OF_A_SHARED_TOPIC:
            topic = campaign.topic_set.get(number="2")
            assessing.share(user=olga, campaign=campaign, topics=[topic], assessors=[ben, ada], n_wanted=1, lease_minutes=30)  # fmt: skip
            assessing.lend(assessor=ben, assignment=Assignment.objects.get(topic=topic, assessor=ben))  # fmt: skip
    if stage == "judged":
        make.judgment(Assignment.objects.in_campaign(campaign).primary().get(), "d1", 2)
        assessing.publish_qrels(user=olga, campaign=campaign)
    return World(campaign)


class Worker(threading.Thread):
    """Does the jobs of the queue until it is told that no more come."""

    def __init__(self, told: list[tuple[Any, tuple[object, ...]]]) -> None:
        super().__init__()
        self.told, self.is_over, self.errors = told, threading.Event(), []

    def run(self) -> None:
        while self.told or not self.is_over.wait(0.005):
            if self.told:
                task, arguments = self.told.pop(0)
                try:
                    task(*arguments)
                except Exception as error:  # noqa: BLE001 - told by the test
                    self.errors.append(f"{task.name}: {error!r}")
        connection.close()


def ask(world: World, name: str) -> int:
    """The status that somebody is answered."""
    who, act = ACTS[name]
    client = Client(raise_request_exception=False)
    client.force_login(world.person(who))
    address, row, data = act(world)
    arguments = [world.campaign.slug, *([] if row is None else [row])]
    return client.post(reverse(address, args=arguments), data).status_code


def at_once(world: World, names: list[str]) -> Counter[tuple[str, int]]:
    """What all are answered who do these things at the same moment, in turn one of each."""
    answered: Counter[tuple[str, int]] = Counter()
    waiting = [names[n % len(names)] for n in range(N_REQUESTS)]
    begin = threading.Barrier(N_THREADS)

    def person() -> None:
        begin.wait()
        while waiting:
            try:
                name = waiting.pop()
            except IndexError:
                break
            answered[name, ask(world, name)] += 1
        connection.close()

    threads = [threading.Thread(target=person) for _ in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answered


# Those that once ended in a deadlock or a traceback; `make test-deep` has all, with 200 requests each.
FEW = [
    "delete/upload",
    "delete/invite",
    "archive/upload",
    "merge/upload as pat",
    "import/delete topics",
    "confirm/discard",
    "freeze/build",
    "share/unfreeze",
    "unshare/join",
    "unshare/judge shared",
    "remove ada/assign",
    "hand over/judge",
    "score/withdraw run",
    "score/describe",
    "delete/copy",
    "freeze/move",
    "throw away/judge",
]
TRIED = [
    (stage, pair)
    for stage, pairs in PAIRS.items()
    for pair in pairs
    if "OPPOSITES" in os.environ or pair in FEW
]


@pytest.mark.parametrize(("stage", "pair"), TRIED)
def test_of_two_who_do_the_opposite_at_once_one_waits_or_reads_a_sentence(stage, pair, monkeypatch):  # fmt: skip
    world = standing(stage, pair)
    told: list[tuple[Any, tuple[object, ...]]] = []
    monkeypatch.setattr(broker, "send", lambda task, *arguments, **_: told.append((task, arguments)))  # fmt: skip
    worker = Worker(told)
    worker.start()
    answered = at_once(world, pair.split("/"))
    worker.is_over.set()
    worker.join()
    print(pair, dict(sorted(answered.items())))  # noqa: T201 - shown by -s
    assert not [each for each in answered if each[1] >= 500], answered
    assert sum(answered.values()) == N_REQUESTS
    assert worker.errors == []
    check_the_chain(world.campaign)
    # A discarded import names the file that it was.
    discarded = Import.objects.filter(state="discarded").values_list("file", flat=True)
    assert files_of_rows() - set(discarded) == stored_files()


def check_the_chain(campaign: Campaign) -> None:
    assert not Job.objects.unfinished().exists()
    for assignment in Assignment.objects.in_campaign(campaign):
        states = list(assignment.entries.filter(judgment__isnull=False).values_list("judgment__state", flat=True))  # fmt: skip
        assert assignment.n_judged == states.count("judged")
        for judgment in assignment.all_judgments:
            last = judgment.events.order_by("change").last()
            assert last is None or (last.to_state, last.to_grade) == (judgment.state, judgment.grade)  # fmt: skip
    numbers = list(Qrels.objects.filter(campaign=campaign).order_by("number").values_list("number", flat=True))  # fmt: skip
    assert numbers == list(range(1, len(numbers) + 1))
    if pool := Pool.objects.frozen_of(campaign):
        assert all(
            each.run.is_pooled for each in pool.contributors.select_related("run")
        )
        assert pool.n_entries == pool.entries.count()
    elif Campaign.objects.filter(pk=campaign.pk).exists():
        assert not campaign.run_set.filter(is_pooled=True).exists()
        assert not Assignment.objects.in_campaign(campaign).exists()
    for row in Import.objects.filter(campaign=campaign):
        assert min((row.preview or {}).get(name, 0) for name in ("n_new", "n_changed", "n_unchanged")) >= 0  # fmt: skip


def files_of_rows() -> set[str]:
    """The files that rows name."""
    names: set[str] = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:  # noqa: SLF001
            if isinstance(field, FileField):
                names |= set(model._base_manager.exclude(**{field.name: ""}).values_list(field.name, flat=True))  # noqa: SLF001  # fmt: skip
    return names


def stored_files() -> set[str]:
    root = Path(settings.MEDIA_ROOT)
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
