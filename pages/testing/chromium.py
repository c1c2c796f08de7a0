# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Opens pages in headless Chromium: what they show, what they ask for, what is complained of.

Chromium is spoken to by its DevTools protocol over a pair of pipes, so that no network is needed.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import pathlib
import select
import signal
import tempfile
import time
from types import TracebackType
from typing import Any, Optional

# Where Debian's package `chromium` has it.
_PROGRAM = "/usr/bin/chromium"
# How long an answer may take on a machine that is very busy, in seconds.
_PATIENCE = 120.0
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class ChromiumError(Exception):
    """Chromium did not do what it was asked to."""


class Page:
    """A page that is open."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        # What the page said on the console, threw, or was refused; a text for each.
        self.complaints: list[str] = []
        # The addresses that were asked for, that of the page included.
        self.requests: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol for this page."""
        return self._browser.call(method, parameters, self._session)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript, which must be one of JSON."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise ChromiumError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def set_media(self, media: str = "", scheme: str = "light") -> None:
        """Shows the page as on `media` ("print", or the screen), in a light or a dark scheme."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", media=media, features=[feature])

    def set_size(self, width: int, height: int) -> None:
        """Gives the window a size, in pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def save_screenshot(self, path: str, selector: str = "") -> None:
        """Writes a PNG of the window, or of an element that may be outside of it."""
        options: dict[str, Any] = {"format": "png"}
        if selector:
            rectangle = self.evaluate(
                "(() => { const r = document.querySelector(" + json.dumps(selector) + ")"
                ".getBoundingClientRect();"
                "return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height}; })()"
            )
            options.update(captureBeyondViewport=True, clip={**rectangle, "scale": 1})
        answer = self.call("Page.captureScreenshot", **options)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))

    def note(self, method: str, parameters: dict[str, Any]) -> None:
        """Keeps what an event says."""
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Log.entryAdded":
            entry = parameters["entry"]
            self.complaints.append(f"{entry['level']}: {entry['text']}")
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(f"{parameters['type']}: {parameters['args']}")
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(f"exception: {parameters['exceptionDetails']}")
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"dialog: {parameters['message']}")


class Browser:
    """A Chromium of its own: a new profile, no window; ends with the `with` statement."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="chromium", ignore_cleanup_errors=True)
        self._next_number = 1
        self._received = b""
        self._pages: dict[str, Page] = {}
        self._loaded: set[str] = set()
        commands, self._commands = _high_pipe()
        self._answers, answers = _high_pipe()
        arguments = [_PROGRAM, *_FLAGS, f"--user-data-dir={self._folder.name}"]
        # It is killed in the end, and takes nothing away that it has put elsewhere.
        environment = {
            "HOME": self._folder.name,
            "TMPDIR": self._folder.name,
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        }
        try:
            with open(os.path.join(self._folder.name, "stderr"), "wb") as errors:
                # A process group of its own, so that all of its processes can be ended.
                self._process = os.posix_spawn(
                    _PROGRAM,
                    arguments,
                    environment,
                    file_actions=[
                        (os.POSIX_SPAWN_DUP2, errors.fileno(), 1),
                        (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
                        (os.POSIX_SPAWN_DUP2, commands, 3),
                        (os.POSIX_SPAWN_DUP2, answers, 4),
                    ],
                    setpgroup=0,
                )
        except FileNotFoundError as error:
            self._folder.cleanup()
            raise ChromiumError(
                f"{_PROGRAM} is missing: it is in Debian's package chromium"
            ) from error
        finally:
            os.close(commands)
            os.close(answers)

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._commands)
        os.close(self._answers)
        self._folder.cleanup()

    def open(self, path: str, width: int, height: int, runs_scripts: bool = True) -> Page:
        """Opens a file in a window of this size and waits until it is loaded."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, session["sessionId"])
        self._pages[session["sessionId"]] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setScriptExecutionDisabled", value=not runs_scripts)
        page.set_size(width, height)
        self._loaded.discard(session["sessionId"])
        page.call("Page.navigate", url=pathlib.Path(path).absolute().as_uri())
        deadline = time.monotonic() + _PATIENCE
        while session["sessionId"] not in self._loaded:
            self._take(self._receive(deadline))
        return page

    def call(
        self, method: str, parameters: dict[str, Any], session: Optional[str] = None
    ) -> dict[str, Any]:
        """Calls a method of the protocol and waits for its result."""
        number = self._next_number
        self._next_number += 1
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        encoded = json.dumps(message).encode() + b"\0"
        while encoded:
            encoded = encoded[os.write(self._commands, encoded) :]
        deadline = time.monotonic() + _PATIENCE
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise ChromiumError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._take(answer)

    def _take(self, event: dict[str, Any]) -> None:
        session = event.get("sessionId", "")
        if event.get("method") == "Page.loadEventFired":
            self._loaded.add(session)
        if session in self._pages:
            self._pages[session].note(event.get("method", ""), event.get("params", {}))

    def _receive(self, deadline: float) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self._received:
            readable, _, _ = select.select(
                [self._answers], [], [], max(deadline - time.monotonic(), 0)
            )
            if not readable:
                raise ChromiumError(f"no answer within {_PATIENCE} seconds: {self._errors()}")
            received = os.read(self._answers, 1 << 20)
            if not received:
                raise ChromiumError(f"Chromium ended: {self._errors()}")
            self._received += received
        message, _, self._received = self._received.partition(b"\0")
        decoded: dict[str, Any] = json.loads(message)
        return decoded

    def _errors(self) -> str:
        """The end of what Chromium complained of."""
        path = pathlib.Path(self._folder.name, "stderr")
        return path.read_text(errors="replace")[-2000:] if path.exists() else ""


def _high_pipe() -> tuple[int, int]:
    """A pipe whose descriptors are not those that Chromium has for its own."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]
