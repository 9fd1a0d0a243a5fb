"""Loads a server in the image under memory limits and watches that it lives. Usage: check_memory.py IMAGE [MIB...]"""

import http.client
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from container import MEBIBYTE, Container, Image, status
from s3 import Client

PAIR = ("image-check", "a-secret-for-the-image-check")
SETTINGS = {
    "TARN_SET_GATEWAY_HOST": "127.0.0.1",
    "TARN_SET_GATEWAY_PORT": "0",
    "TARN_SET_ADMIN_HOST": "127.0.0.1",
    "TARN_SET_ADMIN_PORT": "0",
    "TARN_ACCESS_KEY": PAIR[0],
    "TARN_SECRET_KEY": PAIR[1],
}
LARGE = os.urandom(MEBIBYTE) * 64
SMALL = os.urandom(4096)


def together(threads, url, work):
    """Counts the outcomes of work(client, thread), which gives some, on several threads."""
    outcomes = Counter()

    def run(thread):
        client = Client(url, *PAIR)
        for outcome in work(client, thread):
            outcomes[outcome] += 1

    running = [threading.Thread(target=run, args=(thread,)) for thread in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join()
    return dict(outcomes)


def until_accepted(client, attempt):
    """Tries as SDKs do: again after a refusal as overload or a broken connection."""
    for _ in range(10):
        try:
            outcome = attempt()
            if outcome != 503:
                return outcome
        except (OSError, http.client.HTTPException) as broken:
            outcome = type(broken).__name__
            client.reconnect()
        time.sleep(0.3)
    return outcome


def putting(body, count, kind):
    def work(client, thread):
        for number in range(count):
            yield until_accepted(client, lambda: client.put(f"/load/{kind}-{thread}-{number}", body))
    return work


def getting(size, count, kind):
    def work(client, thread):
        for number in range(count):
            def attempt():
                code, bytes_read = client.get_bytes(f"/load/{kind}-{thread}-{number}")
                return code if code != 200 or bytes_read == size else "short"
            yield until_accepted(client, attempt)
    return work


def holding(seconds):
    """Asks for large objects and takes them as slowly as is still let pass."""
    def work(client, thread):
        try:
            code, response = client.request("GET", f"/load/large-{thread % 12}-0")
            response.read(1 << 16)
            time.sleep(seconds)
            yield code
        except OSError as broken:
            yield type(broken).__name__
    return work


def load(image, limit):
    data = Path(tempfile.mkdtemp(prefix="tarn-load-"))
    try:
        with Container(image, ["serve"], limit, SETTINGS, data=data) as container:
            ready, took = container.ready()
            url = ready["s3"]
            print(f"{limit} MiB: ready in {took:.2f} s, idle {container.memory_mib()[1]} MiB", flush=True)
            assert Client(url, *PAIR).put("/load") == 200
            steps = [
                ("12 x 2 puts of 64 MiB", 12, putting(LARGE, 2, "large")),
                ("12 x 2 gets of 64 MiB", 12, getting(len(LARGE), 2, "large")),
                ("200 slow readers", 200, holding(5)),
                ("32 x 300 puts of 4 KiB", 32, putting(SMALL, 300, "small")),
                ("32 x 300 gets of 4 KiB", 32, getting(len(SMALL), 300, "small")),
                ("12 x 2 puts of 64 MiB again", 12, putting(LARGE, 2, "large")),
            ]
            for name, threads, work in steps:
                began = time.monotonic()
                outcomes = together(threads, url, work)
                lasted = time.monotonic() - began
                alive = container.process.poll() is None
                assert alive, f"killed at {name} with {outcomes}:\n{container.text()[-3000:]}"
                peak, resident = container.memory_mib()
                print(f"  {name}: {outcomes} in {lasted:.1f} s; {resident} MiB resident, {peak} MiB at most with files",
                      flush=True)
                if "slow" not in name:
                    assert set(outcomes) == {200}, outcomes
            for line in container.text().splitlines():
                if "WARN" in line or "ERROR" in line or "OutOfMemory" in line:
                    print("  " + line[:300])
            assert status(ready["admin"] + "/readyz") == 200
            code, ended = container.terminate()
            assert code == 0, code
    finally:
        shutil.rmtree(data)


def main(name, limits):
    with Image(name) as image:
        for limit in limits:
            load(image, int(limit))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or [256, 512])
