"""Days on pages are those of the campaign's clock, in zones before and behind UTC."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import DateTimeField
from django.test import Client
from django.utils import timezone

from api.models import AccessToken
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.services import campaign
from qrels.services.publishing import withdraw_qrels
from runs.services import runs
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.doors import expected_of
from tests.web.test_releases import OPENS

# A moment that is 29 February in UTC, and in the zone is not.
ZONES = {"Europe/Paris": ("23:30", "1 Mar"), "Pacific/Honolulu": ("05:00", "28 Feb")}
UTC_DAY = re.compile(r"29 Feb|Feb(?:ruary)? 29|-02-29")
# An axis, and the table of its picture, show the days beside a day, too.
WHOLE_CALENDAR = re.compile(r'<svg.*?</svg>|<details class="as-table".*?</details>', re.DOTALL)
# The time a page is left open moves no moment to another day: a year becomes five minutes.
SHRUNK = 100_000


def move(clock: str) -> None:
    """Move all that has happened to one day, and all that is to come to another, in their order."""
    soon = "now() + interval '1 hour'"
    moment = (
        f"CASE WHEN {{0}} > {soon} THEN timestamptz '2040-02-29 {clock}+00' ELSE timestamptz "
        f"'2020-02-29 {clock}+00' END + ({{0}} - now()) / {SHRUNK}"
    )
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta
            columns = [
                field.column
                for field in table.local_concrete_fields
                if isinstance(field, DateTimeField)
            ]
            if columns and model not in (Session, AccessToken):  # these end, and are told in UTC
                moved = ", ".join(f"{each} = {moment.format(each)}" for each in columns)
                cursor.execute("SET LOCAL session_replication_role = replica")  # also of events
                cursor.execute(f"UPDATE {table.db_table} SET {moved}")  # noqa: S608
                cursor.execute("SET LOCAL session_replication_role = DEFAULT")


@pytest.mark.parametrize(
    ("zone", "people"), [("Europe/Paris", ["olga"]), ("Pacific/Honolulu", ["ada", "pat"])]
)
def test_no_page_shows_a_day_of_utc(request, doors, played, olga, pat, zone, people):
    clock, local = ZONES[zone]
    run = make.run(played, pat, {"1": "d1"}, "taken-back")
    runs.withdraw_run(user=olga, run=run, reason="A slip.")
    played.run_set.filter(tag="secret-run").update(
        state="disqualified", out_at=timezone.now(), out_by=olga
    )
    ahead = timezone.now() + timedelta(days=30)
    dates = dict.fromkeys(("submission_closes_at", "judging_closes_at"), ahead)
    campaign.change_campaign(user=olga, campaign=played, changes={**dates, "time_zone": zone})
    show_to(played)
    withdraw_qrels(user=olga, qrels=played.qrels_set.first(), reason="A grade is wrong.")
    move(clock)
    n_local = 0
    for person in people:
        client = Client()
        client.force_login(request.getfixturevalue(person))
        for name, (address, _) in doors.items():
            # What somebody did to their account, or sent, is told in UTC, and says so.
            if name in {"account", "own_uploads"} or expected_of(person, name).get("GET") != 200:
                continue
            # What Olga sees too is looked at as hers.
            if person != "olga" and expected_of("olga", name)["GET"] == 200:
                continue
            n_local += n_days(client, address, local)
    assert n_local > 10


def n_days(client: Client, address: str, local: str) -> int:
    """How often a page names the day of the zone; it never names that of UTC."""
    page = client.get(address)
    if page.streaming:
        assert b"".join(page.streaming_content)
        return 0
    if "html" not in page["Content-Type"]:
        return 0  # Files state moments, with their offset.
    text = WHOLE_CALENDAR.sub("", page.text)
    assert UTC_DAY.findall(text) == [], address
    return text.count(local)


def test_no_page_that_is_released_shows_a_day_of_utc(doors, played, olga, pat):
    """To the teams, to visitors, and on the page that releases it."""
    clock, local = ZONES["Pacific/Honolulu"]
    past = timezone.now() - timedelta(days=1)
    Campaign.objects.update(time_zone="Pacific/Honolulu", judging_closes_at=past)
    for what in Release.What:
        show_to(played, TEAMS, ALL, what=what)
    move(clock)
    pages = [doors[name][0] for names in OPENS.values() for name in names]
    for person in (pat, None):
        client = Client()
        if person:
            client.force_login(person)
        assert sum(n_days(client, address, local) for address in pages) > 10
    client.force_login(olga)
    releases = doors["evaluation:releases"][0]
    assert n_days(client, releases, local) > 8
    assert n_days(client, f"{releases}?what=scores", local) > 9
