"""Run files checked on one's own machine, sent, reported on and withdrawn."""

from tests.client.asking import run

GOOD = {"1": "d1 d2 d3", "2": "d4 d5"}


def test_a_run_is_sent_and_the_same_file_twice_is_told_as_such(pats):
    pats.file("alpha.txt", run("alpha", GOOD))
    said = pats("runs", "submit", "alpha.txt", "--description", "BM25", "--automatic")
    print(said)
    said = pats("runs", "submit", "alpha.txt", "--description", "BM25", "--automatic")
    print(said)
    print(pats("runs", "list").out)
    print(pats("runs", "report", "alpha"))
    print(pats("runs", "withdraw", "alpha"))
    print(pats("get", "topics"))
    print(pats("get", "topics", "--csv"))
    print(pats("get", "topics", "--json"))
    print(pats("get", "topics", "1").out)
    print(pats("get", "jobs").out)
    print(pats("campaigns", "list").out)
    print(pats("campaigns", "show", pats.slug).out)
    print(pats("get", "board"))
    print(pats("get", "qrels"))
    print(pats("get", "pool"))
    print(pats("get", "nonsense"))
    print(pats("api", "GET", f"campaigns/{pats.slug}/runs/"))
    assert 0
