"""A connection to a server on which every byte is under the test's control."""

import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Self

PATIENCE = 120
END = b"\r\n\r\n"
_PART = 1 << 20


class Wire:
    """One connection, which reads no more than it is asked to, and sends any bytes."""

    def __init__(self, port: int, *, takes: int | None = None, patience: float = PATIENCE) -> None:
        """`takes`: about how many unread bytes the system may buffer for this side."""
        self._patience = patience
        self._socket = socket.socket()
        if takes is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
        self._socket.settimeout(patience)
        self._socket.connect(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send(self, *pieces: bytes) -> Self:
        """Send all pieces, unless the service answers and closes before it has received them."""
        with suppress(BrokenPipeError):
            for piece in pieces:
                # The timeout is for each part: a service that reads slowly has not stopped.
                for at in range(0, len(piece), _PART):
                    self._socket.sendall(memoryview(piece)[at : at + _PART])
        return self

    def no_more(self) -> Self:
        """Close the sending side; the answer can still be read."""
        with suppress(OSError):  # if the service has closed first
            self._socket.shutdown(socket.SHUT_WR)
        return self

    def send_while_taken(self, pieces: Iterable[bytes]) -> int:
        """Send until the service takes no more or closes; return the number of bytes taken."""
        self._socket.settimeout(1)
        taken = 0
        try:
            for piece in pieces:
                taken += self._socket.send(piece)
        except OSError:
            pass
        self._socket.settimeout(self._patience)
        return taken

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """The next answer: its status, its headers, and its body, which has a stated length."""
        head, status, headers = self.head()
        assert "content-length" in headers, head
        length = int(headers["content-length"])
        while len(self._unread) < length:
            self._read(head)
        body, self._unread = self._unread[:length], self._unread[length:]
        return status, headers, body

    def head(self) -> tuple[bytes, int, dict[str, str]]:
        """Return the head of the next answer in bytes, its status, and its headers."""
        while END not in self._unread:
            self._read(b"")
        head, _, self._unread = self._unread.partition(END)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines)
        return head, int(first.split()[1]), headers

    def line(self) -> bytes:
        """The next line of the body."""
        while b"\n" not in self._unread:
            self._read(b"")
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def rest(self) -> bytes:
        """Everything up to the end of the connection."""
        try:
            while piece := self._socket.recv(1 << 16):
                self._unread += piece
        except ConnectionResetError:
            pass
        return self._unread

    def _read(self, so_far: bytes) -> None:
        piece = self._socket.recv(1 << 16)
        assert piece, f"closed after {so_far + self._unread!r}"
        self._unread += piece


def request(method: str, path: str, *headers: str, body: bytes = b"", host: str = "x") -> bytes:
    """Return a request; a body has a Content-Length."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def chunked(method: str, path: str, *headers: str, body: bytes, trailers: Iterable[str]) -> bytes:
    """Return a request with its body in one chunk, followed by trailers."""
    head = request(method, path, *headers, "Transfer-Encoding: chunked")
    behind = "".join(f"{trailer}\r\n" for trailer in trailers).encode()
    return head + b"%x\r\n%b\r\n0\r\n%b\r\n" % (len(body), body, behind)
