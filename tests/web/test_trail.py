"""Who did what: what was released in whose place, and what was refused to whom."""

from django.core.cache import cache

from campaigns.events import CampaignEvent
from campaigns.models.trail import AuditEvent
from evaluation import services
from qrels.events import QrelsEvent
from tests.releasing import TEAMS
from tests.web.html import words

REFUSED = AuditEvent.objects.filter(kind=CampaignEvent.REFUSED)


def test_a_release_says_to_whom_from_when_and_what_was_seen_before(as_olga, played, olga):
    services.release(user=olga, campaign=played, what="pool", subject_id=1, audience=TEAMS)
    activity = f"/campaigns/{played.slug}/activity/"
    page = words(as_olga.get(activity))
    assert "Released: nothing → Version 1 of the pool to the teams from" in page
    services.take_back_release(user=olga, campaign=played, what="pool", audience=TEAMS)
    page = words(as_olga.get(activity))
    assert "Released: Version 1 of the pool to the teams from" in page
    assert "→ nothing" in page


def test_what_was_refused_is_on_record_with_its_sentence(client, played, pat, ada, olga):
    base = f"/campaigns/{played.slug}/"
    client.force_login(ada)
    for address in ("pool/build/", "pool/build/", "runs/upload/"):
        assert client.post(base + address).status_code == 403
    assert REFUSED.count() == 2  # once a minute by address
    cache.clear()  # as after a minute
    client.post(f"{base}pool/build/")
    client.force_login(pat)
    client.post(f"{base}pool/build/")
    client.force_login(olga)
    assert client.post(f"{base}restore/").status_code == 409
    assert REFUSED.filter(campaign=played).count() == 5
    page = words(client.get(f"{base}activity/"))
    assert "Was refused at pool/build/" in page
    assert "Was refused at restore/" in page
    assert str(REFUSED.first().detail["outcome"]) in page
    assert "Was refused at" not in words(client.get(base))  # which tells what was done


def test_what_can_no_longer_be_done_stays_on_record_in_words(as_olga, played, olga):
    """Version 0.1.0 could audit a pool."""
    AuditEvent.record(played, olga, QrelsEvent.AUDITED, "qrels v1")
    said = "sked for an audit of the pool of"
    assert f"A{said} qrels v1" in words(as_olga.get(f"/campaigns/{played.slug}/activity/"))
    file = as_olga.get(f"/campaigns/{played.slug}/activity/events.csv")
    assert f",a{said},qrels v1," in b"".join(file).decode()


def test_reading_and_strangers_leave_no_trace(client, played, ada, sam, otto):
    client.force_login(ada)
    assert client.get(f"/campaigns/{played.slug}/settings/").status_code == 403
    for stranger in (sam, otto):
        client.force_login(stranger)
        for slug in (played.slug, "unknown"):
            assert client.post(f"/campaigns/{slug}/pool/build/").status_code == 404
    client.logout()
    client.post(f"/campaigns/{played.slug}/pool/build/")
    assert not REFUSED.exists()
