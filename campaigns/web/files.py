"""Lists of people and events as files."""

from campaigns.nouns import EVENTS, MEMBERS
from campaigns.web.lists import csv_of

people = csv_of(MEMBERS)
events = csv_of(EVENTS)
