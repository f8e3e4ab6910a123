"""What a copy of a campaign takes from judging: known grades, no judgments."""

from assess.models.controls import KnownGrade
from campaigns.copying import Part, Rows

SAME_TOPIC = """
    JOIN campaigns_topic was ON was.id = old.topic_id
    JOIN campaigns_topic topic ON topic.campaign_id = %(copy)s AND topic.number = was.number
    LEFT JOIN campaigns_document text ON text.campaign_id = was.campaign_id AND text.docno = old.docno
"""
VERSIONS = """
    CASE WHEN text.version = ANY(old.document_versions) THEN ARRAY[1] ELSE ARRAY[0] END
"""
OF_TOPIC = {"topic_id": "topic.id", "document_versions": VERSIONS}
KNOWN_GRADES = Part(
    "known grade",
    [
        Rows(KnownGrade, OF_TOPIC, SAME_TOPIC, "was.campaign_id"),
    ],
    needs=("topics", "documents"),
)
