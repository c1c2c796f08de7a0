# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Reading many specifications at once, each in a process of its own.

A specification is a program. In a process of its own it can leave behind no changed module, no
random state and no endless loop, and what takes its process down costs no other specification.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import re
import resource
import selectors
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from types import FrameType
from typing import IO, Final, Optional

from . import emit
from .errors import SpecError
from .evaluate import TimeLimitExceeded, read_spec
from .reads import READS
from .spec import base_name

# Memory that one specification may use, in bytes.
_MEMORY_LIMIT: Final = 8 << 30

# How much longer than its time limit, in seconds, a process may take to say so itself.
_GRACE: Final = 5.0

# How long to try to start a process while there is none that could make room for it, and how long
# to wait before trying again, in seconds.
_FORK_PATIENCE: Final = 30.0
_FORK_INTERVAL: Final = 0.02


@dataclass(frozen=True)
class Options:
    """What to do with specifications. Case files go to `output_folder`, unless it is None, and so
    does what reading them depends on, if `with_reads`."""

    output_folder: Optional[str]
    time_limit: float = 120.0
    capnp: str = "/usr/bin/capnp"
    with_reads: bool = False


@dataclass
class CaseSummary:
    """What a list of cases says of one."""

    name: str
    dynamic_name: str
    minimum_version: Optional[str]


@dataclass
class Result:
    """What became of one specification: its cases, or one line that says what is wrong."""

    path: str
    cases: list[CaseSummary] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    error: Optional[str] = None


@dataclass
class _Worker:
    """A process that reads one specification. It writes its Result to `report`, as JSON, and to
    `crash` where it was if a signal kills it."""

    path: str
    process: int
    descriptor: int
    deadline: float
    report: IO[bytes]
    crash: IO[bytes]
    is_late: bool = False


def read_specs(paths: Iterable[str], options: Options, jobs: int) -> Iterator[Result]:
    """Reads the specifications, `jobs` at a time; yields their results as they come.

    Start this in a process of one thread.
    """
    waiting = list(reversed(list(paths)))
    workers: dict[int, _Worker] = {}
    start_by = time.monotonic() + _FORK_PATIENCE
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or workers:
                while waiting and len(workers) < jobs:
                    try:
                        worker = _start(waiting[-1], options)
                    except BlockingIOError as error:
                        # There are too many processes at the moment: of ours, or of others.
                        if workers:
                            break
                        if time.monotonic() > start_by:
                            yield _not_started(waiting.pop(), error)
                        time.sleep(_FORK_INTERVAL)
                        continue
                    waiting.pop()
                    start_by = time.monotonic() + _FORK_PATIENCE
                    workers[worker.descriptor] = worker
                    selector.register(worker.descriptor, selectors.EVENT_READ)
                if not workers:
                    break
                deadline = min(worker.deadline for worker in workers.values())
                patience = max(0.0, deadline - time.monotonic())
                for key, _ in selector.select(None if patience == float("inf") else patience):
                    worker = workers.pop(key.fd)
                    selector.unregister(key.fd)
                    yield _finish(worker)
                for worker in workers.values():
                    if worker.deadline <= time.monotonic():
                        _kill(worker)
                        worker.is_late = True
                        worker.deadline = float("inf")
        finally:
            for worker in workers.values():
                _kill(worker)
                _finish(worker)


def _start(path: str, options: Options) -> _Worker:
    report, crash = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        process = os.fork()
    except OSError:
        report.close()
        crash.close()
        raise
    if process == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            _work(path, options, report, crash)
            status = 0
        finally:
            # Not sys.exit: nothing that belongs to the parent may run here a second time.
            os._exit(status)
    try:
        os.setpgid(process, process)
    except OSError:
        # The child was faster: it is its own group already, or has even ended.
        pass
    deadline = time.monotonic() + options.time_limit + _GRACE
    return _Worker(path, process, os.pidfd_open(process), deadline, report, crash)


def _not_started(path: str, error: OSError) -> Result:
    failure = SpecError(f"no process to read it in: {error}", "room for one more process")
    return Result(path, error=failure.describe(path))


def _kill(worker: _Worker) -> None:
    try:
        os.killpg(worker.process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _finish(worker: _Worker) -> Result:
    _, status = os.waitpid(worker.process, 0)
    os.close(worker.descriptor)
    # A specification may have left processes of its own behind.
    _kill(worker)
    with worker.report, worker.crash:
        worker.report.seek(0)
        report = worker.report.read()
        worker.crash.seek(0)
        crash = worker.crash.read().decode(errors="replace")
    if status == 0 and report:
        fields = json.loads(report)
        cases = [CaseSummary(**case) for case in fields.pop("cases")]
        return Result(cases=cases, **fields)
    if worker.is_late:
        how = "killed, long after its time limit"
    elif os.WIFSIGNALED(status):
        how = f"Python was killed by {signal.Signals(os.WTERMSIG(status)).name}"
    else:
        how = f"Python exited with status {os.waitstatus_to_exitcode(status)}"
    error = SpecError(how, "a specification that runs to its end", _line_of(worker.path, crash))
    return Result(worker.path, error=error.describe(worker.path))


def _line_of(path: str, crash: str) -> Optional[int]:
    """The innermost line of the file `path` in what faulthandler wrote."""
    match = re.search(rf'File "{re.escape(path)}", line (\d+)', crash)
    return int(match.group(1)) if match else None


def _work(path: str, options: Options, report: IO[bytes], crash: IO[bytes]) -> None:
    """Reads one specification, in the process made for it."""
    # What a specification prints must not get between our own lines.
    os.dup2(2, 1)
    # Specifications that draw random numbers without a seed draw the same each time.
    random.seed(base_name(path))
    faulthandler.enable(crash)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    result = Result(path)
    try:
        with_time_limit(options.time_limit, lambda: _read(result, options))
    except TimeLimitExceeded as error:
        late = SpecError(f"still not written after {error}", "a smaller specification")
        result.error = late.describe(path)
    except Exception as error:
        # An error of ours, or of the file system, and not of the specification.
        failure = SpecError(f"{type(error).__name__}: {error}", "a case file to be written")
        result.error = failure.describe(path)
    if result.error is not None:
        result.cases = []
    report.write(json.dumps(asdict(result)).encode())
    report.flush()
    sys.stdout.flush()
    sys.stderr.flush()


def _read(result: Result, options: Options) -> None:
    try:
        with READS.of_specification():
            spec, cases = read_spec(result.path)
        origin = os.path.basename(result.path)
        if options.output_folder is not None:
            output = os.path.join(options.output_folder, base_name(result.path))
            emit.write_case_file(origin, cases, output + ".case", options.capnp)
            if options.with_reads:
                programs = (os.path.realpath(sys.executable), options.capnp)
                READS.write(output + ".reads", (*programs, emit.SCHEMA, emit.MODEL_SCHEMA))
        else:
            emit.case_file_json(origin, cases)
    except SpecError as error:
        result.error = error.describe(result.path)
        return
    result.warnings = spec.warnings
    result.cases = [
        CaseSummary(case.name, case.dynamic_name, case.minimum_version) for case in cases
    ]


def with_time_limit(seconds: float, function: Callable[[], None]) -> None:
    """Calls `function`, and raises TimeLimitExceeded within it when the time is over."""

    def interrupt(number: int, frame: Optional[FrameType]) -> None:
        raise TimeLimitExceeded(f"{seconds:g} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    # Again and again, should something catch the exception.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        function()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
