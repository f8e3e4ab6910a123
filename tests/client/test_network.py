"""A network that breaks, a site that is away, and what is no site at all."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from campaigns.models.people import Invitation, Team
from cleverdon.client.campaign_parts import LOST
from cleverdon.client.connection import PER_PAGE
from cleverdon.client.errors import Misfit, Problem, Unreachable
from collection.models.texts import Topic
from runs.models import Run
from tests.client.asking import run
from tests.e2e.processes import free_port

GOOD = {"1": "d1 d2 d3", "2": "d4 d5"}
QUICK = (0.0, 0.0, 0.0)


@pytest.fixture
def far(asking, cutting, olga, campaign):
    """Olga's campaign, behind a network that breaks."""
    olgas = asking(olga, campaign, url=cutting.url)
    return olgas.client(pauses=QUICK).campaign(campaign.slug)


@pytest.mark.parametrize("n_passed", [0, 20])
def test_an_act_whose_answer_is_lost_is_done_once(far, cutting, n_passed):
    cutting.lose(2, "POST", n_passed)
    assert far.teams.new(name="Barbican")["name"] == "Barbican"
    assert Team.objects.filter(name="Barbican").count() == 1
    keys = {
        line for each in cutting.asked for line in each.split(b"\r\n") if b"Idempotency" in line
    }
    assert (len(cutting.asked), len(keys)) == (3, 1)
    assert far.teams.new(name="Cheapside")["name"] == "Cheapside"  # under a key of its own


def test_a_link_whose_answer_is_lost_is_said_to_be(asking, cutting, olga, campaign):
    olgas = asking(olga, campaign, url=cutting.url)
    invitation = '[[invitations]]\nrole = "assessor"\n'
    olgas.file("campaign.toml", f'name = "{campaign.name}"\nslug = "{campaign.slug}"\n{invitation}')
    cutting.lose(1, f"POST /api/v1/campaigns/{campaign.slug}/invitations/")
    said = olgas("campaigns", "create", "--from", "campaign.toml")
    assert (said.out, said.err) == (f"Link for assessor: {LOST}\n", "")
    assert Invitation.objects.count() == 1


def test_a_run_whose_answer_is_lost_is_sent_again_and_is_one_run(asking, cutting, pat, campaign):
    pats = asking(pat, campaign, url=cutting.url)
    path = pats.file("alpha.txt", run("alpha", GOOD))
    cutting.lose(1, "POST")
    assert pats.client(pauses=QUICK).campaign(campaign.slug).runs.submit(path)["state"] == "valid"
    assert Run.objects.get().sha256


def test_a_list_goes_on_where_it_broke_off(far, cutting, campaign):
    Topic.objects.bulk_create(
        Topic(campaign=campaign, number=str(number), title=f"topic {number}")
        for number in range(3, PER_PAGE + 100)
    )
    first = next(found := far.topics.each())
    cutting.lose(1, "GET", 40)
    rest = [each["number"] for each in found]
    assert sorted([first["number"], *rest], key=int) == [str(n) for n in range(1, PER_PAGE + 100)]


def test_a_file_that_breaks_off_is_received_again_and_never_half(far, cutting, tmp_path):
    lines = run("alpha", {"1": " ".join(f"x{number}" for number in range(1000))})
    (tmp_path / "alpha.txt").write_text(lines)
    far.runs.submit(tmp_path / "alpha.txt")
    cutting.lose(1, "GET", 3000)
    with far.runs.received("file/", "alpha") as content:
        assert content.read().decode() == lines
    assert cutting.n_lost == 0


def test_a_connection_that_is_refused_is_tried_again(far, cutting):
    cutting.refuse(2)
    assert far.get()["slug"] == far.slug


def test_a_site_that_stays_away_is_said_to(far, cutting, asking, olga, campaign):
    cutting.refuse(99)
    with pytest.raises(Unreachable, match=f"^{cutting.url} does not answer: .*[^.]\\.$"):
        far.teams.list()
    nowhere = asking(olga, campaign, url=f"http://127.0.0.1:{free_port()}")
    with pytest.raises(Unreachable, match="does not answer"):
        nowhere.client(pauses=()).campaign("x").get()


class Other(BaseHTTPRequestHandler):
    """What is no site of Cleverdon's, or one for a moment not."""

    answers: list[tuple[int, dict[str, str], bytes]] = []

    def do_GET(self) -> None:
        status, headers, content = self.answers.pop(0)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def other():
    server = HTTPServer(("127.0.0.1", 0), Other)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


HTML, JSON = {"Content-Type": "text/html"}, {"Content-Type": "application/json"}
PROBLEM = {"Content-Type": "application/problem+json"}
ANSWERED = {
    "no such page": ((404, HTML, b"<h1>"), "answered 404, and not as version 1 of Cleverdon's API"),
    "a page": ((200, HTML, b"<h1>"), "is a page, and not Cleverdon's API"),
    "elsewhere": ((301, {"Location": "https://a.org/"}, b""), "leads to https://a.org/: use that"),
    "without a slash": ((301, {"Location": "/api/v1/campaigns//"}, b""), r"slash: campaigns//$"),
    "a proxy": ((413, HTML, b"<h1>"), "way to http.* lets nothing as long as this through. Ask"),
    "a fault": ((500, HTML, b"oh"), "answered 500"),
}


@pytest.fixture
def client(other, tmp_path):
    from cleverdon import Client

    return Client(other, "cleverdon_x", pauses=QUICK)


@pytest.mark.parametrize("name", ANSWERED)
def test_what_does_not_speak_the_api_is_told_from_one_that_does(client, name):
    answer, sentence = ANSWERED[name]
    Other.answers = [answer]
    with pytest.raises(Misfit, match=sentence):
        client.campaigns.list()


def test_a_site_that_is_away_for_a_moment_is_asked_again(client):
    away = (503, PROBLEM, b'{"type": "/help/api/#unavailable", "detail": "Away."}')
    Other.answers = [away, (502, HTML, b""), (504, HTML, b""), (200, JSON, b"[]")]
    assert client.campaigns.list() == []
    Other.answers = [away] * 4
    with pytest.raises(Problem, match=r"^Away\.$"):
        client.campaigns.list()


def test_a_limit_is_waited_for_unless_that_takes_long(client, monkeypatch):
    slept = []
    monkeypatch.setattr("cleverdon.client.connection.time.sleep", slept.append)
    told = b'{"type": "/help/api/#too_many", "detail": "Slowly.", "remedy": "Wait."}'
    Other.answers = [(429, {**PROBLEM, "Retry-After": "7"}, told), (200, JSON, b"[]")]
    assert client.campaigns.list() == []
    assert slept == [7]
    Other.answers = [(429, {**PROBLEM, "Retry-After": "3600"}, told)]
    with pytest.raises(Problem, match=r"^Slowly\.$") as refused:
        client.campaigns.list()
    problem = refused.value
    assert (problem.status, problem.kind, problem.remedy) == (429, "too_many", "Wait.")
    assert slept == [7]
    Other.answers = [(429, PROBLEM, told), (200, JSON, b"[]")]
    assert client.campaigns.list() == []


def test_the_next_page_is_asked_of_the_same_site(client, other):
    link = {"Link": '<https://elsewhere.org/api/v1/campaigns/?cursor=abc>; rel="next"'}
    Other.answers = [(200, {**JSON, **link}, b'[{"slug": "a"}]'), (200, JSON, b'[{"slug": "b"}]')]
    assert [each["slug"] for each in client.campaigns.list()] == ["a", "b"]
    assert Other.answers == []
