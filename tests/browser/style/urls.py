"""The product's addresses and the style page's."""

from __future__ import annotations

from django.urls import include, path

from tests.browser.style import desk

urlpatterns = [
    path("style/", desk.index, name="style"),
    path("style/work/", desk.work, name="style_work"),
    path("style/done/", desk.done, name="style_done"),
    path("style/image/", desk.image, name="style_image"),
    path("style/save/", desk.save, name="style_save"),
    path("style/heartbeat/", desk.heartbeat, name="style_heartbeat"),
    path("style/take/", desk.take, name="style_take"),
    path("style/reach/", desk.reach, name="style_reach"),
    path("style/submit/", desk.submit, name="style_submit"),
    path("style/upload/", desk.upload, name="style_upload"),
    path("", include("config.urls")),
]
