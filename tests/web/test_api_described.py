"""The description of the API is true: whatever it allows to be sent, it tells what is answered."""

import os

import pytest
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, strategies
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests.tokens import made

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
N_REQUESTS = int(os.environ.get("API_REQUESTS", "10000" if IS_DEEP else "1000"))
PARTS = 4  # that several processes may do at once
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
THERE = strategies.sampled_from((True, True, True, False))
# Of a piece of a file, which the tool does not know.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
ALL = ("read", "submit", "judge", "organize")


def whole(environ, start_response) -> list[bytes]:
    """The site; an answer is read to its end and closed, as by a server."""
    answer = application(environ, start_response)
    try:
        return [b"".join(answer)]
    finally:
        answer.close()


@pytest.fixture
def operations(connected):
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", whole)
    found = [each.ok() for each in schema.get_all_operations()]
    return [each for each in found if each.path != "/api/v1/openapi.json"]


def parts(operation, keys, slug: str) -> dict[str, object]:
    """Names of rows that there are, for the address of an operation."""
    nouns = operation.path.split("/")
    named = {
        name: keys[nouns[nouns.index(f"{{{name}}}") - 1]]
        for name in ("key", "of")
        if f"{{{name}}}" in nouns
    }
    return {"slug": slug, **{name: str(value) for name, value in named.items()}}


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_it_allows_to_be_sent_it_tells_what_is_answered(
    operations, played, keys, olga, settings, part
):
    settings.TOKEN_REQUESTS_PER_MINUTE = {"read": 0, "act": 0}
    token = {"Authorization": f"Bearer {made(olga, *ALL)}"}
    each_so_often = max(1, N_REQUESTS // len(operations))
    found: list[str] = []
    for operation in operations[part::PARTS]:
        given_names = parts(operation, keys, played.slug)
        _send(operation, given_names, token, each_so_often, found)
    assert not found, "\n".join(found)


def _send(operation, names, token, n, found) -> None:
    @hypothesis_settings(
        max_examples=n,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(), is_there=strategies.sampled_from((True, True, True, False))
    )
    def send(case, is_there) -> None:
        if is_there:
            case.path_parameters = {**case.path_parameters, **names}
        with transaction.atomic():
            answer = case.call(headers=token)
            transaction.set_rollback(True)
        try:
            case.validate_response(answer, checks=CHECKS)
        except (Failure, FailureGroup) as error:
            text = f"{operation.method} {case.formatted_path}: {case.body!r:.200} {error!s:.900}"
            found.append(text)

    send()


@pytest.mark.usefixtures("connected", "doors")
def test_whoever_follows_its_links_finds_what_it_says(played, olga, settings):
    settings.TOKEN_REQUESTS_PER_MINUTE = {"read": 0, "act": 0}
    token = {"Authorization": f"Bearer {made(olga, *ALL)}"}
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", whole)

    class Following(schema.as_state_machine()):
        def setup(self):
            self.point = transaction.savepoint()

        def teardown(self):
            transaction.savepoint_rollback(self.point)

        def before_call(self, case):
            case.path_parameters["slug"] = played.slug

        def get_call_kwargs(self, case):
            return {"headers": token}

        def validate_response(self, response, case, **_):
            case.validate_response(response, checks=CHECKS)

    run_state_machine_as_test(
        Following,
        settings=hypothesis_settings(
            max_examples=5,
            stateful_step_count=10,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
