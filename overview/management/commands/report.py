"""Write the report on a campaign's scores into a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cleverdon.trec.words import counted
from evaluation.models.scores import Evaluation
from overview.sheets import files_of


class Command(BaseCommand):
    help = "Write the report on the scores that lead a campaign's board into a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="The campaign as its address names it.")
        parser.add_argument("folder", type=Path, help="Made if it is missing.")
        parser.add_argument("--qrels", type=int, help="The version scored against.")

    def handle(self, *_: Any, **options: Any) -> None:
        rows = Evaluation.objects.filter(
            campaign__slug=options["campaign"], finished_at__isnull=False
        )
        if options["qrels"] is not None:
            rows = rows.filter(qrels__number=options["qrels"])
        evaluation = rows.select_related("campaign", "qrels__pool", "without").by_weight().first()
        if evaluation is None:
            raise CommandError("There are no such scores.")
        files = files_of(evaluation)
        try:
            for path, content in files.items():
                target = options["folder"] / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        except OSError as fault:
            raise CommandError(f"The report cannot be written there: {fault}.") from fault
        self.stdout.write(f"{counted(len(files), 'file')} in {options['folder']}.")
