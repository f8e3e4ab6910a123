"""The proxies as the documentation has them, before a real web process."""

import http.client
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from config import alive
from tests.deployment import ROOT
from tests.e2e import processes, proxying

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
TOKEN = "0123456789abcdef0123456789abcdef"
CERTIFICATE = """openssl req -x509 -newkey rsa:2048 -noenc -days 1 -subj /CN=example.org
    -addext subjectAltName=DNS:example.org -keyout key.pem -out fullchain.pem"""
pytestmark += [pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")]
needs_caddy = pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    text: str


class Site:
    """A web process, and the ports of the proxy before it."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder, self.path, self.url = folder, path, f"https://example.org{path}"
        self.port, self.plain, self.secure = (processes.free_port() for _ in range(3))

    def web(self):
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "1"]
        more = {"SITE_URL": self.url, "ALLOWED_HOSTS": "example.org"}
        bind = ["--bind", f"127.0.0.1:{self.port}"]
        return processes.process([*command, *bind], self.folder, self.folder / "web.log", **more)

    def is_up(self) -> bool:
        return not alive.trouble_of_web(self.url, self.port)

    def ask(self, address: str, *, is_plain: bool = False) -> Answer:
        """Ask the proxy as a browser that takes example.org for this machine."""
        connection = http.client.HTTPConnection("example.org", timeout=30)
        port = self.plain if is_plain else self.secure
        connection.sock = socket.create_connection(("127.0.0.1", port), timeout=30)
        if not is_plain:
            trust = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
            connection.sock = trust.wrap_socket(connection.sock, server_hostname="example.org")
        with closing(connection):
            connection.request("GET", address)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode())

    def listens(self) -> bool:
        try:
            return bool(self.ask("/", is_plain=True).status)
        except OSError:
            return False


@pytest.fixture(params=["", "/eval"])
def site(request, tmp_path) -> Site:
    subprocess.run(CERTIFICATE.split(), cwd=tmp_path, check=True, capture_output=True)
    return Site(tmp_path, request.param)


def with_changes(text: str, changes: Mapping[str, str]) -> str:
    for said, here in changes.items():
        assert said in text
        text = text.replace(said, here)
    return text


def documented(site: Site) -> str:
    """What the page says for this site, with ports and files of this test."""
    whole, below = re.findall(
        r"```nginx\n(.*?)```", (ROOT / "docs/deploy.md").read_text(), re.DOTALL
    )
    if site.path:
        at_the_root = re.search(r"    location / \{\n.*proxy_pass.*\n", whole)[0]
        whole = whole.replace(at_the_root, below)
    changes = {
        "listen 80;": f"listen 127.0.0.1:{site.plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{site.secure} ssl;",
        "/etc/ssl/example.org/": f"{site.folder}/",
        "/var/log/nginx/": f"{site.folder}/",
        "127.0.0.1:8000;": f"127.0.0.1:{site.port};",
    }
    whole = with_changes(whole, changes)
    return proxying.alone(site.folder, whole)


@proxying.needs_nginx
def test_nginx_as_documented(site):
    (site.folder / "nginx.conf").write_text(documented(site))
    command = [*proxying.command(site.folder), "-t"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    with site.web(), proxying.running(site.folder):
        processes.wait_until(site.is_up, "the site does not answer")
        processes.wait_until(site.listens, "nginx does not listen")
        moved = site.ask(f"{site.path}/sign-in/", is_plain=True)
        assert (moved.status, moved.headers["Location"]) == (301, f"{site.url}/sign-in/")
        page = site.ask(f"{site.path}/sign-in/")
        assert page.status == 200
        assert "Strict-Transport-Security" in page.headers
        [style] = set(re.findall(r'href="([^"]+base[^"]*\.css)"', page.text))
        assert style.startswith(f"{site.path}/static/")
        assert "@layer" in site.ask(style).text
        for is_plain in (True, False):
            site.ask(f"{site.path}/invitations/{TOKEN}/", is_plain=is_plain)
    logged = (site.folder / "access.log").read_text()
    assert logged.count(f"GET {site.path}/invitations/...") == 2
    assert TOKEN not in logged + (site.folder / "web.log").read_text()


@needs_caddy
def test_caddy_as_in_its_file(site):
    ports = f"http_port {site.plain}\n\thttps_port {site.secure}"
    changes = {
        "{\n\t# Links": f"{{\n\tadmin off\n\t{ports}\n\t# Links",
        "reverse_proxy web:8000": f"tls fullchain.pem key.pem\n\treverse_proxy :{site.port}",
    }
    text = with_changes((ROOT / "Caddyfile").read_text(), changes)
    (site.folder / "Caddyfile").write_text(text)
    command = ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
    homes = {"XDG_DATA_HOME": str(site.folder), "XDG_CONFIG_HOME": str(site.folder)}
    log = site.folder / "caddy.log"
    with processes.process(
        ["env", "-C", str(site.folder), *command],
        site.folder,
        log,
        SITE_HOST="example.org",
        **homes,
    ):
        processes.wait_until(site.listens, "Caddy does not listen")
        away = site.ask(f"{site.path}/invitations/{TOKEN}/")
        assert away.status == 502
        with site.web():
            processes.wait_until(site.is_up, "the site does not answer")
            assert site.ask(f"{site.path}/sign-in/").status == 200
            moved = site.ask(f"{site.path}/sign-in/", is_plain=True)
            assert (moved.status, moved.headers["Location"]) == (308, f"{site.url}/sign-in/")
    assert TOKEN not in log.read_text()
