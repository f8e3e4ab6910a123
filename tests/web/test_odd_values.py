"""What no request may do: each odd value is refused with a sentence and not stored."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver

from campaigns.models.campaign import Campaign
from campaigns.services import campaign as campaign_services
from collection.models.imports import Import
from config.wsgi import application
from evaluation.models.scores import Score
from jobs.models import Job
from runs.models import Run
from tests import make
from tests.web.html import content, source
from tests.web.posting import posted

EMOJI = "\N{GRINNING FACE}"
MOMENTS = ("submission_opens_at", "submission_closes_at", "judging_opens_at", "judging_closes_at")


# Campaigns


def test_a_date_that_no_page_could_show_is_refused(as_olga, played):
    address = f"/campaigns/{played.slug}/settings/dates/"
    odd = [
        ("0001-01-01T00:00", "Asia/Tokyo"),
        ("9999-12-31T23:59", "America/Los_Angeles"),
        ("1969-01-01T00:00", "UTC"),
        ("2200-06-01T00:00", "Pacific/Kiritimati"),
    ]
    for moment, (when, zone) in zip(MOMENTS, odd, strict=True):
        data = posted(played)["campaigns:settings"]
        response = as_olga.post(address, {**data, "time_zone": zone, moment: when})
        assert "Choose a date from 1970 to 2199." in source(response, 422)
        assert getattr(Campaign.objects.get(), moment) is None


def test_no_campaign_has_the_address_of_a_page(olga):
    below = [
        str(each.pattern)
        for each in get_resolver().url_patterns
        if str(each.pattern).startswith("campaigns/")
    ]
    assert "campaigns/" in below
    [campaigns] = [
        each
        for each in get_resolver().url_patterns
        if str(each.pattern) == "campaigns/" and each.namespace
    ]
    words = {str(each.pattern).split("/")[0] for each in campaigns.url_patterns}
    reserved = {word for word in words if not word.startswith("<")}
    assert reserved == {"new"}
    for word in reserved:
        made = campaign_services.create_campaign(user=olga, name=word.title())
        assert made.slug == f"{word}-2"


# Files


@pytest.mark.parametrize("tab", ["documents", "runs"])
def test_a_file_may_have_any_name(client, campaign, olga, pat, queued, tab):
    client.force_login(olga if tab == "documents" else pat)
    for n, name in enumerate(
        (
            EMOJI * 90,
            f"a.{EMOJI * 90}",
            f".{EMOJI * 90}",
            "\N{LATIN SMALL LETTER E WITH ACUTE}" * 200,
        )
    ):
        file = SimpleUploadedFile(name, b"1 Q0 d1 1 1 two\n")
        response = client.post(f"/campaigns/{campaign.slug}/{tab}/", {"file": file, "tag": f"t{n}"})
        assert response.status_code == 302
        stored = (Import if tab == "documents" else Run).objects.latest("pk").file
        assert make.content(stored) == b"1 Q0 d1 1 1 two\n"


def test_a_file_without_a_name_is_a_file_that_is_missing(as_olga, campaign):
    for name in ("", ".", "..", "/"):
        body = (
            '--b\r\nContent-Disposition: form-data; name="file"; '
            f'filename="{name}"\r\n\r\nx\r\n--b--\r\n'
        )
        address = f"/campaigns/{campaign.slug}/documents/"
        response = as_olga.post(address, body, content_type="multipart/form-data; boundary=b")
        assert "Choose at least one file." in source(response, 422)
    assert not Job.objects.exists()


# Headers


@pytest.mark.django_db
def test_another_charset_than_utf_8_is_refused():
    """Through the entry point: Django reads this header before any middleware."""
    answers = {"415 Unsupported Media Type": 'utf-16 base64 idna punycode undefined rot13 "utf-7"'}
    for status, charsets in {**answers, "200 OK": "UTF-8"}.items():
        for charset in charsets.split():
            came = []
            environ = {
                "REQUEST_METHOD": "GET",
                "PATH_INFO": "/sign-in/",
                "QUERY_STRING": "a=%ff&b=c",
                "SERVER_NAME": "localhost",
                "SERVER_PORT": "80",
                "wsgi.input": io.BytesIO(),
                "wsgi.url_scheme": "http",
                "CONTENT_TYPE": f"text/plain; Charset = {charset}",
            }
            body = b"".join(application(environ, lambda status, _, came=came: came.append(status)))
            assert came == [status]
            assert status == "200 OK" or body.endswith(b".")


def test_pages_and_downloads_are_kept_in_no_cache(as_olga, client, played):
    run = played.run_set.get().pk
    pages = [
        "/",
        f"/campaigns/{played.slug}/runs/{run}/",
        f"/campaigns/{played.slug}/runs/{run}/file/",
        f"/campaigns/{played.slug}/qrels/1.txt",
        f"/campaigns/{played.slug}/leaderboard/leaderboard.csv",
        "/campaigns/unknown/",
        f"/campaigns/{played.slug}/judging/1/lend/",
    ]
    for page in pages:
        response = as_olga.get(page)
        assert response["Cache-Control"] == "private, no-store", page
        for close in response._resource_closers:  # noqa: SLF001
            close()


# What others may not know, and what a spreadsheet may not run


def test_no_name_is_a_formula_in_a_download(as_olga, played):
    base = f"/campaigns/{played.slug}"
    pages = (
        "leaderboard/leaderboard.csv",
        f"leaderboard/runs/{Score.objects.get().run_id}.csv",
        "pool/pool.tsv",
    )
    for name in ("=1+1", "+1;A1", "-2+3", "@SUM(1)", "\tx"):
        Campaign.objects.update(name=name)
        played.team_set.update(name=name)
        played.run_set.update(tag=name)
        for page in pages:
            text = content(as_olga.get(f"{base}/{page}"))
            assert f"'{name}" in text
            for mark in (",", "\t", "\n"):
                assert f"{mark}{name}" not in text
