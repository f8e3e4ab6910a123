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
    RUN_SUBMITTED = "run.submitted", "submitted a run"
    RUN_WITHDRAWN = "run.withdrawn", "withdrew a run"
    RUN_DOWNLOADED = "run.downloaded", "downloaded a run's file"
    JOB_RETRIED = "job.retried", "retried a job"
