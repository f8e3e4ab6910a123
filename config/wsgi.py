"""The entry point of the web process."""

import os
import re
import warnings
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.core.wsgi import get_wsgi_application
from django.db.backends.signals import connection_created

from jobs.database import limit_statements

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# In development static files are not collected, so their folder does not exist.
warnings.filterwarnings("ignore", message="No directory at", category=UserWarning)

CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';]*)""", re.IGNORECASE)
NOT_UTF8 = b"This site reads text in UTF-8 only: name no other charset in Content-Type."


def utf8_only(application: WSGIApplication) -> WSGIApplication:
    """Refuse a request that names another charset.

    Django takes any of Python's codecs, and some fail before a page or middleware can answer.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        named = CHARSET.search(environ.get("CONTENT_TYPE") or "")
        if not named or named[1].lower() in {"utf-8", "utf8", "us-ascii"}:
            return application(environ, start_response)
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(NOT_UTF8)))]
        start_response("415 Unsupported Media Type", headers)
        return [NOT_UTF8]

    return answer


application = utf8_only(get_wsgi_application())
connection_created.connect(limit_statements)  # workers take the time they need
