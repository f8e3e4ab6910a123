"""A batch as a file: formed again from it, it has the same hash; nothing else is taken in."""

import json
import tracemalloc
from io import BytesIO

import pytest

from accounts.access import NotYours, Refused
from jobs.models import Job
from pooling import services, tasks
from pooling.building import lines_of_batch
from pooling.models.batches import Batch
from runs.models import Run
from tests import make

HOW = {"first": 1, "batch": 10, "floor": 12, "cap": 30, "reading_depth": 50}


def file_of(batch: Batch) -> bytes:
    return "".join(lines_of_batch(batch)).encode()


def read(olga, campaign, content: bytes) -> Batch:
    made = services.import_batch(user=olga, campaign=campaign, file=BytesIO(content))
    tasks.build_batch(Job.objects.get(kind="build_batch", subject_id=made.pk).pk)
    made.refresh_from_db()
    return made


@pytest.mark.parametrize(
    ("strategy", "parameters", "topics"),
    [
        ("depth", {"depth": 2}, []),
        ("depth", {"depth": 2}, ["2"]),
        ("sample", {"strata": [[1, 100], [3, 50]]}, []),
        ("max-mean", HOW, []),
        ("by-hand", {"documents": [["1", "d9", "known item"]]}, []),
    ],
)
def test_what_is_exported_is_imported_with_the_same_hash(
    campaign, runs, olga, ada, strategy, parameters, topics
):
    make.frozen_pool(campaign, runs[:1], depth=1)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgment(assignment, "d1", 2)
    made = make.batch(campaign, runs, strategy=strategy, parameters=parameters, topics=topics)
    make.judgment(assignment, "d1", 0)  # the file says what was known when it was formed
    again = read(olga, campaign, file_of(made))
    assert (again.state, again.sha256) == ("built", made.sha256)
    assert file_of(again) == file_of(made)


def changed(content: bytes, **how: object) -> bytes:
    first, _, rest = content.partition(b"\n")
    return json.dumps({**json.loads(first), **how}).encode() + b"\n" + rest


def by_hand(content: bytes, document: list[str]) -> bytes:
    return changed(content, strategy="by-hand", parameters={"documents": [document]})


def test_a_first_line_that_names_what_is_not_there_is_refused(campaign, runs, olga):
    content = file_of(make.batch(campaign, runs))
    faults = {
        b"": "Line 1: This is not how a batch was formed",
        changed(content, strategy="magic"): "a strategy or an order rule that is not known here",
        changed(content, order_rule="magic"): "a strategy or an order rule that is not known here",
        changed(content, parameters={"width": 2}): "The parameters are not those of the strategy",
        changed(content, parameters={"depth": []}): "The parameter depth cannot be read",
        changed(content, parameters={"depth": 10**9}): "The parameter depth cannot be read",
        changed(content, runs=["\0"]): "Line 1: Its runs must be a list",
        changed(content, runs=["0"]): "No valid run of this campaign has a file with the hash",
        changed(content, runs=[]): "choose at least one",
        changed(content, topics=["99"]): "There is no topic '99'",
        changed(content, judged={"1": 3}): "Line 1: What was judged before cannot be read",
        changed(content, judged={"1": {"d1": "yes"}}): "What was judged before cannot be read",
        changed(content, topics={"1": 2}): "Line 1: Its topics must be a list of topics",
        changed(content, topics="1"): "Line 1: Its topics must be a list of topics",
        changed(content, topics=["1", "1"]): "each named once",
        changed(content, topics=[1]): "Its topics must be a list",
        changed(content, topics=["\ud800"]): "Its topics must be a list",
        changed(content, runs={"a": 1}): "Line 1: Its runs must be a list of the hashes of files",
        changed(content, runs=[runs[0].sha256] * 2): "Not 2 valid runs of this campaign have files",
        changed(content, seed=True): "Line 1: Its seed must be a whole number",
        changed(content, seed=-1): "Line 1: Its seed must be a whole number",
        changed(content, joins_duplicates=1): "Its joins_duplicates must be true or false",
        changed(content, existing=None): "Line 1: Its existing must be text",
        changed(content, strategy=["depth"]): "Line 1: Its strategy must be text",
        changed(content, parameters=[]): "Line 1: Its parameters must be an object",
        by_hand(content, ["1", "d1\0", "why"]): "Line 1: it holds control characters",
        by_hand(content, ["1", "d\x011", "why"]): "Line 1: it holds control characters",
        by_hand(content, ["1", "d1", "why\ud800"]): "Line 1: it holds control characters",
        by_hand(content, ["1", "d1", "why\n2 d2 why"]): "The parameter documents cannot be read",
        b'{"x":' + b"[" * 5000 + b"]" * 5000 + b"}": "Its brackets are nested too deep",
        b'{"x":[' + b"[]," * 400_000 + b"[]]}": "It holds more than 300,000 values",
        b'{"x":"' + b"a" * 2_000_000 + b'"}': "It is longer than 2,000,000 bytes",
    }
    before = Batch.objects.count()
    for given, said in faults.items():
        with pytest.raises(Refused, match=said):
            services.import_batch(user=olga, campaign=campaign, file=BytesIO(given))
    Run.objects.filter(pk=runs[0].pk).update(state="withdrawn")
    with pytest.raises(Refused, match="No valid run"):
        services.import_batch(user=olga, campaign=campaign, file=BytesIO(content))
    assert Batch.objects.count() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b"d1", b"d9"),
        lambda content: content.replace(b"rank 2", b"rank 3"),
        lambda content: content.replace(b'"seed":', b'"seed": '),
        lambda content: content + b"\n",
        lambda content: changed(content, seed=4),
    ],
)
def test_a_file_that_was_changed_gives_no_batch(campaign, runs, olga, change):
    content = file_of(make.batch(campaign, runs))
    draft = read(olga, campaign, change(content))
    assert (draft.state, draft.sha256, draft.entries.count()) == ("failed", "", 0)
    said = Job.objects.get(kind="build_batch", subject_id=draft.pk).outcome
    assert said.startswith("Formed here, the batch has another hash than its file")


def test_a_batch_of_another_pool_is_not_taken_in(campaign, runs, olga):
    content = file_of(make.batch(campaign, runs))
    pool = make.frozen_pool(campaign, runs[:1], depth=1)
    assert read(olga, campaign, content).state == "failed"
    extending = file_of(make.batch(campaign, runs))
    make.taken_back(olga, pool)
    assert read(olga, campaign, extending).state == "failed"


class Endless(BytesIO):
    """A file that tells how much of it was asked for at once."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        assert size
        assert size > 0
        self.most = max(self.most, size)
        return super().read(size)

    def readline(self, size: int | None = -1) -> bytes:
        assert size
        self.most = max(self.most, size)
        return super().readline(size)


def test_of_a_large_file_little_is_in_memory_at_once(campaign, olga, ada):
    file = Endless(b'{"x":' + b"[]," * 10_000_000)
    with pytest.raises(NotYours):
        services.import_batch(user=ada, campaign=campaign, file=file)
    assert file.tell() == 0  # who asks is checked first
    tracemalloc.start()
    with pytest.raises(Refused, match="longer than 2,000,000 bytes"):
        services.import_batch(user=olga, campaign=campaign, file=file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0 < file.most <= 2_000_001
    assert peak < 6_000_000


def test_a_batch_of_two_runs_with_the_same_file_is_taken_in(campaign, olga, pat):
    twins = [make.run(campaign, pat, {"1": "d1 d2"}, tag) for tag in ("one", "two")]
    Run.objects.filter(pk=twins[1].pk).update(sha256=twins[0].sha256)
    twins[1].refresh_from_db()
    made = make.batch(campaign, twins)
    again = read(olga, campaign, file_of(made))
    assert again.sha256 == made.sha256
    assert Run.objects.filter(contributor__batch=again).count() == 2
