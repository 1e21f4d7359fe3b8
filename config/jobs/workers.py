"""The processes that do the jobs: one for each of the broker's queues, with threads of its own."""

from __future__ import annotations

from argparse import ArgumentParser

from config.jobs.brokers import Queue
from config.jobs.supervisor import Child

JOB_THREADS = 2
ENDPOINT_THREADS = 4  # they wait for others, and cost little meanwhile


def add_worker_options(parser: ArgumentParser) -> None:
    """How many threads each worker has."""
    parser.add_argument("--job-workers", type=int, default=JOB_THREADS)
    parser.add_argument("--endpoint-workers", type=int, default=ENDPOINT_THREADS)


def worker_children(*, job_threads: int, endpoint_threads: int) -> list[Child]:
    """The workers of both queues, to be supervised."""
    return [
        Child("worker", _worker(Queue.HERE, job_threads)),
        Child("endpoint worker", _worker(Queue.ENDPOINTS, endpoint_threads)),
    ]


def _worker(queue: Queue, threads: int) -> list[str]:
    return [
        "celery", "--quiet", "-A", "config", "worker", "--queues", str(queue), "--hostname", f"{queue}@%h",
        # Threads: an import may then decode pages in processes of its own, which a prefork worker forbids.
        "--pool", "threads", "--concurrency", str(threads), "--without-gossip", "--without-mingle",
    ]  # fmt: skip
