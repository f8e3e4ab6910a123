"""Serve the style page on a port: `python -m tests.style 8001`."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command

from manage import hold_services
from tests.style.page import add_style_page

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
add_style_page(settings)
hold_services()
django.setup()
call_command("runserver", *(sys.argv[1:] or ["8001"]), use_reloader=False)
