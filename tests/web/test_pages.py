"""Every page as each of the cast: who sees it, and that it is whole."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.models import Assignment
from assess.services import publish_qrels
from campaigns import services
from campaigns.models import Job, Role
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models import Evaluation, Score
from tests import make

ALL = {"olga", "ada", "ben", "pat"}
PEOPLE = ("olga", "ada", "ben", "pat", "sam", "nobody")


@pytest.fixture
def played(campaign, olga, ada, ben, pat, monkeypatch):
    """A campaign at its end: pooled, judged twice, published, scored."""
    campaign.visibility = "owners"
    campaign.guidelines = "Judge **strictly**."
    campaign.save()
    run = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "secret-run")
    make.frozen_pool(campaign, [run], depth=3)
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, ada)
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    for assignment, grades in ((first, (2, 0)), (second, (3, 0))):
        make.judgment(assignment, "d1", grades[0])
        make.judgment(assignment, "d2", grades[1])
    evaluation = scoring.request_evaluation(
        user=olga, qrels=publish_qrels(user=olga, campaign=campaign)
    )
    monkeypatch.setattr(tasks.score_batch, "delay", tasks.score_batch)
    monkeypatch.setattr(tasks.finish, "delay", tasks.finish)
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    return campaign


def addresses(campaign) -> dict[str, tuple[str, set[str]]]:
    """Every page that can be looked at, and who may."""
    base = f"/campaigns/{campaign.slug}"
    run = campaign.run_set.get()
    mine = Assignment.objects.get(assessor__username="ada")
    score = Score.objects.get()
    job = Job.objects.first()
    return {
        "home": ("/", {*ALL, "sam"}),
        "create": ("/campaigns/new/", {*ALL, "sam"}),
        "profile": ("/profile/", {*ALL, "sam"}),
        "overview": (f"{base}/", ALL),
        "topics": (f"{base}/topics/", ALL),
        "documents": (f"{base}/documents/", {"olga"}),
        "document": (f"{base}/documents/d1/", {"olga"}),
        "runs": (f"{base}/runs/", ALL),
        "run": (f"{base}/runs/{run.pk}/", {"olga", "pat"}),
        "run states": (f"{base}/runs/states/", ALL),
        "run file": (f"{base}/runs/{run.pk}/file/", {"olga", "pat"}),
        "pool": (f"{base}/pool/", {"olga"}),
        "docnos": (f"{base}/pool/docnos.txt", {"olga"}),
        "contributions": (f"{base}/pool/pool.tsv", {"olga"}),
        "judging": (f"{base}/judging/", ALL),
        "judge": (f"{base}/judging/{mine.pk}/", {"ada"}),
        "entries": (f"{base}/judging/{mine.pk}/documents/", {"ada"}),
        "agreement": (f"{base}/agreement/", {"olga"}),
        "qrels": (f"{base}/qrels/", {"olga"}),
        "qrels file": (f"{base}/qrels/1.txt", {"olga"}),
        "leaderboard": (f"{base}/leaderboard/", {"olga", "pat"}),
        "scores so far": (f"{base}/leaderboard/preliminary/", {"olga"}),
        "score": (f"{base}/leaderboard/score/", {"olga"}),
        "leaderboard csv": (f"{base}/leaderboard/leaderboard.csv", {"olga", "pat"}),
        "leaderboard txt": (f"{base}/leaderboard/leaderboard.txt", {"olga", "pat"}),
        "leaderboard json": (f"{base}/leaderboard/leaderboard.json", {"olga", "pat"}),
        "leaderboard tex": (f"{base}/leaderboard/leaderboard.tex", {"olga", "pat"}),
        "run scores": (f"{base}/leaderboard/runs/{score.pk}/", {"olga", "pat"}),
        "run bounds": (f"{base}/leaderboard/runs/{score.pk}/bounds/", {"olga", "pat"}),
        "run csv": (f"{base}/leaderboard/runs/{score.pk}.csv", {"olga", "pat"}),
        "run txt": (f"{base}/leaderboard/runs/{score.pk}.txt", {"olga", "pat"}),
        "people": (f"{base}/people/", {"olga"}),
        "settings": (f"{base}/settings/", {"olga"}),
        "job": (f"{base}/jobs/{job.pk}/", {"olga"}),
    }


class Page(HTMLParser):
    """Counts elements and checks that they nest."""

    VOID = {
        "meta",
        "link",
        "input",
        "br",
        "img",
        "hr",
        "path",
        "line",
        "circle",
        "polyline",
        "text",
    }

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open, self.counts, self.wrong = [], {}, []
        self.feed(html)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in self.VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.wrong.append(f"</{tag}>")


@pytest.mark.parametrize("person", PEOPLE)
def test_each_page_is_shown_to_those_who_may_see_it_and_is_whole(
    request, client, played, sam, person
):
    if person != "nobody":
        client.force_login(request.getfixturevalue(person))
    for name, (address, allowed) in addresses(played).items():
        response = client.get(address)
        expected = 302 if person == "nobody" else 200 if person in allowed else 403
        assert response.status_code == expected, (name, person)
        assert "default-src 'self'" in response["Content-Security-Policy"]
        if (
            response.status_code == 200
            and not response.streaming
            and "html" in response["Content-Type"]
        ):
            check_whole(name, response.content.decode())
        if response.streaming:
            assert b"".join(response.streaming_content)


def check_whole(name: str, html: str) -> None:
    page = Page(html)
    assert page.wrong == [], name
    assert not re.search(r"\sstyle=|\son[a-z]+=|<script>", html), name
    if "<html" in html:
        assert page.counts["h1"] == 1, name
        assert re.search(r"<title>\S.* · Cleverdon</title>", html), name


def test_the_admin_and_the_style_address_answer(client, olga, settings):
    olga.is_staff = olga.is_superuser = True
    olga.save()
    client.force_login(olga)
    assert client.get("/admin/campaigns/run/").status_code == 200
    assert client.get("/nowhere/").status_code == 404
    assert client.get("/style/").status_code == 404
    settings.DEBUG = True
    check_whole("style", client.get("/style/").content.decode())


def test_a_judging_page_tells_nothing_of_runs_ranks_or_other_people(
    client, played, ada
):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    for address in ("", "documents/", "?number=1"):
        html = client.get(
            f"/campaigns/{played.slug}/judging/{assignment.pk}/{address}"
        ).content.decode()
        for secret in ("secret-run", "Aldgate", "Ben", "ben", "trec_eval"):
            assert not re.search(rf"\b{secret}\b", html), (address, secret)


def test_a_refusal_is_a_page_with_its_sentence(client, played, sam):
    client.force_login(sam)
    response = client.get(f"/campaigns/{played.slug}/")
    assert response.status_code == 403
    assert "You have no role in Test campaign." in response.content.decode()


def test_a_state_that_forbids_answers_409(client, played, olga):
    client.force_login(olga)
    run = played.run_set.get()
    response = client.post(
        f"/campaigns/{played.slug}/pool/build/", {"runs": [run.pk], "depth": 3}
    )
    assert response.status_code == 409
    assert "is frozen" in response.content.decode()


def test_refused_input_comes_back_with_422_and_its_sentence(client, played, olga, pat):
    client.force_login(olga)
    base = f"/campaigns/{played.slug}"
    wrong = {
        f"{base}/topics/": ({"text": "1\tone\n1\tone"}, "Line 2: Topic 1 comes again"),
        f"{base}/documents/": (
            {"is_whole_collection": "on"},
            "This field is required.",
        ),
        f"{base}/people/": ({"role": "participant"}, "name the team"),
        "/campaigns/new/": ({"name": "x", "grades": "0|a"}, "This field is required."),
    }
    for address, (data, sentence) in wrong.items():
        response = client.post(address, data)
        assert response.status_code == 422, address
        assert sentence in response.content.decode(), address
    client.force_login(pat)
    response = client.post(f"{base}/runs/", {"tag": ".bad"})
    assert response.status_code == 422
    assert "not start with a dot" in response.content.decode()


def test_a_scale_is_read_line_by_line(client, olga):
    client.force_login(olga)
    data = {"name": "Mine", "grades": "0 | no | \n2 | yes | it is", "level": 2, "run_depth": 100, "seconds_per_judgment": 5, "time_zone": "Asia/Tokyo", "visibility": "owners", "submission_closes_at": "2030-01-01T09:00"}  # fmt: skip
    assert client.post("/campaigns/new/", data).status_code == 302
    from campaigns.models import Campaign

    made = Campaign.objects.get(name="Mine")
    assert [grade.value for grade in made.scale.grades] == [0, 2]
    assert made.submission_closes_at.isoformat() == "2030-01-01T00:00:00+00:00"


def test_a_scale_that_makes_no_sense_is_refused(client, olga):
    client.force_login(olga)
    for grades, sentence in {
        "0 | no\nbroken": "Line 2: write a whole number",
        "0|a|\n1|b|": "makes every document alike",
    }.items():
        data = {
            "name": "Mine",
            "grades": grades,
            "level": 5,
            "run_depth": 100,
            "seconds_per_judgment": 5,
            "time_zone": "UTC",
            "visibility": "owners",
        }
        response = client.post("/campaigns/new/", data)
        assert sentence in response.content.decode()


def test_an_invited_stranger_makes_an_account_and_joins(client, campaign, olga):
    invitation = services.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    address = f"/invitations/{invitation.token}/"
    assert "You are invited as assessor." in client.get(address).content.decode()
    assert client.post(address, {"username": "new"}).status_code == 422
    data = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}
    assert client.post(address, data).status_code == 302
    assert client.get(f"/campaigns/{campaign.slug}/").status_code == 200
    assert campaign.membership_set.get(user__username="new").role == "assessor"


def test_somebody_signed_in_joins_with_the_account_they_have(
    client, campaign, olga, sam
):
    invitation = services.invite(
        user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name="New"
    )
    client.force_login(sam)
    client.post(f"/invitations/{invitation.token}/")
    assert campaign.membership_set.get(user=sam).team.name == "New"


# Judging over HTTP


def judge(client, assignment, docno, choice="1", **more):
    from uuid import uuid4

    data = {"docno": docno, "choice": choice, "client_id": str(uuid4()), **more}
    address = (
        f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/judge/"
    )
    return client.post(address, data, headers={"HX-Request": "true"})


def test_a_judgment_answers_with_the_next_document_alone(client, played, ada):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    response = judge(client, assignment, "d3", "2")
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    assert "d3: grade 2, relevant. Saved." in html
    assert "Every document of this topic is judged" in html


def test_cannot_judge_asks_for_a_reason(client, played, ada):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    response = judge(client, assignment, "d3", "cannot_judge")
    assert response.status_code == 409
    assert "Say why the document cannot be judged." in response.content.decode()
    assert (
        judge(client, assignment, "d3", "cannot_judge", reason="missing").status_code
        == 200
    )
    assert judge(client, assignment, "d3", "nonsense").status_code == 409


def test_who_was_signed_out_is_told_in_the_page(client, played):
    assignment = Assignment.objects.get(assessor__username="ada")
    response = judge(client, assignment, "d3")
    assert response.status_code == 401
    assert (
        response.content.decode()
        == "You have been signed out: sign in again in another tab."
    )


def queries(client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_lists_cost_the_same_number_of_queries_at_two_sizes(
    client, played, olga, ada, pat
):
    base = f"/campaigns/{played.slug}"
    client.force_login(olga)
    names = (
        "runs",
        "judging",
        "people",
        "leaderboard",
        "qrels",
        "topics",
        "documents",
        "agreement",
        "pool",
        "settings",
    )
    before = {name: queries(client, f"{base}/{name}/") for name in names}
    for number in range(5):
        make.run(played, pat, {"1": "d1 d2"}, f"more-{number}")
        user = make.user(f"more{number}")
        played.membership_set.create(user=user, role=Role.ASSESSOR)
        make.assignment(played.topic_set.get(number="1"), user, Assignment.Kind.SECOND)
        publish_qrels(user=olga, campaign=played)
    qrels = played.qrels_set.first()
    evaluation = scoring.request_evaluation(user=olga, qrels=qrels)
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    assert Evaluation.objects.latest_of(played).scores.count() == 6
    assert {name: queries(client, f"{base}/{name}/") for name in names} == before


def test_judging_costs_the_same_number_of_queries_in_a_large_pool(
    client, olga, ada, pat
):
    sizes = []
    for n in (10, 300):
        docnos = [f"d{number}" for number in range(n)]
        campaign = make.campaign(
            olga, assessors=[ada], participants={"T": [pat]}, docnos=docnos
        )
        make.frozen_pool(
            campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=n
        )
        assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
        client.force_login(ada)
        first = assignment.entries.get(position=0).docno
        with CaptureQueriesContext(connection) as captured:
            assert judge(client, assignment, first).status_code == 200
        sizes.append(len(captured))
    assert sizes[0] == sizes[1]


# Downloads


def text_of(response) -> str:
    content = (
        b"".join(response.streaming_content) if response.streaming else response.content
    )
    return content.decode()


def test_downloads_hold_what_they_name(client, played, olga):
    client.force_login(olga)
    base = f"/campaigns/{played.slug}"
    assert text_of(client.get(f"{base}/qrels/1.txt")) == "1 0 d1 2\n1 0 d2 0\n"
    assert text_of(client.get(f"{base}/pool/docnos.txt")) == "d1\nd2\nd3\nd4\n"
    assert text_of(client.get(f"{base}/pool/docnos.txt?missing")) == ""
    assert text_of(client.get(f"{base}/pool/pool.tsv")).splitlines()[:2] == [
        "topic\tdocno\trun\trank",
        "1\td1\tsecret-run\t1",
    ]
    board = text_of(client.get(f"{base}/leaderboard/leaderboard.csv"))
    [row] = csv.DictReader(io.StringIO(board))
    stamps = ("run", "team", "pooled", "topics", "qrels", "rules", "topic_set")
    expected = ["secret-run", "Aldgate", "1", "1", "1", "trec_eval-9", "judged"]
    assert [row[name] for name in stamps] == expected
    assert (row["AP"], row["P@10"], row["RR"]) == ("1.0", "0.1", "1.0")
    assert text_of(client.get(f"{base}/leaderboard/leaderboard.txt")).startswith(
        "runid                 \tall\tsecret-run\n"
        "num_q                 \tall\t1\n"
        "map                   \tall\t1.0000\n"
    )


def test_measures_are_picked_named_or_refused_with_a_sentence(client, played, olga):
    client.force_login(olga)
    address = f"/campaigns/{played.slug}/leaderboard/score/"
    asked = {"qrels": 1, "rules": "trec_eval-9", "topic_set": "relevant"}
    page = text_of(client.post(address, {**asked, "others": "MAPP"}))
    assert "&#x27;MAPP&#x27; is not a measure" in page
    assert "Choose at least one measure" in text_of(client.post(address, asked))
    client.post(address, {**asked, "picked": ["P@10"], "others": "map AP ndcg_cut_5"})
    evaluation = Evaluation.objects.latest("pk")
    assert evaluation.measures == ["P@10", "AP", "nDCG@5"]
    assert evaluation.topic_set == "relevant"


def test_the_scores_so_far_are_sent_only_when_they_are_new(client, played, olga):
    client.force_login(olga)
    address = f"/campaigns/{played.slug}/leaderboard/preliminary/"
    assert "Nothing has been judged yet" in text_of(client.get(address))
    tasks.refresh_preliminary(played.pk)
    headers = {"HX-Request": "true"}
    page = client.get(address, {"version": 0}, headers=headers)
    assert "secret-run" in text_of(page)
    assert "<h1" not in text_of(page)
    assert client.get(address, {"version": 1}, headers=headers).status_code == 204


def test_a_file_of_another_kind_is_not_there(client, played, olga):
    client.force_login(olga)
    base = f"/campaigns/{played.slug}/leaderboard"
    assert client.get(f"{base}/leaderboard.exe").status_code == 404


def test_a_missing_worker_is_said_to_the_organizer_alone(client, played, olga, ada):
    client.force_login(olga)
    assert (
        "No worker is alive."
        in client.get(f"/campaigns/{played.slug}/").content.decode()
    )
    from campaigns import jobs

    jobs.note_worker_alive()
    assert (
        "No worker is alive."
        not in client.get(f"/campaigns/{played.slug}/").content.decode()
    )
    jobs.note_worker_gone()
    client.force_login(ada)
    assert (
        "No worker is alive."
        not in client.get(f"/campaigns/{played.slug}/").content.decode()
    )
