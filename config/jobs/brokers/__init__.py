"""kombu's transports, made to outlive what they cannot read."""

TRANSPORTS = {
    "filesystem": "config.jobs.brokers.files:Transport",
    "redis": "config.jobs.brokers.redis:Transport",
    "rediss": "config.jobs.brokers.redis:Transport",
}
