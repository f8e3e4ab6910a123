"""The story of a campaign told by programs alone, with real processes: the client's."""

import csv
import io
import json
import re
from uuid import uuid4

import httpx
import pytest

from accounts.models import User
from cleverdon import evaluate
from tests import make, tokens
from tests.client.asking import Asking
from tests.e2e import processes
from tests.e2e.material import DOCNOS, NUMBERS, PASSWORD, TOPICS, grade_of, ranking

pytestmark = pytest.mark.django_db(transaction=True)
CAMPAIGN = """\
name = "Cranfield by programs"
settings = { least_view_ms = 0, run_depth = 60 }
topics = { file = "topics.xml" }
documents = { files = ["cran.jsonl"], completes_collection = true }
teams = [{ name = "Aldgate" }, { name = "Barbican" }]
invitations = [
  { name = "ada", role = "assessor" },
  { name = "pat", role = "participant", team = "Aldgate" },
  { name = "quinn", role = "participant", team = "Barbican" },
]
pool = { strategy = "depth", parameters = { depth = 10 } }
"""
CREATE = ("campaigns", "create", "--from", "campaign.toml")
MEASURES = ("AP", "P@10")
RUNS = {"pat": ("a1", "a2", "a3"), "quinn": ("b1", "b2", "b3")}


def run_file(tag: str) -> str:
    seed = ord(tag[0]) + int(tag[1])
    return "".join(
        f"{topic} Q0 {docno} {rank} {100 - rank} {tag}\n"
        for topic in NUMBERS
        for rank, docno in enumerate(ranking(topic, seed), 1)
    )


def test_a_campaign_from_its_file_to_its_board_by_programs(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    olga = make.user("olga")
    with processes.worker(tmp_path), processes.web(tmp_path) as url:
        try:
            play(Asking(url, tokens.made(olga, "organize"), "", tmp_path))
        except AssertionError as error:
            raise AssertionError(f"{error}\n{processes.evidence(tmp_path)}") from error


def play(olga: Asking) -> None:
    links = created(olga)
    olga.slug = "cranfield-by-programs"
    ada, pat, quinn = (joined(olga, name, links[name]) for name in ("ada", "pat", "quinn"))
    for who, name in ((pat, "pat"), (quinn, "quinn")):
        submitted(who, RUNS[name])
    campaign = olga.campaign
    frozen(olga, campaign)
    campaign.wait(campaign.assignments.distribute())
    judged(ada.campaign)
    version = campaign.qrels.new()["number"]
    evaluation = scored(olga, version)
    assert pat("get", "board").status == 1
    campaign.releases.new(what="scores", audience="participants", evaluation=evaluation)
    campaign.releases.new(what="qrels", audience="participants", version=version)
    compared(olga, pat)


def created(olga: Asking) -> dict[str, str]:
    """Make the campaign; return the links by the names of those for whom they are."""
    lines = (json.dumps({"docno": docno, "text": f"On {docno}."}) + "\n" for docno in DOCNOS)
    olga.file("cran.jsonl", "".join(lines))
    olga.file("topics.xml", TOPICS)
    olga.file("campaign.toml", CAMPAIGN)
    said = olga(*CREATE)
    assert (said.status, said.err) == (0, "")
    assert olga(*CREATE).out == "Nothing is to be changed.\n"
    return dict(re.findall(r"^Link for (\w+), .*: (http\S+)$", said.out, re.MULTILINE))


def joined(olga: Asking, name: str, link: str) -> Asking:
    """Follow a link and make an account there; return who asks with a token of it."""
    with httpx.Client(follow_redirects=True) as browser:
        page = browser.get(link)
        sent = {"csrfmiddlewaretoken": browser.cookies["csrftoken"], "username": name}
        sent |= {"password1": PASSWORD, "password2": PASSWORD}
        assert browser.post(link, data=sent, headers={"Referer": str(page.url)}).status_code == 200
    token = tokens.made(User.objects.get(username=name), "submit", "judge")
    return Asking(olga.url, token, olga.slug, olga.folder)


def submitted(who: Asking, tags: tuple[str, ...]) -> None:
    files = [who.file(f"{tag}.txt", run_file(tag)) for tag in tags]
    said = who("runs", "submit", *files, "--automatic")
    assert (said.status, said.err) == (0, "")
    assert said.out.count(": valid; 120 lines.\n") == len(tags)


def frozen(olga: Asking, campaign) -> None:
    assert olga(*CREATE, "--pool").out.startswith("A batch was built by depth: ")
    [batch] = campaign.batches.list()
    campaign.batches.freeze(batch["id"], sha256=batch["sha256"])
    assert campaign.pool.get()["documents"] == batch["documents"]


def judged(campaign) -> None:
    for topic in campaign.work.list():
        rows = [
            {
                "client_id": str(uuid4()),
                "docno": document["docno"],
                "number": document["number"],
                "choice": grade_of("ada", topic["topic"], document["docno"]),
            }
            for document in campaign.work[topic["id"]].served.list()
        ]
        campaign.work.judge(topic["id"], *rows)
    assert all(each["judged"] == each["documents"] for each in campaign.work.list())


def scored(olga: Asking, version: int) -> str:
    """Have the runs scored, and wait; return the id of the evaluation."""
    evaluations = olga.campaign.evaluations
    evaluations.new(qrels=version, measures=[*MEASURES])
    said = olga("watch")
    assert (said.status, said.err) == (0, "")
    [evaluation] = evaluations.list()
    return evaluation["id"]


def compared(olga: Asking, pat: Asking) -> None:
    """Each board is that of the page, and what qrels and runs give on one's own machine."""
    of_all, own = shown(olga, "olga", "a password of tests"), shown(pat, "pat", PASSWORD)
    assert {row["run"] for row in of_all} == {tag for tags in RUNS.values() for tag in tags}
    assert own == [row for row in of_all if row["run"] in RUNS["pat"]]
    assert pat("get", "qrels", "-o", "qrels.txt").status == 0
    files = {row["run"]: pat.folder / f"{row['run']}.txt" for row in of_all}
    scored = evaluate(pat.folder / "qrels.txt", files, MEASURES)
    for row in of_all:
        values = [scored.aggregate(name, row["run"]) for name in MEASURES]
        assert [float(row[name]) for name in MEASURES] == values


def shown(who: Asking, name: str, password: str) -> list[dict[str, str]]:
    """What somebody is shown of the board by the command, which is what the page shows them."""
    board = read(who("get", "board", "--csv").out)
    with httpx.Client(base_url=who.url, follow_redirects=True) as browser:
        browser.get("/sign-in/")
        sent = {"csrfmiddlewaretoken": browser.cookies["csrftoken"], "username": name}
        browser.post("/sign-in/", data=sent | {"password": password}, headers={"Referer": who.url})
        page = browser.get(f"/campaigns/{who.slug}/leaderboard/leaderboard.csv")
    assert board == read(page.text)
    return board


def read(text: str) -> list[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(text))
    return [{name: row[name] for name in ("run", *MEASURES)} for row in rows]
