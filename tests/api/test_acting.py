"""Acts of programs: once for each key, refused on what is stale or has consequences, and told."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Barrier, BrokenBarrierError
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api import once, uploads
from api.models import Answer
from api.once import REMEMBERED
from api.parsers import JSON
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role, Team
from campaigns.models.trail import AuditEvent
from runs.models import Run
from tests import make
from tests.api.addresses import kind, of, send
from tests.tokens import made, program

pytestmark = pytest.mark.django_db
RUN = b"1 Q0 d1 1 9.5 bm25\n1 Q0 d2 2 9.1 bm25\n2 Q0 d3 1 7 bm25\n"


def file(content: bytes = RUN, name: str = "bm25.txt") -> ContentFile:
    return ContentFile(content, name)


def test_the_same_key_twice_is_one_thing_with_one_answer(as_olga, campaign):
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (send(as_olga, campaign, "teams/", {"name": "Bow"}, **key) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert first["Location"] == again["Location"] == of(campaign, "teams/Bow/")
    assert Team.objects.filter(name="Bow").count() == 1
    assert AuditEvent.objects.filter(kind="team.created", subject="Bow").count() == 1


def test_the_answer_is_given_again_once_it_could_not_be_done_any_more(as_olga, campaign, pat):
    """Where the state is another, and even where the row is gone."""
    Team.objects.create(campaign=campaign, name="Bow")
    key = {"Idempotency-Key": "delete"}
    first, again = (send(as_olga, campaign, "teams/Bow/delete/", **key) for _ in range(2))
    assert first.status_code == again.status_code == 204
    assert send(as_olga, campaign, "teams/Bow/delete/").status_code == 404


def test_what_was_told_is_told_again_to_nobody_who_may_not_act_any_more(client, campaign, pat):
    make.run(campaign, pat, {"1": "d1"}, "one")
    client.force_login(pat)
    key = {"Idempotency-Key": "describe"}
    sent = {"description": "Ours."}

    def asked() -> int:
        return send(client, campaign, "runs/one/describe/", sent, **key).status_code

    Membership.objects.create(campaign=campaign, user=pat, role=Role.ASSESSOR)
    assert [asked(), asked()] == [200, 200]
    own = Membership.objects.filter(campaign=campaign, user=pat)
    own.filter(role=Role.PARTICIPANT).delete()
    assert asked() == 403
    own.delete()
    assert asked() == 404


@pytest.mark.parametrize("act", ["archive", "withdraw", "delete", "rename", "leave", "merge"])
def test_an_act_that_cannot_be_done_twice_is_answered_as_it_was(as_olga, campaign, pat, act):
    """What it did is what would refuse it: the state, the name, or the role of who asks."""
    make.run(campaign, pat, {"1": "d1"}, "one")
    Team.objects.create(campaign=campaign, name="Bow")
    own = {"user": make.organizer_of(campaign), "role": Role.PARTICIPANT}
    Membership.objects.create(campaign=campaign, team=campaign.team_set.get(name="Aldgate"), **own)
    at, sent = {
        "archive": ("archive/", {}),
        "withdraw": ("runs/one/withdraw/", {"reason": "Part of the index was missing."}),
        "delete": ("teams/Bow/delete/", {}),
        "rename": ("teams/Bow/rename/", {"name": "Ely"}),
        "leave": ("teams/Aldgate/leave/", {}),
        "merge": ("teams/Bow/merge/", {"into": "Aldgate"}),
    }[act]
    first, again = (send(as_olga, campaign, at, sent, **{"Idempotency-Key": "k"}) for _ in "12")
    assert first.status_code in {200, 204}, first.content
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert send(as_olga, campaign, at, sent).status_code in {403, 404, 409}


def test_a_campaign_that_was_made_is_told_again_to_its_members_alone(as_olga):
    key, sent = {"Idempotency-Key": "made"}, json.dumps({"name": "Other"})

    def asked():
        return as_olga.post("/api/v1/campaigns/", sent, "application/json", headers=key)

    first = asked()
    assert (first.status_code, asked().json()) == (201, first.json())
    Membership.objects.filter(campaign__slug=first.json()["slug"]).delete()
    assert asked().status_code == 404


def test_a_deleted_campaign_is_answered_as_it_was(as_olga, campaign):
    key, sent = {"Idempotency-Key": "gone"}, {"name": campaign.name}
    for _ in range(2):
        assert send(as_olga, campaign, "delete/", sent, **key).status_code == 204
    assert send(as_olga, campaign, "delete/", {"name": "?"}, **key).status_code == 409


def test_nothing_is_read_of_what_somebody_sends_who_may_not_act(client, campaign, pat, monkeypatch):
    read = []
    monkeypatch.setattr(once, "_digest", read.append)
    monkeypatch.setattr(JSON, "parse", lambda *sent: read.append(sent))
    client.force_login(pat)
    for key in ({}, {"Idempotency-Key": "k"}):
        assert send(client, campaign, "teams/", {"name": "Bow"}, **key).status_code == 403
    assert not read


def test_a_key_is_for_one_act_alone_and_for_one_person(as_olga, campaign, pat):
    key = {"Idempotency-Key": "one"}
    send(as_olga, campaign, "teams/", {"name": "Bow"}, **key)
    other = send(as_olga, campaign, "teams/", {"name": "Wapping"}, **key)
    assert (other.status_code, kind(other)) == (409, "refused")
    assert other.json()["detail"].startswith("This Idempotency-Key has been used for something")
    long = send(as_olga, campaign, "teams/", {"name": "Wapping"}, **{"Idempotency-Key": "k" * 201})
    assert long.json()["detail"] == "An Idempotency-Key has at most 200 characters."
    theirs = Client()
    theirs.force_login(pat)
    assert send(theirs, campaign, "teams/", {"name": "Bow"}, **key).status_code == 403


def test_what_was_refused_is_tried_again_under_its_key(as_olga, campaign):
    key = {"Idempotency-Key": "again"}
    assert send(as_olga, campaign, "teams/", {"name": "aldgate"}, **key).status_code == 409
    Team.objects.filter(name="Aldgate").update(name="Bow")
    assert send(as_olga, campaign, "teams/", {"name": "aldgate"}, **key).status_code == 201


def test_files_are_told_apart_by_what_is_in_them(as_olga, campaign):
    at, key = of(campaign, "runs/"), {"Idempotency-Key": "run"}
    one = as_olga.post(at, {"file": file()}, headers=key)
    again = as_olga.post(at, {"file": file()}, headers=key)
    assert (one.status_code, one.json()) == (again.status_code, again.json())
    other = as_olga.post(at, {"file": file(RUN + b"2 Q0 d1 2 5 bm25\n")}, headers=key)
    assert other.status_code == 409
    assert Run.objects.count() == 1


def test_an_answer_is_remembered_for_a_week(as_olga, campaign):
    key = {"Idempotency-Key": "old"}
    send(as_olga, campaign, "teams/", {"name": "Bow"}, **key)
    Answer.objects.update(at=timezone.now() - REMEMBERED - timedelta(minutes=1))
    send(as_olga, campaign, "teams/", {"name": "Wapping"}, **{"Idempotency-Key": "new"})
    assert [each.key for each in Answer.objects.all()] == ["new"]


def test_what_was_answered_goes_with_its_campaign(as_olga, campaign):
    send(as_olga, campaign, "teams/", {"name": "Bow"}, **{"Idempotency-Key": "a team"})
    at, key = "/api/v1/campaigns/", {"Idempotency-Key": "another"}
    made = as_olga.post(at, json.dumps({"name": "Other"}), "application/json", headers=key)
    of_each = Answer.objects.values_list("key", "campaign__slug")
    assert set(of_each) == {("a team", campaign.slug), ("another", made.json()["slug"])}
    gone = send(
        as_olga, campaign, "delete/", {"name": "Test campaign"}, **{"Idempotency-Key": "gone"}
    )
    assert gone.status_code == 204
    left = {("a team", None), ("another", made.json()["slug"]), ("gone", None)}
    assert set(of_each.all()) == left
    assert "Bow" not in str(Answer.objects.values_list("body", "location"))


def test_a_campaign_that_was_deleted_is_not_made_again_by_its_key(as_olga, campaign):
    def make_it():
        key = {"Idempotency-Key": "one"}
        at, sent = "/api/v1/campaigns/", json.dumps({"name": "Other"})
        return as_olga.post(at, sent, "application/json", headers=key)

    made = Campaign.objects.get(slug=make_it().json()["slug"])
    send(as_olga, made, "delete/", {"name": "Other"})
    again = make_it()
    assert (again.status_code, kind(again)) == (409, "refused")
    assert "its campaign has been deleted since" in again.json()["detail"]
    assert not Campaign.objects.filter(name="Other").exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_sent_at_once_waits_for_the_first(campaign, olga):
    secret, key = made(olga, "organize"), {"Idempotency-Key": "at once"}

    def press(_: int) -> tuple[int, dict]:
        try:
            answer = send(program(secret), campaign, "teams/", {"name": "Bow"}, **key)
            return answer.status_code, answer.json()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(press, range(4)))
    assert [status for status, _ in answers] == [201] * 4
    assert len({json.dumps(body) for _, body in answers}) == 1
    assert Team.objects.filter(name="Bow").count() == 1


def test_an_act_on_what_has_changed_since_is_refused(as_olga, campaign):
    at = of(campaign, "")
    read = as_olga.get(of(campaign, "settings/"))["ETag"]
    Campaign.objects.update(run_depth=77)
    stale = send(as_olga, campaign, "change/", {"run_depth": 5}, **{"If-Match": read})
    assert (stale.status_code, kind(stale)) == (412, "stale")
    assert Campaign.objects.get().run_depth == 77
    now = as_olga.get(of(campaign, "settings/"))["ETag"]
    done = send(as_olga, campaign, "change/", {"run_depth": 5}, **{"If-Match": now})
    assert (done.status_code, done.json()["run_depth"]) == (200, 5)
    assert as_olga.get(at).json()["run_depth"] == 5


def test_an_answer_with_a_record_has_the_tag_for_the_next_act(as_olga, campaign):
    read = as_olga.get(of(campaign, "settings/"))["ETag"]
    for depth in (5, 6):
        key = {"Idempotency-Key": str(depth), "If-Match": read}
        done = send(as_olga, campaign, "change/", {"run_depth": depth}, **key)
        assert (done.status_code, done["Location"]) == (200, of(campaign, "settings/"))
        again = send(as_olga, campaign, "change/", {"run_depth": depth}, **key)
        assert again["ETag"] == done["ETag"] != read
        read = done["ETag"]


def test_what_was_read_is_named_by_any_of_several_tags(as_olga, campaign):
    read = as_olga.get(of(campaign, "settings/"))["ETag"]
    for tags, status in (
        ("*", 200),
        (read, 200),
        (f"W/{read}", 200),
        (f'"other", {read}', 200),
        ('"other", "another"', 412),
        (read.strip('"'), 400),
    ):
        answer = send(as_olga, campaign, "change/", {}, **{"If-Match": tags})
        assert answer.status_code == status, tags
    assert kind(answer) == "unreadable"
    assert answer.json()["detail"].startswith("If-Match is an ETag with its quotes")


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_who_have_read_the_same_one_passes(campaign, olga, monkeypatch):
    """The one in the service waits for the other, who would be there too if nothing held it."""
    secret, both = made(olga, "organize"), Barrier(2)
    read = {"If-Match": program(secret).get(of(campaign, "settings/"))["ETag"]}
    spending = uploads.spending

    def spends(service):
        with suppress(BrokenBarrierError):
            both.wait(timeout=1)
        return spending(service)

    monkeypatch.setattr(uploads, "spending", spends)

    def press(depth: int) -> int:
        try:
            answer = send(program(secret), campaign, "change/", {"run_depth": depth}, **read)
            return answer.status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(press, (5, 6))) == [200, 412]


def test_an_act_on_a_whole_list_has_nothing_to_match(as_olga, campaign):
    answer = send(as_olga, campaign, "teams/", {"name": "Bow"}, **{"If-Match": '"1"'})
    assert (answer.status_code, kind(answer)) == (409, "refused")
    assert "nothing for If-Match to match" in answer.json()["detail"]
    assert not Team.objects.filter(name="Bow").exists()


def test_what_an_act_asks_before_it_has_begun_is_asked_once(as_olga, campaign):
    """Roles once, once more in the transaction, and for the answer; the campaign too."""
    Team.objects.create(campaign=campaign, name="Bow")
    with CaptureQueriesContext(connection) as captured:
        send(as_olga, campaign, "teams/Bow/rename/", {"name": "Ely"})
    asked = [re.search(r'FROM "(\w+)"', each["sql"]) for each in captured]
    reads = Counter(each[1] for each in asked if each)
    assert reads["campaigns_membership"] == 3
    assert reads["campaigns_campaign"] == 5


def test_a_consequence_is_accepted_word_for_word(as_olga, campaign, pat):
    make.run(campaign, pat, {"1": "d1 d2 d3"}, "deep")
    asked = send(as_olga, campaign, "change/", {"run_depth": 2})
    assert (asked.status_code, kind(asked)) == (409, "unconfirmed")
    sentence = asked.json()["detail"]
    assert "deep" in sentence
    other = send(as_olga, campaign, "change/", {"run_depth": 2, "accepts": "Yes."})
    assert (other.status_code, kind(other)) == (409, "unconfirmed")
    done = send(as_olga, campaign, "change/", {"run_depth": 2, "accepts": sentence})
    assert done.status_code == 200


def test_every_value_that_does_not_fit_is_named_and_nothing_is_done(as_olga, campaign):
    wrong = send(
        as_olga,
        campaign,
        "change/",
        {"run_depth": 0, "known_percent": 99, "shared_rule": "best", "time_zone": "Mars"},
    )
    assert (wrong.status_code, kind(wrong)) == (422, "invalid")
    assert set(wrong.json()["fields"]) == {"run_depth", "known_percent", "shared_rule"}
    later = send(as_olga, campaign, "change/", {"time_zone": "Mars"})
    assert later.json()["fields"] == {"time_zone": ["There is no such zone: Europe/Berlin is one."]}
    opens = {"submission_opens_at": "2099-01-02T00:00:00Z"}
    closes = {"submission_closes_at": "2099-01-01T00:00:00+00:00"}
    crossed = send(as_olga, campaign, "change/", opens | closes)
    assert list(crossed.json()["fields"]) == ["submission_closes_at"]
    unknown = send(as_olga, campaign, "change/", {"depth": 5})
    assert list(unknown.json()["fields"]) == ["depth"]
    for body in ([1, 2], "x", 7, None):
        answer = as_olga.post(of(campaign, "change/"), json.dumps(body), "application/json")
        assert (answer.status_code, kind(answer)) == (422, "invalid"), body


def test_a_run_is_uploaded_checked_and_reported(client, campaign, pat):
    client.force_login(pat)
    made_it = client.post(of(campaign, "runs/"), {"file": file(), "priority": 1})
    assert made_it.status_code == 201
    run = client.get(made_it["Location"]).json()
    assert (run["tag"], run["team"], run["priority"]) == ("bm25", "Aldgate", 1)
    report = client.get(made_it["Location"] + "report/").json()
    assert set(report) >= {"state", "lines", "errors", "first_errors", "warnings"}
    got = client.get(made_it["Location"] + "file/")
    assert b"".join(got.streaming_content) == RUN
    same = client.post(of(campaign, "runs/"), {"file": file()})
    assert (same.status_code, same["Location"]) == (200, made_it["Location"])
    assert same.json()["sha256"] == run["sha256"]
    other = client.post(of(campaign, "runs/"), {"file": file(RUN + RUN)})
    assert other.status_code == 409
    bad = client.post(of(campaign, "runs/"), {"file": file(b""), "team": "Bow"})
    assert bad.json()["fields"].keys() & {"file", "team"}


def test_deadlines_hold_as_on_the_page(client, campaign, pat):
    campaign.submission_closes_at = datetime(2020, 1, 1, tzinfo=UTC)
    campaign.save()
    client.force_login(pat)
    answer = client.post(of(campaign, "runs/"), {"file": file()})
    assert (answer.status_code, kind(answer)) == (409, "refused")
    assert answer.json()["detail"].startswith("Submission closed on ")


def test_an_organizer_uploads_for_a_team_by_its_name(as_olga, campaign):
    for team, told in (("Aldgate", "Aldgate"), ("", "baselines")):
        sent = {"file": file(RUN.replace(b"bm25", (team or "base").encode())), "team": team}
        answer = as_olga.post(of(campaign, "runs/"), sent)
        assert (answer.status_code, answer.json().get("team")) == (201, told), answer.content
    unknown = as_olga.post(of(campaign, "runs/"), {"file": file(), "team": "Nowhere"})
    assert list(unknown.json()["fields"]) == ["team"]


def test_a_batch_is_formed_by_tags_and_parameters(as_olga, campaign, pat, queued):
    for tag in ("a", "b"):
        make.run(campaign, pat, {"1": "d1 d2", "2": "d3"}, tag)
    sent = {"strategy": "depth", "parameters": {"depth": 1}, "runs": ["A"]}
    answer = send(as_olga, campaign, "batches/", sent)
    assert answer.status_code == 201, answer.content
    assert (answer.json()["parameters"], answer.json()["strategy"]) == ({"depth": 1}, "depth")
    for odd, field in (
        ({"parameters": {"size": 1}}, "parameters"),
        ({"parameters": [1]}, "parameters"),
        ({"runs": ["nonesuch"]}, "runs"),
        ({"strategy": "best"}, "strategy"),
        ({"parameters": {"depth": "many"}}, "parameters.depth"),
    ):
        wrong = send(as_olga, campaign, "batches/", {**sent, **odd})
        assert (wrong.status_code, list(wrong.json()["fields"])) == (422, [field]), wrong.content


def test_a_text_with_what_the_database_cannot_store_is_refused(as_olga, campaign):
    for odd in ("a\0b", "\ud800"):
        wrong = send(as_olga, campaign, "teams/", {"name": odd})
        assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["name"])
    long = send(as_olga, campaign, "teams/", {"name": "x" * 61})
    assert list(long.json()["fields"]) == ["name"]


@pytest.mark.parametrize(("query", "accepted"), [("", "text/csv"), ("?format=ndjson", "*/*")])
def test_an_act_is_answered_in_json_whatever_is_accepted(as_olga, campaign, query, accepted):
    answer = send(as_olga, campaign, f"teams/{query}", {"name": "Bow"}, Accept=accepted)
    assert (answer.status_code, answer.json()["name"]) == (201, "Bow")


def test_a_fault_within_a_list_is_told_by_its_place(as_olga, campaign):
    answer = send(as_olga, campaign, "rounds/", {"topics": ["1", "", "2"]})
    assert (answer.status_code, kind(answer)) == (422, "invalid")
    assert answer.json()["fields"] == {"topics.2": ["This field may not be blank."]}
