"""The Django application."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from assess import announcing  # noqa: PLC0415 - models are loaded by now
        from assess.access.publishing import register_reason_to_stand  # noqa: PLC0415
        from campaigns.insights import register_links, register_scores  # noqa: PLC0415
        from campaigns.models.work import register_events  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415
        from evaluation import tasks  # noqa: PLC0415 - its kind of job is known from here on
        from evaluation.access import check_scores_shown  # noqa: PLC0415
        from evaluation.events import ScoreEvent  # noqa: PLC0415
        from evaluation.facts import main_scores, score_links  # noqa: PLC0415
        from evaluation.releasing import reason_to_stand  # noqa: PLC0415

        announcing.follow(tasks.ask_for_refresh)
        register_links(score_links)
        register_scores(main_scores)
        register_events(ScoreEvent)
        register_reason_to_stand(reason_to_stand)
        register_tab(
            520,
            "leaderboard",
            "evaluation:leaderboard",
            check=check_scores_shown,
        )
