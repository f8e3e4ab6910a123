"""The addresses of the pool, its batches and their documents."""

from collections.abc import Mapping
from typing import Any, BinaryIO, cast

from django.core.files import File
from rest_framework import serializers

from accounts.access import Invalid, NotThere, can
from accounts.models import User
from api.acting import Act, reads_as
from api.arguments import Numbers
from api.doors import doors
from api.files import Download, FileOf
from api.sent import as_words
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from cleverdon.pools.strategy.depths import DEPTH
from cleverdon.pools.strategy.record import Strategy
from cleverdon.pools.strategy.table import STRATEGIES
from pooling import services
from pooling.access import Batches, Pools, batches_seen
from pooling.building import lines_of_batch
from pooling.models.batches import Batch
from pooling.nouns import BATCHES, DUPLICATES, ENTRIES, FORECAST, POOL
from pooling.web.choosing import MAX_BATCH_BYTES
from pooling.web.downloads import contribution_lines, docno_lines
from pooling.web.forms import KEPT, BatchForm

PARAMETERS = "parameters"
OF_STRATEGIES = "; ".join(
    f"{each.name}: {', '.join(its.name for its in each.parameters) or 'none'}"
    for each in STRATEGIES.values()
)
PARAMETER_FIELD = serializers.DictField(
    required=False, help_text=f"Of the strategy, by name ({OF_STRATEGIES})."
)
TOPICS = Numbers(required=False, help_text="Empty for all; by default those of the current round.")


@reads_as(BatchForm, "runs")
def batch_form(values: Any, _: Any, campaign: Campaign, sent: Any, **__: Any) -> BatchForm:
    """Read the choice of a batch as a page's: runs by their tags, parameters by their names.

    Without runs it is all valid ones of the current round that the pool has nothing of, without
    topics those of the current round.
    """
    named = sent.get("strategy") or DEPTH.name
    if not isinstance(named, str):
        raise Invalid("strategy", "Send the name of a strategy.")
    strategy = STRATEGIES.get(named)
    own = {} if sent.get(PARAMETERS) is None else sent[PARAMETERS]
    if not isinstance(own, Mapping):
        raise Invalid(PARAMETERS, "Send an object with the parameters of the strategy.")
    values.pop(PARAMETERS, None)
    for name, value in own.items():
        values[f"{named}-{name}"] = _text_of(strategy, name, value)
    as_words(values, "topics")
    form = BatchForm(values, campaign=campaign)
    if sent.get("topics") is None:
        values["topics"] = form.initial.get("topics", "")
    if strategy and (wrong := form.recipe.errors):
        sentences = {name: [*its] for name, its in wrong.items()}
        raise serializers.ValidationError({PARAMETERS: sentences})
    tags = values.getlist("runs")
    values.setlist("runs", [str(pk) for pk in _runs_of(campaign, tags, form)])
    return BatchForm(values, campaign=campaign)


def _text_of(strategy: Strategy | None, name: str, value: Any) -> str:
    """Return the value of a parameter as it is typed; Invalid for one that there is not."""
    by_name = {each.name: each for each in strategy.parameters} if strategy else {}
    if strategy and name not in by_name:
        there_are = ", ".join(by_name) or "none"
        raise Invalid(PARAMETERS, f"{strategy.name} has no parameter {name}: it has {there_are}.")
    if isinstance(value, str | int):
        return str(value)
    try:
        return by_name[name].written(value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Invalid(PARAMETERS, f"The value of {name} cannot be read.") from error


def _runs_of(campaign: Campaign, tags: list[str], form: BatchForm) -> list[int]:
    if not tags:
        usual: list[int] = form.initial["runs"]
        return usual
    found = {run.tag.lower(): run.pk for run in form.valid_runs}
    if unknown := [tag for tag in tags if tag.lower() not in found]:
        raise Invalid("runs", f"There is no valid run {unknown[0][:40]}.")
    return [found[tag.lower()] for tag in tags]


def request_batch(*, user: User, campaign: Campaign, **chosen: Any) -> Batch:
    """Have a worker build a draft of a batch."""
    same = {name: chosen[name] for name in KEPT if name in chosen}
    return services.request_batch(user=user, campaign=campaign, **same, runs=list(chosen["runs"]))


def import_batch(*, user: User, campaign: Campaign, file: File[bytes]) -> Batch:
    """Have a worker form an exported batch again, as a draft."""
    if file.size > MAX_BATCH_BYTES:
        raise Invalid("file", "The file of a batch has at most 100 MB.")
    return services.import_batch(user=user, campaign=campaign, file=cast("BinaryIO", file))


def send_docnos(user: User, campaign: Campaign) -> Download:
    return Download(docno_lines(user, campaign), f"{campaign.slug}-docnos.txt")


def send_pool(user: User, campaign: Campaign) -> Download:
    batches = list(batches_seen(user, campaign))
    lines = contribution_lines(batches, tells_all=can(Campaigns.organize, user, campaign))
    return Download(lines, f"{campaign.slug}-pool.tsv")


def send_batch(_: User, batch: Batch) -> Download:
    name = f"{batch.campaign.slug}-batch-{batch.public_id}.jsonl"
    return Download(lines_of_batch(batch), name)


def is_complete(user: User, batch: Batch) -> None:
    Batches.see(user, batch.campaign)
    if not batch.sha256:
        raise NotThere


urlpatterns = [
    *doors(
        POOL,
        FileOf(POOL, "docnos.txt", Pools.see, send_docnos, of_all=True),
        FileOf(POOL, "pool.tsv", Pools.see, send_pool, of_all=True),
        Act(
            POOL, "find-duplicates", services.request_duplicates, Pools.find_duplicates, of_all=True
        ),
        Act(POOL, "forecast", services.request_forecast, of_all=True),
    ),
    *doors(
        BATCHES,
        Act(
            BATCHES,
            "",
            request_batch,
            Batches.build,
            form=batch_form,
            fields={PARAMETERS: PARAMETER_FIELD, "topics": TOPICS},
        ),
        Act(BATCHES, "import", import_batch, Batches.build, of_all=True),
        Act(BATCHES, "freeze", services.freeze_batch, Batches.freeze),
        Act(BATCHES, "take-back", services.take_back_batch, Batches.take_back),
        Act(BATCHES, "build-again", services.build_again, Batches.delete),
        Act(BATCHES, "delete", services.delete_batch, Batches.delete),
        FileOf(BATCHES, "batch.jsonl", is_complete, send_batch, kind="application/jsonl"),
    ),
    *doors(ENTRIES, of=BATCHES),
    *doors(FORECAST),
    *doors(DUPLICATES),
]
