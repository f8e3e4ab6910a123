"""The Django application."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from assess import announcing  # noqa: PLC0415 - models are loaded by now
        from campaigns.insights import register_links  # noqa: PLC0415
        from campaigns.models.work import register_events  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415
        from evaluation import tasks  # noqa: PLC0415 - its kind of job is known from here on
        from evaluation.access import check_scores_shown  # noqa: PLC0415
        from evaluation.events import ScoreEvent  # noqa: PLC0415
        from evaluation.facts import score_links  # noqa: PLC0415

        announcing.follow(tasks.ask_for_refresh)
        register_links(score_links)
        register_events(ScoreEvent)
        register_tab(
            520,
            "leaderboard",
            "evaluation:leaderboard",
            check=check_scores_shown,
        )
