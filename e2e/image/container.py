"""Runs an image as Kubernetes would with a restricted profile, through buildah's storage and runc."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

IMG = os.environ.get("IMG", str(Path.home() / ".cache/k8s-test/bin/img"))
MEBIBYTE = 1 << 20


def img(*arguments):
    """What the image tool prints."""
    return subprocess.run([IMG, *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


class Image:
    """An image whose file system is mounted as long as this is open."""

    def __init__(self, name):
        self.name = name
        self.config = json.loads(img("inspect", "--type", "image", name))["OCIv1"]["config"]

    def __enter__(self):
        self.working = img("from", self.name)
        self.root = Path(img("mount", self.working))
        return self

    def __exit__(self, *_):
        img("rm", self.working)


class Container:
    """One run of an image: read-only, user and entry point as the image says, in the host's network,
    a memory limit in MiB, two processors; only the data folder can be written."""

    def __init__(self, image, arguments=None, memory_mib=None, environment=None, entry=None, data=None):
        self.image = image
        self.name = f"tarn-image-{os.getpid()}-{time.monotonic_ns()}"
        self.folder = Path(tempfile.mkdtemp(prefix="tarn-image-"))
        self.data = data or self.folder / "data"
        self.data.mkdir(exist_ok=True)
        uid, gid = (int(part) for part in image.config["User"].split(":"))
        os.chown(self.data, uid, gid)
        os.chmod(self.data, 0o700)
        self.log = self.folder / "log"
        subprocess.run(["runc", "spec", "--bundle", self.folder], check=True)
        command = (entry or image.config["Entrypoint"]) + (image.config["Cmd"] if arguments is None else arguments)
        variables = image.config["Env"] + [f"{key}={value}" for key, value in (environment or {}).items()]
        self.write_spec(command, variables, uid, gid, memory_mib)

    def write_spec(self, command, variables, uid, gid, memory_mib):
        path = self.folder / "config.json"
        spec = json.loads(path.read_text())
        process = spec["process"]
        process.update(terminal=False, args=command, env=variables, user={"uid": uid, "gid": gid})
        process["capabilities"] = {}
        process["rlimits"] = []
        spec["root"] = {"path": str(self.image.root), "readonly": True}
        spec["mounts"].append(
            {"destination": "/data", "type": "bind", "source": str(self.data), "options": ["rbind", "rw"]})
        linux = spec["linux"]
        linux["namespaces"] = [space for space in linux["namespaces"] if space["type"] != "network"]
        linux["cgroupsPath"] = "/" + self.name
        linux["resources"]["cpu"] = {"quota": 200_000, "period": 100_000}
        if memory_mib:
            linux["resources"]["memory"] = {"limit": memory_mib * MEBIBYTE, "swap": memory_mib * MEBIBYTE}
        path.write_text(json.dumps(spec))

    def __enter__(self):
        self.began = time.monotonic()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["runc", "run", "--bundle", self.folder, self.name], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def __exit__(self, failure, *_):
        if failure:
            print(f"{self.name}, exit code {self.process.poll()}:\n{self.text()[-5000:]}", flush=True)
        if self.process.poll() is None:
            subprocess.run(["runc", "kill", self.name, "KILL"], check=False, stderr=subprocess.DEVNULL)
            self.process.wait()
        subprocess.run(["runc", "delete", "--force", self.name], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder)

    def text(self):
        return self.log.read_text(errors="replace")

    def ready(self, seconds=60):
        """The ready line's fields, and how long it took from the start of the container."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for line in self.text().splitlines():
                if line.startswith("ready ") and line.rstrip().rpartition("pid=")[2].isdigit():
                    took = time.monotonic() - self.began
                    return dict(field.split("=", 1) for field in line.split()[1:]), took
            if self.process.poll() is not None:
                break
            time.sleep(0.005)
        raise AssertionError(f"not ready:\n{self.text()}")

    def result(self, seconds=60):
        """The exit code and the output of a command that ends by itself."""
        return self.process.wait(seconds), self.text()

    def terminate(self, seconds=60):
        """Asks the first process to end, and gives its exit code and how long that took."""
        asked = time.monotonic()
        subprocess.run(["runc", "kill", self.name, "TERM"], check=True)
        return self.process.wait(seconds), time.monotonic() - asked

    def execute(self, *command):
        """Runs a command inside and gives its exit code and output."""
        done = subprocess.run(["runc", "exec", self.name, *command], text=True, capture_output=True)
        return done.returncode, done.stdout + done.stderr

    def memory_mib(self):
        """What the kernel counts now and at most: all, and without cached files."""
        folder = Path("/sys/fs/cgroup/memory") / self.name
        if folder.is_dir():
            peak = int((folder / "memory.max_usage_in_bytes").read_text())
            statistics = (folder / "memory.stat").read_text()
            key = "total_rss "
        else:
            folder = Path("/sys/fs/cgroup") / self.name
            peak = int((folder / "memory.peak").read_text())
            statistics = (folder / "memory.stat").read_text()
            key = "anon "
        resident = next(int(line.split()[1]) for line in statistics.splitlines() if line.startswith(key))
        return peak // MEBIBYTE, resident // MEBIBYTE

    def java_command_line(self):
        """The options of the JVM that is process 1."""
        code, text = self.execute("cat", "/proc/1/cmdline")
        assert code == 0, text
        return text.split("\0")


def status(url):
    """The HTTP status of a GET."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.status
    except urllib.error.HTTPError as refused:
        return refused.code
