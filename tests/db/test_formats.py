"""docs/formats.md shows every file as the code writes it, and its examples can be read."""

import hashlib
import json
import re
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.db.models import Model
from django.http import HttpResponse

from agreement.core import findings
from assess.core.answers import Answer
from assess.core.known_grades import read_known
from assess.core.passages import Quoted
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services.judging import judge
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.releases import Release
from cleverdon.measures.command.program import main
from cleverdon.measures.exports import EXPORTS
from cleverdon.measures.family import Input
from cleverdon.measures.inputs.judgments import read_judgments
from cleverdon.trec.documents import read_documents
from cleverdon.trec.means import read_zscores
from cleverdon.trec.preferences import read_preferences
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.streams import FormatError
from cleverdon.trec.topics import parse_topics
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scores import Evaluation, Score
from pooling.models.pools import Pool
from practice.core import read_known as read_known_answers
from qrels.services.publishing import publish_qrels
from questions.core import Note
from questions.services import save_note
from runs.models import Run
from tests import make
from tests.asked import beside_grades, criterion
from tests.db.practicing import answered
from tests.releasing import ALL, show_to
from tests.worlds import once

FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def fail_on(faults: list[FormatError]) -> None:
    for fault in faults:
        raise fault


READERS = {
    "Topics, in": lambda text: parse_topics(text.decode()),
    "Documents, in": lambda text: list(read_documents(BytesIO(text))),
    "Runs, in and out": lambda text: read_run(BytesIO(text)),
    "Known answers, in": lambda text: fail_on(read_known_answers(text.decode())[1]),
    "Qrels, in": lambda text: read_judgments(BytesIO(text)),
    "Qrels, out": lambda text: read_judgments(BytesIO(text)),
    "Known grades, in and out": lambda text: fail_on(read_known(text)[1]),
    "qrels_jg": lambda text: read_judgments(BytesIO(text), Input.ASSESSORS),
    "qrels_strata": lambda text: read_judgments(BytesIO(text), Input.STRATA),
    "qrels_subtopics": lambda text: read_judgments(BytesIO(text), Input.SUBTOPICS),
    "prefs": lambda text: read_preferences(BytesIO(text), "prefs"),
    "qrels_prefs": lambda text: read_preferences(BytesIO(text), "qrels_prefs"),
    "Means for z-scores": lambda text: read_zscores(BytesIO(text)),
}


CREDIBILITY = criterion(
    "credibility", "How credible is it?", ("not credible", "credible"), from_grade=1
)


def blocks(heading: str) -> list[str]:
    """The examples below a heading, up to the next."""
    sections = re.split(r"^#+ (.+)\n", FORMATS.read_text(), flags=re.MULTILINE)
    body = dict(zip(sections[1::2], sections[2::2], strict=True))[heading]
    return re.findall(r"```\w+\n(.*?)```", body, re.DOTALL)


@pytest.fixture
@once
def finished(olga, pat) -> Campaign:
    """The campaign whose files the page shows, scored; Olga is its assessor too."""
    people = {"assessors": [olga], "participants": {"Aldgate": [pat]}}
    made = make.campaign(olga, **people, topics=["301"], docnos=["FT911-3", "FT911-5"])
    made.name, made.slug = "Example", "example"
    made.criteria = beside_grades(CREDIBILITY)
    made.takes_evidence = True
    made.save()
    bm25 = make.run(made, pat, {"301": "FT911-3 FT911-5"}, "bm25")
    make.run(made, pat, {"301": "FT911-5 FT911-3"}, "dense")
    make.frozen_pool(made, [bm25])
    assignment = make.assignment(made.topic_set.get(), olga)
    passages = (Quoted(3, "text of FT911-3"),)
    said = Answer("FT911-3", "judged", {"grade": 2, "credibility": 1}, passages=passages)
    judge(assessor=olga, assignment=assignment, answer=said)
    make.judgment(assignment, "FT911-5", 0)
    note = Note("All that flies counts.", "hard", "two senses")
    save_note(assessor=olga, pk=assignment.pk, note=note)
    make.known_grade(assignment.topic, "FT911-3", 2)
    evaluation = scoring.request_evaluation(
        user=olga, **make.scope(publish_qrels(user=olga, campaign=made)), measures=["AP", "nDCG@10"]
    )
    with pytest.MonkeyPatch.context() as at_once:
        at_once.setattr(tasks.score_batch, "apply_async", lambda sent: tasks.score_batch(*sent))
        make.worked("score_runs", evaluation.pk)
    moment = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
    Evaluation.objects.update(finished_at=moment)
    for what in Release.What:
        show_to(made, ALL, what=what)
    return made


def test_scores_are_written_as_described(finished, olga, sign_in):
    client, score = sign_in(olga), Score.objects.get(run__tag="dense")
    for kind in EXPORTS:
        written = shown(client.get(f"/campaigns/example/leaderboard/leaderboard.{kind}"))
        for number, run in enumerate(Run.objects.order_by("pk"), 1):
            before = rf'({run.tag}(?:,| & |",\n   "run_id": ))'
            written = re.sub(rf"{before}{run.pk}\b", rf"\g<1>{number}", written)
        assert is_shown(kind, written, "The leaderboard, out")
        address = f"/campaigns/example/leaderboard/runs/{score.run_id}.{kind}"
        of_one = shown(client.get(address))
        # The facts stand with the leaderboard.
        if kind == "tex":
            facts, of_one = parts_of_latex(of_one)
            assert facts == ["% run: dense", *parts_of_latex(written)[0]]
        elif kind == "json":
            facts, of_one = parts_of_json(of_one)
            assert facts == {"run": "dense", **parts_of_json(written)[0]}
        assert is_shown(kind, of_one, "A run's scores, out")
    written = shown(
        client.get(f"/campaigns/example/leaderboard/evaluations/{score.evaluation_id}/pairs.csv")
    )
    for number, run in enumerate(Run.objects.order_by("pk"), 1):
        written = written.replace(f"{run.tag},{run.pk},", f"{run.tag},{number},")
    assert written in blocks("Pairs of runs, out")


def is_shown(kind: str, written: str, heading: str) -> bool:
    """Whether the page has a file; of JSON, all that it says, over other lines."""
    if kind != "json":
        return written in blocks(heading)
    examples = [block for block in blocks(heading) if block.startswith("{")]
    return json.loads(written) in map(json.loads, examples)


def parts_of_json(written: str) -> tuple[dict[str, object], str]:
    """The facts of a file, and its rows alone."""
    facts = json.loads(written)
    return facts, json.dumps({"rows": facts.pop("rows")})


def parts_of_latex(written: str) -> tuple[list[str], str]:
    """The comments before a table, and the table."""
    facts, start, table = written.partition("\\begin{tabular}")
    return facts.splitlines(), start + table


FILES = {
    "Topics, out": ["topics/topics.jsonl", "topics/topics.tsv"],
    "Lists, out": [
        *("runs/runs.csv", "people/people.csv", "runs/released.csv", "activity/events.csv"),
        "judging/assessors.csv",
    ],
    "Evaluations, out": ["leaderboard/evaluations.csv"],
    "The pool, out": ["pool/pool.tsv"],
    "Docnos, out": ["pool/docnos.txt"],
    "Qrels, out": ["qrels/1.txt"],
    "Judgments, out": ["judging/judgments.csv", "qrels/1/judgments.csv"],
    "Judgment events, out": ["judging/judgment-events.csv"],
    "Official grades, out": ["judging/official-grades.csv"],
    "Further criteria and evidence, out": ["judging/ratings.csv", "judging/evidence.csv"],
    "Notes, out": ["judging/notes.csv"],
    "Known grades, in and out": ["judging/known-grades.txt"],
    "Controls, out": ["judging/controls.csv"],
}


def test_files_are_written_as_described(finished, olga, sign_in):
    client = sign_in(olga)
    for heading, addresses in FILES.items():
        for address in addresses:
            written = as_in_the_page(shown(client.get(f"/campaigns/example/{address}")))
            assert written in blocks(heading), address


def test_agreement_is_written_as_described(finished, ada, olga, sign_in):
    Membership.objects.create(campaign=finished, user=ada, role=Role.ASSESSOR)
    second = make.assignment(finished.topic_set.get(), ada, "second")
    said = Answer("FT911-3", "judged", {"grade": 1, "credibility": 1})
    judge(assessor=ada, assignment=second, answer=said)
    make.judgment(second, "FT911-5", 0)
    client, (figures, documents) = sign_in(olga), blocks("Agreement, out")
    written = as_in_the_page(shown(client.get("/campaigns/example/agreement.csv")))
    assert written.startswith(figures)
    assert (
        as_in_the_page(shown(client.get("/campaigns/example/agreement/documents.csv"))) == documents
    )


def test_hours_and_flags_are_written_as_described(finished, olga, sign_in, monkeypatch):
    moment, client = datetime(2026, 11, 22, 9, 30, tzinfo=UTC), sign_in(olga)
    events = JudgmentEvent.objects.all()
    slow = events.filter(judgment__item__key="FT911-3")
    make.rewrite(slow, active_ms=5_400_000, pressed_at=moment, first_viewed_at=None)
    make.rewrite(events.exclude(pk__in=slow), pressed_at=moment, first_viewed_at=None)
    assert [shown(client.get("/campaigns/example/judging/hours.csv"))] == blocks("Hours, out")
    make.rewrite(slow, active_ms=40_000)
    make.rewrite(events.exclude(pk__in=slow), active_ms=1000)
    monkeypatch.setattr(findings, "LEAST_QUICK", 1)
    files = "quality-flags", "flagged-documents"
    written = [shown(client.get(f"/campaigns/example/judging/{name}.csv")) for name in files]
    judgment = Judgment.objects.get(item__key="FT911-5").pk
    named = [re.sub(rf"(301,(?:FT911-5,)?){judgment}\b", r"\g<1>2", each) for each in written]
    assert [as_in_the_page(each) for each in named] == blocks("Flags, out")


def numbers_of(model: type[Model]) -> dict[str, int]:
    """From 1 on, what the database has numbered otherwise."""
    return {
        str(pk): n
        for n, pk in enumerate(model.objects.order_by("pk").values_list("pk", flat=True), 1)
    }


def as_in_the_page(written: str) -> str:
    """A file with the numbers of runs, evaluations and judgments from 1 on, and one moment."""
    runs, judgments = numbers_of(Run), numbers_of(Judgment)
    written = re.sub(r"\t\d+\t(?=[0-9a-f]{64})", "\t1\t", written)
    written = re.sub(r"(?m)^(\d+)(?=,(dense|bm25),)", lambda found: str(runs[found[1]]), written)
    written = re.sub(r"(?m)^\d+(?=,Example,released,1,)", "1", written)
    written = re.sub(
        r"(FT911-\d),(\d+),\d+(?=,olga)",
        lambda found: f"{found[1]},{judgments[found[2]]},1",
        written,
    )
    written = re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z", "2026-11-22T09:30:00.000Z", written)
    # An event names rows, and hashes of what has such numbers and a seed.
    return re.sub(r'(assignment"": |seed"": |sha256"": "")[0-9a-f]+', r"\1…", written)


def test_documents_are_written_as_described(finished, olga, sign_in):
    file = sign_in(olga).get("/api/v1/campaigns/example/documents/documents.jsonl")
    assert blocks("Documents, out") == [shown(file)]


def test_the_errors_of_a_run_are_written_as_described(finished, pat, sign_in):
    run = make.run(finished, pat, {"301": "FT911-3", "302": "FT911-5"}, "faulty")
    file = sign_in(pat).get(f"/campaigns/example/runs/{run.pk}/errors.csv")
    assert blocks("A run's errors, out") == [shown(file)]


def test_how_practice_went_is_written_as_described(finished, olga, ada, sign_in):
    finished.membership_set.create(user=ada, role="assessor")
    [lines] = blocks("Known answers, in")
    make.practice(finished, lines)
    for docno, grade in (("FT911-3", 1), ("FT911-5", 0)):
        answered(ada, finished.practice, docno, grade)
    make.rewrite(JudgmentEvent.objects.all(), pressed_at=datetime(2026, 11, 22, 9, 30, tzinfo=UTC))
    file = sign_in(olga).get("/campaigns/example/judging/practice.csv")
    assert blocks("Practice, out") == [shown(file)]


def test_the_hash_of_a_batch_is_that_of_its_file_and_the_pools_of_theirs(finished, olga, sign_in):
    pool = Pool.objects.get(campaign=finished)
    batch = pool.last_batch
    file = shown(sign_in(olga).get(f"/campaigns/example/pool/batches/{batch.pk}/batch.jsonl"))
    assert hashlib.sha256(file.encode()).hexdigest() == batch.sha256
    assert hashlib.sha256(f"\n{batch.sha256}\n".encode()).hexdigest() == pool.sha256
    seedless = re.sub(r'(?<="seed":)\d+', "1", file)
    assert blocks("A batch, out") == [seedless]


def test_versions_are_written_as_described(finished, olga, sign_in):
    in_page = [block for block in blocks("Versions, out") if block.startswith("{")]
    said = [json.loads(line) for block in in_page for line in block.splitlines()]
    client, moment = sign_in(olga), datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
    for kind, versions in (("topics", said[:2]), ("documents", said[2:])):
        for version in versions:
            make.imported(finished, kind, json.dumps(version).encode(), takes_versions=True)
    for model, earlier in ((Topic, TopicVersion), (Document, DocumentVersion)):
        model.objects.update(version=2)
        earlier.objects.filter(version=1).delete()
        earlier.objects.update(version=1, replaced_at=moment)
    topic = finished.topic_set.get(number="301")
    addresses = (f"topics/{topic.pk}/versions/", "collection/versions/FT911-3/")
    found = [shown(client.get(f"/campaigns/example/{each}")) for each in addresses]
    assert found == in_page


def shown(response: HttpResponse) -> str:
    """The text of a download, its lines ended as in the page."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode().replace("\r\n", "\n")


def test_every_example_of_what_goes_in_can_be_read():
    for heading, read_example in READERS.items():
        examples = blocks(heading)
        assert examples, heading
        for example in examples:
            read_example(example.encode())


def test_the_command_writes_as_described(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(blocks("Qrels, out")[0])
    (tmp_path / "bm25.txt").write_text(blocks("Runs, in and out")[0])
    for layout in ("csv", "json"):
        out, err = StringIO(), StringIO()
        arguments = ["-q", "-m", "map", "-m", "P.10", f"--{layout}", "qrels.txt", "bm25.txt"]
        assert main(arguments, out, err) == 0, err.getvalue()
        written = out.getvalue().replace("\r\n", "\n")
        assert is_shown(layout, written, "The command, out")
