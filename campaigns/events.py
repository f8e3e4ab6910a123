"""The kinds of audit event of campaigns, their members and their runs."""

from django.db.models import TextChoices


class CampaignEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    CREATED = "campaign.created", "created the campaign"
    CHANGED = "campaign.changed", "changed settings"
    TOPICS_IMPORTED = "topics.imported", "imported topics"
    TOPICS_UPLOADED = "topics.uploaded", "uploaded topics"
    DOCUMENTS_UPLOADED = "documents.uploaded", "uploaded documents"
    INVITED = "invitation.made", "made an invitation"
    INVITATION_WITHDRAWN = "invitation.withdrawn", "withdrew an invitation"
    JOINED = "member.joined", "joined"
    MEMBER_REMOVED = "member.removed", "removed a member"
    TEAM_CREATED = "team.created", "created a team"
    TEAM_RENAMED = "team.renamed", "renamed a team"
    TEAMS_MERGED = "team.merged", "merged a team into another"
    TEAM_DELETED = "team.deleted", "deleted a team"
    TEAM_LEFT = "team.left", "left a team"
    RESET_MADE = "reset.made", "made a link to reset the password of"
    RESET_WITHDRAWN = "reset.withdrawn", "withdrew a link to reset the password of"
    RESET_USED = "reset.used", "set a new password by a link"
    RUN_SUBMITTED = "run.submitted", "submitted a run"
    RUN_WITHDRAWN = "run.withdrawn", "withdrew a run"
    RUN_DOWNLOADED = "run.downloaded", "downloaded a run's file"
    JOB_RETRIED = "job.retried", "retried a job"
