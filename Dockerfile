# One image for web, worker and beat.
FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
COPY requirements.txt .
RUN pip install -r requirements.txt
COPY . .
RUN useradd --create-home cleverdon && mkdir -p /app/var && chown -R cleverdon /app/var \
    && SECRET_KEY=only-to-collect-files DEBUG=false DATABASE_URL=postgres://none REDIS_URL=redis://none python manage.py collectstatic --noinput
USER cleverdon
VOLUME /app/var
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "8", "--timeout", "120", "--no-control-socket"]
