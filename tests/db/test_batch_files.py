"""A batch as a file: taken in again it has the same hash, and nothing else is taken in."""

import json

import pytest

from accounts.access import Refused
from pooling import services
from pooling.building import lines_of_batch
from pooling.models.batches import Batch
from runs.models import Run
from tests import make
from tests.worlds import once

HOW = {"first": 1, "batch": 10, "floor": 12, "cap": 30, "depth": 50}


@pytest.fixture
@once
def runs(campaign, pat):
    rankings = {"one": {"1": "d1 d2 d3", "2": "d4"}, "two": {"1": "d3 d1 d6"}}
    return [make.run(campaign, pat, each, tag) for tag, each in rankings.items()]


def file_of(batch: Batch) -> bytes:
    return "".join(lines_of_batch(batch)).encode()


def read(olga, campaign, content: bytes) -> Batch:
    return services.import_batch(user=olga, campaign=campaign, content=content)


@pytest.mark.parametrize(
    ("strategy", "parameters"),
    [
        ("depth", {"depth": 2}),
        ("sample", {"strata": [[1, 100], [3, 50]]}),
        ("max-mean", HOW),
        ("by-hand", {"documents": [["1", "d9", "known item"]]}),
    ],
)
def test_what_is_exported_is_imported_with_the_same_hash(
    campaign, runs, olga, ada, strategy, parameters
):
    make.frozen_pool(campaign, runs[:1], depth=1)
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 2)
    made = make.batch(campaign, runs, strategy=strategy, parameters=parameters)
    again = read(olga, campaign, file_of(made))
    assert again.pk != made.pk
    assert (again.sha256, again.n_entries) == (made.sha256, made.n_entries)
    assert file_of(again) == file_of(made)
    counts = "run", "n_contributed", "n_unique", "shared"
    assert set(map(str, again.contributors.values_list(*counts))) == set(
        map(str, made.contributors.values_list(*counts))
    )
    assert make.frozen(again).version == 2


def test_a_file_that_is_not_as_it_was_exported_is_refused(campaign, runs, olga):
    content = file_of(make.batch(campaign, runs))
    first, *lines = content.decode().splitlines(keepends=True)
    how = json.loads(first)
    other = {**how, "strategy": "magic"}
    faults = {
        b"": "Line 1: This is not a line of an exported batch.",
        content + b"[1]\n": f"Line {len(lines) + 2}: This is not a line",
        content.replace(b"[[0,", b"[[7,"): "There is no such run among the hashes",
        content.replace(how["runs"][0].encode(), b"0" * 64): "No valid run of this campaign has a",
        content.replace(b'"2",', b'"99",'): "There is no topic 99 in this campaign",
        (json.dumps(other) + "\n").encode(): "a strategy or an order rule that is not known",
        content.replace(b'"seed":', b'"seed": '): "its hash is another",
    }
    before = Batch.objects.count()
    for given, said in faults.items():
        with pytest.raises(Refused, match=said):
            read(olga, campaign, given)
    assert Batch.objects.count() == before


def test_a_batch_of_another_pool_is_refused(campaign, runs, olga):
    content = file_of(make.batch(campaign, runs))
    pool = make.frozen_pool(campaign, runs[:1], depth=1)
    with pytest.raises(Refused, match="extends another pool: see d1 of topic 1"):
        read(olga, campaign, content)
    extending = file_of(make.batch(campaign, runs))
    make.taken_back(olga, pool)
    with pytest.raises(Refused, match="extends another pool"):
        read(olga, campaign, extending)
    Run.objects.filter(pk=runs[0].pk).update(state="withdrawn")
    with pytest.raises(Refused, match="No valid run"):
        read(olga, campaign, content)
