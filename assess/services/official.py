"""Decide official grades anew where no act of judging does: after growth, and by another rule."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from accounts.models import User
from assess import tasks
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.models.sharing import SharedDocument, SharedQueue, is_settled
from campaigns.core.criteria import scale_of
from campaigns.models.campaign import Campaign, SharedRule
from cleverdon.trec.words import counted
from collection.models.items import Item
from jobs import work
from pooling.models.entries import PoolEntry


def regrade(campaign: Campaign, items: Collection[int]) -> None:
    """Decide these items anew, between the acts of those who judge their topics."""
    if items:
        duplicates = PoolEntry.objects.filter(item__in=items, same_as__isnull=False)
        items = {*items, *duplicates.values_list("same_as", flat=True)}
        topics = Item.objects.filter(pk__in=items).values("topic")
        Assignment.objects.counting().filter(topic__in=topics).lock()
        OfficialGrade.objects.decide(campaign, items)


def cost_of_rule(campaign: Campaign, changes: Mapping[str, Any]) -> str:
    """Say which grades another rule of shared topics would change; "" for none."""
    rule = changes.get("shared_rule", campaign.shared_rule)
    if rule == campaign.shared_rule:
        return ""
    settled = SharedDocument.objects.of(campaign).filter(is_settled())
    items = list(settled.values_list("item", flat=True))
    found = OfficialGrade.objects.foresee(campaign, rule, items)
    across = f"{found.n_across:,} of them between relevant and not"
    parts = {
        f"{counted(found.n_changed, 'official grade')} would change, {across}": found.n_changed,
        f"{counted(found.n_gone, 'official grade')} would be gone until an adjudicator "
        "decides": found.n_gone,
        f"{counted(found.n_new, 'document')} would get one": found.n_new,
    }
    if not (would := [words for words, n in parts.items() if n]):
        return ""
    label = SharedRule(rule).label
    return f"By {label}: {'; '.join(would)}. Published qrels stay as they are."


def cost_of_level(campaign: Campaign, changes: Mapping[str, Any]) -> str:
    """Say how many documents another level makes relevant, or no longer; "" for none."""
    before, after = campaign.level, scale_of(changes.get("criteria", campaign.criteria)).level
    low, high = sorted([before, after])
    rows = OfficialGrade.objects.of_documents(campaign).filter(grade__gte=low, grade__lt=high)
    if not (n := rows.count()):
        return ""
    more, would = ("more ", "would") if after < before else ("", "would no longer")
    documents = counted(n, f"{more}judged document")
    return f"{documents} {would} count as relevant. Published qrels keep their level."


def decide_by_new_rule(campaign: Campaign, user: User, changed: Sequence[str]) -> None:
    """Have a worker decide the grades of shared topics by the rule that was just chosen."""
    if "shared_rule" in changed and SharedQueue.objects.filter(topic__campaign=campaign).exists():
        kind = tasks.decide_again
        work.request(campaign=campaign, kind=kind, subject_id=campaign.pk, user=user)
