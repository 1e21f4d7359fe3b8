from django.apps import AppConfig


class TranslationsConfig(AppConfig):
    name = "config.translations"
    label = "translations"
