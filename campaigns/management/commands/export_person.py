"""Print what is stored of a person."""

from accounts.models import User
from campaigns.management.person import PersonCommand
from campaigns.services import personal


class Command(PersonCommand):
    help = "Print what is stored of a person, a line of JSON a row. Read it before you send it."

    def do(self, user: User) -> None:
        for line in personal.export(user):
            self.stdout.write(line, ending="")
