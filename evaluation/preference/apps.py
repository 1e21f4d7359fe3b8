from django.apps import AppConfig


class PreferenceConfig(AppConfig):
    name = "evaluation.preference"
    label = "preference"
