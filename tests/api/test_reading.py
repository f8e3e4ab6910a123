"""Lists and records as programs read them: pages, streams, fields, sorts, filters, versions."""

import csv
import json
from io import StringIO

import pytest

from campaigns.models.trail import AuditEvent
from tests import make
from tests.api.addresses import kind, of
from tests.worlds import once

pytestmark = pytest.mark.django_db
TOPICS = {str(n): f"d{n}" for n in range(1, 4)}


@pytest.fixture
@once
def with_runs(campaign, pat):
    for tag in ("b-2", "b-10", "a", "C"):
        make.run(campaign, pat, {"1": "d1 d2", "2": "d3"}, tag)
    return campaign


def tags(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [each["tag"] for each in answer.json()]


def next_of(answer) -> str:
    link = answer.headers.get("Link", "")
    return link.partition(";")[0].strip("<>")


def test_a_list_is_turned_over_by_the_address_of_the_next_page(as_olga, with_runs):
    at, found = of(with_runs, "runs/?per_page=3"), []
    for _ in range(2):
        answer = as_olga.get(at)
        found += tags(answer)
        at = next_of(answer)
    assert found == ["b-2", "b-10", "a", "C"]
    assert not at


def test_rows_that_come_or_go_meanwhile_hide_no_other(as_olga, with_runs, pat):
    first = as_olga.get(of(with_runs, "runs/?per_page=2"))
    assert tags(first) == ["b-2", "b-10"]
    with_runs.run_set.filter(tag="b-2").delete()
    make.run(with_runs, pat, {"1": "d1"}, "z")
    assert tags(as_olga.get(next_of(first))) == ["a", "C"]


def test_it_is_sorted_by_the_columns_of_its_page_either_way(as_olga, with_runs):
    at = of(with_runs, "runs/?sort=")
    assert tags(as_olga.get(at + "run")) == ["a", "b-2", "b-10", "C"]
    assert tags(as_olga.get(at + "-run")) == ["C", "b-10", "b-2", "a"]
    first = as_olga.get(at + "-run&per_page=3")
    assert tags(as_olga.get(next_of(first))) == ["a"]
    wrong = as_olga.get(at + "hardware")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["sort"])
    assert "There are: run, team, state" in wrong.json()["detail"]


def test_it_is_filtered_as_its_page_and_what_is_no_filter_is_said(as_olga, with_runs):
    assert tags(as_olga.get(of(with_runs, "runs/?q=b-"))) == ["b-2", "b-10"]
    assert tags(as_olga.get(of(with_runs, "runs/?show=invalid"))) == []
    for query in ("show=best", "state=valid", "of_round=x"):
        wrong, field = as_olga.get(of(with_runs, f"runs/?{query}")), query.partition("=")[0]
        assert (wrong.status_code, list(wrong.json()["fields"])) == (422, [field])


@pytest.mark.parametrize(
    "query",
    ["per_page=0", "per_page=1001", "per_page=x", "cursor=x", "cursor=bnVsbA", "fields=tag,size"],
)
def test_what_it_cannot_be_asked_is_named(as_olga, with_runs, query):
    wrong = as_olga.get(of(with_runs, f"runs/?{query}"))
    assert (wrong.status_code, kind(wrong)) == (422, "invalid")
    assert list(wrong.json()["fields"]) == [query.partition("=")[0]]


def test_some_fields_are_told(as_olga, with_runs):
    [first, *_] = as_olga.get(of(with_runs, "runs/?fields=team,tag")).json()
    assert first == {"team": "Aldgate", "tag": "b-2"}
    assert as_olga.get(of(with_runs, "runs/a/?fields=lines")).json() == {"lines": 3}


def streamed(answer) -> str:
    return b"".join(answer.streaming_content).decode()


def test_a_stream_has_all_rows_with_the_same_values(as_olga, with_runs):
    at = of(with_runs, "runs/?per_page=2")
    rows = as_olga.get(of(with_runs, "runs/")).json()
    lines = as_olga.get(at, headers={"Accept": "application/x-ndjson"})
    assert lines["Content-Type"].startswith("application/x-ndjson")
    assert [json.loads(line) for line in streamed(lines).splitlines()] == rows
    cells = as_olga.get(at, headers={"Accept": "text/csv"})
    read = list(csv.DictReader(StringIO(streamed(cells))))
    assert [each["tag"] for each in read] == [each["tag"] for each in rows]
    assert {each["pooled"] for each in read} == {"no"}
    assert [each["submitted_at"][:19] for each in read] == [e["submitted_at"][:19] for e in rows]


def test_another_form_of_an_answer_is_refused_with_those_there_are(as_olga, with_runs):
    answer = as_olga.get(of(with_runs, "runs/"), headers={"Accept": "application/xml"})
    assert (answer.status_code, kind(answer)) == (406, "not_acceptable")


def test_a_record_has_a_version_that_changes_with_it(as_olga, with_runs):
    at = of(with_runs, "runs/a/")
    before = as_olga.get(at)["ETag"]
    assert as_olga.get(at)["ETag"] == before
    with_runs.run_set.filter(tag="a").update(description="BM25")
    assert as_olga.get(at)["ETag"] != before


def test_a_tag_names_the_newest_run_that_had_it_however_it_is_written(as_olga, with_runs, pat):
    with_runs.run_set.filter(tag="a").update(state="withdrawn")
    make.run(with_runs, pat, {"1": "d1"}, "A")
    assert as_olga.get(of(with_runs, "runs/a/")).json()["tag"] == "A"


def test_long_texts_are_in_the_record_alone(as_olga, with_runs):
    [row, *_] = as_olga.get(of(with_runs, "documents/")).json()
    assert "text" not in row
    assert as_olga.get(of(with_runs, "documents/d1/")).json()["text"]


def test_a_docno_may_have_slashes(as_olga, with_runs):
    with_runs.document_set.filter(docno="d1").update(docno="a/b c/../d")
    answer = as_olga.get(of(with_runs, "documents/a/b%20c/~../d/"))
    assert answer.json()["docno"] == "a/b c/../d"


def test_who_reads_judgments_is_on_record_once_for_all_pages(as_olga, campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    for docno in ("d1", "d2"):
        make.judgment(assignment, docno, 1)
    first = as_olga.get(of(campaign, "judgments/?per_page=1"))
    second = as_olga.get(next_of(first))
    assert [each["docno"] for each in first.json() + second.json()] == ["d1", "d2"]
    [event] = AuditEvent.objects.filter(kind="judgments.downloaded")
    assert event.subject == "all judgments"


def test_the_list_of_five_hundred_runs_takes_as_many_queries_as_one(
    as_olga, with_runs, django_assert_max_num_queries
):
    with django_assert_max_num_queries(7):
        assert len(tags(as_olga.get(of(with_runs, "runs/?per_page=1000")))) == 4
