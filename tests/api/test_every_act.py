"""Whatever a page does, a program does by the same service, with the same refusals."""

import pytest
from django.utils import timezone

from api.files import FileOf
from api.schema import name_of
from campaigns.models.trail import AuditEvent
from docs.pages import NOT_FOR_PROGRAMS, acts, pages
from evaluation.models.scores import Evaluation
from tests import make
from tests.api.acts import ELSEWHERE, OTHERWISE, place, sent
from tests.db.actions import ACTIONS
from tests.examples import as_sent, example

pytestmark = pytest.mark.django_db
ACTS = acts()


def service(name: str) -> str:
    return name.partition(" of ")[0]


# The tables of judging are lists, whose reading is recorded: see test_reading.
DONE = [name for name in ACTIONS if service(name) not in {*NOT_FOR_PROGRAMS, "download"}]


def test_every_service_is_an_act_or_is_not_for_programs():
    services = {service(name) for name in ACTIONS}
    assert services - {*ACTS, "download"} == set(NOT_FOR_PROGRAMS)


def test_every_act_of_every_page_has_its_address_or_its_reason():
    acted = {at: names for at, names in pages() if names}
    assert len(acted) > 100
    assert {name for names in acted.values() for name in names} <= {
        *ACTS,
        *NOT_FOR_PROGRAMS,
        "download",
    }


def as_example(name, body):
    """What is sent as the description's example has it, of a list each."""
    if isinstance(body, list):
        return [as_example(name, each) for each in body]
    return as_sent(example(name, body), body)


def press(client, name, given):
    its = service(name)
    at, act = ACTS[f"import_{given['kind']}" if its == "request_import" else its]
    given = ELSEWHERE.get(its, lambda given: given)(given)
    if isinstance(act, FileOf):
        answer = client.get(place(at, act, given))
        assert b"".join(answer)  # all of it, so that its file is closed
        return answer
    special = OTHERWISE.get(its)
    body = special(given) if special else sent(act, given)
    if body and (" of " not in name or its == "request_import"):
        body = as_example(f"{name_of(act)}Request", body)
    has_file = isinstance(body, dict) and any(hasattr(value, "read") for value in body.values())
    kind = {} if has_file else {"content_type": "application/json"}
    return client.post(place(at, act, given), body, **kind)


@pytest.mark.parametrize("name", DONE)
def test_a_program_does_it(client, campaign, name):
    action = ACTIONS[name]
    given = action.given(campaign)
    Evaluation.objects.filter(finished_at=None).update(finished_at=timezone.now())
    before = set(AuditEvent.objects.values_list("pk", flat=True))
    client.force_login(make.known(action.by))
    answer = press(client, name, given)
    assert answer.status_code in {200, 201, 202, 204}, (answer.status_code, answer.content[:600])
    if tag := answer.get("ETag"):
        assert client.get(answer["Location"])["ETag"] == tag
    new = AuditEvent.objects.exclude(pk__in=before)
    events = {f"{each.kind} {each.subject}".strip() for each in new}
    assert action.event is None or action.event in events
