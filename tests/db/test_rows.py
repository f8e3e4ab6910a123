"""Written SQL for rows stores and finds what Django would, signing in included."""

from django.contrib.auth.backends import ModelBackend
from django.db import connection
from django.forms.models import model_to_dict
from django.utils import timezone

from accounts.backends import Backend
from accounts.models import User
from accounts.rows import Columns, insert
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from tests import make


def judgments(given: Assignment) -> list[Judgment]:
    """One with everything in it, and one with as little as there can be."""
    common = {"assignment": given, "topic": given.topic, "assessor": given.assessor}
    common["purpose"] = given.kind
    first, second = make.items(given.topic, "d1", "d2")
    full = Judgment(
        **common,
        item=first,
        state="judged",
        answers={"grade": -2, "clarity": 1},
        comment='50 % "so"; é\n',
        passages=[[0, 3, 0, "a %s"]],
        change=1,
        set_aside_at=timezone.now(),
    )
    return [full, Judgment(**common, item=second, state="later", change=2)]


def values(instance) -> dict:
    return model_to_dict(instance, exclude=["id"])


def test_rows_are_inserted_as_django_would_each_with_its_id(primary, django_assert_num_queries):
    with django_assert_num_queries(0):
        insert(Judgment, [])
    made = judgments(primary)
    insert(Judgment, made)
    found = Judgment.objects.in_bulk([each.pk for each in made])
    assert [values(found[each.pk]) for each in made] == [values(each) for each in made]
    made[1].comment = "known to be stored"
    made[1].save(force_update=True)


def test_rows_are_made_as_django_would(primary):
    Judgment.objects.bulk_create(judgments(primary))
    columns = Columns(Judgment, "j")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns.sql} FROM assess_judgment j ORDER BY id")  # noqa: S608 - names of columns
        made = [columns.make(row) for row in cursor.fetchall()]
    assert list(map(values, made)) == list(map(values, Judgment.objects.order_by("pk")))


def test_who_has_signed_in_is_found_as_django_finds_them(olga, ada):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    last = User.objects.order_by("pk").last()
    for pk in (olga.pk, str(olga.pk), ada.pk, last.pk + 1):
        expected, found = ModelBackend().get_user(pk), Backend().get_user(pk)
        assert found == expected
        assert found is None or values(found) == values(expected)
