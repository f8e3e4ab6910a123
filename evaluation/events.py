"""The kinds of audit event of scores and of releases."""

from django.db.models import TextChoices


class ScoreEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    REQUESTED = "scores.requested", "asked for scores by"
    STUDIED = "scores.studied", "asked for a study of the scores by"
    LEFT_OUT = "scores.left_out", "asked how reusable the judgments are, by"
    VARIED = "scores.varied", "asked what disagreement between assessors does to the ranking, by"
    REVIEWED = "pool.reviewed", "computed completeness of"
    REPORTED = "scores.reported", "asked for the report by"
    RELEASED = "release.made", "released"
    TAKEN_BACK = "release.taken_back", "took back the release of"
