"""Each noun and act of the description has an example, which is what the API tells and takes."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from agreement.core import findings
from api.doors import Beside
from api.reading import ListOf, OneOf
from api.registry import every_noun
from api.schema import ARRIVED, EXAMPLES, camel
from assess.models.assigning import Assignment
from assess.models.strata import DrawnStratum
from campaigns.core.criteria import Criterion
from campaigns.services.campaign import change_campaign
from cleverdon.pools.strategy.table import STRATEGIES
from collection.models.items import Item
from docs import pages
from docs.pages import doors as patterns
from evaluation.core.disagreement import Disagreement, OfMeasure, OfRun, OfVariant, Swap
from evaluation.core.study import Alike, MeasureStudy, Study
from evaluation.models.scores import Evaluation
from evaluation.services import request_evaluation, request_reusability, request_review
from pooling.models.likenesses import Likeness
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from tests import make
from tests.api.addresses import judging
from tests.examples import example
from tests.web.test_api_doors import filled

pytestmark = pytest.mark.django_db
GRADES = [
    {"value": 0, "label": "no", "description": ""},
    {"value": 1, "label": "yes", "description": ""},
]
TRUST = {"name": "credibility", "question": "Do you trust it?", "answers": GRADES}


@pytest.fixture(scope="module")
def described() -> dict:
    return SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]


@pytest.fixture
def clients(olga, ada, pat) -> list[Client]:
    found = [Client(), Client(), Client()]
    for client, person in zip(found, (olga, ada, pat), strict=True):
        client.force_login(person)
    return found


def computed(olga, evaluation) -> None:
    """What jobs find of an evaluation and its pool; its topics are too few for a real study."""
    one = MeasureStudy("AP", 12, 66, 40, 0.06, 0.11, [300], [0.0], [[3, 50]], [5], [[0.7, 0.8]])
    study = Study(12, 50, [one], [55, 120, 240, 900], [Alike("AP", "P@10", 0.8, 0.7, 0.9)])
    run = OfRun("alpha", 0.31, 0.28, 0.3, 0.33, 1, 1, 2, [0.31, 0.29])
    alike = [OfVariant(name, [[0.9, 0.85, 0.95]], 0, 3) for name in ("original", "second")]
    bands = [[[0.92, 0.85, 0.98], [0.9, 0.8, 0.97], [0.96, 0.9, 1.0]]]
    swaps = [Swap("alpha", "beta", 0.2)]
    its = [OfMeasure("AP", [12], 40, alike, bands, [run], swaps)]
    disagreement = Disagreement(400, 80, 22, 50, 1000, 1, its)
    Evaluation.objects.filter(pk=evaluation.pk).update(
        study=study.to_json(), disagreement=disagreement.to_json()
    )
    request_reusability(user=olga, evaluation=evaluation)
    make.worked("leave_out", evaluation.pk)
    review = request_review(user=olga, campaign=evaluation.campaign)
    make.worked("review_pool", review.pk)
    item = Item.objects.filter(topic__campaign=evaluation.campaign).first()
    Likeness.objects.create(topic=item.topic, item=item, group=1, text=1, jaccard=1)


@pytest.fixture
def everything(keys, played, clients, olga, pat, monkeypatch):
    """Something of each noun: also a second run, answers to further criteria and to controls,
    passages and notes, and a flag, whatever chance says.
    """
    monkeypatch.setattr(findings, "CHANCE", 99)
    make.run(played, pat, {"1": "d2 d1"}, "bm25")
    make.forecast(played)
    evaluation = request_evaluation(user=olga, **make.scope(Qrels.objects.get()))
    make.worked("score_runs", evaluation.pk)
    computed(olga, evaluation)
    keys["evaluations"] = evaluation.public_id
    criteria = [*played.criteria, Criterion.from_json(TRUST).to_json()]
    change_campaign(user=olga, campaign=played, changes={"criteria": criteria})
    change_campaign(user=olga, campaign=played, changes={"takes_evidence": True})
    given = Assignment.objects.get(assessor__username="ada")
    make.known_grade(given.topic, "d3", 1)
    # Whichever is served first has all there is of a judgment.
    beside = {"choice": 1, "ratings": {"credibility": 1}, "passages": [[3, "text"]]}
    items = given.entries.counting().values_list("item", flat=True)
    DrawnStratum.objects.record(given, dict.fromkeys(items, 0), [])
    docnos = given.entries.values_list("item__key", flat=True)
    said = [{"client_id": str(uuid4()), "docno": docno, **beside} for docno in docnos]
    note = {"text": "Bridges.", "difficulty": "", "remark": "", "note_version": 0}
    for act, sent in (("judge", said), ("note", note)):
        answer = clients[1].post(judging(given, act), sent, "application/json")
        assert answer.status_code == 200, answer.content
    publish_qrels(user=olga, campaign=played)
    return keys


def test_the_example_of_each_noun_has_the_shape_of_what_is_told(played, everything, clients):
    missing = []
    for at, pattern in patterns():
        view = pattern.callback.view_class
        if not issubclass(view, ListOf | OneOf) or issubclass(view, Beside):
            continue
        answers = [client.get(filled(at, played, everything)) for client in clients]
        told = [each.json() for each in answers if each.status_code == 200]
        row = next((each for each in told if each), None)
        if row:
            example(camel(view.noun.name), row[0] if isinstance(row, list) else row)
        else:
            missing.append(at)
    assert not missing


def test_the_example_of_each_noun_has_every_field():
    for noun in every_noun():
        assert set(EXAMPLES[camel(noun.name)]) == set(noun.every_field)


def test_everything_that_is_told_or_sent_has_an_example(described):
    without = {name for name, its in described.items() if not its.get("examples")}
    # What is sent within criteria, problems, and what became of acts are no nouns.
    no_nouns = {"AnswerSentRequest", "CriterionSentRequest", "Counted", "Problem", "SaidRequest"}
    assert without == no_nouns | {"Recorded", "Result", "Now"}
    nouns = {camel(noun.name) for noun in every_noun()}
    assert (
        set(EXAMPLES)
        == nouns
        | {n for n in described if n.endswith("Request") and not n.endswith(f"{ARRIVED}Request")}
        - without
    )


def test_each_example_is_valid_as_it_is_described(described):
    for name, its in described.items():
        for each in its.get("examples", ()):
            schema = {**its, "components": {"schemas": described}}
            faults = [error.message for error in Draft202012Validator(schema).iter_errors(each)]
            assert not faults, (name, faults)


def test_a_file_is_described_in_a_form_and_in_json_as_an_upload():
    document = SchemaGenerator().get_schema(request=None, public=True)
    sent = {
        path: {kind: each["schema"]["$ref"].rpartition("/")[2] for kind, each in its.items()}
        for path, methods in document["paths"].items()
        if (its := methods.get("post", {}).get("requestBody", {}).get("content"))
        and "multipart/form-data" in its
    }
    assert len(sent) == 8, sent
    for path, kinds in sent.items():
        form, arrived = (
            document["components"]["schemas"][kinds[kind]]["properties"]
            for kind in ("multipart/form-data", "application/json")
        )
        assert {*form} - {*arrived} == {"file"}, path
        assert "upload" in arrived, path


def test_what_is_one_of_a_few_says_of_which(described):
    few = "JobsRow state, RunsRecord state, ReportRecord state, ReleasesRow what, PeopleRow role"
    for name, field in (each.split() for each in few.split(", ")):
        assert described[name]["properties"][field]["enum"], (name, field)
    assert "done" in described["JobsRow"]["properties"]["state"]["enum"]
    taking = described["CampaignsCopyRequest"]["properties"]["taking"]
    assert "topics" in taking["items"]["enum"]
    assert not [each for each in words(described) if each in {"type", "among", "state"}]
    assert not [each for each in words(described) if each.startswith("* `")]


# What only a page, or only Python, says.
ELSEWHERE = re.compile(
    r"`seen`|`PARTS`|\bNone\b|\bthis page\b|\bbelow\b|\bdrop it\b|\b[Tt]ick|\bat once\b\."
)


def words(value: object) -> Iterator[str]:
    """Every description within the document."""
    if isinstance(value, dict):
        if isinstance(its := value.get("description"), str):
            yield its
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from words(each)


def test_the_document_says_nothing_of_pages_nor_of_python():
    document = SchemaGenerator().get_schema(request=None, public=True)
    services = re.compile("|".join(rf"`{name}`" for name in pages.services()))
    said = list(words(document))
    assert len(said) > 400
    odd = [each for each in said if ELSEWHERE.search(each) or services.search(each)]
    assert not odd


@pytest.mark.parametrize(
    "name", ["RoundsNew", "RoundsChange", "BatchesNew", "SharedTopicsNew", "TopicsHide"]
)
def test_numbers_of_topics_are_described_as_a_text_or_a_list(described, name):
    its = described[f"{name}Request"]["properties"]
    text, several = its["numbers" if name == "TopicsHide" else "topics"]["oneOf"]
    assert (text["type"], several["type"]) == ("string", "array")


def test_the_parameters_of_each_strategy_are_named(described):
    told = described["BatchesNewRequest"]["properties"]["parameters"]["description"]
    for each in STRATEGIES.values():
        assert f"{each.name}: {', '.join(its.name for its in each.parameters) or 'none'}" in told
