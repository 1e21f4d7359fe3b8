from django.apps import AppConfig


class BaselineConfig(AppConfig):
    name = "baseline"
