from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "config.jobs"
    label = "jobs"

    def ready(self) -> None:
        autodiscover_modules("tasks")  # every app registers its runners there, in web processes too
