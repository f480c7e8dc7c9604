"""One run of the command: its flags, its messages, its end."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import warnings


class Error(Exception):
    """A run that has failed, with the message of the command.

    code is the exit code of the command, and result is the best point until then as a Result, or None."""

    def __init__(self, code, message, result=None):
        super().__init__(message)
        self.code = code
        self.result = result


# Flags whose values are times; numbers are seconds there.
_TIMES = {"time", "stall", "value_time", "trial_time", "watchdog", "mpi_timeout", "checkpoint"}


def flags(settings):
    """Returns the flags of the command that keyword arguments stand for: stall_evals=100 is --stall-evals=100, True is
    a flag without a value, a dict is one flag for each item, and None and False are no flag."""
    made = []
    for key, value in settings.items():
        name = "--" + key.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            made.append(name)
        elif isinstance(value, dict):
            made += [f"{name}={k}={v}" for k, v in value.items()]
        elif key in _TIMES and not isinstance(value, str):
            made.append(f"{name}={float(value)!r}s")
        else:
            made.append(f"{name}={value}")
    return made


class Process:
    """The command while it works. Threads read what it writes, so that the caller may wait for something else, too."""

    def __init__(self, words, progress):
        own = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if os.name == "nt" else {"start_new_session": True}
        # Ctrl-C in a terminal goes to all its processes; this one is told by interrupt alone.
        self._popen = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       encoding="utf-8", errors="replace", **own)
        self._events = queue.SimpleQueue()
        self._line = Line(progress)
        self._output = []
        self._said = []  # what it has written to stderr besides events
        self._warnings = []
        self._threads = [threading.Thread(target=self._read_output, daemon=True),
                         threading.Thread(target=self._read_events, daemon=True)]
        for thread in self._threads:
            thread.start()

    def _read_output(self):
        self._output.append(self._popen.stdout.read())

    def _read_events(self):
        for text in self._popen.stderr:
            self._events.put(text)

    def running(self):
        """Shows what has come, and says whether the command works."""
        while not self._events.empty():
            self._show(self._events.get())
        self._line.tick()
        return self._popen.poll() is None

    def _show(self, text):
        try:
            event = json.loads(text)
        except ValueError:
            self._said.append(text)
            return
        kind = event.get("type")
        if kind == "sample":
            self._line.sample(event)
        elif kind == "event" and event.get("event") in ("note", "warning"):
            text = event["detail"].strip()
            if text.startswith("!") or event["event"] == "warning":
                self._warnings.append(text.lstrip("! "))
        elif kind == "event" and event.get("event") == "printed":
            self._line.clear()
            print(event["detail"], file=sys.stderr)

    def wait(self):
        """Waits for the end."""
        while self.running():
            time.sleep(0.02)

    def interrupt(self):
        """Asks the command to end and to store the best point so far."""
        if os.name == "nt":
            self._popen.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            self._popen.terminate()

    def kill(self):
        """Ends the command at once."""
        self._popen.kill()
        self._finish(1)

    def _finish(self, patience=None):
        """Waits until all is read, or for some seconds: children may keep the pipes open for a while."""
        code = self._popen.wait()
        for thread in self._threads:
            thread.join(patience)
        self.running()
        self._line.clear()
        if not any(thread.is_alive() for thread in self._threads):
            self._popen.stdout.close()
            self._popen.stderr.close()
        return code

    def end(self):
        """Returns the exit code, what --json has printed, and the messages on stderr."""
        code = self._finish()
        for text in self._warnings:
            warnings.warn(text, RuntimeWarning, stacklevel=4)
        text = self._output[0].strip()
        try:
            answer = json.loads(text.splitlines()[-1]) if text else {}
        except ValueError:
            answer = {}
        return code, answer, "".join(self._said).strip()


class Line:
    """The line that shows the progress; on is None for a terminal or a notebook alone."""

    def __init__(self, on):
        self._notebook = "ipykernel" in sys.modules
        self._on = (self._notebook or sys.stderr.isatty()) if on is None else on
        self._begun = self._last = time.monotonic()
        self._state = ""
        self._width = 0

    def sample(self, event):
        self._state = f"  {event['evals']:,} evaluations  best {event['best']!r}"

    def tick(self):
        now = time.monotonic()
        if not self._on or now - self._last < 0.5:
            return
        self._last = now
        text = f"clopt {now - self._begun:.0f} s{self._state}"
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def clear(self):
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0
