"""Whatever is refused is a problem that says what is wrong, in words that are true in both."""

import json

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from api.authentication import NO_CSRF
from campaigns.models.releases import Release
from config.wsgi import application
from tests import make
from tests.api.addresses import kind, of, send
from tests.tokens import made

pytestmark = pytest.mark.django_db


def refused(answer) -> tuple[int, list[str]]:
    return answer.status_code, list(answer.json().get("fields", ()))


def test_a_parameter_that_an_act_or_a_record_does_not_know_is_refused(as_olga, campaign):
    assert refused(send(as_olga, campaign, "teams/?zz=1", {"name": "Bow"})) == (422, ["zz"])
    assert not campaign.team_set.filter(name="Bow").exists()
    for at in ("teams/Aldgate/?zz=1", "teams/?zz=1", "settings/?zz=1", "pool/docnos.txt?zz=1"):
        assert refused(as_olga.get(of(campaign, at))) == (422, ["zz"]), at


@pytest.mark.parametrize("is_debug", [True, False])
def test_what_is_sent_without_the_last_slash_is_not_lost_on_a_redirect(
    as_olga, campaign, settings, is_debug
):
    settings.DEBUG = is_debug
    answer = send(as_olga, campaign, "teams", {"name": "Bow"})
    assert (answer.status_code, kind(answer)) == (404, "not_found")
    assert answer.json()["detail"].endswith("The address ends in a slash.")
    assert "slash" not in send(as_olga, campaign, "nothing").json()["detail"]
    assert as_olga.post(f"/campaigns/{campaign.slug}/teams", {"name": "Bow"}).status_code == 404
    assert as_olga.get(of(campaign, "teams"))["Location"] == of(campaign, "teams/")


def test_whoever_may_not_act_learns_nothing_of_its_parameters(client, campaign, pat):
    client.force_login(pat)
    assert send(client, campaign, "teams/?zz=1", {"name": "Bow"}).status_code == 403


@pytest.mark.parametrize("its", [1, True, 1.5, [], {}, "no"])
def test_an_id_is_the_text_of_a_uuid(client, campaign, pat, ada, its):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"}, "one")])
    given = make.assignment(campaign.topic_set.get(number="1"), ada)
    client.force_login(ada)
    work = f"work/{given.public_id}/"
    answer = send(client, campaign, f"{work}ask/", {"client_id": its, "text": "Bats?"})
    assert refused(answer) == (422, ["client_id"])
    acts = [{"client_id": its, "docno": "d1", "choice": 1}]
    answer = send(client, campaign, f"{work}judge/", acts)
    sentences = "A client_id is a UUID.", "The answer has no client_id"
    assert answer.json()["results"][0]["refused"].startswith(sentences)


def test_what_is_released_is_named_by_one_name(as_olga, campaign, pat, ada, olga):
    make.run(campaign, pat, {"1": "d1"}, "one")
    given = {"what": "runs", "audience": "everybody"}
    for odd in ({"version": 1}, {"what": "qrels", "round": 1}, {"what": "pool", "round": 1}):
        answer = send(as_olga, campaign, "releases/", given | odd)
        assert refused(answer) == (422, [next(name for name in odd if name != "what")]), odd
    assert not Release.objects.exists()
    told = send(as_olga, campaign, "releases/", given).json()
    assert {told[name] for name in ("evaluation", "version", "round")} == {None}


def test_a_release_tells_what_it_releases(as_olga, campaign, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"}, "one")])
    told = send(
        as_olga, campaign, "releases/", {"what": "pool", "audience": "participants", "version": 1}
    ).json()
    assert (told["version"], told["evaluation"], told["round"]) == (1, None, None)
    qrels = make.imported_qrels(campaign, b"1 0 d1 1\n")
    sent = {"what": "qrels", "audience": "participants", "version": qrels.number}
    assert send(as_olga, campaign, "releases/", sent).json()["version"] == qrels.number


@pytest.mark.parametrize("content", [b"1 Q0 d1 1 9.5 one\n", b"", b"\x1f\x8bno"])
def test_a_file_that_is_no_archive_is_refused(client, campaign, pat, content):
    client.force_login(pat)
    answer = client.post(of(campaign, "runs/archives/"), {"file": ContentFile(content, "one.zip")})
    assert refused(answer) == (422, ["file"])


def test_a_round_tells_the_dates_that_it_was_just_given(as_olga, campaign):
    at = "2100-05-01T00:00:00Z"
    told = send(as_olga, campaign, "rounds/", {"submission_closes_at": at}).json()
    assert (told["number"], told["submission_closes_at"]) == (2, at)
    dates = {each["number"]: each["submission_closes_at"] for each in read(as_olga, campaign)}
    assert dates == {1: None, 2: at}


def read(client, campaign):
    return client.get(of(campaign, "rounds/")).json()


@pytest.mark.parametrize("at", ["teams/", "teams/Aldgate/", "settings/"])
def test_a_form_that_there_is_not_is_not_acceptable(as_olga, campaign, at):
    answer = as_olga.get(of(campaign, at), {"format": "xml"})
    assert (answer.status_code, kind(answer)) == (406, "not_acceptable")


def test_text_in_another_charset_is_a_problem_for_programs(campaign, olga):
    """Below the whole site, as its server calls it."""
    from werkzeug.test import Client as Caller

    token = {"Authorization": f"Bearer {made(olga, 'organize')}"}
    kind_of_text = "application/json; charset=utf-16"
    ask = Caller(application).post
    sent = json.dumps({"name": "Bow"}).encode("utf-16")
    answer = ask(of(campaign, "teams/"), data=sent, headers=token, content_type=kind_of_text)
    assert (answer.status_code, answer.mimetype) == (415, "application/problem+json")
    assert answer.json["type"].endswith("#unreadable")
    page = ask("/accounts/login/", data=sent, content_type=kind_of_text)
    assert (page.status_code, page.mimetype) == (415, "text/plain")


def test_more_values_than_a_form_may_have_are_a_problem(campaign, olga):
    client = Client(raise_request_exception=False)
    client.force_login(olga)
    answer = client.post(of(campaign, "rounds/"), {f"n{n}": 1 for n in range(1001)})
    assert (answer.status_code, kind(answer)) == (400, "unreadable")


def test_a_report_is_of_topics_that_its_reader_may_see(client, campaign, pat, olga):
    run = make.run(campaign, pat, {"1": "d1"}, "one")
    client.force_login(olga)
    later = {"topics_open_at": "2100-01-01T00:00:00Z", "topics": ["2"]}
    assert send(client, campaign, "rounds/", later).status_code == 201
    assert send(client, campaign, "runs/one/move-to-round/", {"number": 2}).status_code == 200
    make.worked("recheck_run", run.pk)
    assert client.get(of(campaign, "runs/one/report/")).json()["warnings"]
    client.force_login(pat)
    for at in ("report/", "errors.csv"):
        answer = client.get(of(campaign, f"runs/one/{at}"))
        assert (answer.status_code, kind(answer)) == (403, "not_yours"), at
    assert client.get(of(campaign, "topics/")).status_code == 200
    page = client.get(f"/campaigns/{campaign.slug}/runs/{run.pk}/").text
    assert "The topics are shown from" in page


def test_unknown_names_within_criteria_are_refused(as_olga, campaign):
    criteria = as_olga.get(of(campaign, "settings/")).json()["criteria"]
    first = criteria[0]
    odd = send(as_olga, campaign, "change/", {"criteria": [{**first, "weight": 2}]})
    assert refused(odd) == (422, ["criteria.1.weight"])
    answer = {**first["answers"][0], "color": "red"}
    within = {**first, "answers": [answer, *first["answers"][1:]]}
    odd = send(as_olga, campaign, "change/", {"criteria": [within]})
    assert refused(odd) == (422, ["criteria.1.answers.1.color"])


@pytest.mark.parametrize("said", ["true", "True", True])
def test_whether_a_run_is_manual_is_sent_as_it_is_told(client, campaign, pat, said):
    make.run(campaign, pat, {"1": "d1"}, "one")
    client.force_login(pat)
    assert send(client, campaign, "runs/one/describe/", {"is_manual": said}).status_code == 200
    assert client.get(of(campaign, "runs/one/")).json()["manual"] is True
    assert refused(send(client, campaign, "runs/one/describe/", {"is_manual": "yes"})) == (
        422,
        ["is_manual"],
    )


def test_what_a_list_is_asked_twice_is_refused(as_olga, campaign):
    for query in ("sort=tag&sort=team", "q=a&q=b"):
        answer = as_olga.get(of(campaign, f"runs/?{query}"))
        assert refused(answer) == (422, [query[: query.index("=")]])
        assert answer.json()["detail"].endswith("Send it once.")
    odd = as_olga.get(of(campaign, "runs/"), {"show": "odd"})
    assert odd.json()["fields"]["show"][0].startswith("Send one of: ")


def test_what_the_framework_refuses_is_in_words_of_this_site(client, campaign, olga):
    at = of(campaign, "teams/")
    told = {401: client.get(at)}
    assert told[401].json()["title"] == "Not signed in"
    client.force_login(olga)
    told |= {405: client.put(at), 406: client.get(at, {"format": "xml"})}
    told |= {415: client.post(at, "x", "text/plain")}
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(olga)
    told |= {403: send(strict, campaign, "teams/", {"name": "Bow"})}
    assert {status: (its.status_code, its.json()["detail"]) for status, its in told.items()} == {
        401: (401, "No access token was sent."),
        403: (403, NO_CSRF),
        405: (405, "This address takes no PUT."),
        406: (406, "There is no such form of this answer."),
        415: (415, "This address takes nothing of that kind (Content-Type)."),
    }
    assert "organizer" not in told[403].json()["remedy"]


def test_the_methods_of_an_address_are_told_and_where_it_is_described(as_olga, campaign):
    answer = as_olga.options(of(campaign, "runs/"))
    assert answer.json() == {"description": "/api/v1/openapi.json"}
    assert {"GET", "POST"} <= {*answer["Allow"].split(", ")}
