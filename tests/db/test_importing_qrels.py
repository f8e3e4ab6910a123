"""Qrels that exist already: kept as they are, looked at, and scored against without a pool."""

import gzip
from functools import partial

import pytest
from django.core.files.base import ContentFile

from accounts.access import Invalid, Refused
from cleverdon.measures.interface import evaluate
from evaluation import services as scoring
from evaluation.models.scores import Evaluation
from evaluation.tables import facts_of
from evaluation.templatetags.scores import stamp
from jobs import work
from jobs.models import Job
from qrels.models import Qrels, QrelsImport
from qrels.services import importing, publishing
from qrels.tasks import read_uploaded_qrels
from tests import make
from tests.db.scoring import ONE, TWO, scored

# As NIST's for TREC-COVID: the round in the second column, no order, a grade below 0; d9 is in no
# run and not imported.
LINES = b"2 4.5 d4 0\n1 0.5 d1 2\n1 1 d9 1\n2 2 d1 -1\n1 4.5 d4 1\r\n3 5 d2 -1\n"
GRADES = {"1": {"d1": 2, "d9": 1, "d4": 1}, "2": {"d4": 0, "d1": -1}, "3": {"d2": -1}}


def read(olga, campaign, content=LINES, name="official.txt") -> QrelsImport:
    file = ContentFile(content, name=name)
    upload = importing.upload_qrels(user=olga, campaign=campaign, file=file, source="NIST")
    read_uploaded_qrels(Job.objects.about("read_uploaded_qrels", upload.pk).pk)
    upload.refresh_from_db()
    return upload


def check_scores(evaluation: Evaluation, judged: dict, rankings: dict[str, dict[str, str]]) -> None:
    """The scores of runs, by tag, are those of these judgments and rankings."""
    ranked = {
        tag: {t: {d: -float(i) for i, d in enumerate(docs.split())} for t, docs in run.items()}
        for tag, run in rankings.items()
    }
    expected = evaluate(judged, ranked, evaluation.measures)
    for row, tag in enumerate(rankings):
        score = evaluation.scores.get(run__tag=tag)
        assert score.by_topic().tolist() == expected.values[row].tolist()
        assert score.aggregates == expected.aggregates[row].tolist()


def imported(olga, campaign, content=LINES, level=1) -> Qrels:
    upload = read(olga, campaign, content)
    return importing.import_qrels(user=olga, upload=upload, level=level)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_version_holds_the_file_byte_for_byte(olga, campaign, pack):
    upload = read(olga, campaign, pack(LINES))
    assert (upload.state, Qrels.objects.count()) == ("read", 0)
    assert upload.report["second_column"] == ["0.5", "1", "2", "4.5", "5"]
    assert upload.report["topics_unknown"] == ["3"]
    assert upload.report["first_lines"][:2] == ["2 4.5 d4 0", "1 0.5 d1 2"]
    qrels = importing.import_qrels(user=olga, upload=upload, level=1)
    assert make.content(qrels.file) == LINES
    assert (qrels.is_imported, qrels.source, qrels.number) == (True, "NIST", 1)
    assert (qrels.n_topics, qrels.n_judgments, qrels.n_relevant) == (3, 6, 3)
    assert qrels.grade_counts == [(-1, 2), (0, 1), (1, 2), (2, 1)]


def test_a_campaign_is_scored_against_them_without_a_pool(olga, campaign, pat, sent):
    """Also of documents that no pool has, and of topics with no grade above -1."""
    for ranking, tag in ((ONE, "a"), (TWO, "b")):
        make.run(campaign, pat, ranking, tag)
    evaluation = scored(olga, imported(olga, campaign), sent)
    assert evaluation.finished_at
    assert evaluation.topics == ["1", "2", "3"]
    check_scores(evaluation, GRADES, {"a": ONE, "b": TWO})
    said = stamp(evaluation)
    assert ". 6 judgments on 3 topics, relevant from grade 1," in said
    assert ", imported: NIST; " in said
    assert facts_of(evaluation, sees_all_runs=True)["qrels_source"] == "NIST"


def test_a_later_round_is_scored_without_what_was_judged_before(olga, campaign, pat, sent):
    """As if the documents had been in neither the runs nor the judgments; ranks close up, and topic
    3 has nothing left.
    """
    for ranking, tag in ((ONE, "a"), (TWO, "b")):
        make.run(campaign, pat, ranking, tag)
    before = imported(olga, campaign, b"1 0.5 d1 0\n3 0.5 d2 0\n")
    whole = imported(olga, campaign)
    measures = {"measures": ["AP", "P@5", "Bpref"]}
    ask = partial(scoring.request_evaluation, user=olga, **measures)
    with pytest.raises(Refused, match="Nothing is left to score against"):
        ask(**make.scope(before, without=whole.number))
    evaluation = scored(olga, whole, sent, without=before.number, **measures)
    assert ask(**make.scope(whole)).without is None
    assert evaluation.topics == ["1", "2"]
    left = {"a": {"1": "d2 d3 d4", "2": "d4 d1"}, "b": TWO}
    check_scores(evaluation, {"1": {"d9": 1, "d4": 1}, "2": GRADES["2"]}, left)
    assert "Scored against qrels v2 without v1; means over" in stamp(evaluation)
    # What runs have seen stays seen when its qrels are withdrawn: the board is the same.
    publishing.withdraw_qrels(user=olga, qrels=before, reason="A grade was wrong.")
    assert Evaluation.objects.front_first(campaign).first() == evaluation
    facts = facts_of(evaluation, sees_all_runs=True)
    assert (facts["without"], facts["judgments"], facts["qrels_judgments"]) == (1, 4, 6)
    assert " 4 of 6 judgments on 2 topics" in stamp(evaluation)
    job = Job.objects.about("score_runs", evaluation.pk)
    assert job.outcome == "2 runs scored on 2 topics of qrels v2 without v1."
    with pytest.raises(Refused, match="the evaluation against qrels v2 without v1 of"):
        ask(**make.scope(whole, without=before.number))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"1 Q0 d1 1 9.5 bm25\n", "This looks like a run"),
        (b"<top>\n<num> 1\n", "This looks like topics"),
        (b'{"docno": "d1", "text": "x"}\n', "This looks like documents"),
        (b"query-id\tcorpus-id\tscore\n1\td1\t1\n", "Its first line names three columns: remove"),
        (b"topic iter docno rel\n1 0 d1 1\n", "Its first line names the columns: remove it."),
        (b"1,0,d1,1\n1,0,d2,0\n", "Its columns are separated by commas: separate them by"),
        (b"1 d1 1\n1 d2 0\n", "Its lines have three columns: write a 0 between topic and"),
        (b"1 d1 0 0 1\n1 d2 1 1 0.01\n", "five columns, as those of sampled qrels and prels"),
        ("1 0 d1 1\n".encode("utf-16"), "It is text in UTF-16: save the file as UTF-8."),
        (b"PAR1" + bytes(99), "It is Parquet"),
        (b"1 0 d1 1\n1 0 d1 2\n", "Line 2: Document d1 is judged twice for topic 1"),
        (b"1 0 d1 half\n", "Line 1: The grade"),
        (b"1 0 d1 1\nAll 0 d1 1\n", "A topic cannot have the number All: so trec_eval calls"),
        (b"1 0 d1 1\n1 0 d\xff 1\n", "Line 2: It is not UTF-8"),
        (b"1 0 %s 1\n" % (b"d" * 256), "is 256 bytes long; 255 are allowed"),
        (b"", "The file is empty."),
    ],
)
def test_what_is_no_qrels_file_says_so_and_is_not_imported(olga, campaign, content, sentence):
    upload = read(olga, campaign, content)
    assert upload.state == "refused"
    assert sentence in upload.fault
    with pytest.raises(Refused, match="cannot be imported"):
        importing.import_qrels(user=olga, upload=upload, level=1)
    importing.discard_qrels(user=olga, upload=upload)
    assert not QrelsImport.objects.pending()


def test_a_file_becomes_one_version_or_none(olga, campaign):
    first, second = read(olga, campaign), read(olga, campaign)
    for level in (0, 3):
        with pytest.raises(Refused, match="from 1 to 2, the highest there is"):
            importing.import_qrels(user=olga, upload=first, level=level)
    importing.import_qrels(user=olga, upload=first, level=1, seen="0")
    with pytest.raises(Refused, match="changed while you had the page open"):
        importing.import_qrels(user=olga, upload=second, level=2, seen="0")
    with pytest.raises(Refused, match="imported already, as qrels v1"):
        importing.import_qrels(user=olga, upload=first, level=2)
    with pytest.raises(Refused, match="This would be v1 again: the same 6 judgments"):
        importing.import_qrels(user=olga, upload=second, level=1)
    with pytest.raises(Refused, match="imported already"):
        importing.discard_qrels(user=olga, upload=first)
    importing.discard_qrels(user=olga, upload=second)
    with pytest.raises(Refused, match="discarded"):
        importing.import_qrels(user=olga, upload=second, level=2)
    assert Qrels.objects.count() == 1


def test_what_is_not_read_yet_is_not_imported_and_reading_can_be_tried_again(olga, campaign):
    file = ContentFile(LINES, name="official.txt")
    with pytest.raises(Invalid, match="Say where these judgments are from"):
        importing.upload_qrels(user=olga, campaign=campaign, file=file, source=" ")
    assert not QrelsImport.objects.exists()
    upload = importing.upload_qrels(user=olga, campaign=campaign, file=file, source="NIST")
    with pytest.raises(Refused, match="is still being read"):
        importing.import_qrels(user=olga, upload=upload, level=1)
    job = Job.objects.about("read_uploaded_qrels", upload.pk)
    work.fail(work.claim(job.pk), "The disk is full.")
    upload.refresh_from_db()
    said = "Reading it failed. Try again, or discard it."
    assert (upload.state, upload.fault) == ("refused", said)
    job.refresh_from_db()
    work.retry(job)
    read_uploaded_qrels(job.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.fault) == ("read", "")
