"""Follows docs/TUTORIAL.md with an archive. Called by run."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 600
SERVER_SECONDS_MAX = 60
# Programs of a JDK and of Maven; the first part goes without them.
JAVA = re.compile(r"(java|javac|jar|jlink|jshell|keytool|mvn|mvnDebug|gradle)$")


def blocks(page):
    """The fenced blocks of a page: its language and text each."""
    text = (TOP / page).read_text()
    return re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def programs(folder):
    """A folder for the PATH with what the system has, but for Java."""
    folder.mkdir()
    for each in ("/usr/bin", "/bin"):
        for program in pathlib.Path(each).iterdir():
            link = folder / program.name
            if not JAVA.match(program.name) and not link.is_symlink():
                link.symlink_to(program)
    return folder


class Terminal:
    """A shell that keeps its variables from block to block."""

    def __init__(self, folder, path):
        home = folder / "home"
        home.mkdir(exist_ok=True)
        environment = {
            "HOME": str(home),
            "PATH": str(path),
            "LANG": "C.UTF-8",
            # Maven takes the home folder from the user's entry in the system.
            "MAVEN_OPTS": f"-Duser.home={home}",
            "GRADLE_USER_HOME": f"{home}/gradle",
            # A daemon would stay, and keep the environment of its first build.
            "GRADLE_OPTS": "-Dorg.gradle.daemon=false",
        }
        self.folder = folder
        self.state = folder / "state"
        self.state.write_text("".join(f"export {name}='{value}'\n" for name, value in environment.items()))

    def run(self, script):
        kept = f". {self.state}\n{script}\nexport -p >{self.state}\n"
        shell = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", kept],
            cwd=self.folder, env={}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = shell.communicate(timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            raise SystemExit(f"{script}\ntutorial: the commands above took more than {SECONDS_MAX} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)  # What the commands started would go on.
            shell.wait()
        if shell.returncode != 0:
            raise SystemExit(f"{script}\n{output}\ntutorial: the commands above ended with {shell.returncode}")
        return output

    def serve(self, script):
        """Starts a server, and returns once it is ready."""
        log = self.folder / "serve.log"
        # Without a valid start cache the JVM ends.
        script = f"export TARN_JAVA_OPTS=-XX:AOTMode=on\n{script}"
        with log.open("w") as out:
            server = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", f". {self.state}\n{script}"],
                cwd=self.folder, env={}, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            )
        until = time.monotonic() + SERVER_SECONDS_MAX
        while "\nready " not in log.read_text():
            if server.poll() is not None or time.monotonic() > until:
                if server.poll() is None:
                    os.killpg(server.pid, signal.SIGKILL)
                raise SystemExit(log.read_text() + "\ntutorial: the server did not start")
            time.sleep(0.1)
        return server


def require(shown, output, script):
    """Verifies that the output that the page shows is in the output; a number before % may differ."""
    pattern = r"\d+ %".join(re.escape(part) for part in re.split(r"\d+ %", shown.strip()))
    if not re.search(pattern, output):
        raise SystemExit(f"{script}\ngave\n{output}\ntutorial: but the page shows\n{shown}")


def java_project(folder):
    (folder / "src/main/java").mkdir(parents=True)
    parts = blocks("docs/CLIENT_SDK.md")
    (folder / "pom.xml").write_text(next(text for language, text in parts if language == "xml"))
    program = next(text for language, text in parts if language == "java")
    (folder / "src/main/java/Training.java").write_text(program.replace('"jpg"', '"pgm"'))


def modules_project(folder, home):
    """A project that uses the SDK's other modules too: the example for the Deep Java Library."""
    example = next(home.glob("share/doc/tarn/client-sdk-djl/**/TrainWithDjl.java"))
    (folder / "src/main/java/dev/tarn/examples").mkdir(parents=True)
    shutil.copy(example, folder / "src/main/java/dev/tarn/examples")
    pom = next(text for language, text in blocks("docs/CLIENT_SDK.md") if language == "xml")
    dependency = r" *<dependency>\s*<groupId>dev.tarn</groupId>\s*<artifactId>client-sdk<.*?</dependency>\n"
    sdk = re.search(dependency, pom, re.DOTALL)
    others = "".join(sdk[0].replace("client-sdk", module) for module in ("client-sdk-djl", "client-sdk-micrometer"))
    (folder / "pom.xml").write_text(pom.replace(sdk[0], sdk[0] + others))


def gradle_project(folder):
    """The Gradle project of CLIENT_SDK.md for Gradle 4.4, which Debian has: it knows no BOM and no toolchain."""
    script = next(text for language, text in blocks("docs/CLIENT_SDK.md") if language == "groovy")
    version = re.search(r"platform\('dev.tarn:bom:(.*)'\)", script)[1]
    for new, old in (
        (r"java\.toolchain.*\n", ""),
        (r".*platform\(.*\n", ""),
        ("'dev.tarn:client-sdk'", f"'dev.tarn:client-sdk:{version}'"),
        (r"application \{\n *mainClass = (.*)\n\}", r"mainClassName = \1"),
    ):
        script, count = re.subn(new, old, script)
        if count != 1:
            raise SystemExit(f"tutorial: build.gradle of CLIENT_SDK.md has {new!r} {count} times, expected once")
    (folder / "build.gradle").write_text(script)
    (folder / "settings.gradle").write_text("rootProject.name = 'training'\n")


def follow(archive, folder):
    shutil.copy(archive, folder)
    path = programs(folder / "programs")
    terminal = Terminal(folder, path)
    server = None
    script = output = ""
    try:
        for language, text in blocks("docs/TUTORIAL.md"):
            if language == "text":
                require(text, output, script)
            elif "tarn serve" in text:
                server = terminal.serve(text)
                terminal = Terminal(folder, path)
            elif "mvn " in text:
                project = folder / "java"
                java_project(project)
                gradle_project(project)
                enter = f"cd {project}; export PATH=$PATH:/usr/bin\n"
                modules = folder / "modules"
                modules_project(modules, folder / archive.name.removesuffix(".tar.gz"))
                terminal.run(f"cd {modules}; export PATH=$PATH:/usr/bin\nmvn -q -B compile dependency:resolve")
                by_gradle = terminal.run(enter + "gradle -q run")
                script = enter + text
                output = terminal.run(script)
                result = re.search(r"\d+ samples, \d+ bytes", output)
                if result is None or result[0] not in by_gradle:
                    raise SystemExit(f"{by_gradle}\ntutorial: Gradle gives another output than Maven:\n{output}")
            else:
                script = text
                output = terminal.run(script)
            print(f"ok: {text.strip().splitlines()[0]}", flush=True)
    finally:
        if server is not None:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # Ends the server too.
    with tempfile.TemporaryDirectory() as folder:
        follow(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
    print("tutorial: done")


if __name__ == "__main__":
    main()
