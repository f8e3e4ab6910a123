"""The Django application."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        import campaigns.tasks  # noqa: F401, PLC0415 - registers the kinds of job
        from accounts.pages import register_judges  # noqa: PLC0415
        from campaigns.access import check_can_read_topics  # noqa: PLC0415
        from campaigns.access.runs import check_only_released_runs  # noqa: PLC0415
        from campaigns.events import CampaignEvent  # noqa: PLC0415
        from campaigns.models import Membership, Role  # noqa: PLC0415 - models are loaded by now
        from campaigns.models.work import register_events  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415

        register_events(CampaignEvent)
        assessors = Membership.objects.filter(role=Role.ASSESSOR)
        register_judges(lambda user: assessors.filter(user=user).exists())
        register_tab(210, "topics", "campaigns:topics", check=check_can_read_topics)  # fmt: skip
        register_tab(220, "documents", "campaigns:documents", Role.ORGANIZER)
        register_tab(310, "runs", "campaigns:runs", Role.ORGANIZER, Role.PARTICIPANT)
        register_tab(311, "runs", "campaigns:released_runs", check=check_only_released_runs)  # fmt: skip
        register_tab(320, "team", "campaigns:my_team", Role.PARTICIPANT)
        register_tab(230, "people", "campaigns:people", Role.ORGANIZER)
        register_tab(610, "settings", "campaigns:settings", Role.ORGANIZER)
