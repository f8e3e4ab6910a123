"""What pages show, to whom, what they cost, and while a job is under way."""

import re
from datetime import datetime, timedelta
from http.cookies import SimpleCookie

import pytest
from django.utils import timezone
from django.utils.html import escape

from accounts.access import NotThere, NotYours, Refused
from campaigns.models.trail import AuditEvent
from campaigns.web.frame import attempt
from demo.services import CONTENT
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scopes import EvaluationQuerySet
from jobs.models import Job
from jobs.storage import Full
from pooling import services as pooling
from pooling import tasks as pooling_tasks
from pooling.models.batches import BatchQuerySet
from qrels.services.publishing import publish_qrels
from tests import make
from tests.style.page import add_style_page
from tests.web.asking import answer
from tests.web.doors import expected_of
from tests.web.html import at, check_whole, source


def test_the_admin_and_the_style_address_answer(client, olga, settings):
    olga.is_staff = olga.is_superuser = True
    olga.save()
    client.force_login(olga)
    assert client.get("/admin/runs/run/").status_code == 200
    assert client.get("/nowhere/").status_code == 404
    assert client.get("/style/").status_code == 404
    add_style_page(settings)
    check_whole("style", client.get("/style/").text)


def test_security_txt_names_the_contact_of_the_site_if_there_is_one(client, settings):
    answer = client.get("/.well-known/security.txt")
    lines = answer.text.splitlines()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert lines[0] == "Contact: mailto:security@example.org"
    expires = datetime.fromisoformat(lines[1].removeprefix("Expires: "))
    assert timedelta(days=1) < expires - timezone.now() < timedelta(days=365)
    assert lines[2] == f"Canonical: {settings.SITE_URL}/.well-known/security.txt"
    settings.SECURITY_CONTACT = ""
    assert client.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("name", ["favicon.ico", "apple-touch-icon.png", "robots.txt"])
def test_what_browsers_and_crawlers_ask_for_by_themselves_is_there(client, db, name):
    file = client.get(f"/{name}")
    assert (file.status_code, len(b"".join(file.streaming_content)) > 100) == (200, True)
    file.close()


def test_while_debugging_refusals_are_shown_in_our_own_way_and_frame(as_olga, settings):
    """No script shows them otherwise, and an unknown address has a page of ours."""
    settings.DEBUG = True
    scripts = re.findall(r'<script src="([^"]*htmx[^"]*)"', as_olga.get("/").text)
    assert scripts == ["/static/django_htmx/htmx-2.min.js"]
    page = source(as_olga.get("/nowhere/"), 404)
    assert "<h1>There is nothing here</h1>" in page
    check_whole("nowhere", page)


def test_an_unknown_address_of_a_campaign_is_in_its_frame_for_members(client, played, olga, sam):
    address = f"/campaigns/{played.slug}/nowhere/"
    client.force_login(olga)
    response = client.get(address)
    assert "This page does not exist" in source(response, 404)
    assert f"/campaigns/{played.slug}/settings/" in response.text
    client.force_login(sam)
    there, nowhere = (
        re.sub(r"\w{64}", "token", client.get(each).text)
        for each in (address, "/campaigns/none/nowhere/")
    )
    assert there == nowhere


def test_a_refusal_is_a_page_with_its_sentence(client, played, ada):
    client.force_login(ada)
    html = source(client.get(f"/campaigns/{played.slug}/settings/"), 403)
    assert "<h1>Only organizers of Test campaign may do this</h1>" in html
    check_whole("refused", html)
    posted = client.post(f"/campaigns/{played.slug}/settings/", {"name": "typed before"})
    assert "<h1>Nothing was changed</h1>" in posted.text
    assert "typed before" in posted.text


def test_a_missing_worker_is_said_to_the_organizer_alone(client, played, olga, ada):
    client.force_login(olga)
    assert "No worker is running." in client.get(f"/campaigns/{played.slug}/").text
    from jobs import work

    work.note_worker_alive()
    assert "No worker is running." not in client.get(f"/campaigns/{played.slug}/").text
    work.note_worker_gone()
    client.force_login(ada)
    assert "No worker is running." not in client.get(f"/campaigns/{played.slug}/").text


def test_a_page_says_what_the_state_refuses_and_nothing_else():
    """Whoever has just lost their role is not shown the page again."""

    def act(refusal: Refused) -> None:
        raise refusal

    assert attempt(act, refusal=Refused("Not now.")) == "Not now."
    for refusal in (NotYours("Not you."), NotThere()):
        with pytest.raises(type(refusal)):
            attempt(act, refusal=refusal)


def test_what_is_no_fault_of_the_form_is_refused_without_the_page(client, doors, olga, monkeypatch):
    """A full disk, or a right lost at this moment, is no fault of the form: no page shows it beside
    a field.
    """

    def full(*_, **__) -> None:
        raise Full

    monkeypatch.setattr(AuditEvent, "save", full)
    client.force_login(olga)
    usual = {name: expected_of("olga", name)["POST"] for name in doors}
    found, signed_in = {}, client.cookies
    for name in doors:
        if usual[name] in {200, 302}:
            client.cookies = SimpleCookie(signed_in)
            found[name] = answer(client, "POST", *doors[name])
    assert list(found.values()).count(Full.status) > 30
    others = {name for name, status in found.items() if status not in {Full.status, usual[name]}}
    assert not others


def test_every_tab_of_the_example_says_that_its_judgments_are_simulated(campaign, olga, sign_in):
    campaign.notice = CONTENT["settings"]["notice"]
    campaign.save()
    client = sign_in(olga)
    tabs = client.get(at(campaign, "overview")).context["tabs"]
    assert len(tabs) >= 8
    for tab in tabs:
        assert escape(campaign.notice) in client.get(at(campaign, tab.view)).text, tab.name


def ended_meanwhile(monkeypatch, querysets, read: str, work) -> None:
    """Have the newest job done right after the page has read what the job makes."""
    before = getattr(querysets, read)

    def after(self, *arguments, **options):
        found = before(self, *arguments, **options)
        monkeypatch.setattr(querysets, read, before)
        work(Job.objects.latest("pk").pk)
        return found

    monkeypatch.setattr(querysets, read, after)


def test_a_pool_built_meanwhile_is_asked_for_again(client, campaign, olga, pat, monkeypatch):
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d1"})
    draft = pooling.request_batch(
        user=olga, campaign=campaign, runs=[run], strategy="depth", parameters={"depth": 2}
    )
    ended_meanwhile(monkeypatch, BatchQuerySet, "get", pooling_tasks.build_batch)
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/pool/batches/{draft.pk}/"
    assert 'hx-trigger="every 1s"' in client.get(address).text
    assert "Freeze this draft" in client.get(address).text


@pytest.mark.usefixtures("played")
def test_scores_finished_meanwhile_are_asked_for_again(client, campaign, olga, monkeypatch):
    qrels = publish_qrels(user=olga, campaign=campaign, level=2)
    monkeypatch.setattr(tasks.score_batch, "apply_async", lambda sent: tasks.score_batch(*sent))
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels))
    ended_meanwhile(monkeypatch, EvaluationQuerySet, "finished", tasks.score_runs)
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/leaderboard/"
    assert 'hx-trigger="every 1s"' in client.get(address).text
    evaluation.refresh_from_db()
    assert evaluation.finished_at
