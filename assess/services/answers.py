"""Fill in what an answer leaves out from the judgment before it."""

from collections.abc import Mapping
from dataclasses import replace

from assess.access.answers import NO_EVIDENCE, Invalid, check_ratings
from assess.core.answers import Answer
from assess.core.passages import BadPassages, Passage, Quoted, located
from assess.models.serving import AssignmentEntry
from campaigns.models.campaign import Campaign


def completed(answer: Answer, entry: AssignmentEntry, campaign: Campaign) -> Answer:
    """Return the answer with all ratings and passages that apply. Refused if some are missing."""
    ratings, own = _ratings(answer, entry, campaign), entry.own
    if answer.passages is None:
        # Those of an earlier text are kept in its event only.
        is_present = own and own.document_version == entry.served.version
        kept = tuple(map(Passage.from_json, own.passages)) if own and is_present else ()
        return replace(answer, ratings=ratings, passages=kept)
    if answer.passages and not campaign.takes_evidence:
        raise Invalid("passages", NO_EVIDENCE)
    try:
        sent = (Quoted(each.before, each.text) for each in answer.passages)
        return replace(answer, ratings=ratings, passages=located(entry.text or "", sent))
    except BadPassages as error:
        raise Invalid("passages", str(error)) from error


def _ratings(answer: Answer, entry: AssignmentEntry, campaign: Campaign) -> Mapping[str, int]:
    grade, criteria, ratings = answer.grade, campaign.every_criterion, answer.ratings
    if ratings is None:
        # A criterion may have changed since, as long as no document is graded.
        kept = entry.own.ratings if entry.own else {}
        ratings = {
            each.name: kept[each.name] for each in criteria if kept.get(each.name) in each.fixed
        }
    check_ratings(ratings, grade, criteria)
    if grade is None:
        return ratings
    return {each.name: ratings[each.name] for each in criteria if each.applies_to(grade)}
