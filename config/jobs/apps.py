from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "config.jobs"
    label = "jobs"

    def ready(self) -> None:
        import config.celery  # noqa: F401, PLC0415  # the app that `shared_task` binds to

        autodiscover_modules("tasks")  # registers every app's runners, also in web processes
