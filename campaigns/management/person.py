"""What commands about a person have in common."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.access import Refused
from accounts.models import User


class PersonCommand(BaseCommand):
    """A command about somebody, who is named as they sign in."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *_: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"Nobody signs in as {options['username']}.")
        try:
            self.do(user)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal

    def do(self, user: User) -> None:
        """Do it; a refusal becomes the command's error."""
        raise NotImplementedError
