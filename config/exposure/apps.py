from django.apps import AppConfig


class ExposureConfig(AppConfig):
    name = "config.exposure"
    label = "exposure"
