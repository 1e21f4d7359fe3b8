"""Settings of the test run: the real ones, on a data folder of its own, with cheap passwords and jobs run at once.

`TEST_DATABASE_URL` runs the same tests on PostgreSQL.
"""

from __future__ import annotations

import os
import tempfile

from tests.run_folder import run_folder

os.environ["INKBENCH_DATA"] = tempfile.mkdtemp(prefix="data-", dir=run_folder())
if os.environ.get("TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
else:
    os.environ.pop("DATABASE_URL", None)

from config.settings import *  # noqa: F403
from config.settings import DATA_DIR, DATABASES, STATIC_ROOT, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
ALLOWED_HOSTS = ["*"]
STATIC_ROOT.mkdir(exist_ok=True)  # nothing is collected for tests; the server wants the folder
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: live-server and concurrency tests open it from several threads.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    # Rows of a test need not survive a power cut.
    DATABASES["default"]["OPTIONS"] = {"options": "-c synchronous_commit=off"}
