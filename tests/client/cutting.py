"""A network that breaks: a proxy that lets requests through and cuts connections."""

import socket
import threading
from contextlib import suppress


class Cutting:
    """Between a program and a site. `lose` says of how many answers, to requests of which method,
    no more than so many bytes come back: what was asked is done, and the program does not hear.
    `cut_at` ends connections once so many bytes were sent in all; `hold_at` lets no more through.
    """

    def __init__(self, port: int) -> None:
        self.port, self.n_lost, self.method, self.n_passed = port, 0, b"", 0
        self.n_refused = self.n_sent = 0
        self.cuts: list[int] = []
        self.may_pass = threading.Event()
        self.may_pass.set()
        self.held_at: int | None = None
        self.asked: list[bytes] = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.open: list[socket.socket] = []
        self.threads = [threading.Thread(target=self._listen, daemon=True)]
        self.threads[0].start()

    def lose(self, n: int, method: str = "", n_passed: int = 0) -> None:
        self.n_lost, self.method, self.n_passed = n, method.encode(), n_passed

    def refuse(self, n: int) -> None:
        """Close so many connections before anything is asked."""
        self.n_refused = n

    def cut_at(self, *n_bytes: int) -> None:
        self.cuts = [self.n_sent + each for each in n_bytes]

    def hold_at(self, n_bytes: int) -> None:
        self.held_at = self.n_sent + n_bytes
        self.may_pass.clear()

    def let_pass(self) -> None:
        self.held_at = None
        self.may_pass.set()

    def close(self) -> None:
        self.let_pass()
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        for each in self.open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for each in self.open:
            each.close()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            if self.n_refused:
                self.n_refused -= 1
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.port))
            self.open += [near, far]
            for pump in (self._requests, self._answers):
                self.threads.append(threading.Thread(target=pump, args=(near, far), daemon=True))
                self.threads[-1].start()

    def _requests(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while content := near.recv(1 << 16):
                if content.startswith((b"GET ", b"POST ", b"PATCH ")):
                    self.asked.append(content)
                self.n_sent += len(content)
                if self.held_at is not None and self.n_sent > self.held_at:
                    self.may_pass.wait()
                if self.cuts and self.n_sent > self.cuts[0]:
                    self.cuts.pop(0)
                    break
                far.sendall(content)
        self._end(near, far)

    def _answers(self, near: socket.socket, far: socket.socket) -> None:
        left: int | None = None
        with suppress(OSError):
            while content := far.recv(1 << 16):
                if self.n_lost and self.asked[-1].startswith(self.method):
                    left = self.n_passed if left is None else left
                    near.sendall(content[:left])
                    left -= len(content)
                    if left <= 0:
                        self.n_lost -= 1
                        break
                else:
                    near.sendall(content)
                    left = None
        self._end(near, far)

    @staticmethod
    def _end(*both: socket.socket) -> None:
        for each in both:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
