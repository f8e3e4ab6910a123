"""The settings that add the style page to a site."""

from copy import deepcopy
from pathlib import Path
from typing import Any


def add_style_page(settings: Any) -> None:
    """Serve /style/: `settings` are Django's or those of a test, which takes them back."""
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(Path(__file__).parent / "templates")
    settings.TEMPLATES, settings.ROOT_URLCONF = templates, "tests.style.urls"
