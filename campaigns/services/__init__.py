"""What people do in a campaign before its pool: set it up, invite, import, submit runs."""

from campaigns.services.campaign import (
    RESERVED_SLUGS,
    change_campaign,
    create_campaign,
    retry_job,
)
from campaigns.services.imports import (
    import_topics,
    request_document_import,
    request_topic_import,
)
from campaigns.services.people import (
    INVITATION_DAYS,
    accept_invitation,
    invite,
    remove_member,
    withdraw_invitation,
)
from campaigns.services.runs import download_run, submit_run, withdraw_run

__all__ = [
    "INVITATION_DAYS",
    "RESERVED_SLUGS",
    "accept_invitation",
    "change_campaign",
    "create_campaign",
    "download_run",
    "import_topics",
    "invite",
    "remove_member",
    "request_document_import",
    "request_topic_import",
    "retry_job",
    "submit_run",
    "withdraw_invitation",
    "withdraw_run",
]
