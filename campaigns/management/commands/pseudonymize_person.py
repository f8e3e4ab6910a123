"""Take a person's name from what they did."""

from accounts.models import User
from campaigns.management.person import PersonCommand
from campaigns.services import personal
from cleverdon.trec.words import counted


class Command(PersonCommand):
    help = "Give a person's account a made-up name and end it. There is no way back."

    def do(self, user: User) -> None:
        pseudonym, n = personal.pseudonymize(user)
        self.stdout.write(
            f"{user.username} is {pseudonym} from now on, also in the words of "
            f"{counted(n, 'event')}, and can no longer sign in. What they wrote, the judgments "
            "kept with published qrels, and backups name them as before."
        )
