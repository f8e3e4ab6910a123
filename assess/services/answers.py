"""Fill in what an answer leaves out from the judgment before it."""

from dataclasses import replace

from assess.access.answers import Invalid, check_ratings, check_takes_evidence
from assess.core.answers import Answer
from assess.core.passages import BadPassages, Passage, Quoted, located
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from campaigns.models.campaign import Campaign


def completed(answer: Answer, entry: AssignmentEntry, campaign: Campaign) -> Answer:
    """Return the answer with all ratings and passages that apply. Refused if some are missing."""
    grade, criteria = answer.grade, campaign.every_criterion
    ratings = answer.ratings
    if ratings is None:
        # A criterion may have changed since, as long as no document is graded.
        kept = entry.own.ratings if entry.own else {}
        ratings = {
            each.name: kept[each.name] for each in criteria if kept.get(each.name) in each.fixed
        }
    check_ratings(ratings, grade, criteria)
    if grade is not None:
        ratings = {each.name: ratings[each.name] for each in criteria if each.applies_to(grade)}
    passages = _passages(answer, entry, campaign)
    return replace(answer, ratings=ratings, passages=passages)


def _passages(answer: Answer, entry: AssignmentEntry, campaign: Campaign) -> tuple[Passage, ...]:
    kept = entry.own
    if answer.passages is None:
        # Those of an earlier text are kept in its event only.
        is_present = kept and kept.document_version == entry.served.version
        return tuple(map(Passage.from_json, kept.passages)) if kept and is_present else ()
    if answer.passages:
        check_takes_evidence(campaign)
    try:
        sent = (Quoted(each.before, each.text) for each in answer.passages)
        return located(entry.text or "", sent)
    except BadPassages as error:
        raise Invalid("passages", str(error)) from error


def answer_of(judgment: Judgment) -> Answer:
    return Answer(
        judgment.docno,
        judgment.state,
        judgment.grade,
        judgment.reason,
        judgment.comment,
        judgment.ratings,
        tuple(map(Passage.from_json, judgment.passages)),
    )


def assign_to(judgment: Judgment, answer: Answer) -> None:
    """Change a judgment to an answer; what is None stays."""
    judgment.state, judgment.grade = answer.state, answer.grade
    judgment.reason = answer.reason
    if answer.comment is not None:
        judgment.comment = answer.comment
    if answer.ratings is not None:
        judgment.ratings = dict(answer.ratings)
    if answer.passages is not None:
        judgment.passages = list(map(list, answer.passages))
