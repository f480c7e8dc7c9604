"""Python functions: the command starts a bridge, which passes points to this process and values back."""

import ast
import os
import secrets
import select
import socket
import sys
import time

import numpy as np


class _Closed(Exception):
    """The other side wants no more values."""


class Server:
    """Evaluates a function for one run, in the thread that has called minimize."""

    def __init__(self, f, vectorized):
        self._f = f
        self._vectorized = vectorized
        self._password = secrets.token_hex(16).encode()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self._peer = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._hang_up()
        self._listener.close()

    def command(self, files):
        """Returns the command line of the bridge. What it needs to know is in a file that this user alone can read."""
        if not sys.executable:
            raise RuntimeError("sys.executable is empty; set it to the file of a Python interpreter")
        with open(files.file("bridge"), "w", encoding="ascii") as file:
            file.write(f"{self._listener.getsockname()[1]} {self._password.decode()}")
        bridge = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bridge.py")
        words = [sys.executable, "-I", "-S", bridge, files.file("bridge")]
        return " ".join("'" + word.replace("'", "'\"'\"'") + "'" for word in words)

    def serve(self, process):
        """Answers until the process has ended. After an exception it may be called again."""
        self._hang_up()  # a call that Ctrl-C has stopped has no answer
        while process.running():
            try:
                if self._peer is not None or self._accept(process):
                    self._write(self._values(self._read(process), process), process)
            except (_Closed, ConnectionError):
                self._hang_up()  # the time is over; there may be another call to confirm the best point

    def _hang_up(self):
        if self._peer is not None:
            self._peer.close()
            self._peer = None

    def _accept(self, process):
        try:
            self._peer, _ = self._listener.accept()
        except socket.timeout:
            return False
        self._peer.settimeout(0.05)
        self._peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not secrets.compare_digest(self._exact(len(self._password), process), self._password):
            raise _Closed
        return True

    def _exact(self, n, process):
        """Reads n bytes; between, the progress is shown."""
        data = bytearray(n)
        view = memoryview(data)
        while view:
            try:
                got = self._peer.recv_into(view)
            except socket.timeout:
                if not process.running():
                    raise _Closed from None
                continue
            if got == 0:
                raise _Closed
            view = view[got:]
        return bytes(data)

    def _read(self, process):
        """Reads an array of points, in the format of numpy."""
        length = int.from_bytes(self._exact(10, process)[8:], "little")
        m, n = ast.literal_eval(self._exact(length, process).decode("latin-1"))["shape"]
        return np.frombuffer(self._exact(8 * m * n, process), "<f8").reshape(m, n).copy()

    def _values(self, points, process):
        if not self._vectorized:
            values = np.empty(len(points))
            looked = time.monotonic()
            for i, point in enumerate(points):
                values[i] = self._value(self._f(point))
                if time.monotonic() - looked > 0.1:
                    self._look(process)
                    looked = time.monotonic()
            return values
        values = np.asarray(self._f(points))
        if values.shape not in ((len(points),), (len(points), 1)):
            raise ValueError(f"the function has given an array of shape {values.shape} for {len(points)} points; it "
                             f"must give one value for each, as one of shape ({len(points)},)")
        return values.astype("<f8").reshape(-1)

    def _look(self, process):
        """Raises _Closed if nobody waits for values any more."""
        if not process.running():
            raise _Closed
        readable, _, _ = select.select([self._peer], [], [], 0)
        if readable and not self._peer.recv(1, socket.MSG_PEEK):
            raise _Closed

    @staticmethod
    def _value(value):
        if np.size(value) != 1:
            raise ValueError(f"the function has given {value!r} for a point; it must give one number (or take points "
                             "of shape (m, n), with vectorized=True)")
        return float(np.asarray(value).reshape(()))

    def _write(self, values, process):
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(values)},), }}".encode("latin-1")
        header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
        data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + values.tobytes()
        view = memoryview(data)
        while view:
            try:
                view = view[self._peer.send(view):]
            except socket.timeout:
                if not process.running():
                    raise _Closed from None
