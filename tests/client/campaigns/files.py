"""A campaign's file, and the command that makes it."""

FILE = """\
name = "Bats"

[settings]
description = "What is known\\nof \\"bats\\"."
run_depth = 100
time_zone = "Europe/Berlin"
takes_evidence = true

[dates]
submission_opens_at = 2027-05-01T12:00:00
submission_closes_at = 2027-06-01T12:00:00Z

[[criteria]]
name = "relevance"
question = "How relevant is it?"
level = 1
answers = [
  { value = 0, label = "not relevant" },
  { value = 1, label = "relevant", description = "Answers the topic." },
]

[topics]
file = "topics.txt"

[documents]
files = ["documents.jsonl"]
completes_collection = true

[[teams]]
name = "Aldgate"

[[teams]]
name = "Barbican"

[[invitations]]
name = "Ada"
role = "assessor"

[[invitations]]
role = "participant"
team = "Barbican"
max_uses = 3
days = 14

[pool]
strategy = "depth"
parameters = { depth = 5 }
"""
CREATE = ("campaigns", "create", "--from", "campaign.toml")
UNCHANGED = (0, "Nothing is to be changed.\n", "")
