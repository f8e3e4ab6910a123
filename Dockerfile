# One image for web, worker and beat. Every package comes as a wheel; the reader of runs and qrels alone is compiled, in a stage apart.
# A tag, which may move to a newer patch; a digest would not: see docker-compose.yml.
FROM python:3.12-slim-bookworm AS compiled
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /engine
COPY cleverdon/trec/engine/lines.c cleverdon/trec/engine/build.py ./
RUN python build.py

FROM python:3.12-slim-bookworm
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
COPY requirements.lock .
RUN pip install --require-hashes --only-binary :all: -r requirements.lock
COPY . .
COPY --from=compiled /engine/*.so cleverdon/trec/engine/
RUN python -m compileall -q . \
    && SECRET_KEY=only-to-collect-files DATABASE_URL=postgres://none REDIS_URL=redis://none python manage.py collectstatic --noinput \
    && useradd --uid 10001 --create-home cleverdon && mkdir -p /app/var && chown -R cleverdon /app/var
USER cleverdon
VOLUME /app/var
EXPOSE 8000
# Of the web process; Compose says what worker and beat are asked.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["python", "-I", "config/alive.py", "web"]
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000"]
