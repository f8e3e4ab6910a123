"""The kinds of audit event of judging. Judgments have events of their own: `JudgmentEvent`."""

from django.db.models import TextChoices


class AssessEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    TOPIC_ASSIGNED = "topic.assigned", "assigned topic"
    TOPICS_ASSIGNED = "topics.assigned", "had topics assigned by a plan:"
    LIMITS_CHANGED = "assessors.limited", "changed how much these assessors take:"
    TOPIC_HANDED_OVER = "topic.handed_over", "handed over topic"
    TOPIC_TAKEN_BACK = "topic.taken_back", "took back topic"
    TOPICS_TAKEN_BACK = "topics.taken_back", "took back assignments"
    TOPIC_SHARED = "topic.shared", "shared topic"
    SHARING_CHANGED = "topic.sharing_changed", "changed the sharing of topic"
    SHARING_JOINED = "topic.sharing_joined", "gave shared topic"
    TOPIC_UNSHARED = "topic.unshared", "stopped sharing topic"
    SAMPLE_EXTENDED = "topic.sample_extended", "had more judged twice of topic"
    SAMPLE_GIVEN_UP = "topic.sample_given_up", "gave up what waited for a second person of topic"
    ADJUDICATION_ASKED = "adjudication.asked", "asked for adjudication by"
    GRADE_CORRECTED = "grade.corrected", "corrected the official grade of"
    CORRECTION_TAKEN_BACK = "correction.taken_back", "took back the correction of"
    TOPIC_REOPENED = "topic.reopened", "reopened judgments of topic"
    TOPIC_RESET = "topic.reset", "set aside the judgments of topic"
    JUDGMENTS_BROUGHT_BACK = "topic.brought_back", "brought back judgments of topic"
    EARLIER_REOPENED = ("judgments.reopened", "reopened all that was judged on an earlier text:")
    KNOWN_IMPORTED = "known.imported", "imported"
    KNOWN_CONFIRMED = "known.confirmed", "confirmed or corrected the known grade of"
    KNOWN_REMOVED = "known.removed", "removed"
    REHEARSAL_THROWN_AWAY = "rehearsal.thrown_away", "threw the rehearsal away:"
    JUDGMENTS_DOWNLOADED = "judgments.downloaded", "downloaded"
