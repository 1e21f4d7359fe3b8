"""A recogniser that asks the server of a test, and the failure it meets."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.api_keys import ApiKeys
from evaluation.model_clients.endpoint_settings import EndpointSettings
from evaluation.model_clients.prompts import load_prompt
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.endpoint import EndpointRecogniser
from tests.openai_server import (
    OpenAIServer,
)

LOOPBACK = AddressPolicy(allowed=("127.0.0.1",))


def png(width: int = 8, height: int = 6) -> bytes:
    file = io.BytesIO()
    Image.new("L", (width, height), 255).save(file, "PNG")
    return file.getvalue()


class Sleeps(list[float]):
    """Stands for time.sleep and keeps what it was asked."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def recogniser(server: OpenAIServer, sleeps: Sleeps | None = None, **changes: Any) -> EndpointRecogniser:
    settings = {"base_url": server.base_url, "model": "eye-1", "timeout_s": 5.0} | changes.pop("settings", {})
    return EndpointRecogniser(
        settings=EndpointSettings(**settings),
        prompt=load_prompt("transcription"),
        policy=changes.pop("policy", LOOPBACK),
        sleep=Sleeps() if sleeps is None else sleeps,
        keys=changes.pop("keys", ApiKeys(environ={})),
        **changes,
    )


def failure_of(server: OpenAIServer, sleeps: Sleeps | None = None, **changes: Any) -> RecogniserFailed:
    with pytest.raises(RecogniserFailed) as caught:
        recogniser(server, sleeps, **changes).recognise(png())
    return caught.value
