"""The audit trail: every action writes its event, and neither is stored without the other."""

from campaigns.models.trail import AuditEvent


def test_a_kind_is_stored_by_name_and_shown_in_words(campaign, olga, client):
    olga.is_staff = olga.is_superuser = True
    olga.save()
    [event] = AuditEvent.objects.filter(campaign=campaign)
    assert (event.kind, event.get_kind_display()) == ("campaign.created", "created the campaign")
    client.force_login(olga)
    pages = ("/admin/campaigns/auditevent/", f"/campaigns/{campaign.slug}/activity/")
    for address in pages:
        assert "created the campaign" in client.get(address).content.decode().lower()
