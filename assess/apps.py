"""The Django application."""

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"

    def ready(self) -> None:
        from assess import tasks  # noqa: F401, PLC0415 - its kind of job is known from here on
        from assess.access import reason_to_keep  # noqa: PLC0415 - models are loaded by now
        from assess.access.known import n_graded  # noqa: PLC0415
        from assess.events import AssessEvent  # noqa: PLC0415
        from assess.services import unfreezing  # noqa: PLC0415 - models are loaded by now
        from assess.services.leaving import WORK  # noqa: PLC0415
        from campaigns.access import register_graded, register_reason_to_keep  # noqa: PLC0415
        from campaigns.holdings import register_holdings  # noqa: PLC0415
        from campaigns.models.work import register_events  # noqa: PLC0415
        from pooling import dependents  # noqa: PLC0415

        self._say_what_is_copied()
        self._say_what_is_in_use()
        self._say_how_far_topics_are()
        register_events(AssessEvent)
        register_holdings(WORK)
        register_reason_to_keep(reason_to_keep)
        register_graded(n_graded)
        dependents.register(
            dependents.Dependent(
                unfreezing.check_nothing_is_judged,
                unfreezing.described,
                unfreezing.remove,
            )
        )
        self._show_tabs()

    def _show_tabs(self) -> None:
        from assess.access.publishing import (  # noqa: PLC0415 - models are loaded by now
            check_agreement_shown,
            check_qrels_shown,
        )
        from campaigns.models import Role  # noqa: PLC0415
        from campaigns.pages import register_tab  # noqa: PLC0415

        register_tab(410, "judging", "assess:judging", Role.ORGANIZER, Role.ASSESSOR)
        register_tab(420, "agreement", "assess:agreement", check=check_agreement_shown)
        register_tab(510, "qrels", "assess:qrels", check=check_qrels_shown)

    def _say_what_is_in_use(self) -> None:
        from assess.models import (  # noqa: PLC0415
            Assignment,
            AssignmentEntry,
            Judgment,
            JudgmentEvent,
            KnownGrade,
            PracticeDocument,
            Question,
            TopicNote,
        )
        from campaigns.models import Document, Topic  # noqa: PLC0415
        from campaigns.models.collection import register_use  # noqa: PLC0415

        events, judgments, judged = (
            JudgmentEvent.objects,
            Judgment.with_controls,
            "judged",
        )
        register_use(Document, ["change", "delete"], judged, lambda campaign: judgments.filter(topic__campaign=campaign).values("docno"))  # fmt: skip
        register_use(Document, ["undo"], judged, lambda campaign: events.about_present_documents(campaign).values("judgment__docno"))  # fmt: skip
        register_use(Document, ["delete", "remove"], "used for practice", lambda campaign: PracticeDocument.objects.filter(practice__campaign=campaign).order_by().values("docno"))  # fmt: skip
        register_use(Document, ["delete", "remove"], "used with a known grade", lambda campaign: KnownGrade.objects.of(campaign).values("docno"))  # fmt: skip
        register_use(Document, ["delete", "remove"], "mixed in among an assessor's own", lambda campaign: AssignmentEntry.with_controls.controls_of(campaign).values("docno"))  # fmt: skip
        register_use(Topic, ["delete", "remove"], "used with known grades", lambda campaign: KnownGrade.objects.of(campaign).values("topic__number"))  # fmt: skip
        register_use(Topic, ["change"], judged, lambda campaign: judgments.filter(topic__campaign=campaign).values("topic__number"))  # fmt: skip
        register_use(Topic, ["undo"], judged, lambda campaign: events.about_present_topics(campaign).values("judgment__topic__number"))  # fmt: skip
        register_use(Topic, ["delete", "remove"], "asked about", lambda campaign: Question.objects.in_campaign(campaign).order_by().values("topic__number"))  # fmt: skip
        register_use(Topic, ["delete", "remove"], "noted on by an assessor", lambda campaign: TopicNote.objects.filter(topic__campaign=campaign).values("topic__number"))  # fmt: skip
        register_use(Topic, ["delete", "remove"], "assigned", lambda campaign: Assignment.objects.in_campaign(campaign).order_by().values("topic__number"))  # fmt: skip

    def _say_what_is_copied(self) -> None:
        from assess.services.copying import KNOWN_GRADES  # noqa: PLC0415 - models are loaded by now
        from campaigns.copying import register_part  # noqa: PLC0415

        register_part("known grades", KNOWN_GRADES)

    def _say_how_far_topics_are(self) -> None:
        from assess.mentions import of_judging, of_topics  # noqa: PLC0415
        from assess.models import Assignment  # noqa: PLC0415
        from assess.planning import judging_of  # noqa: PLC0415
        from campaigns.mentions import register_mentions  # noqa: PLC0415
        from campaigns.models import Document, Topic  # noqa: PLC0415
        from campaigns.progress import register_counts, register_judging  # noqa: PLC0415

        register_mentions(Document, of_judging)
        register_mentions(Topic, of_topics)
        register_counts("judged", Assignment.objects.n_official_by_topic)
        register_judging(judging_of)
