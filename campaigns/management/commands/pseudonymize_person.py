"""Take a person's name from what they did."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.access import Refused
from accounts.models import User
from campaigns.services import personal
from trec.words import counted


class Command(BaseCommand):
    help = "Give a person's account a made-up name and end it. There is no way back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *_: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"Nobody signs in as {options['username']}.")
        try:
            pseudonym, n = personal.pseudonymize(user)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{options['username']} is {pseudonym} from now on, also in the words of "
            f"{counted(n, 'event')}, and can no longer sign in. What they wrote, the judgments "
            "kept with published qrels, and backups name them as before."
        )
