"""Have a run belong to another round than the one it was uploaded in."""

from accounts.access import Refused, check_seen
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import Round, deadline_of
from campaigns.models.trail import AuditEvent
from jobs import work
from runs import checking
from runs.access.runs import check_can_move_to_round
from runs.events import RunEvent
from runs.models import Run
from trec.versions import version


@in_campaign
def move_to_round(*, user: User, run: Run, number: int, seen: str | None = None) -> Run:
    """Have a run belong to another round, by whose topics it is then checked again.

    It is late if it was taken after the deadline of that round. `seen` is the version of its round.
    """
    check_can_organize(user, run.campaign)
    # The round cannot be taken back meanwhile.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=run.campaign_id)
    now = Run.objects.select_for_update(of=["self"], no_key=True).get(pk=run.pk)
    check_can_move_to_round(now)
    check_seen(seen, version(now.round), f"Run {run}, now in round {now.round},")
    if number not in Round.objects.numbers(campaign):
        raise Refused(f"There is no round {number}.")
    if number == now.round:
        raise Refused(f"Run {run} is already in round {number}.")
    closed_at = deadline_of(campaign, number)
    detail = {"run": run.pk, "from": now.round, "to": number}
    now.round, now.is_late = number, closed_at is not None and now.submitted_at >= closed_at
    now.save(update_fields=["round", "is_late"])
    AuditEvent.record(campaign, user, RunEvent.RUN_MOVED, f"{run} to round {number}", **detail)
    if now.is_settled:
        work.request(campaign=campaign, kind=checking.recheck_run, subject_id=run.pk, user=user)
    return now
