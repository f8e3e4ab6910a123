"""Each constraint of the database is there and refuses what it is for, whatever the others say."""

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import IntegrityError, connection, models, transaction

from accounts.append_only import erasing

# Unique: columns of a row, and those in which the second row differs from the first.
UNIQUE = {
    "one_person_per_username": ({"username": "ada"}, {"username": "ADA"}),
    "one_team_per_name": ({"name": "Aldgate"}, {"name": "ALDGATE"}),
    "one_membership_per_role": ({"role": "assessor"}, {"joined_at": "2026-01-02"}),
    "one_use_of_a_link_per_person": ({}, {}),
    "one_release_to_an_audience": ({"what": "pool"}, {}),
    "answered_once": ({"key": "a"}, {"sent": "another"}),
    "one_round_per_number": ({"number": 1}, {}),
    "one_unused_reset_link_per_person": ({}, {"token_hash": "another"}),
    "one_topic_per_number": ({"number": "1"}, {"title": "another"}),
    "one_text_per_version_of_a_topic": ({"version": 2}, {"title": "another"}),
    "one_document_per_docno": ({"docno": "d1"}, {"title": "another"}),
    "one_text_per_version_of_a_document": ({"version": 2}, {"title": "another"}),
    "one_live_run_per_tag": ({"tag": "one", "state": "valid"}, {"tag": "ONE", "state": "waiting"}),
    "one_batch_per_version": ({"pool_id": 1, "version": 1}, {"n_entries": 2}),
    "one_contribution_per_run": ({}, {}),
    "one_item_per_key": ({"key": "d1"}, {"kind": "claim"}),
    "one_entry_per_item": ({"item_id": 1}, {"topic_id": 2}),
    "one_shared_document_per_position": ({"position": 1}, {"item_id": 2}),
    "shared_once": ({"item_id": 1}, {"position": 2}),
    "one_assignment_per_assessor_and_topic": ({"kind": "primary"}, {"kind": "second"}),
    "one_primary_assessor": ({"kind": "primary"}, {"assessor_id": 2}),
    "one_adjudicator": ({"kind": "adjudication", "least_steps": 1}, {"assessor_id": 2}),
    "one_assignment_of_a_queue": ({"queue_id": 1}, {"topic_id": 2}),
    "one_judgment_per_assessor": ({"item_id": 1, "purpose": "primary"}, {"state": "later"}),
    "one_official_grade_at_a_time": ({"item_id": 1}, {"grade": 2}),
    "one_document_per_position": ({"position": 1}, {"item_id": 2}),
    "served_once": ({"item_id": 1}, {"position": 2}),
    "one_note_per_topic_and_author": ({}, {"text": "another"}),
    "seen_once": ({}, {}),
    "one_word_per_topic": ({"kind": "own", "text": "tree"}, {"text": "TREE"}),
    "one_qrels_per_number": ({"number": 1}, {"source": "another"}),
    "one_program_per_name": ({"name": "judge-1", "labelled_on": "2026-01-01"}, {"account_id": 2}),
    "one_label_per_item": ({"item_id": 1}, {"verdict": "2"}),
    "one_count_per_day": ({"day": "2026-01-01"}, {"n_decided": 2}),
    "scored_once": ({}, {}),
    "one_stratum_of_a_grade": ({"grade": 1}, {"n_drawn": 2}),
    "compared_once": ({"measure": "AP"}, {"limit": 0.5}),
    "one_placement_per_pool_and_rules": ({"rules": "trec_eval-9"}, {}),
}
BEFORE, AFTER = "2026-01-01", "2026-01-02"
KEPT = {"judgments": "a", "judgments_sha256": "0"}
RULED = {"pool_id": 1, "basis": "official", "rule": "primary", **KEPT, "source": ""}
# Checks: the columns of a valid row, and the changes that make it invalid, or the column that then
# has no value.
CHECKS = {
    "what_was_judged_before_has_a_grade": ({"standing": "judged", "grade": 1}, {"grade": None}),
    "a_duplicate_is_of_an_item": ({"standing": "duplicate", "same_as_id": 1}, "same_as_id"),
    "submission_closes_after_it_opens": (
        {"submission_opens_at": BEFORE, "submission_closes_at": AFTER},
        {"submission_closes_at": BEFORE},
    ),
    "judging_closes_after_it_opens": (
        {"judging_opens_at": BEFORE, "judging_closes_at": AFTER},
        {"judging_closes_at": BEFORE},
    ),
    "participants_and_only_they_have_a_team": ({"role": "participant", "team_id": 1}, "team_id"),
    "what_is_released_has_a_name": ({"what": "scores", "subject_id": 1}, "subject_id"),
    "participants_have_the_topics_by_their_date": (
        {"what": "topics", "audience": "public"},
        {"audience": "participants"},
    ),
    "what_is_imported_was_confirmed": (
        *({"state": "imported", "confirmed_by_id": 1}, "confirmed_by_id"),
    ),
    "a_frozen_batch_is_of_a_pool": ({"state": "frozen", "pool_id": 1, "version": 1}, "version"),
    "no_more_judgments_than_wanted": ({"n_judged": 2, "n_wanted": 2}, {"n_judged": 3}),
    "shared_means_of_a_queue": ({"kind": "shared", "queue_id": 1}, {"queue_id": None}),
    "given_up_for_a_reason": (
        {
            "kind": "second",
            "taken_back_at": BEFORE,
            "given_up_at": AFTER,
            "given_up_why": "a",
            "least_steps": None,
        },
        {"given_up_why": ""},
    ),
    "adjudication_has_a_distance": (
        {"kind": "adjudication", "least_steps": 1},
        {"least_steps": None},
    ),
    "practice_is_of_no_pool": ({"kind": "practice", "pool_id": None}, {"pool_id": 1}),
    "judged_means_graded": ({"state": "judged", "answers": '{"grade": 1}'}, {"answers": "{}"}),
    "graded_means_imported": ({"state": "judged", "document_version": 1}, {"document_version": 0}),
    "cannot_judge_has_a_reason": ({"state": "cannot_judge", "reason": "language"}, {"reason": ""}),
    "no_more_arrives_than_was_announced": ({"n_bytes": 7, "n_stored": 7}, {"n_stored": 8}),
    "a_token_has_scopes": ({"scopes": ["read"]}, {"scopes": ["write"]}),
    "a_token_ends_within_a_year": (
        {"made_at": BEFORE, "ends_at": "2027-01-01"},
        {"ends_at": "2027-01-02"},
    ),
    "a_revoked_token_says_why": ({"revoked_at": BEFORE, "why": "left"}, {"why": ""}),
    "official_for_a_time": ({"since": BEFORE, "until": AFTER}, {"until": BEFORE}),
    "pressed_before_it_was_recorded": ({"pressed_at": BEFORE, "at": AFTER}, {"at": "2025-12-31"}),
    "viewed_before_it_was_pressed": (
        {"first_viewed_at": BEFORE, "pressed_at": BEFORE},
        {"first_viewed_at": AFTER},
    ),
    "shared_document_of_a_queue": ({"purpose": "shared", "shared_id": 1}, {"purpose": "known"}),
    "question_asks_something": ({"text": "why"}, {"text": ""}),
    "qrels_are_made_by_a_rule_or_imported": (RULED, {"source": "elsewhere"}),
    "a_jaccard_index_is_a_share": ({"jaccard": 0}, {"jaccard": 1.1}),
    "a_level_is_a_grade_above_0": ({"level": 1}, {"level": 0}),
    "withdrawn_qrels_have_a_date_and_a_person": (
        *({"withdrawn_at": BEFORE, "withdrawn_by_id": 1}, "withdrawn_by_id"),
    ),
}
# Tables to which rows are only ever added, with a column that somebody might change.
APPEND_ONLY = {
    "account_events_stay": "subject",
    "audit_events_stay": "subject",
    "judgment_events_stay": "comment",
}
MODELS = [model for name in settings.OUR_APPS for model in apps.get_app_config(name).get_models()]
CONSTRAINTS = {each.name: model for model in MODELS for each in model._meta.constraints}


def some_value(field: models.Field) -> object:
    """A value that the type of a column takes."""
    if field.null:
        return None
    if isinstance(field, ArrayField):
        return []
    kinds = {
        "BinaryField": b"",
        "BooleanField": False,
        "DateTimeField": BEFORE,
        "JSONField": "{}",
        "UUIDField": "00000000-0000-0000-0000-000000000000",
    }
    texts = ("CharField", "TextField", "FileField", "SlugField", "EmailField")
    return kinds.get(field.get_internal_type(), "" if field.get_internal_type() in texts else 1)


def insert(model: type[models.Model], **columns: object) -> None:
    """Insert a row as SQL does; what it refers to need not be there before the transaction ends."""
    fields = [
        each for each in model._meta.concrete_fields if not each.primary_key and not each.generated
    ]
    row = {each.column: some_value(each) for each in fields} | columns
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join(["%s"] * len(row))
    with connection.cursor() as cursor:
        sql = f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({marks})'  # noqa: S608
        cursor.execute(sql, list(row.values()))


def drop_others(model: type[models.Model], name: str) -> None:
    """Leave one constraint of a table, besides its key and what refers to other tables."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        for other, found in connection.introspection.get_constraints(cursor, table).items():
            if other == name or found["primary_key"] or found["foreign_key"]:
                continue
            if found["check"] or found["unique"]:
                cursor.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT IF EXISTS "{other}"')
                cursor.execute(f'DROP INDEX IF EXISTS "{other}"')


def test_every_constraint_is_tried():
    assert {**UNIQUE, **CHECKS, **APPEND_ONLY}.keys() == CONSTRAINTS.keys()


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*UNIQUE, *CHECKS])
def test_a_constraint_refuses_what_it_is_for(name):
    model = CONSTRAINTS[name]
    row, change = (UNIQUE | CHECKS)[name]
    change = {change: None} if isinstance(change, str) else change
    with transaction.atomic():
        drop_others(model, name)
        insert(model, **row)
        with pytest.raises(IntegrityError, match=f'constraint "{name}"'):
            insert(model, **{**row, **change})
        # Before what the rows refer to is looked for.
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("name", APPEND_ONLY)
def test_what_was_recorded_is_neither_changed_nor_deleted(name):
    model = CONSTRAINTS[name]
    change = f'UPDATE "{model._meta.db_table}" SET {APPEND_ONLY[name]} = %s'  # noqa: S608
    delete = f'DELETE FROM "{model._meta.db_table}"'  # noqa: S608

    def refuses(sql: str) -> bool:
        with pytest.raises(IntegrityError, match=f'constraint "{name}"'), transaction.atomic():
            run(sql)
        return True

    def run(sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, ["another"] if sql == change else None)

    with transaction.atomic():
        insert(model)
        assert refuses(change)
        assert refuses(delete)
        with erasing():  # as a campaign goes with all that is in it
            assert refuses(change)
            run(delete)
        insert(model)
        assert refuses(delete)
        transaction.set_rollback(True)
