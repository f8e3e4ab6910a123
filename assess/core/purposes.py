"""What a document is served for, and which purposes reach which figures.

An entry and its judgment have the same purpose. For an assessor's own documents it is the kind of
the assignment; others are mixed in among them.
"""

PRIMARY, SECOND, SHARED = "primary", "second", "shared"
ADJUDICATION = "adjudication"
PRACTICE = "practice"
KNOWN, REPEAT = "known", "repeat"

# Official grades come from these: boards and qrels read nothing else.
OFFICIAL = (PRIMARY, SHARED, ADJUDICATION)
# Given without a look at anybody else's, so that agreement compares them.
INDEPENDENT = (PRIMARY, SECOND, SHARED)
# What counts: totals and pace read these as well.
COUNTING = (*INDEPENDENT, ADJUDICATION)
# Mixed in among the assessor's own, who is shown them as any other; only their report reads them.
CONTROLS = (KNOWN, REPEAT)
