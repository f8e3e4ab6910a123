"""What people do in a campaign before its pool: set it up, invite, import, submit runs."""

from campaigns.services.campaign import (
    RESERVED_SLUGS,
    change_campaign,
    create_campaign,
    retry_job,
)
from campaigns.services.collection import (
    declare_collection,
    delete_document,
    delete_documents,
    delete_topic,
    delete_topics,
)
from campaigns.services.copying import copy_campaign
from campaigns.services.ending import (
    archive_campaign,
    delete_campaign,
    restore_campaign,
)
from campaigns.services.imports import (
    confirm_import,
    discard_import,
    request_import,
    undo_import,
)
from campaigns.services.leaving import remove_member
from campaigns.services.people import (
    INVITATION_DAYS,
    accept_invitation,
    invite,
    withdraw_invitation,
)
from campaigns.services.resets import make_reset, use_reset, withdraw_reset
from campaigns.services.runs import (
    describe_run,
    disqualify_run,
    download_run,
    extend_deadline,
    move_run,
    recheck_run,
    recheck_runs,
    reinstate_run,
    submit_archive,
    submit_run,
    withdraw_run,
)
from campaigns.services.teams import (
    create_team,
    delete_team,
    leave_team,
    merge_teams,
    rename_team,
)

__all__ = [
    "INVITATION_DAYS",
    "RESERVED_SLUGS",
    "accept_invitation",
    "archive_campaign",
    "change_campaign",
    "confirm_import",
    "copy_campaign",
    "create_campaign",
    "create_team",
    "declare_collection",
    "delete_campaign",
    "delete_document",
    "delete_documents",
    "delete_team",
    "delete_topic",
    "delete_topics",
    "describe_run",
    "discard_import",
    "disqualify_run",
    "download_run",
    "extend_deadline",
    "invite",
    "leave_team",
    "make_reset",
    "merge_teams",
    "move_run",
    "recheck_run",
    "recheck_runs",
    "reinstate_run",
    "remove_member",
    "rename_team",
    "request_import",
    "restore_campaign",
    "retry_job",
    "submit_archive",
    "submit_run",
    "undo_import",
    "use_reset",
    "withdraw_invitation",
    "withdraw_reset",
    "withdraw_run",
]
