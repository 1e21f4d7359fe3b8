"""Build a recogniser client from its plain settings."""

from __future__ import annotations

from django.conf import settings

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.addresses import AddressPolicy
from evaluation.model_clients.api_keys import ApiKeys
from evaluation.model_clients.endpoint_settings import EndpointSettings, ReplyLimits
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recogniser_record import EMBEDDED, RecogniserRecord, instruction
from evaluation.model_clients.recognisers.base import Recogniser, RecogniserFailed
from evaluation.model_clients.recognisers.endpoint import EndpointRecogniser
from evaluation.model_clients.recognisers.registry import UnknownRecogniser, find_embedded
from evaluation.model_clients.recognisers.select_recogniser import recogniser_for


def build_recogniser(record: RecogniserRecord, structure: str = "text") -> Recogniser:
    """The client these settings stand for, for samples of one structure. Raises RecogniserFailed when it cannot be
    built."""
    try:
        if record.kind == EMBEDDED:
            return recogniser_for(find_embedded(record.engine), structure)
        return EndpointRecogniser(
            settings=EndpointSettings(
                base_url=record.base_url,
                model=record.model,
                api_key_variable=record.api_key_variable,
                timeout_s=record.timeout_seconds,
                limits=ReplyLimits(**settings.MODEL_REPLY_LIMITS),
            ),
            prompt=instruction(record, structure),
            structure=structure,
            policy=AddressPolicy(allowed=tuple(settings.MODEL_ENDPOINT_ALLOWLIST)),
            keys=ApiKeys(settings.MODEL_API_KEYS),
            parameters=record.parameters,
        )
    except (ValueError, UnknownRecogniser) as error:
        message = (
            error
            if isinstance(error, LocalizedError)
            else LocalizedError(_("its settings cannot be used: %(why)s"), why=str(error))
        )
        raise RecogniserFailed(FailureKind.BAD_REQUEST, message) from error
