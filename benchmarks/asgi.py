"""The site for ASGI servers, which only `benchmarks.slow_clients` measures."""

from django.core.asgi import get_asgi_application

application = get_asgi_application()
