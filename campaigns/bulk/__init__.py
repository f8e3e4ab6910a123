"""SQL over whole files of topics and documents, by the thousand, as the ORM would work row by row."""

from campaigns.bulk.comparing import Comparison, compare
from campaigns.bulk.known import unknown_docnos
from campaigns.bulk.tables import BATCH, DOCUMENTS, TOPICS, Table, batches
from campaigns.bulk.writing import change_texts, tidy, undo

__all__ = [
    "BATCH",
    "DOCUMENTS",
    "TOPICS",
    "Comparison",
    "Table",
    "batches",
    "change_texts",
    "compare",
    "tidy",
    "undo",
    "unknown_docnos",
]
