"""Every setting. Without DATABASE_URL or REDIS_URL, the demo's private servers are used."""

from pathlib import Path

import dj_database_url
import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured

from cleverdon import version
from config import env
from config.masking import mask_records

VERSION = version.VERSION
BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

# Security

DEVELOPMENT_KEY = "development-only-key-that-is-refused-when-DEBUG-is-false"
DATABASE_URL = env.url("DATABASE_URL", env.text("DATABASE_PASSWORD"))
REDIS_URL = env.url("REDIS_URL", env.text("REDIS_PASSWORD"))
# A server that was named is somebody's real one, so development has to be asked for.
DEBUG = env.flag("DEBUG", default=not (DATABASE_URL or REDIS_URL))
SECRET_KEY = env.text("SECRET_KEY", DEVELOPMENT_KEY if DEBUG else "")
if not DEBUG and SECRET_KEY in {"", DEVELOPMENT_KEY}:
    raise ImproperlyConfigured(
        "SECRET_KEY (or SECRET_KEY_FILE) must be set to a key of your own when DEBUG is false."
    )

SITE_URL = env.text("SITE_URL", "http://localhost:8000").rstrip("/")
# Of a site below a path of its host: "/eval" of https://example.org/eval, otherwise "".
SITE_PATH = env.path_of("SITE_URL", SITE_URL)
FORCE_SCRIPT_NAME = SITE_PATH or None
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = [SITE_URL.removesuffix(SITE_PATH)]
# Another program on the same host may have cookies of the usual names, and of two Django takes one.
OF_PATH = SITE_PATH.replace("/", "_")
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"sessionid{OF_PATH}", f"csrftoken{OF_PATH}"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{SITE_PATH}/"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SITE_URL.startswith("https://")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0
# Browsers then want https of every host below this one for a year: not every institute has that.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SESSION_COOKIE_SECURE and env.flag(
    "HSTS_SUBDOMAINS", default=False
)
SECURE_HSTS_PRELOAD = SESSION_COOKIE_SECURE and env.flag("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # both are a choice
CSRF_FAILURE_VIEW = "config.errors.not_from_here"

# Application

# By stage of the campaign, from the ground floor up.
OUR_APPS = [
    "accounts",
    "jobs",
    "campaigns",
    "api",
    "collection",
    "runs",
    "pooling",
    "assess",
    "questions",
    "practice",
    "programs",
    "desk",
    "qrels",
    "agreement",
    "evaluation",
    "overview",
]
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    *OUR_APPS,
    "config",
]
if DEBUG:
    INSTALLED_APPS.append("demo")
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.headers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.Common",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "campaigns.web.viewing.viewing",
    "config.errors.refusals",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.health.queue",
            ],
            # What most templates need, so that none has to load it.
            "builtins": [
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.static",
                "django.templatetags.tz",
                "config.templatetags.help",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 30 * 24 * 3600
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.access.NotTheExample"},
]

# Services

IS_EMBEDDED = not (DATABASE_URL and REDIS_URL)
if IS_EMBEDDED:
    # The only import of the demo: production installs none of the packages behind it.
    try:
        from demo.embedded import Embedded
    except ModuleNotFoundError as error:
        raise ImproperlyConfigured(
            "DATABASE_URL and REDIS_URL must be set: "
            "the demo's own servers are not installed (requirements-demo.txt)."
        ) from error
    EMBEDDED = Embedded(VAR_DIR, durable=env.flag("EMBEDDED_DURABLE", default=True))
    DATABASE_URL = DATABASE_URL or EMBEDDED.database_url
    REDIS_URL = REDIS_URL or EMBEDDED.redis_url(env.number("REDIS_DATABASE", default=0))
DATABASES = {
    "default": dj_database_url.parse(DATABASE_URL, conn_max_age=600, conn_health_checks=True)
}
# Seconds; without it a page would wait minutes for a machine that is gone.
DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
# A page's query is canceled after this; workers have no such limit.
STATEMENT_SECONDS = env.number("STATEMENT_SECONDS", default=30)
# Shared by all processes, and only for hints and copies of sessions.
CACHES = {"default": {"BACKEND": "config.cache.Cache", "LOCATION": REDIS_URL}}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1).replace(
    "?db=", "?virtual_host=", 1
)
CELERY_TASK_IGNORE_RESULT = True  # the outcome of a job is a row
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 3600
CELERY_TASK_SOFT_TIME_LIMIT = 3500
# 0 comes first: the search for lost jobs, and what it finds.
CELERY_TASK_DEFAULT_PRIORITY = 6
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONSUMER = "config.consumer:Consumer"
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 30  # a child may be slow to start where all are busy
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 7200,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
}
# A second attempt reaches a restarted Redis. More would make a page wait for one that is away.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
CELERY_BEAT_SCHEDULE = {
    "requeue-lost-jobs": {
        "task": "jobs.tasks.requeue_lost_jobs",
        "schedule": 3.0,
        "options": {"priority": 0, "expires": 3},
    },
    "grow-adaptive-pools": {
        "task": "pooling.growing.grow_all",
        "schedule": 20.0,
        "options": {"expires": 20},
    },
    "refresh-preliminary-scores": {
        "task": "evaluation.tasks.refresh_all_preliminary",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "clear-sessions": {
        "task": "jobs.tasks.clear_sessions",
        "schedule": 24.0 * 60 * 60,
        "options": {"expires": 24 * 60 * 60},
    },
    "clear-uploads": {
        "task": "api.tasks.clear_uploads",
        "schedule": 60.0 * 60,
        "options": {"expires": 60 * 60},
    },
    "sweep-files": {
        "task": "jobs.tasks.sweep_files",
        "schedule": 60.0 * 60,
        "options": {"expires": 60 * 60},
    },
}
# In memory: with such short periods the times of the last runs need no file.
CELERY_BEAT_SCHEDULER = "config.beat:Patient"

# Files

# Never served directly: a view checks who asks for a file.
MEDIA_ROOT = VAR_DIR / "media"
STATIC_URL = f"{SITE_PATH}/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "jobs.storage.WholeFiles"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
# What browsers and crawlers ask for by themselves, at addresses of their choice.
WHITENOISE_ROOT = BASE_DIR / "webroot"
# Write uploads to a file from the first byte: the web process never holds a run in memory.
FILE_UPLOAD_HANDLERS = ["jobs.storage.UploadHandler"]
# Of a form without its files. Anybody may send one to the page that signs in, and it takes some
# ten times as much memory, in each of 16 threads.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# Of an unpacked file. Documents are read singly; a run is in memory while it is checked (see
# docs/deploy.md).
MAX_EXPANDED_BYTES = env.number("MAX_EXPANDED_MB", default=2048) * 1024 * 1024
# More files than a form accepts, so that the form refuses them with a sentence.
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
MAX_RUN_BYTES = env.number("MAX_RUN_MB", default=512) * 1024 * 1024
# Of each person's files that arrive in pieces and that no act has used; how many hours each is kept
# after its last piece.
MAX_UPLOADS = env.number("MAX_UPLOADS", default=200)
MAX_UPLOADS_BYTES = env.number("MAX_UPLOADS_MB", default=8192) * 1024 * 1024
UPLOAD_HOURS = env.number("UPLOAD_HOURS", default=72)

# People

# Who may make a campaign: staff of the site, those who organize one and staff, or everybody.
# Where vulnerabilities are reported: mailto:… or https://…; "" where no address is told.
SECURITY_CONTACT = env.text("SECURITY_CONTACT", "")
CAMPAIGN_CREATORS = env.choice(
    "CAMPAIGN_CREATORS", ("everybody", "organizers", "staff"), default="everybody"
)

# Words and time

USE_I18N = False
TIME_ZONE = "UTC"

# How often each access token may ask, for reading and for anything else but judging; 0: no limit.
TOKEN_REQUESTS_PER_MINUTE = {
    "read": env.number("TOKEN_READS_PER_MINUTE", default=600),
    "act": env.number("TOKEN_ACTS_PER_MINUTE", default=120),
}
REST_FRAMEWORK = {
    # The first one says how to sign in, in the answer to whoever has not.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.BearerAuthentication",
        "api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.authentication.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttle.TokenThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_METADATA_CLASS": "api.negotiation.Allowed",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.negotiation.Asked",
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
    "EXCEPTION_HANDLER": "config.errors.api_exception_handler",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Cleverdon",
    "DESCRIPTION": "Evaluation campaigns in the manner of TREC, for programs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["api.links.with_links", "api.schema.with_examples"],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.masking.Masked",
            "format": "{asctime} {levelname} {name} {message}",
            "style": "{",
        },
        "json": {"()": "config.masking.MaskedJson"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env.choice("LOG_FORMAT", ("line", "json"), default="line"),
        }
    },
    # Celery tells of each task that comes and goes, several a minute on an idle site; jobs tell of
    # themselves, and what fails is told.
    "loggers": {
        name: {"level": "WARNING"}
        for name in ("celery.app.trace", "celery.beat", "celery.worker.strategy")
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
}

mask_records()
django_stubs_ext.monkeypatch()
