"""The entry point of the web process."""

import json
import os
import re
import warnings
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db.backends.signals import connection_created

from api.problems import API, MEDIA_TYPE, problem
from jobs.database import limit_statements

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# In development static files are not collected, so their folder does not exist.
warnings.filterwarnings("ignore", message="No directory at", category=UserWarning)

CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';]*)""", re.IGNORECASE)
NOT_UTF8 = "This site reads text in UTF-8 only: name no other charset in Content-Type."


def utf8_only(application: WSGIApplication) -> WSGIApplication:
    """Refuse a request that names another charset.

    Django takes any of Python's codecs, and some fail before a page or middleware can answer.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        named = CHARSET.search(environ.get("CONTENT_TYPE") or "")
        if not named or named[1].lower() in {"utf-8", "utf8", "us-ascii"}:
            return application(environ, start_response)
        is_program = str(environ.get("PATH_INFO", "")).startswith(API)
        refusal = json.dumps(problem("unreadable", 415, NOT_UTF8)) if is_program else NOT_UTF8
        kind = MEDIA_TYPE if is_program else "text/plain"
        headers = [("Content-Type", kind), ("Content-Length", str(len(refusal)))]
        start_response("415 Unsupported Media Type", headers)
        return [refusal.encode()]

    return answer


def below(path: str, application: WSGIApplication) -> WSGIApplication:
    """Serve a site below a path of its host, which the proxy passes on with every address."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked = str(environ.get("PATH_INFO", ""))
        if asked != path and not asked.startswith(f"{path}/"):
            sentence = f"This site is below {path}/, and nothing is at {asked!r}.".encode()
            headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(sentence)))]
            start_response("404 Not Found", headers)
            return [sentence]
        place = {"SCRIPT_NAME": path, "PATH_INFO": asked.removeprefix(path) or "/"}
        return application({**environ, **place}, start_response)

    return answer if path else application


application = below(settings.SITE_PATH, utf8_only(get_wsgi_application()))
connection_created.connect(limit_statements)  # workers take the time they need
