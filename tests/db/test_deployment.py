"""What is installed, what enters an image, what Compose starts, and how it is asked for life."""

import os
import re
import shutil
import subprocess
import time
import tomllib
from pathlib import Path

import pytest
from celery.signals import after_task_publish, beat_init, heartbeat_sent, worker_shutdown
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from config import alive
from tests.deployment import ROOT, compose_services, enters_the_image, image_files

SETS = ["requirements", "requirements-demo", "requirements-dev"]
READ = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "config/settings.py").read_text()))


# Packages


def required(name: str) -> list[Requirement]:
    """What a requirements file asks for, together with those that it includes."""
    lines = (ROOT / f"{name}.txt").read_text().splitlines()
    found = [Requirement(line) for line in lines if re.match(r"\w", line)]
    for line in lines:
        if line.startswith("-r "):
            found += required(line.removeprefix("-r ").removesuffix(".txt"))
    return found


def locked(name: str) -> dict[str, str]:
    """The version of each package in a lock."""
    lines = (ROOT / f"{name}.lock").read_text().splitlines()
    pins = [Requirement(line.rstrip(" \\")) for line in lines if re.match(r"\w", line)]
    found = {canonicalize_name(pin.name): str(pin.specifier) for pin in pins}
    assert len(found) == len(pins), "one version for every Python and platform"
    return {package: pin.removeprefix("==") for package, pin in found.items()}


def test_a_lock_meets_every_requirement_with_the_versions_of_the_others():
    versions = {name: locked(name) for name in SETS}
    unmet = [
        f"{name}: {requirement}"
        for name in SETS
        for requirement in required(name)
        if not requirement.specifier.contains(
            versions[name].get(canonicalize_name(requirement.name), "0")
        )
    ]
    assert unmet == [], "run make lock"
    production, demo, dev = (versions[name].items() for name in SETS)
    assert production <= demo <= dev


@pytest.mark.parametrize("name", SETS)
def test_a_lock_holds_exact_versions_with_hashes_and_no_address(name):
    text = (ROOT / f"{name}.lock").read_text()
    entries = re.findall(r"^\w.*(?:\n    --hash=.*)*", text, re.MULTILINE)
    assert len(entries) == len(locked(name))
    for entry in entries:
        assert re.match(r"[\w.-]+(\[\w+\])?==[\w.]+ (; .+ )?\\\n", entry)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry)
    assert not re.search(r"://|^-", text, re.MULTILINE)


def test_packages_are_installed_from_a_lock_alone():
    for file in ("Dockerfile", ".ci/run", "Makefile", "docs/deploy.md", "README.md"):
        for line in re.findall(r".*\bpip\"? install\b.*", (ROOT / file).read_text()):
            assert "--require-hashes" in line, file
            assert re.search(r"-r requirements\S*\.lock\b", line), file


# The image

NEVER = """
.env .env.production config/.env .git/config .git/HEAD .venv/bin/python var/media/runs/1.txt
var/postgres/PG_VERSION var/test/1/run.lock media/runs/1.txt staticfiles/app.css backup.dump
cleverdon.sql tests/make.py tests/vectors/x demo/people.py benchmarks/site.py docs/generate.py
docs/images/pool.png docs/decisions/0024-releases.md
docker-compose.override.yml secrets/key key.pem id_rsa .pytest_cache/README.md .coverage
.hypothesis/examples/x htmlcov/index.html config/__pycache__/settings.cpython-311.pyc
cleverdon/trec/engine/.lines.swp celerybeat-schedule node_modules/x
"""


def test_no_secret_upload_or_leftover_enters_an_image():
    rules = (ROOT / ".dockerignore").read_text()
    assert [path for path in NEVER.split() if enters_the_image(path, rules)] == []
    for line in (ROOT / ".gitignore").read_text().split():
        name = line.strip("/").replace("*", "x")
        assert not enters_the_image(name, rules)
        assert not enters_the_image(f"{name}/x", rules)
        if not line.startswith("/"):
            assert not enters_the_image(f"config/{name}", rules)


def test_the_rules_are_read_as_docker_reads_them():
    rules = "*\n!app\n**/.*\n# x\napp/no?.txt\n!app/not.txt"
    entering = {"app/x", "app/deep/x", "app/not.txt", "app/note.txt"}
    staying = {"x", "deep/app/x", "app/.env", "app/deep/.env", "app/.git/x", "app/now.txt"}
    assert {path for path in entering | staying if enters_the_image(path, rules)} == entering
    assert enters_the_image("x/y", "")
    assert not enters_the_image("a/b/c", "a/**/c")


def test_every_app_of_production_enters_the_image():
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    packages = set(linter["root_packages"]) - {"demo"}
    folders = {path.parts[0] for path in image_files() if len(path.parts) > 1}
    assert folders == packages | {"static", "templates", "webroot", "docs"}
    assert Path("gunicorn.conf.py") in set(image_files())
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert "USER cleverdon" in lines
    assert lines[-1].startswith('CMD ["gunicorn", "config.wsgi", "--bind", ')


# Compose

OWN = {"POSTGRES_PASSWORD", "PORT", "SITE_HOST"}
OF_COMPOSE = {"DEBUG", "VAR_DIR", "DATABASE_URL", "DATABASE_PASSWORD", "REDIS_URL"}
OF_THE_SITE = ["web", "worker", "beat"]
LASTING = [*OF_THE_SITE, "db", "redis", "proxy"]


def test_the_example_environment_names_every_variable_that_is_read():
    example = (ROOT / ".env.example").read_text()
    named = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert named == READ | OWN


def test_compose_passes_every_variable_and_sets_those_of_its_own_services():
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("migrate", *OF_THE_SITE):
        service = compose_services()[name]
        assert "  env_file: .env\n" in service
        given = set(re.findall(r"^    ([A-Z_0-9]+):", service, re.MULTILINE))
        assert given == OF_COMPOSE <= READ
    example = (ROOT / ".env.example").read_text()
    for name in re.findall(r"\$\{([A-Z_]+)", text):
        assert f"\n{name}=" in example
    # Compose cannot encode a password for a URL.
    assert re.findall(r"://[^\s]*\$\{.*", text) == []


def test_compose_starts_every_process():
    services = compose_services()
    assert set(services) == {"migrate", *LASTING}
    assert "command: python manage.py migrate\n" in services["migrate"]
    assert "command: celery -A config worker " in services["worker"]
    assert "command: celery -A config beat " in services["beat"]


@pytest.mark.parametrize("name", LASTING)
def test_a_service_comes_back_is_probed_and_has_limits(name):
    service = compose_services()[name]
    assert re.findall(r"restart: (.+)", service) == ["unless-stopped"]
    assert re.search(r"healthcheck:\n      <<: \*health\n      test: \S", service)
    for limit in ("mem_limit", "pids_limit"):
        assert re.search(rf"^ +{limit}: \d", service, re.MULTILINE)
    if name in OF_THE_SITE:
        assert f"test: python -I config/alive.py {name}\n" in service


def test_a_service_may_do_and_write_little():
    text = (ROOT / "docker-compose.yml").read_text()
    small = text[text.index("x-kept-small: ") : text.index("x-app: ")]
    for line in ("cap_drop: [ALL]", '["no-new-privileges:true"]', "read_only: true", "max-size: 1"):
        assert line in small
    for name, service in compose_services().items():
        assert "<<: *kept-small" in service, name
        added = re.findall(r"cap_add: \[(.*)\]", service)
        assert bool(added) == (name in {"db", "proxy"})
        assert "ALL" not in "".join(added)


def test_an_image_is_named_by_its_minor_version():
    compose = (ROOT / "docker-compose.yml").read_text()
    images = re.findall(r"^    image: (\S+)$", compose, re.MULTILINE)
    assert len(images) == 3
    [base] = re.findall(r"^FROM (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert [each for each in [*images, base] if not re.search(r":\d+\.\d+", each)] == []


def test_secrets_of_compose_may_be_files():
    text = (ROOT / "docker-compose.secrets.yml").read_text()
    files = dict(re.findall(r"^ +([A-Z_]+)_FILE: /run/secrets/(\w+)$", text, re.MULTILINE))
    assert set(files) == {"SECRET_KEY", "DATABASE_PASSWORD", "POSTGRES_PASSWORD"}
    assert set(files) - OWN <= READ
    for secret in files.values():
        assert f"  {secret}:\n    file: ./secrets/{secret}\n" in text
        assert re.search(rf"secrets: \[.*\b{secret}\b", text)
    page = (ROOT / "docs/deploy.md").read_text()
    assert set(re.findall(r"secrets/(\w+)", page)) == set(files.values())


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
def test_caddy_reads_its_file():
    command = ["caddy", "adapt", "--validate", "--config", str(ROOT / "Caddyfile")]
    done = subprocess.run(
        [*command, "--adapter", "caddyfile"],
        env={**os.environ, "SITE_HOST": "example.org"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"host":["example.org"]' in done.stdout
    assert '"dial":"web:8000"' in done.stdout


def test_only_the_proxy_of_this_machine_reaches_the_site():
    """The site believes X-Forwarded-Proto, whoever sends it."""
    services = compose_services()
    ports = {name: re.search(r"ports:\n((?: +- .*\n)+)", text) for name, text in services.items()}
    assert {name for name, found in ports.items() if found} == {"web", "proxy"}
    for address in ports["web"][1].splitlines():
        assert address.strip().startswith('- "127.0.0.1:')


def test_a_stop_waits_for_what_is_being_done():
    services = compose_services()
    assert "stop_grace_period: 2m" in services["worker"]
    [seconds] = re.findall(r"stop_grace_period: (\d+)s", services["web"])
    conf = (ROOT / "gunicorn.conf.py").read_text()
    [graceful] = re.findall(r"^graceful_timeout = (\d+)", conf, re.MULTILINE)
    assert int(graceful) < int(seconds)


# Signs of life


def test_a_sign_from_before_the_machine_was_started_again_counts_for_nothing(tmp_path):
    alive.note(tmp_path, "worker")
    assert alive.trouble(tmp_path, "worker") == ""
    [sign] = (tmp_path / "alive").iterdir()
    for age, is_well in ((-5, False), (0, True), (29, True), (31, False)):
        sign.write_text(str(time.monotonic() - age))
        assert (alive.trouble(tmp_path, "worker") == "") is is_well
    sign.write_text("")
    assert "has not started on this machine" in alive.trouble(tmp_path, "worker")


def test_the_port_of_the_web_process_is_known(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    monkeypatch.setattr(alive, "trouble_of_web", lambda _, port: asked.append(port) or "")
    alive.main("web")
    alive.note_port(alive.var_folder(), 8318)
    alive.main("web")
    alive.main("web", "9000")
    assert asked == [8000, 8318, 9000]


def test_a_process_is_asked_by_variables_that_are_files(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(alive, "trouble_of_web", lambda *given: asked.append(given) or "")
    for name, value in {"VAR_DIR": str(tmp_path), "SITE_URL": "https://example.org/eval"}.items():
        (tmp_path / name).write_text(f"{value}\n")
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / name))
    alive.note_port(tmp_path, 8318)
    alive.main("web")
    assert asked == [("https://example.org/eval", 8318)]


def test_beat_leaves_a_sign_with_each_task_that_it_sends(settings):
    from config.celery import note_beat

    var = settings.VAR_DIR
    after_task_publish.send(sender="a task of a web process")
    assert alive.trouble(var, "beat")
    try:
        beat_init.send(sender=None)
        assert alive.trouble(var, "beat") == ""
        alive.forget(var, "beat")
        after_task_publish.send(sender="a task of beat")
        assert alive.trouble(var, "beat") == ""
    finally:
        after_task_publish.disconnect(note_beat)


def test_a_worker_that_was_stopped_is_no_longer_called_alive(settings):
    heartbeat_sent.send(sender=None)
    assert alive.trouble(settings.VAR_DIR, "worker") == ""
    worker_shutdown.send(sender=None)
    assert "was stopped" in alive.trouble(settings.VAR_DIR, "worker")
