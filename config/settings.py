"""All settings, read from the environment and safe with none of it set.

Everything a site writes lives in one folder (`INKBENCH_DATA`, by default `data/` beside manage.py): the SQLite
file, the images, the embedded broker's messages and the generated secret key. Back up that folder and you have
backed up InkBench.
"""

from __future__ import annotations

from pathlib import Path

import environ
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.accounts.access_modes import PROJECT_CREATION_MODES, SIGN_UP_MODES, is_loopback
from config.secret_key import read_or_make_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")

DATA_DIR = Path(env.str("INKBENCH_DATA", default=str(BASE_DIR / "data")))
DATA_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_make_secret_key(DATA_DIR / "secret_key")
# Where `serve` listens. The Host of a request proves nothing: whoever reaches the port can say that it is localhost.
WEB_HOST = env.str("WEB_HOST", default="127.0.0.1")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# Behind TLS (HTTPS=1) cookies are marked secure and browsers are asked to stay on https.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# How many proxies of ours a request comes through. Each adds an entry to X-Forwarded-For; others' entries are ignored.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "config.accounts",
    "config.jobs",
    "config.exposure",
    "config.api",
    "config.translations",
    "evaluation",
    "evaluation.preference",
    "annotation",
    "baseline",
    "config.admin_site.apps.SignedInAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "template_partials",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.uploads.UploadMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.accounts.middleware.PreferredLanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.security.NoStoreMiddleware",
    "config.accounts.middleware.KnownBrowserMiddleware",
    "config.error_responses.ApplicationErrorMiddleware",
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
                "django.template.context_processors.i18n",
                "csp.context_processors.nonce",
                "config.accounts.context_processors.preferences",
            ],
        },
    },
]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'inkbench.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock at BEGIN, so a transaction that starts by reading never fails on upgrade.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# What must hold over all web processes is in the database; the API's rate limit is counted by each process for itself,
# so that a call costs no further query.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "accounts_shared_cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_ADAPTER = "config.accounts.adapter.AccountAdapter"
# Attempts at credentials are counted by config.accounts.credential_limits; the library's defaults for sign-ups, mails
# and reset forms stay.
ACCOUNT_RATE_LIMITS = dict.fromkeys(["login", "login_failed", "reauthenticate", "change_password"], False)
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
# Who may create an account (open, invitation, closed) and a project (everyone, permitted). A site that only this
# machine reaches is open; any other is closed until its operator says otherwise.
_IS_LOCAL = all(is_loopback(host) for host in [*ALLOWED_HOSTS, WEB_HOST])
SIGN_UP = env.str("SIGN_UP", default="open" if _IS_LOCAL else "invitation", choices=SIGN_UP_MODES)
PROJECT_CREATION = env.str(
    "PROJECT_CREATION", default="everyone" if _IS_LOCAL else "permitted", choices=PROJECT_CREATION_MODES
)
MFA_TOTP_ISSUER = "InkBench"
# Addresses are not verified here. Whoever owns one that another account was given can reset its password at any time.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # neighbouring codes count: clocks differ, and a code may change while it is typed
ACCOUNT_FORMS = {
    "signup": "config.accounts.forms.SignUpForm",
    "login": "config.accounts.forms.SignInForm",
    "change_password": "config.accounts.sign_in_forms.PasswordChange",
    "reauthenticate": "config.accounts.sign_in_forms.PasswordAgain",
    "user_token": "config.accounts.sign_in_forms.ResetKey",
}
MFA_FORMS = {
    "authenticate": "config.accounts.sign_in_forms.SecondStep",
    "reauthenticate": "config.accounts.sign_in_forms.SecondStepAgain",
    "activate_totp": "config.accounts.sign_in_forms.SecondStepOn",
}
SESSION_COOKIE_AGE = 14 * 24 * 3600
# Links in mails let their reader in: without a mail server they are kept where only the operator reads, not in a log.
(DATA_DIR / "mail").mkdir(mode=0o700, exist_ok=True)
vars().update(env.email_url("EMAIL_URL", default=f"filemail:///{DATA_DIR / 'mail'}"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="inkbench@localhost")

# Words
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.str("TZ", default="UTC")
USE_I18N = USE_TZ = True

# Files: static ones are public; images are not, and have no address of their own (see annotation.visibility.labels).
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [("dist", BASE_DIR / "static" / "dist")] if (BASE_DIR / "static" / "dist").exists() else []
MEDIA_ROOT = DATA_DIR / "files"
STORAGES = {
    "default": {"BACKEND": "config.storage.AtomicFileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MANIFEST_STRICT = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20
DATA_UPLOAD_MAX_NUMBER_FILES = 2_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20
FILE_UPLOAD_TEMP_DIR = str(DATA_DIR / "uploads")
(DATA_DIR / "uploads").mkdir(exist_ok=True)

# What a browser may load: our own files only. Images come from our own addresses or from memory (blob:).
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "blob:", "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}

# The web server (config/web_server.py): what a client may ask of it before it is served.
WEB_THREADS = env.int("WEB_THREADS", default=4)  # of each of its processes
WEB_CONNECTIONS = env.int("WEB_CONNECTIONS", default=1000)  # of each; at the limit the slowest makes room
WEB_HEADER_SECONDS = env.float("WEB_HEADER_SECONDS", default=20)  # for the whole head of a request
WEB_TRANSFER_SECONDS = env.float("WEB_TRANSFER_SECONDS", default=30)  # for what is slower than the rate
WEB_MIN_BYTES_PER_SECOND = env.int("WEB_MIN_BYTES_PER_SECOND", default=4096)
WEB_IDLE_SECONDS = env.float("WEB_IDLE_SECONDS", default=60)  # between two requests on one connection
WEB_ANONYMOUS_BODY_BYTES = env.int("WEB_ANONYMOUS_BODY_BYTES", default=64 * 2**10)  # without session or token
WEB_MAX_BODY_BYTES = env.int("WEB_MAX_BODY_BYTES", default=4 * 2**30)  # of a request, and of an address
WEB_BUFFER_BYTES = env.int("WEB_BUFFER_BYTES", default=8 * 2**30)  # of all bodies that a process holds
WEB_KEEP_FREE_BYTES = env.int("WEB_KEEP_FREE_BYTES", default=512 * 2**20)  # of the disk

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.api.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.api.requests.LimitedJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.api.requests.SingleRendererNegotiation",
    "DEFAULT_METADATA_CLASS": None,
    "SCHEMA_COERCE_PATH_PK": False,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["config.api.throttling.UserThrottle"],
    "DEFAULT_THROTTLE_RATES": {"user": env.str("API_RATE", default="1200/min")},
    "EXCEPTION_HANDLER": "config.api.errors.handle_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "InkBench API",
    "VERSION": "1",
    "DESCRIPTION": "The same services, worksheets and permissions as the pages. What is not yours is not there: 404.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Jobs: rows are the truth, the broker only nudges. Without a broker address, messages are files in the data folder.
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://")
if CELERY_BROKER_URL.startswith("filesystem"):
    (DATA_DIR / "broker" / "queue").mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_DIR / "broker" / "queue"),
        "data_folder_out": str(DATA_DIR / "broker" / "queue"),
    }
CELERY_WORKER_CONSUMER = "config.jobs.consumer:Consumer"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
JOB_SWEEP_SECONDS = env.float("JOB_SWEEP_SECONDS", default=30)  # how long a forgotten job may wait
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "config.jobs.tasks.sweep", "schedule": JOB_SWEEP_SECONDS}}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # in memory: the persistent one's file breaks on a full disk
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", default=60)

# What an import may ask of this machine; checked before anything is unpacked or decoded.
IMPORT_LIMITS = {
    "members": env.int("IMPORT_MAX_MEMBERS", default=20_000),
    "unpacked_bytes": env.int("IMPORT_MAX_UNPACKED_BYTES", default=20 * 2**30),
    "file_bytes": env.int("IMPORT_MAX_FILE_BYTES", default=500 * 2**20),
    "pixels": env.int("IMPORT_MAX_PIXELS", default=200_000_000),
    "pages": env.int("IMPORT_MAX_PAGES", default=2_000),
    "ratio": env.int("IMPORT_MAX_COMPRESSION_RATIO", default=200),
}
IMPORT_PROCESSES = env.int("IMPORT_PROCESSES", default=2)  # that decode and encode images beside the worker
# Model endpoints on loopback or private addresses that the operator allows, as `host:port` or `host`.
MODEL_ENDPOINT_ALLOWLIST = env.list("MODEL_ENDPOINT_ALLOWLIST", default=[])
# The environment variables whose keys recognisers may use, each with the hosts it may be sent to.
MODEL_API_KEYS = env("MODEL_API_KEYS", cast={"value": list}, default={})
# How much of an endpoint's reply is read (unpacked) and kept; see evaluation.model_clients.endpoint_settings.
MODEL_REPLY_LIMITS = {
    "reply_bytes": env.int("MODEL_MAX_REPLY_BYTES", default=4 * 2**20),
    "answer_bytes": env.int("MODEL_MAX_ANSWER_BYTES", default=256 * 2**10),
    "raw_bytes": env.int("MODEL_MAX_RAW_BYTES", default=2**20),
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"repeats": {"()": "config.log_limits.RepeatFilter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["repeats"]}},
    "loggers": {
        "kombu.connection": {"level": "ERROR"},  # it warns of a host that file messages have none of
        "waitress.queue": {"level": "ERROR"},  # it warns of every request that waits for a thread
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
