"""The product's addresses and the style page's."""

from __future__ import annotations

from django.urls import include, path

from tests.browser.style import workbench

urlpatterns = [
    path("style/", workbench.index, name="style"),
    path("style/work/", workbench.work, name="style_work"),
    path("style/done/", workbench.done, name="style_done"),
    path("style/image/", workbench.image, name="style_image"),
    path("style/save/", workbench.save, name="style_save"),
    path("style/heartbeat/", workbench.heartbeat, name="style_heartbeat"),
    path("style/take/", workbench.take, name="style_take"),
    path("style/reach/", workbench.reach, name="style_reach"),
    path("style/submit/", workbench.submit, name="style_submit"),
    path("style/upload/", workbench.upload, name="style_upload"),
    path("", include("config.urls")),
]
