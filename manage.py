#!/usr/bin/env python
"""Django's command line; private PostgreSQL and Redis are there when it needs them."""

import os
import sys

# Commands that read code or print, and touch no service.
WITHOUT_SERVICES = {
    "check",
    "collectstatic",
    "help",
    "version",
    "--help",
    "--version",
    "makemigrations",
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - settings first

    if not WITHOUT_SERVICES.intersection(sys.argv[1:2]):
        hold_services()
    execute_from_command_line(sys.argv)


def hold_services() -> None:
    """Start the embedded servers unless both addresses are given; children inherit these."""
    from django.conf import settings  # noqa: PLC0415 - settings first

    if not settings.IS_EMBEDDED:
        return
    from demo.servers import CannotStart  # noqa: PLC0415 - settings first

    try:
        settings.EMBEDDED.hold()
    except CannotStart as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
