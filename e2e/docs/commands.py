"""Runs the commands of the documentation as printed. Called by run, which installs what they need."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
COMMAND_SECONDS_MAX = 600
SERVER_SECONDS_MAX = 60

# Commands that do not run here: the page, how the command begins, and why. Each must match a command.
LISTED = [
    ("README.md", "tar -xzf tarn-", "needs the archive; e2e/dist/run runs it, in TUTORIAL"),
    ("README.md", "tarn --version", "needs the archive; e2e/dist/run runs it, in TUTORIAL"),
    ("README.md", "mvn verify", ".ci/run runs it as its first step"),
    ("README.md", "bin/tarn bucket create imagenet", "needs another S3 under the name s3.example.org"),
    ("README.md", "docker ", "needs Docker and a registry; e2e/image/run builds and tries the image"),
    ("README.md", "helm ", "needs a cluster; e2e/kubernetes/run installs and tests the chart"),
    ("docs/CACHE.md", "curl ", "needs a token file; BackendEventsTest sends events with a token"),
    ("docs/ARCHITECTURE.md", "mvn test -pl e2e -am -Dtest=PackKillTest", "`.ci/full rounds` runs it"),
    ("docs/TESTS.md", "mvn test -Pfuzz -pl gateway -am", "`.ci/full fuzz` runs it"),
    ("docs/CLIENT_SDK.md", "export AWS_ENDPOINT_URL=", "needs the archive; e2e/dist/run runs it, in TUTORIAL"),
    ("docs/CLIENT_SDK.md", "mvn ", "needs the archive; e2e/dist/run builds and runs the project"),
    ("docs/CONSOLE.md", "kubectl ", "needs a cluster; console/run-tests uses the console of a server"),
    ("docs/DEPLOYMENT.md", "docker ", "needs Docker; e2e/image/run builds and tries the image"),
    ("docs/DEPLOYMENT.md", "helm ", "needs a cluster; e2e/kubernetes/run installs and tests the chart"),
    ("docs/DEPLOYMENT.md", "kubectl ", "needs a cluster; ClusterCommandTest and MembershipTest try forget and restored"),
    ("docs/SHARDER.md", "source <(sharder completion zsh)", "needs zsh; HelpTest reads the script"),
]

# Pages that another test follows as a whole.
FOLLOWED = {"docs/TUTORIAL.md": "e2e/dist/run follows it with the archive"}

# What the reader of a page already has.
IMAGES = """
mkdir -p images/cat images/dog
for i in {1..20}; do
  head -c 3000 /dev/urandom > images/cat/$i.jpg; echo "{\\"n\\": $i}" > images/cat/$i.json
  head -c 3000 /dev/urandom > images/dog/$i.jpg; echo "{\\"n\\": $i}" > images/dog/$i.json
done
"""
KEYS = """
export TARN_ACCESS_KEY=me TARN_SECRET_KEY=a-long-secret
"""
CLIENT = """
export AWS_ACCESS_KEY_ID=me AWS_SECRET_ACCESS_KEY=a-long-secret AWS_ENDPOINT_URL=http://127.0.0.1:9000 AWS_REGION=us-east-1
"""
BEFORE = {
    "README.md": [IMAGES],
    "docs/CACHE.md": [
        KEYS + "bin/tarn serve",
        KEYS
        + CLIENT
        + """
export TARN_BACKEND_ACCESS_KEY=me TARN_BACKEND_SECRET_KEY=a-long-secret
aws s3 mb s3://imagenet-1k
bin/tarn bucket create imagenet --backend s3://imagenet-1k --backend-endpoint http://127.0.0.1:9000
""",
    ],
    "docs/SHARDER.md": [
        IMAGES,
        KEYS + "bin/tarn serve",
        CLIENT
        + """
export PATH=$PWD/bin:$PATH
aws s3 mb s3://data
aws s3 mb s3://raw
aws s3 sync --quiet images s3://raw/train
aws s3 sync --quiet images s3://data/images
printf 'url,cls\\nimages/cat/1.jpg,0\\nimages/dog/1.jpg,1\\n' > labels.csv
tar -czf old.tar.gz -C images cat
python3 -m zipfile -c more.zip images/dog
sharder pack --quiet images/cat old1
sharder pack --quiet s3://raw/train old2
""",
    ],
}

SHELL_FENCES = ("bash", "console")
PROGRAMS = r"(\$ )?(bin/|e2e/|\.ci/)?(tarn|sharder|run|full|aws|curl|docker|export|for|helm|kubectl|mvn|python3?|source) "


class Failure(Exception):
    """A command, or a page, is not as it must be."""


def blocks(page):
    """Yields the line number, the language and the text of each fenced block."""
    begin = None
    for number, line in enumerate((TOP / page).read_text().splitlines(), 1):
        fence = re.fullmatch(r"\s*```(\w*)", line)
        if fence and begin is None:
            begin, language, text = number, fence[1], []
        elif fence:
            yield begin, language, "\n".join(text) + "\n"
            begin = None
        elif begin is not None:
            text.append(line)


def commands(text):
    """Splits a block into complete commands."""
    pending = ""
    for line in text.splitlines():
        pending += line + "\n"
        if line.endswith("\\"):
            continue
        if subprocess.run(["bash", "-n", "-c", pending], capture_output=True).returncode == 0:
            if re.sub(r"^\s*#.*", "", pending, flags=re.MULTILINE).strip():
                yield pending
            pending = ""
    if pending.strip():
        raise Failure(f"no complete command: {pending}")


class Terminal:
    """A shell in a folder, with an environment of its own."""

    def __init__(self, folder, log):
        environment = {
            name: value
            for name, value in os.environ.items()
            if not re.match("AWS_|TARN_|XDG_|.*_proxy$", name, re.IGNORECASE)
        }
        environment |= {"HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "AWS_EC2_METADATA_DISABLED": "true"}
        if "TARN_JAVA_OPTS" in os.environ:
            environment["TARN_JAVA_OPTS"] = os.environ["TARN_JAVA_OPTS"]
        self.log = log
        self.shell = subprocess.Popen(
            ["bash"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def type(self, text):
        self.shell.stdin.write(text.encode())
        self.shell.stdin.flush()

    def run(self, command):
        """Runs a command to its end, and returns its exit code."""
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder) / "code"
            self.type(f"{{ {command}\n}} < /dev/null\necho $? > {code}.new && mv {code}.new {code}\n")
            for _ in range(COMMAND_SECONDS_MAX * 20):
                if code.exists():
                    return int(code.read_text())
                if self.shell.poll() is not None:
                    return self.shell.returncode
                time.sleep(0.05)
            self.close()
            raise Failure(f"no end within {COMMAND_SECONDS_MAX} s")

    def serve(self, command):
        """Starts a server, and waits until it serves."""
        self.type(command)
        for _ in range(SERVER_SECONDS_MAX * 20):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", 9000)) == 0:
                    return
            time.sleep(0.05)
        raise Failure(f"nothing listens on port 9000 after {SERVER_SECONDS_MAX} s")

    def close(self):
        """Ends the shell and what runs in it, as Ctrl-C does."""
        if self.shell.poll() is None:
            for number in (signal.SIGINT, signal.SIGKILL):
                os.killpg(self.shell.pid, number)
                try:
                    self.shell.stdin.close()
                    self.shell.wait(30)
                    return
                except (BrokenPipeError, subprocess.TimeoutExpired):
                    pass


class Page:
    """The commands of a page, in a fresh folder that looks like a checkout."""

    def __init__(self, name, unused):
        self.name = name
        self.unused = unused
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.log = (self.folder / "log").open("w")
        (self.folder / "bin").mkdir()
        (self.folder / "home").mkdir()
        for program in ("tarn", "sharder"):
            (self.folder / "bin" / program).symlink_to(TOP / "bin" / program)
        self.terminals = [Terminal(self.folder, self.log)]
        self.ran = self.listed = 0

    def run(self):
        found = list(blocks(self.name))
        for line, language, text in found:
            if language == "" and any(re.match(PROGRAMS, each) for each in text.splitlines()):
                raise Failure(f"{self.name}:{line}: the block has commands; mark it ```bash, and run or list them")
        shell = [(line, text) for line, language, text in found if language in SHELL_FENCES]
        if not all(self.is_listed(command) for _, text in shell for command in commands(text)):
            for preparation in BEFORE.get(self.name, []):
                for command in commands(preparation):
                    self.execute(0, command)
        for line, text in shell:
            for command in commands(text):
                if reason := self.is_listed(command):
                    self.listed += 1
                    print(f"listed  {self.name}:{line} {first(command)}: {reason}", flush=True)
                else:
                    begin = time.monotonic()
                    self.execute(line, command)
                    self.ran += 1
                    took = time.monotonic() - begin
                    print(f"ok      {self.name}:{line} {first(command)} ({took:.0f} s)", flush=True)

    def is_listed(self, command):
        for entry in LISTED:
            if entry[0] == self.name and command.startswith(entry[1]):
                self.unused.discard(entry)
                return entry[2]
        return None

    def execute(self, line, command):
        begin = os.fstat(self.log.fileno()).st_size
        try:
            if command.startswith("bin/tarn serve"):
                self.terminals[-1].serve(command)
                self.terminals.append(Terminal(self.folder, self.log))
            elif code := self.terminals[-1].run(command):
                raise Failure(f"exit code {code}")
        except Failure as failure:
            output = (self.folder / "log").read_bytes()[begin:].decode(errors="replace")
            raise Failure(f"{self.name}:{line}: {command}{output[-3000:]}{failure}") from None

    def close(self):
        if (self.folder / "home/.local/share/tarn-cluster").exists():
            self.terminals[-1].close()
            self.terminals.append(Terminal(self.folder, self.log))
            self.terminals[-1].run("bin/tarn cluster local stop")
        for terminal in reversed(self.terminals):
            terminal.close()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def first(command):
    return command.splitlines()[0][:90]


def main():
    every = ["README.md"] + sorted(f"docs/{page.name}" for page in (TOP / "docs").glob("*.md"))
    names = sys.argv[1:] or every
    unused = {entry for entry in LISTED if entry[0] in names}
    ran = listed = failed = 0
    for name in names:
        if name in FOLLOWED:
            print(f"listed  {name}: {FOLLOWED[name]}", flush=True)
            listed += 1
            continue
        page = Page(name, unused)
        try:
            page.run()
        except Failure as failure:
            failed += 1
            print(f"FAILED  {failure}", flush=True)
        finally:
            page.close()
        ran += page.ran
        listed += page.listed
    for page, command, _ in unused if not failed else ():
        failed += 1
        print(f"FAILED  {page}: no command begins with '{command}'; remove it from LISTED")
    print(f"{ran} ran, {listed} listed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
