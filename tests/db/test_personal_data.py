"""What is kept of a person is handed out whole, and their name can be taken from it."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts import services as accounts
from accounts.append_only import naming
from accounts.models import AccountEvent, User
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.events import CampaignEvent
from campaigns.models.people import Invitation, Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.services import people, personal
from tests import make
from tests.db.races import overtaken

pytestmark = pytest.mark.django_db


def rows(name, capsys):
    call_command("export_person", name)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_row_that_refers_to_a_person_is_handed_out(begun, capsys):
    ada = begun.assessor
    kept = rows(ada.username, capsys)
    account, *others = kept
    assert (account["table"], account["row"]["username"]) == ("accounts.User", ada.username)
    assert not {"password", "token"} & {name for each in kept for name in each["row"]}
    told = {(each["table"], each["id"]) for each in others}
    for table in (Judgment.objects.served(), Membership.objects):
        own = table.filter(**{"assessor" if table.model is Judgment else "user": ada})
        assert {(table.model._meta.label, pk) for pk in own.values_list("pk", flat=True)} <= told
    events = JudgmentEvent.objects.filter(judgment__assessor=ada)
    assert events.count() == 3
    assert {("assess.JudgmentEvent", pk) for pk in events.values_list("pk", flat=True)} <= told


def test_all_links_to_people_are_among_what_is_handed_out():
    told = {(model, lookup.partition("__")[0]) for model, lookup in personal.links()}
    for relation in User._meta.get_fields(include_hidden=True):
        if relation.one_to_many and relation.auto_created:
            assert (relation.related_model, relation.field.name) in told


def test_a_pseudonym_takes_the_place_of_the_names(begun, client, capsys):
    ada = begun.assessor
    ada.last_name, ada.email = "Lovelace", "ada@example.org"
    ada.save()
    campaign = begun.topic.campaign
    organizer = Membership.objects.filter(campaign=campaign, role=Role.ORGANIZER).first().user
    said = "a topic of Ada Lovelace to ada, not to Adam"
    told = {"before": [ada.label], "after": "Adam"}
    AuditEvent.objects.create(
        campaign=campaign, actor=organizer, kind="topic.handed_over", subject=said, detail=told
    )
    accounts.change_account(user=ada, changes={"first_name": "Ada"})
    client.force_login(ada)
    call_command("pseudonymize_person", "ada")
    assert "no longer sign in" in capsys.readouterr().out
    ada.refresh_from_db()
    assert ada.username.startswith("person-")
    assert (str(ada), ada.email, ada.is_active) == (ada.username, "", False)
    assert client.get("/account/").status_code == 302
    assert Judgment.objects.counting().filter(assessor=ada).count() == 3
    event = AuditEvent.objects.filter(kind="topic.handed_over").first()
    assert event.subject == f"a topic of {ada.username} to {ada.username}, not to Adam"
    assert event.detail == {"before": [ada.username], "after": "Adam"}
    last = AccountEvent.objects.filter(user=ada).first()
    assert last.kind == AccountEvent.Kind.PSEUDONYMIZED
    everything = json.dumps(rows(ada.username, capsys))
    assert "Lovelace" not in everything
    assert "ada@example.org" not in everything


def test_the_only_organizer_of_a_campaign_keeps_the_name(begun):
    campaign = begun.topic.campaign
    organizer = Membership.objects.filter(campaign=campaign, role=Role.ORGANIZER).first().user
    with pytest.raises(CommandError, match="is the only organizer of"):
        call_command("pseudonymize_person", organizer.username)
    other = make.known("otto")
    Membership.objects.create(campaign=campaign, user=other, role=Role.ORGANIZER)
    call_command("pseudonymize_person", organizer.username)
    assert not User.objects.filter(username=organizer.username).exists()


@pytest.mark.parametrize("command", ["export_person", "pseudonymize_person"])
def test_somebody_unknown_is_told(command, db):
    with pytest.raises(CommandError, match="Nobody signs in as nobody"):
        call_command(command, "nobody")


def test_only_the_words_of_an_event_can_change_meanwhile(begun):
    events = AuditEvent.objects.filter(campaign=begun.topic.campaign)
    with naming():
        events.update(subject="other words")
        with pytest.raises(IntegrityError), transaction.atomic():
            events.update(kind="campaign.changed")
        with pytest.raises(IntegrityError), transaction.atomic():
            events.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        events.update(subject="yet other words")


def test_the_name_of_a_link_is_a_name_too(begun):
    campaign, ada = begun.topic.campaign, begun.assessor
    ada.email = "ada@example.org"
    ada.save()
    for name in (ada.email, "Ada, asked by Adam"):
        people.invite(
            user=make.organizer_of(campaign), campaign=campaign, role=Role.ASSESSOR, name=name
        )
    pseudonym, _ = personal.pseudonymize(ada)
    names = Invitation.objects.filter(campaign=campaign).values_list("name", flat=True)
    assert set(names) == {pseudonym, f"{pseudonym}, asked by Adam"}
    made = AuditEvent.objects.filter(campaign=campaign, kind=CampaignEvent.INVITED)
    assert {each.detail["name"] for each in made} == set(names)


def test_each_row_is_read_once_however_many_there_are(begun):
    with CaptureQueriesContext(connection) as captured:
        lines = list(personal.export(begun.assessor))
    n_tables = len(list(personal.links()))
    assert len(captured) < n_tables + 5 < n_tables + len(lines)
    with CaptureQueriesContext(connection) as captured:
        personal.pseudonymize(begun.assessor)
    read = [each["sql"] for each in captured if 'FROM "campaigns_auditevent"' in each["sql"]]
    assert read
    assert not [sql for sql in read if "JOIN" in sql]  # which would multiply events by members


@pytest.mark.django_db(transaction=True)
def test_two_names_are_taken_out_of_one_event_at_once(begun):
    campaign, ada = begun.topic.campaign, begun.assessor
    ben = make.known("ben")
    event = AuditEvent.objects.create(
        campaign=campaign,
        actor=make.organizer_of(campaign),
        kind="topic.handed_over",
        subject="from Ada to Ben",
    )
    overtaken(lambda: personal.pseudonymize(ada), lambda: personal.pseudonymize(ben))
    ada.refresh_from_db()
    ben.refresh_from_db()
    event.refresh_from_db()
    assert event.subject == f"from {ada.username} to {ben.username}"
