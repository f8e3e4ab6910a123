"""The entry point of the web process."""

import os
import warnings

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# In development static files are served from their sources: the folder for collected ones does not exist.
warnings.filterwarnings("ignore", message="No directory at", category=UserWarning)

application = get_wsgi_application()
