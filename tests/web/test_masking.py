"""What gives access stands in no log: tokens of invitations and of resets."""

import json
import logging

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.urls import reverse

from api.core.spelling import spelled
from campaigns.models.people import Role
from campaigns.services import people, resets
from config.masking import Masked, MaskedJson, masked
from tests.guards import patterns

WITH_TOKENS = [name for name, each in patterns() if "token" in each.pattern.converters]


class Written(logging.Handler):
    """Every record of every logger, as the site's own handler writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        form = settings.LOGGING["formatters"]["line"]["format"]
        self.setFormatter(Masked(form, style="{"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += [self.format(record), repr(record.msg), repr(record.args)]


@pytest.fixture
def written():
    handler, root = Written(), logging.getLogger()
    loggers = [
        root,
        *(logging.getLogger(name) for name in ("django", "django.server", "gunicorn.access")),
    ]
    for each in loggers:
        each.addHandler(handler)
    yield handler.lines
    for each in loggers:
        each.removeHandler(handler)


@pytest.fixture
def tokens(campaign, olga, ada):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ORGANIZER)
    reset = resets.make_reset(user=olga, campaign=campaign, person=ada)
    return {"invitation": invitation.token, "reset": reset}


def test_every_address_with_a_token_is_tried(tokens):
    assert set(WITH_TOKENS) == set(tokens)


@pytest.mark.parametrize("name", WITH_TOKENS)
def test_no_token_is_logged_however_a_request_fails(name, tokens, written, monkeypatch):
    address = reverse(name, args=[tokens[name]])
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    weak = {"new_password1": "1", "new_password2": "1", "username": ""}
    assert Client().post(address, weak).status_code == 422
    assert strict.post(address, weak).status_code == 403
    assert Client().put(address).status_code == 405
    assert Client().get(f"{address}more/").status_code == 404
    assert Client().get(address, headers={"Host": "evil.example"}).status_code == 400
    assert Client().get(f"{address}?x=%00").status_code in {200, 400}
    view = f"campaigns.web.{'people' if name == 'invitation' else 'resets'}.render"
    monkeypatch.setattr(view, broken)
    assert strict.get(address).status_code == 500
    assert Client().get("/nowhere/", {"next": address}).status_code == 404
    assert len(written) >= 6, "the failures are logged"
    assert tokens[name] not in "\n".join(written)


@pytest.mark.parametrize("before", ["%20", "./", "%27", "%3F", "%0A", "x/%2F"])
@pytest.mark.parametrize("name", WITH_TOKENS)
def test_no_token_is_logged_of_an_address_that_was_copied_badly(name, before, tokens, written):
    start, token, _ = reverse(name, args=[tokens[name]]).rpartition(tokens[name])
    assert Client().get(f"{start}{before}{token}/").status_code == 404
    assert written
    assert token not in "\n".join(written)


def broken(request, *_: object, **__: object) -> None:
    raise RuntimeError(f"broken at {request.path}")


def test_what_gunicorn_logs_is_masked(tokens, written):
    atoms = {
        "r": f"POST /passwords/{tokens['reset']}/ HTTP/1.1",
        "f": f"http://x/invitations/{tokens['invitation']}/",
    }
    logging.getLogger("gunicorn.access").warning('"%(r)s" "%(f)s"', atoms)
    logging.getLogger("gunicorn.error").error(
        "Error handling request %s", f"/passwords/{tokens['reset']}/"
    )
    assert any("/passwords/... HTTP/1.1" in line for line in written)
    assert not any(token in line for token in tokens.values() for line in written)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("POST /passwords/a-B_9/ HTTP/1.1", "POST /passwords/... HTTP/1.1"),
        (
            '"GET /invitations/%20abc/?x=1 HTTP/1.1" 404 12',
            '"GET /invitations/... HTTP/1.1" 404 12',
        ),
        ("Not Found: /invitations/ abc/", "Not Found: /invitations/..."),
        ("Not Found: /passwords/./'abc?/\nnext", "Not Found: /passwords/...\nnext"),
        ("/sign-in/?next=%2Finvitations%2Fabc%2F", "/sign-in/?next=%2Finvitations%2F..."),
        ("/sign-in/?next=%25252fpasswords%252Fabc", "/sign-in/?next=%25252fpasswords%252F..."),
        ("/%69nvitation%2553/abc/", "/%69nvitation%2553/..."),
        ("/passwords;a/abc/", "/passwords;a/..."),
        ("/invitations%3Ba%3D1/abc/", "/invitations%3Ba%3D1/..."),
        ("/Passwords//abc?x=1", "/Passwords//..."),
        ("<WSGIRequest: GET '/invitations/abc/'>", "<WSGIRequest: GET '/invitations/..."),
        ("/api/v1/?access_token=" + spelled("a" * 30), "/api/v1/?access_token=cleverdon_..."),
        ("/campaigns/x/people/", "/campaigns/x/people/"),
    ],
)
def test_what_follows_is_masked_to_the_end_of_the_path(text, shown):
    assert masked(text) == shown


def test_an_access_token_that_is_sent_in_an_address_is_not_logged(db, written):
    secret = spelled("a" * 30)
    assert Client().get("/nowhere/", {"access_token": secret}).status_code == 404
    logging.getLogger("gunicorn.error").error("Bad header %s", secret)
    assert "Bad header cleverdon_..." in "\n".join(written)
    assert secret not in "\n".join(written)


def test_a_traceback_is_masked_where_it_is_written():
    request = RequestFactory().get("/passwords/secret/")
    try:
        broken(request)
    except RuntimeError as error:
        record = logging.makeLogRecord(
            {"msg": "x", "exc_info": (type(error), error, error.__traceback__)}
        )
    told = json.loads(MaskedJson().format(record))
    assert (told["level"], told["message"]) == ("Level None", "x")
    assert "secret" not in told["traceback"]
    assert "broken at /passwords/..." in told["traceback"]
    assert "secret" not in Masked().format(record)
    assert "broken at /passwords/..." in Masked().format(record)
