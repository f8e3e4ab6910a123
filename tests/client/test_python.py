"""The client from Python: nouns and acts by name, records as dicts, refusals as exceptions."""

import io
from urllib.parse import unquote

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.converters import DocnoConverter
from cleverdon import Client
from cleverdon.client.errors import ClientError, Problem
from cleverdon.client.nouns import part
from cleverdon.client.site import Campaign
from pooling.models.batches import Batch
from tests.client.asking import run

GOOD = {"1": "d1 d2 d3", "2": "d4 d5"}


@pytest.fixture
def campaign_(olgas) -> Campaign:
    return olgas.campaign


def test_records_are_a_table_in_one_call(campaign_):
    table = pd.DataFrame(campaign_.topics.list(fields=["number", "title"]))
    assert list(table.columns) == ["number", "title"]
    assert table["title"].tolist() == ["topic 1", "topic 2"]


def test_a_noun_is_found_by_its_name(campaign_):
    assert campaign_.judgment_events.list() == []
    assert campaign_.noun("judgment-events").list() == []
    assert repr(campaign_.judgment_events).startswith("<judgment-events of campaigns/test-campaign")
    assert (
        repr(Client("https://a.org", "x").campaigns) == "<campaigns of the site at https://a.org>"
    )


def test_acts_are_done_by_name(campaign_, campaign):
    assert campaign_.teams.new(name="Barbican") == campaign_.teams.get("barbican")
    assert campaign_.teams.rename("Barbican", name="Cheapside")["name"] == "Cheapside"
    assert campaign_.teams.delete("Cheapside") is None
    file = io.BytesIO(b"3\tbats\twhat of bats\n")
    row = campaign_.topics.import_(file=file)
    assert campaign_.imports.confirm(row["id"])["outcome"] == "1 new, 0 changed, 0 unchanged."
    assert campaign_.act("change", run_depth=50)["run_depth"] == 50
    assert campaign_.get()["run_depth"] == 50


def test_values_of_a_form_are_sent_beside_a_file(campaign_, olgas):
    lines = b'{"docno": "d7", "text": "bats"}\n'
    (olgas.folder / "more.jsonl").write_bytes(lines)
    path = olgas.folder / "more.jsonl"
    row = campaign_.documents.import_(file=path, completes_collection=True, is_html=False)
    assert (row["kind"], row["file"], row["bytes"]) == ("documents", "more.jsonl", len(lines))
    campaign_.imports.confirm(row["id"])
    assert campaign_.settings.get()["has_whole_collection"]


def test_what_changed_since_it_was_read_is_refused(campaign_, olgas):
    settings = campaign_.settings.get()
    campaign_.act("change", seen=settings, run_depth=50)
    with pytest.raises(Problem, match="read it again") as refused:
        campaign_.act("change", seen=settings, run_depth=60)
    assert (refused.value.status, refused.value.kind) == (412, "stale")
    assert campaign_.get()["run_depth"] == 50


def test_a_refusal_says_what_does_not_fit(campaign_):
    with pytest.raises(Problem) as refused:
        campaign_.act("change", run_depth=0, color="red")
    problem = refused.value
    assert isinstance(problem, ClientError)
    assert (problem.status, problem.kind) == (422, "invalid")
    assert problem.fields.keys() == {"color"}
    assert problem.remedy.startswith("`fields` says which")
    with pytest.raises(Problem) as refused:
        campaign_.act("change", run_depth=0, seconds_per_judgment=0)
    assert refused.value.fields.keys() == {"run_depth", "seconds_per_judgment"}
    assert str(refused.value).startswith("run_depth: Ensure this value is greater than or equal")
    with pytest.raises(Problem, match="There is nothing here") as refused:
        campaign_.teams.get("Nobody")
    assert (refused.value.status, refused.value.kind) == (404, "not_found")


def test_what_is_below_a_record_is_asked_of_it(pats, campaign):
    path = pats.file("alpha.txt", run("alpha", GOOD))
    progress = []
    record = pats.campaign.runs.submit(path, on_progress=lambda *its: progress.append(its))
    assert (record["tag"], record["state"], record["is_known"]) == ("alpha", "valid", False)
    n_bytes = path.stat().st_size
    assert progress[-1] == (n_bytes, n_bytes)
    assert pats.campaign.runs["alpha"].report.get()["lines"] == 5
    assert pats.campaign.runs.report("alpha")["lines"] == 5
    assert pats.campaign.runs.list(show="valid")[0]["tag"] == "alpha"
    with pats.campaign.runs.received("file/", "alpha") as content:
        assert content.read().decode() == run("alpha", GOOD)


def test_a_job_is_waited_for(pats, campaign):
    pats.campaign.runs.submit(pats.file("alpha.txt", run("alpha", GOOD)))
    [job] = pats.campaign.jobs.list()
    told = []
    assert pats.campaign.wait(job, lambda *its: told.append(its))["state"] == "done"
    assert told == [(100, 100)]
    assert pats.campaign.wait(job["id"])["outcome"] == "Run alpha is valid."


def test_a_name_with_marks_is_one_part_of_an_address(campaign_, campaign):
    campaign.document_set.filter(docno="d1").update(docno="a/b?c#d é")
    assert campaign_.documents.get("a/b?c#d é")["docno"] == "a/b?c#d é"


def test_what_python_asks_of_objects_is_no_noun(campaign_):
    for each in (campaign_, campaign_.topics):
        with pytest.raises(AttributeError):
            _ = each._repr_html_


def test_a_client_without_a_site_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLEVERDON_URL", "CLEVERDON_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ClientError, match=r"^Sign in first: "):
        Client()


def test_the_token_of_a_variable_is_for_its_site_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLEVERDON_URL", "https://a.org")
    monkeypatch.setenv("CLEVERDON_TOKEN", "cleverdon_a")
    assert Client("https://a.org").connection.url == "https://a.org"
    with pytest.raises(ClientError, match=r"^You are not signed in to https://b\.org: cleverdon"):
        Client("https://b.org")


@pytest.mark.parametrize("name", ["..", ".", "~..", "a/../b"])
def test_a_name_of_dots_is_no_other_address(campaign_, olgas, name):
    for _ in range(2):  # what has the name with a tilde is another
        name = f"~{name}"
        assert campaign_.teams.new(name=name)["name"] == name
    name = name[2:]
    for act in (campaign_.teams.get, campaign_.teams.delete, campaign_.rounds.change):
        with pytest.raises(Problem) as refused:
            act(name)
        assert refused.value.status == 404
    campaign_.teams.new(name=name)
    assert campaign_.teams.rename(name, name="Barbican") == campaign_.teams.get("Barbican")
    with pytest.raises(Problem):
        campaign_.teams.delete(name, name="test campaign")
    campaign_.teams.delete(f"~{name}")
    assert {each["name"] for each in campaign_.teams.each()} >= {f"~~{name}", "Barbican"}
    assert campaign_.teams.get(f"~~{name}")["name"] == f"~~{name}"
    for other in (campaign_.noun("..").list, olgas.client().campaign("..").get):
        with pytest.raises(Problem, match="nothing here"):
            other()
    with pytest.raises(Problem):
        campaign_.teams.act("..")


@given(st.text(alphabet="~./ab%é?", min_size=1))
def test_names_are_spelled_as_the_site_spells_them(name):
    assert unquote(part(name)) == DocnoConverter().to_url(name)


def test_what_list_returned_is_not_compared(campaign_):
    campaign_.teams.new(name="Barbican")
    for seen in (campaign_.teams.list()[0], {}):
        with pytest.raises(ClientError, match=r"^seen takes a record as get\(\) returns it: "):
            campaign_.teams.rename("Barbican", name="Cheapside", seen=seen)
    assert campaign_.teams.get("Barbican")


def test_runs_batches_and_imports_are_waited_for_too(pats, olgas, campaign, olga):
    run_ = pats.campaign.runs.submit(pats.file("alpha.txt", run("alpha", GOOD)))
    assert pats.campaign.wait(run_)["state"] == "valid"
    there = olgas.campaign
    batch = there.batches.new(parameters={"depth": 5})
    told = []
    assert there.wait(batch, lambda *its: told.append(its))["state"] == "built"
    assert told == [(100, 100)]
    assert there.wait(there.batches.list()[0])["state"] == "built"
    row = there.topics.import_(file=io.BytesIO(b"3\tbats\twhat of bats\n"))
    assert there.wait(row)["state"] == "ready"
    with pytest.raises(ClientError, match="Only a job, a run, a batch or an import"):
        there.wait(there.teams.get("Aldgate"))
    Batch.objects.update(state="failed")
    with pytest.raises(ClientError, match=r"It failed: campaign\.jobs says why"):
        there.wait(batch)
