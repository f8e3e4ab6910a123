"""The kinds of audit event of campaigns and their members."""

from django.db.models import TextChoices


class CampaignEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    CREATED = "campaign.created", "created the campaign"
    CHANGED = "campaign.changed", "changed settings"
    COPIED = "campaign.copied", "copied"
    ROUND_CHANGED = "round.changed", "changed the topics of"
    ARCHIVED = "campaign.archived", "archived the campaign"
    RESTORED = "campaign.restored", "restored the campaign"
    DELETED = "campaign.deleted", "deleted the campaign"
    INVITED = "invitation.made", "made a link for"
    INVITATION_WITHDRAWN = "invitation.withdrawn", "withdrew a link for"
    JOINED = "member.joined", "joined"
    MEMBER_REMOVED = "member.removed", "removed"
    TEAM_CREATED = "team.created", "created team"
    TEAM_RENAMED = "team.renamed", "renamed team"
    TEAMS_MERGED = "team.merged", "merged team"
    TEAM_DELETED = "team.deleted", "deleted team"
    TEAM_LEFT = "team.left", "left team"
    RESET_MADE = "reset.made", "made a link to reset the password of"
    RESET_WITHDRAWN = "reset.withdrawn", "withdrew a link to reset the password of"
    RESET_USED = "reset.used", "set a new password by a link"
    VIEWED_AS = "campaign.viewed_as", "looked at the campaign as"
    JOB_RETRIED = "job.retried", "retried the job"
    REFUSED = "act.refused", "was refused at"
