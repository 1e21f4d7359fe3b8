"""nginx with the configuration of the docs, on loopback, before a server that says what it heard."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.sites.databases import ROOT
from tests.sites.serving import free_port
from tests.waiting import wait_until

CONFIGURATION = ROOT / "docs" / "guides" / "nginx.conf"
CONNECTIONS = 50  # as the configuration limits them
MODULES = Path("/etc/nginx/modules-enabled")


class Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        said = json.dumps(dict(self.headers)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of nginx, which speaks TLS with a certificate of the test's own."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    openssl = shutil.which("openssl")
    if not nginx or not openssl:
        pytest.skip("needs nginx and openssl (apt-get install nginx-light openssl)")
    folder = tmp_path_factory.mktemp("nginx")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=ink.example.org",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    behind = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=behind.serve_forever, daemon=True).start()
    tls, plain = free_port(), free_port()
    text = CONFIGURATION.read_text()
    for old, new in {
        "127.0.0.1:8000": f"127.0.0.1:{behind.server_port}",
        "listen 443 ssl": f"listen 127.0.0.1:{tls} ssl",
        "listen 80": f"listen 127.0.0.1:{plain}",
        "/etc/letsencrypt/live/ink.example.org/fullchain.pem": f"{folder}/cert.pem",
        "/etc/letsencrypt/live/ink.example.org/privkey.pem": f"{folder}/key.pem",
    }.items():
        assert old in text
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""  # its folder is the test's
    (folder / "nginx.conf").write_text(
        f"{user} pid {folder}/pid; error_log {folder}/error.log; events {{ worker_connections 512; }}\n"
        f"http {{ access_log off; {paths}\n{text}\n}}\n"
    )
    process = subprocess.Popen([nginx, "-p", str(folder), "-c", f"{folder}/nginx.conf", "-g", "daemon off;"])
    try:
        wait_until(lambda: _listens(tls) or process.poll() is not None, "nginx to listen", seconds=30)
        assert process.poll() is None, (folder / "error.log").read_text()
        yield tls
    finally:
        process.terminate()
        process.wait(timeout=30)
        behind.shutdown()


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def connection(port: int) -> http.client.HTTPSConnection:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)


def test_nginx_when_a_request_comes_in_then_the_site_hears_host_scheme_and_address(port: int) -> None:
    client = connection(port)
    client.request("GET", "/", headers={"Host": "ink.example.org", "X-Forwarded-For": "6.6.6.6"})
    heard = json.load(client.getresponse())
    client.close()
    assert heard["Host"] == "ink.example.org"
    assert heard["X-Forwarded-Proto"] == "https"
    assert heard["X-Forwarded-For"] == "6.6.6.6, 127.0.0.1"  # the last entry is the one that counts


@pytest.mark.parametrize(("path", "status"), [("/", 413), ("/projects/a/samples/import/", 200)])
def test_nginx_when_a_body_is_large_then_only_pages_for_files_take_it(
    port: int, path: str, status: int
) -> None:
    client = connection(port)
    client.putrequest("POST", path)
    client.putheader("Content-Length", str(30 * 2**20))
    client.endheaders()
    if status == 200:
        client.send(bytes(30 * 2**20))
    assert client.getresponse().status == status
    client.close()


def test_nginx_when_one_address_opens_many_connections_then_the_rest_is_refused(port: int) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(CONNECTIONS):
            slow = stack.enter_context(contextlib.closing(connection(port)))
            slow.putrequest("POST", "/")
            slow.putheader("Content-Length", "1000")
            slow.endheaders(b"half")
        client = stack.enter_context(contextlib.closing(connection(port)))
        client.request("GET", "/")
        assert client.getresponse().status == 429
    wait_until(lambda: _status(port) == 200, "the connections to be given back", seconds=30)


def _status(port: int) -> int:
    with contextlib.closing(connection(port)) as client:
        client.request("GET", "/")
        return client.getresponse().status
