"""The live server: its threads stay, each with its connection, and a static file is read once."""

import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue

from django.conf import settings
from django.core.servers.basehttp import ThreadedWSGIServer
from django.db import connections

App = Callable[[dict, Callable], Iterable[bytes]]


def remembering(app: App) -> App:
    """Answer a second request for a static file as the first, and have the browser keep it; each
    page asks for dozens.
    """
    answers: dict[str, tuple[list, bytes]] = {}

    def answer(environ: dict, start_response: Callable) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        asks_whether_changed = "HTTP_IF_MODIFIED_SINCE" in environ
        is_file = path.startswith(f"/{settings.STATIC_URL.strip('/')}/")
        if environ["REQUEST_METHOD"] != "GET" or asks_whether_changed or not is_file:
            return app(environ, start_response)
        if path not in answers:
            head: list[tuple] = []
            body = app(environ, lambda *given: head.append(given))
            answers[path] = head, b"".join(body)
            body.close()
        [(status, headers, *_)], body = answers[path]
        others = [(name, value) for name, value in headers if name != "Cache-Control"]
        start_response(status, [*others, ("Cache-Control", "max-age=86400, immutable")])
        return [body]

    return answer


class Server(ThreadedWSGIServer):
    """As in production, a thread answers one client after another; Django's would end with its
    client, and each ask the database for a new connection.
    """

    def __init__(self, *given, **options) -> None:
        super().__init__(*given, **options)
        self.clients: SimpleQueue = SimpleQueue()
        self.idle, self.threads = threading.Semaphore(0), list[threading.Thread]()
        self.answering = set[socket.socket]()

    def set_app(self, app: App) -> None:
        super().set_app(remembering(app))

    def process_request(self, request, client_address) -> None:
        self.answering.add(request)
        self.clients.put((request, client_address))
        if not self.idle.acquire(blocking=False):
            thread = threading.Thread(target=self._answer_clients, daemon=True)
            self.threads.append(thread)
            thread.start()

    def _answer_clients(self) -> None:
        while client := self.clients.get():
            self.process_request_thread(*client)
            self.answering.discard(client[0])
            self.idle.release()
        connections.close_all()

    def _close_connections(self) -> None:
        """Keep them."""

    def server_close(self) -> None:
        """End the threads, and with them the connections of clients that still listen."""
        super().server_close()
        for client in self.answering.copy():
            with suppress(OSError):  # it has just gone
                client.shutdown(socket.SHUT_RDWR)
        for _ in self.threads:
            self.clients.put(None)
        for thread in self.threads:
            thread.join()
