"""How the document of an act stands: as rows say, and as the acts before it have changed them."""

from accounts.access import can
from assess.access.answers import FAULTS
from assess.access.assigning import check_is_independent
from assess.core.answers import Act, Seen
from assess.core.deciding import Present, Standing
from assess.core.rules import has_room
from assess.leases import can_give_again
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services.changes import Changes


def standing_of(entry: AssignmentEntry, act: Act, changes: Changes) -> Standing:
    reading, topic, shared = entry.served, entry.assignment.topic, entry.shared
    campaign, judgment = topic.campaign, entry.judgment
    change = judgment.change if judgment else 0
    is_full = shared is not None and not has_room(shared.n_wanted, shared.n_judged)
    return Standing(
        topic.in_words,
        Seen(reading.version, topic.version, campaign.asked_version, change),
        FAULTS.get(reading.fault),
        _present(entry, judgment, act, changes) if judgment else None,
        shared.n_wanted if shared else None,
        shared.n_judged if shared else 0,
        is_full and _is_kept(entry, changes),
        reading.text or "",
        campaign.criteria_about(entry.item.kind),
        campaign.takes_evidence,
    )


def _is_kept(entry: AssignmentEntry, changes: Changes) -> bool:
    """Whether a full document keeps the place of the grade that was taken back last."""
    for event in reversed(changes.events):
        # One that is not written yet is of this transaction, which keeps others out.
        if event.judgment == entry.judgment:
            return (event.from_state, event.to_state) == ("judged", "reopened")
    return can_give_again(entry)


def _present(entry: AssignmentEntry, judgment: Judgment, act: Act, changes: Changes) -> Present:
    """Return the current judgment, with what the page did not show only where it differs."""
    reason = f", {judgment.get_reason_display()}" if judgment.reason else ""
    label = f"{judgment.get_state_display().lower()}{reason}"
    is_of_text = judgment.document_version == entry.served.version
    present = Present(judgment.answer, label, entry.own is not None, is_of_text)
    shown, replaced = act.seen.change, judgment.replaces if act.is_undo and entry.own else None
    if replaced:
        may_return = can(check_is_independent, replaced.assessor, entry.assignment)
        present = present._replace(replaced=replaced.state, may_return=may_return)
    if shown in {None, judgment.change}:
        return present
    if entry.own:
        return present._replace(shown_comment=_comment_at(judgment, shown, changes))
    is_undone = _has_undone(judgment, shown, changes)
    return present._replace(author=str(judgment.assessor), is_undone=is_undone)


def _comment_at(judgment: Judgment, change: int, changes: Changes) -> str:
    """Return the comment of a judgment after a change of the assignment."""
    for event in reversed(changes.events):
        if event.judgment is judgment and event.change <= change:
            return event.comment
    return judgment.comment_at(change) if judgment.pk else ""


def _has_undone(earlier: Judgment, change: int, changes: Changes) -> bool:
    """Whether this change took back an answer of the assessor that had replaced another's."""
    assignment = changes.assignment
    pending = [each.pk for each in changes.judgments if each.pk]
    stored = assignment.judgments.filter(replaces=earlier, change=change)
    rows = [*changes.judgments, *stored.exclude(pk__in=pending)]
    undone = (earlier.pk, change, assignment.assessor_id)
    return any((each.replaces_id, each.change, each.assessor_id) == undone for each in rows)
