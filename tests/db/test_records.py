"""From the files alone anybody can compute qrels and agreement, and follow a grade to its text."""

import hashlib
import json
import tracemalloc
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.access import Refused
from assess.core.answers import Answer, Seen
from assess.models import records as reading
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import handover, judging, judgment_files, reopening
from campaigns.models.trail import AuditEvent
from campaigns.services.ending import archive_campaign
from cleverdon.trec.cells import cell, csv_text
from jobs.models import Job
from qrels.models import Qrels
from qrels.services import importing, publishing
from qrels.services import kept_judgments as kept_services
from tests import make, records
from tests.db.actions.qrels import uploaded_qrels
from tests.db.judging import answer, downloaded
from tests.worlds import once

SECOND = Assignment.Kind.SECOND


@pytest.fixture
@once
def lived(pooled, olga, ada, ben, cleo):
    """Judged in every way there is: put off, impossible, reopened, handed over, set aside, twice,
    and on texts replaced since.
    """
    one, two = pooled.topic_set.all()
    first, second = make.assignment(one, ada), make.assignment(one, ben, SECOND)
    other, third = make.assignment(two, ben), make.assignment(two, cleo, SECOND)
    for docno, grade in (("d1", 2), ("d2", 0), ("d3", 3), ("d6", 1)):
        make.judgment(first, docno, grade)
        make.judgment(second, docno, grade // 2)
    answer(first, "d4", "later", comment="=1+1\r\nor 'not'")
    answer(first, "d5", "cannot_judge", reason="other")
    make.judgment(other, "d2", 1)
    make.judgment(other, "d4", 2)
    make.judgment(third, "d2", 3)
    reopening.reopen(user=olga, assignment=first, docno="d3")
    handed = handover.hand_over(user=olga, assignment=first, assessor=cleo)
    make.judgment(handed, "d1", 3)
    reopening.reset(user=olga, assignment=second)
    for docno, grade in (("d1", 3), ("d2", 1), ("d3", 0), ("d6", 1)):
        make.judgment(second, docno, grade)
    make.imported(pooled, "documents", b"d2\tNew title\tNew text", takes_versions=True)
    make.imported(pooled, "topics", b"2\tanother topic", takes_versions=True)
    last, seen = Answer("d4", Judgment.State.JUDGED, {"grade": 3}), Seen(topic_version=2)
    judging.judge(assessor=cleo, assignment=third, answer=last, seen=seen)
    return pooled


judgments = partial(downloaded, judgment_files.JUDGMENTS)
events = partial(downloaded, judgment_files.EVENTS)


def test_the_qrels_follow_from_the_judgments_kept_with_them(lived, olga, cleo):
    assert set(records.RULES) == set(Qrels.GradeRule.values)
    one = publishing.publish_qrels(user=olga, campaign=lived)
    make.judgment(Assignment.objects.get(assessor=cleo, kind="primary"), "d6", 3)
    two = publishing.publish_qrels(user=olga, campaign=lived)
    for qrels in (one, two):
        content = records.kept(qrels.judgments)
        file = make.content(qrels.file)
        assert records.RULES[qrels.rule](records.read(content)) == file
        assert qrels.judgments_sha256 == hashlib.sha256(content.encode()).hexdigest()
        sent = "".join(kept_services.download_kept_judgments(user=olga, qrels=qrels))
        assert sent == content
        event = AuditEvent.objects.get(kind="qrels.published", subject=str(qrels))
        assert event.detail["judgments_sha256"] == qrels.judgments_sha256
    assert one.judgments_sha256 != two.judgments_sha256
    # No time is in the gzip file, so that equal judgments make equal files.
    assert make.content(one.judgments)[4:8] == bytes(4)
    Job.objects.unfinished().update(state="done")
    archive_campaign(user=olga, campaign=lived)
    sent = "".join(kept_services.download_kept_judgments(user=olga, qrels=two))
    assert records.read(sent) == judgments(lived, olga)
    for column in ("judgments", "judgments_sha256"):  # no version is without its judgments
        with pytest.raises(IntegrityError, match="by_a_rule_or_imported"), transaction.atomic():
            Qrels.objects.filter(pk=one.pk).update(**{column: ""})


def test_a_version_counts_what_could_not_be_judged_and_what_rests_on_an_earlier_text(lived, olga):
    n_earlier = Judgment.objects.n_on_earlier(lived)
    qrels = publishing.publish_qrels(user=olga, campaign=lived)
    rows = records.read(records.kept(qrels.judgments))
    earlier = {(row["topic"], row["docno"]): row["earlier"] for row in records.official(rows)}
    of_one = {("1", "d1"): "", ("1", "d2"): "document", ("1", "d6"): ""}
    assert earlier == of_one | {("2", "d2"): "document topic", ("2", "d4"): "topic"}
    assert (qrels.n_earlier, n_earlier, qrels.n_cannot_judge) == (3, 3, 1)


def test_each_judgment_is_what_its_last_event_made_of_it(lived, olga):
    rows, changes = judgments(lived, olga), events(lived, olga)
    last = {(each["judgment"], each["assignment"], each["change"]): each for each in changes}
    same = ["topic", "docno", "assessor", "kind", "comment", "reason"]
    same += ["topic_version", "topic_sha256", "document_version", "document_sha256"]
    for row in rows:
        event = last[row["judgment"], row["assignment"], row["change"]]
        assert [row[name] for name in same] == [event[name] for name in same]
        assert (row["state"], row["grade"]) == (event["to_state"], event["to_grade"])
        assert row["changed_at"][:19] == event["at"][:19]
    assert {row["judgment"] for row in rows} == {each["judgment"] for each in changes}
    reopened = [each["by"] for each in changes if each["to_state"] == "reopened"]
    assert reopened == ["olga"]
    assert {each["by"] for each in changes} == {"olga", "ada", "ben", "cleo"}
    assert [row["comment"] for row in rows if row["comment"]] == ["=1+1\r\nor 'not'"]
    assert sum(bool(row["set_aside_at"]) for row in rows) == 5


def test_a_judgment_has_the_times_of_all_that_its_assessor_did_to_it(lived, olga):
    now = timezone.now()
    Assignment.objects.update(given_at=now - timedelta(days=2))
    primary = Assignment.objects.get(assessor__username="cleo", kind="primary")
    answer(primary, "d1", grade=1, active_ms=7, away_ms=3, viewed_ms=9, ago_ms=60_000)
    answer(primary, "d1", grade=2, active_ms=5, viewed_ms=86_400_000)
    changes = [each for each in events(lived, olga) if each["active_ms"] != "0"]
    [row] = [row for row in judgments(lived, olga) if row["active_ms"] != "0"]
    assert (row["active_ms"], row["away_ms"]) == ("12", "3")
    assert row["first_viewed_at"] == min(each["first_viewed_at"] for each in changes)
    assert row["last_pressed_at"] == changes[1]["pressed_at"] > changes[0]["pressed_at"]
    assert changes[1]["first_viewed_at"] < changes[0]["first_viewed_at"]
    reopened = [each for each in events(lived, olga) if each["by"] == "olga"]
    assert [each["first_viewed_at"] for each in reopened] == [""]


def test_the_hash_of_what_was_read_is_that_of_a_version_to_download(lived, olga, sign_in):
    client, base, known = sign_in(olga), f"/campaigns/{lived.slug}", {}
    for topic in lived.topic_set.all():
        for version in exported(client, f"{base}/topics/{topic.pk}/versions/"):
            text = [version[name] for name in ("title", "description", "narrative")]
            known["topic", topic.number, str(version["version"])] = records.sha256_of(*text)
    for docno in make.DOCNOS:
        for version in exported(client, f"{base}/collection/versions/{docno}/"):
            text = [version[name] for name in ("title", "text", "url", "language", "html")]
            assert version["sha256"] == records.sha256_of(*text)
            known["document", docno, str(version["version"])] = version["sha256"]
    rows = [*judgments(lived, olga), *events(lived, olga)]
    for row in rows:
        assert row["topic_sha256"] == known["topic", row["topic"], row["topic_version"]]
        assert row["document_sha256"] == known["document", row["docno"], row["document_version"]]
    assert {row["document_version"] for row in rows} == {"1"}
    assert {row["topic_version"] for row in rows} == {"1", "2"}


def exported(client, address: str) -> list[dict]:
    return [json.loads(line) for line in client.get(address).content.decode().splitlines()]


def test_a_document_that_was_missing_has_no_hash(pooled, olga, ada):
    pooled.document_set.get(docno="d1").delete()
    assignment = make.assignment(pooled.topic_set.get(number="1"), ada)
    answer(assignment, "d1", "cannot_judge", reason="missing")
    seen = ("document_version", "document_sha256", "earlier")
    [row], [event] = judgments(pooled, olga), events(pooled, olga)
    assert [row[name] for name in seen] == ["0", "", ""]
    assert event["document_sha256"] == ""
    make.documents(pooled, ["d1"])
    [row] = judgments(pooled, olga)
    assert [row[name] for name in seen] == ["0", "", "document"]


def test_imported_qrels_have_no_judgments(campaign, olga):
    qrels = importing.import_qrels(user=olga, upload=uploaded_qrels(campaign), level=1)
    assert (qrels.judgments.name, qrels.judgments_sha256, qrels.n_earlier) == ("", "", 0)
    with pytest.raises(Refused, match="Qrels v1 were imported, so the judgments"):
        kept_services.download_kept_judgments(user=olga, qrels=qrels)
    assert not AuditEvent.objects.filter(kind="judgments.downloaded").exists()


N_MANY, COMMENT = 4000, "x" * 1000


@pytest.mark.slow
def test_of_many_judgments_few_are_in_memory(primary, olga, monkeypatch):
    topic, own = primary.topic, {"assignment": primary, "comment": COMMENT, "change": 1}
    theirs = {"topic": topic, "assessor": primary.assessor, "purpose": "primary", **own}
    items = make.items(topic, *(f"m{n}" for n in range(N_MANY)))
    made = [Judgment(item=each, state="later", **theirs) for each in items]
    Judgment.objects.bulk_create(made)
    events = [JudgmentEvent(judgment=each, client_id=uuid4(), **own) for each in made]
    JudgmentEvent.objects.bulk_create(events)
    del items, made, events
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as of rows that came one by one
    monkeypatch.setattr(reading, "CHUNK", 100)
    for file in (judgment_files.JUDGMENTS, judgment_files.EVENTS):
        tracemalloc.start()
        lines = judgment_files.download(user=olga, campaign=topic.campaign, file=file)
        n = sum(1 for _ in lines)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert n == N_MANY + 1
        assert peak < N_MANY * len(COMMENT) / 3


@given(texts=st.lists(st.text("'=+-@\t\r1.xé\n,\""), min_size=1))
def test_every_text_comes_back_from_a_table(texts):
    content = csv_text([[*map(str, range(len(texts)))], [*map(cell, texts)]])
    [row] = records.read(content)
    assert list(row.values()) == texts
