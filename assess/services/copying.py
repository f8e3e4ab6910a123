"""What a copy of a campaign takes from judging: known grades, no judgments."""

from assess.models.controls import KnownGrade
from assess.models.practice import PracticeDocument, PracticeTopic
from campaigns.copying import Part, Rows

SAME_TOPIC = """
    JOIN campaigns_topic was ON was.id = old.topic_id
    JOIN campaigns_topic topic ON topic.campaign_id = %(copy)s AND topic.number = was.number
    LEFT JOIN campaigns_document text ON text.campaign_id = was.campaign_id AND text.docno = old.docno
"""
SAME_PRACTICE = """
    JOIN assess_practicetopic was ON was.id = old.practice_id
    JOIN assess_practicetopic practice ON practice.campaign_id = %(copy)s
    LEFT JOIN campaigns_document text
    ON text.campaign_id = was.campaign_id AND text.docno = old.docno
"""
# The present text is the copy's first version; an answer about an earlier one is to be confirmed.
VERSION = "CASE WHEN old.document_version = text.version THEN 1 ELSE 0 END"
VERSIONS = """
    CASE WHEN text.version = ANY(old.document_versions) THEN ARRAY[1] ELSE ARRAY[0] END
"""
OF_PRACTICE = {"practice_id": "practice.id", "document_version": VERSION}
OF_TOPIC = {"topic_id": "topic.id", "document_versions": VERSIONS}
KNOWN_GRADES = Part(
    "known grade",
    [
        Rows(PracticeTopic, {"campaign_id": "%(copy)s"}),
        Rows(PracticeDocument, OF_PRACTICE, SAME_PRACTICE, "was.campaign_id"),
        Rows(KnownGrade, OF_TOPIC, SAME_TOPIC, "was.campaign_id"),
    ],
    needs=("topics", "documents"),
)
