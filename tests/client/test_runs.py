"""Run files checked on one's own machine, sent, reported on and withdrawn."""

import gzip
import os
import time

import pytest

from campaigns.models.rounds import Round
from cleverdon.client.nouns import Noun
from collection.models.texts import Topic
from runs.models import Run
from tests import make
from tests.client.asking import run

GOOD = {"1": "d1 d2 d3", "2": "d4 d5"}
FAULTY = "1 Q0 d1 1 9 alpha\n1 Q0 d1 2 8 alpha\n7 Q0 d2 1 9 alpha\n2 Q0 d3 1 x alpha\n"
SENTENCES = (
    "  line 2: Document 'd1' comes again in topic 1; it was on line 1.\n",
    "  line 3: There is no topic '7' in this campaign.\n",
    "  line 4: The score 'x' is not a finite number.\n",
)


def test_a_run_is_sent_and_the_site_checks_it(pats, pat):
    pats.file("alpha.txt", run("alpha", {"1": "d1 d2"}))
    said = pats("runs", "submit", "alpha.txt", "--description", "BM25", "--automatic")
    missing = "  warning: 1 topic of the campaign missing from the run: 2.\n"
    valid = "alpha.txt: alpha: valid, but it answers 1 of 2 topics; 2 lines.\n"
    assert said == (0, valid + missing, "")
    sent = Run.objects.get()
    assert (sent.tag, sent.state, sent.submitted_by) == ("alpha", "valid", pat)
    assert (sent.description, sent.is_manual, sent.team.name) == ("BM25", False, "Aldgate")
    assert make.content(sent.file).decode() == run("alpha", {"1": "d1 d2"})


def test_what_is_not_said_stays_as_it_was_said_of_the_run_before(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    pats("runs", "submit", "alpha.txt", "--description", "BM25", "--manual", "--priority", "2")
    assert pats("runs", "withdraw", "alpha").out == "alpha is withdrawn.\n"
    assert pats("runs", "submit", "alpha.txt").status == 0
    assert Run.objects.filter(description="BM25", is_manual=True, priority=2).count() == 2


def test_the_same_file_twice_is_told_as_such(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    assert pats("runs", "submit", "alpha.txt").status == 0
    again = pats("runs", "submit", "alpha.txt")
    there = "alpha.txt: alpha is there already, of the same file: valid; 5 lines.\n"
    assert again == (0, there, "")
    assert Run.objects.count() == 1
    pats.file("alpha.txt", run("alpha", {"1": "d3", "2": "d4"}))
    other = pats("runs", "submit", "alpha.txt")
    taken = "The tag alpha is taken: run alpha of this team has it."
    assert other == (1, "", f"{taken} Withdraw that run first, or choose another tag.\n")


def test_a_run_with_errors_leaves_its_tag_to_the_file_without(pats):
    path = pats.file("alpha.txt", FAULTY)
    assert pats.campaign.runs.submit(path)["state"] == "invalid"
    pats.file("alpha.txt", run("alpha", GOOD))
    assert pats("runs", "submit", "alpha.txt").status == 0
    assert sorted(Run.objects.values_list("state", flat=True)) == ["invalid", "valid"]


def test_what_is_said_of_a_run_that_is_there_already_is_changed(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    pats("runs", "submit", "alpha.txt", "--description", "BM25", "--priority", "1")
    words = ("runs", "submit", "alpha.txt", "--description", "BM25, RM3", "--automatic")
    there = "alpha.txt: alpha is there already, of the same file"
    said = pats(*words)
    assert said == (0, f"{there}; changed: description, manual: valid; 5 lines.\n", "")
    assert Run.objects.filter(description="BM25, RM3", is_manual=False, priority=1).count() == 1
    assert pats(*words).out == f"{there}: valid; 5 lines.\n"


def test_participants_name_no_team(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    said = pats("runs", "submit", "alpha.txt", "--team", "Aldgate")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("team: There is no such value. It takes: ")


def test_another_team_gets_no_run_that_is_there_already(olgas):
    olgas.file("alpha.txt", run("alpha", GOOD))
    words = ("runs", "submit", "alpha.txt", "--team")
    assert olgas(*words, "Aldgate").status == 0
    assert olgas(*words, "ALDGATE").status == 0
    sentence = "Run alpha is there already, of Aldgate.\n"
    assert olgas(*words, "Nobody") == (1, "", sentence)
    assert olgas(*words, "baselines") == (1, "", sentence)


def test_the_same_file_that_somebody_else_sent_meanwhile_is_one_run(pats, monkeypatch):
    path = pats.file("alpha.txt", run("alpha", GOOD))
    connection = (client := pats.client()).connection
    post = connection.post

    def after_another(*given, **values):
        assert not pats.campaign.runs.submit(path)["is_known"]
        return post(*given, **values)

    monkeypatch.setattr(connection, "post", after_another)
    assert client.campaign(pats.slug).runs.submit(path)["state"] == "valid"
    assert Run.objects.count() == 1


def test_a_file_with_errors_is_not_uploaded(pats):
    pats.file("alpha.txt", FAULTY)
    said = pats("runs", "submit", "alpha.txt")
    assert said.status == 1
    assert said.out.startswith("alpha.txt was not uploaded: 3 errors; 4 lines read.\n")
    assert all(sentence in said.out for sentence in SENTENCES)
    assert not Run.objects.exists()


def test_the_report_of_the_site_has_the_same_sentences_as_the_check_here(pats):
    path = pats.file("alpha.txt", FAULTY)
    record = pats.campaign.runs.submit(path)
    assert record["state"] == "invalid"
    here, there = pats("runs", "check", "alpha.txt"), pats("runs", "report", "alpha")
    assert (here.status, there.status) == (1, 1)
    assert sorted(here.out.splitlines()[1:]) == sorted(there.out.splitlines()[1:])
    assert all(sentence in there.out for sentence in SENTENCES)


def test_several_are_checked_and_each_is_told(pats):
    pats.file("alpha.txt", FAULTY)
    (pats.folder / "beta.gz").write_bytes(gzip.compress(run("beta", GOOD).encode()))
    said = pats("runs", "check", "alpha.txt", "beta.gz")
    assert said.status == 1
    assert said.out.startswith("alpha.txt: alpha: 3 errors; 4 lines read.\n")
    assert said.out.endswith("beta.gz: beta: valid; 5 lines.\n")
    told = pats("runs", "check", "alpha.txt", "beta.gz", "--json").json
    assert [(each["file"], each["tag"], each["n_errors"]) for each in told] == [
        ("alpha.txt", "alpha", 3),
        ("beta.gz", "beta", 0),
    ]
    assert (told[1]["n_lines"], told[1]["n_topics"], "n_documents" in told[1]) == (5, 2, False)


def test_of_several_that_are_sent_one_that_is_refused_stops_no_other(pats):
    for tag in ("alpha", "beta"):
        pats.file(f"{tag}.txt", run(tag, GOOD))
    pats.file("again.txt", run("alpha", {"1": "d5"}))
    said = pats("runs", "submit", "alpha.txt", "again.txt", "none.txt", "beta.txt", "--json")
    assert said.status == 1
    told = [(each["file"], each["state"]) for each in said.json]
    refused = [("again.txt", "refused"), ("none.txt", "refused")]
    assert told == [("alpha.txt", "valid"), *refused, ("beta.txt", "valid")]
    again, none = said.err.splitlines()
    assert again.startswith("again.txt: The tag alpha is taken: ")
    assert none == "none.txt cannot be read: No such file or directory."


def test_a_pipe_is_no_file_to_check(pats):
    os.mkfifo(pats.folder / "pipe")
    sentence = "pipe is no file on a disk, and it is read more than once.\n"
    assert pats("runs", "check", "pipe") == (1, "", sentence)


def test_rules_are_kept_so_that_the_next_check_needs_no_network(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    assert pats("runs", "check", "alpha.txt").status == 0
    [kept] = (pats.folder / ".cache/cleverdon/rules").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    Topic.objects.filter(number="1").update(number="11")
    assert pats("runs", "check", "alpha.txt").status == 0  # the site is not asked
    yesterday = time.time() - 25 * 60 * 60
    os.utime(kept, (yesterday, yesterday))
    said = pats("runs", "check", "alpha.txt")
    assert (said.status, "There is no topic '1'" in said.out) == (1, True)


def test_errors_by_kept_rules_are_none_if_the_site_has_other_rules_by_now(pats, campaign):
    pats.file("alpha.txt", run("alpha", GOOD))
    pats.file("beta.txt", run("beta", {**GOOD, "3": "d1"}))
    assert pats("runs", "check", "alpha.txt").status == 0
    Topic.objects.create(campaign=campaign, number="3", title="bats", description="Which?")
    assert pats("runs", "check", "beta.txt").status == 0


def test_a_run_of_the_rounds_topics_is_complete_whatever_was_kept(pats, campaign):
    pats.file("alpha.txt", run("alpha", GOOD))
    assert pats("runs", "check", "alpha.txt").out == "alpha.txt: alpha: valid; 5 lines.\n"
    for number in (1, 2):
        Round.objects.create(campaign=campaign, number=number, topics=["1", "2"][number - 1 :])
    type(campaign).objects.update(round=2)
    pats.file("beta.txt", run("beta", {"2": "d4"}))
    assert pats("runs", "check", "beta.txt").out == "beta.txt: beta: valid; 1 line.\n"
    Topic.objects.filter(number="2").update(number="22")
    assert pats("runs", "check", "beta.txt").status == 0  # the site is not asked
    Topic.objects.filter(number="22").update(number="2")
    assert pats("runs", "submit", "beta.txt").out == "beta.txt: beta: valid; 1 line.\n"


def test_a_site_whose_topics_tell_no_round_has_all_in_it(pats, monkeypatch):
    monkeypatch.setattr(Noun, "each", lambda *_: iter([{"number": "1"}, {"number": "2"}]))
    pats.file("alpha.txt", run("alpha", GOOD))
    assert pats("runs", "check", "alpha.txt").out == "alpha.txt: alpha: valid; 5 lines.\n"


def test_the_depth_of_the_campaign_or_another_one_counts(pats, campaign):
    type(campaign).objects.update(run_depth=2)
    pats.file("alpha.txt", run("alpha", GOOD))
    said = pats("runs", "check", "alpha.txt")
    assert "Topic 1 has 3 documents; at most 2 are allowed." in said.out
    assert pats("runs", "check", "alpha.txt", "--depth", "3").status == 0


TOPICS = {
    "numbers": "1\n2\n",
    "qrels": "1 0 d1 1\n2 0 d1 0\n",
    "topics": '{"number": "1", "title": "bats"}\n{"number": "2", "title": "cats"}\n',
    "table": "number\ttitle\n1\tbats\n2\tcats\n",
}


@pytest.mark.parametrize("name", TOPICS)
def test_without_a_site_a_file_says_which_topics_there_are(asking, pat, name):
    pats = asking(pat, url="")
    pats.token = ""
    pats.file("topics", TOPICS[name])
    pats.file("alpha.txt", FAULTY)
    said = pats("runs", "check", "alpha.txt", "--topics", "topics")
    assert (said.status, said.err) == (1, "")
    assert SENTENCES[1] in said.out


def test_without_topics_any_topic_passes(asking, pat):
    pats = asking(pat, url="")
    pats.token = ""
    pats.file("alpha.txt", FAULTY)
    said = pats("runs", "check", "alpha.txt")
    assert (said.status, said.out.count("\n")) == (1, 3)
    pats.file("alpha.txt", run("alpha", GOOD))
    assert pats("runs", "check", "alpha.txt").out == "alpha.txt: alpha: valid; 5 lines.\n"
    pats.file("topics", "{")
    said = pats("runs", "check", "alpha.txt", "--topics", "topics")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("topics: ")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "  The file is empty.\n"),
        (b"1 2 3\n", "columns"),
        (b"\x1f\x8b\x08\x00", ""),
        (b"1 Q0 d1 1 9 .alpha\n", "  The tag '.alpha' must be 1 to 20 letters"),
    ],
)
def test_what_is_no_run_has_a_sentence_too(pats, content, sentence):
    (pats.folder / "alpha.txt").write_bytes(content)
    said = pats("runs", "check", "alpha.txt")
    assert (said.status, said.err) == (1, "")
    assert sentence in said.out
    assert pats("runs", "submit", "alpha.txt").status == 1


def test_a_file_that_is_not_there_is_named(pats):
    said = pats("runs", "submit", "alpha.txt")
    assert said == (1, "", "alpha.txt cannot be read: No such file or directory.\n")


def test_one_tag_is_for_one_file(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    said = pats("runs", "check", "alpha.txt", "alpha.txt", "--tag", "beta")
    assert said == (1, "", "Give --tag with one file.\n")
    said = pats("runs", "check", "alpha.txt", "--tag", "beta")
    sentence = "  all 5 lines: The tag is 'alpha', not 'beta'.\n"
    assert said == (1, f"alpha.txt: beta: 5 errors; 5 lines read.\n{sentence}", "")


def test_organizers_name_the_team(olgas):
    olgas.file("alpha.txt", run("alpha", GOOD))
    olgas.file("base.txt", run("base", GOOD))
    assert olgas("runs", "submit", "alpha.txt", "--team", "Aldgate").status == 0
    assert olgas("runs", "submit", "base.txt").status == 0
    teams = dict(Run.objects.values_list("tag", "team__name"))
    assert teams == {"alpha": "Aldgate", "base": "baselines"}
    said = olgas("runs", "submit", "alpha.txt", "--tag", "other", "--team", "Nobody")
    assert said.status == 1


def test_what_the_site_refuses_is_said_in_its_words(asking, ada, campaign):
    adas = asking(ada, campaign)
    adas.file("alpha.txt", run("alpha", GOOD))
    said = adas("runs", "submit", "alpha.txt")
    sentence = "Runs are shown to organizers and to the teams that submitted them.\n"
    assert said == (1, "", sentence)


def test_a_token_that_may_only_read_says_which_scope_it_lacks(asking, pat, campaign):
    pats = asking(pat, campaign, ["read"])
    pats.file("alpha.txt", run("alpha", GOOD))
    said = pats("runs", "submit", "alpha.txt")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("This access token lacks the scope submit: it may read.")


def test_a_check_that_has_not_ended_is_waited_for(pats, monkeypatch):
    from jobs import work

    queued = []
    monkeypatch.setattr(work, "enqueue", lambda job_id, kind, **_: queued.append((job_id, kind)))

    def checked_meanwhile(_):
        job_id, kind = queued.pop()
        work.kinds[kind](job_id)

    path = pats.file("alpha.txt", run("alpha", GOOD))
    monkeypatch.setattr("cleverdon.client.nouns.time.sleep", checked_meanwhile)
    assert pats.campaign.runs.submit(path)["state"] == "valid"


def test_a_reason_is_kept_and_what_it_costs_is_asked(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    pats("runs", "submit", "alpha.txt")
    said = pats("runs", "withdraw", "alpha", "--reason", "trained on the topics", "--json")
    assert said.json["out_reason"] == "trained on the topics"
    assert pats("runs", "withdraw", "alpha") == (1, "", "Run alpha is withdrawn already.\n")
    assert pats("runs", "report", "nothing").status == 1


def test_a_run_whose_check_did_not_end_has_no_report(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    pats("runs", "submit", "alpha.txt")
    Run.objects.update(state="unchecked", checked_at=None, report=None)
    sentence = "It is unchecked: its check has not ended, and reports nothing.\n"
    assert pats("runs", "report", "alpha") == (1, "", sentence)
