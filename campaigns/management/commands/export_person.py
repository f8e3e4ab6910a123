"""Print what is stored of a person."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from campaigns.services import personal


class Command(BaseCommand):
    help = "Print what is stored of a person, a line of JSON a row. Read it before you send it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *_: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"Nobody signs in as {options['username']}.")
        for line in personal.export(user):
            self.stdout.write(line, ending="")
