"""A site of the benchmarks' own: embedded servers in a temporary folder, with an empty database."""

import atexit
import os
import tempfile
from pathlib import Path


def start(folder: Path | None = None) -> None:
    """Start the servers and set Django up; both end with the process.

    What is in a `folder` that is named stays.
    """
    path = folder or Path(tempfile.mkdtemp(prefix="cleverdon-benchmark-"))
    os.environ |= {
        "VAR_DIR": str(path.resolve()),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "WARNING",
    }
    import django
    from django.conf import settings
    from django.core.management import call_command

    if folder is None:
        atexit.register(settings.EMBEDDED.discard)  # after the servers are let go
    settings.EMBEDDED.hold()
    os.environ |= {
        "DATABASE_URL": settings.DATABASE_URL,
        "REDIS_URL": settings.REDIS_URL,
        "DEBUG": "true",
    }
    django.setup()
    call_command("migrate", verbosity=0)
