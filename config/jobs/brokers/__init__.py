"""The broker's queues, and kombu's transports, made to outlive what they cannot read."""

from enum import StrEnum


class Queue(StrEnum):
    """Each queue has threads of its own, so that work which waits for other people's servers never keeps back work
    that is done here."""

    HERE = "celery"  # the broker's default, which the sweep goes through too
    ENDPOINTS = "endpoints"


TRANSPORTS = {
    "filesystem": "config.jobs.brokers.files:Transport",
    "redis": "config.jobs.brokers.redis:Transport",
    "rediss": "config.jobs.brokers.redis:Transport",
}
