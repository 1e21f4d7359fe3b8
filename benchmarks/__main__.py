"""`make bench`: all benchmarks, one area after the other."""

from __future__ import annotations

from benchmarks import import_scans, polygons, slow_clients
from benchmarks.metrics import bench

if __name__ == "__main__":
    bench.main()
    polygons.main([])
    import_scans.main([])
    slow_clients.main([])
