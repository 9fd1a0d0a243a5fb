"""What the image promises, checked on the image. Usage: check_image.py IMAGE"""

import re
import statistics
import sys
import tempfile
import traceback
from pathlib import Path

from container import MEBIBYTE, Container, Image, img, status

SIZE_MB_MAX = 250
READY_RATIO_MAX = 0.85
READY_STARTS = 5
# Before Kubernetes would kill it; far more than a store without requests needs.
END_SECONDS_MAX = 30
LOOPBACK = {
    "TARN_SET_GATEWAY_HOST": "127.0.0.1",
    "TARN_SET_GATEWAY_PORT": "0",
    "TARN_SET_ADMIN_HOST": "127.0.0.1",
    "TARN_SET_ADMIN_PORT": "0",
    "TARN_ACCESS_KEY": "image-check",
    "TARN_SECRET_KEY": "a-secret-for-the-image-check",
}


def server(image, memory_mib=512, arguments=("serve",), environment=None, data=None):
    return Container(image, list(arguments), memory_mib, {**LOOPBACK, **(environment or {})}, data=data)


def command(image, *arguments, entry=None, memory_mib=512, environment=None):
    with Container(image, list(arguments), memory_mib, environment, entry=entry) as container:
        code, text = container.result()
        assert code == 0, f"{arguments} gave {code}:\n{text}"
        return text


def is_small(image):
    size = int(img("inspect", "--type", "image", "--format", "{{.Docker.Size}}", image.name) or 0)
    used = sum(path.lstat().st_size for path in image.root.rglob("*") if path.is_file() and not path.is_symlink())
    size = max(size, used)
    assert size <= SIZE_MB_MAX * 1_000_000, f"{size} bytes"
    return f"{size / 1e6:.0f} MB"


def says_what_it_is(image):
    config = image.config
    assert config["User"] == "10001:10001", config["User"]
    assert config["Entrypoint"] == ["tarn"], config["Entrypoint"]
    assert config["Cmd"] == ["serve"], config["Cmd"]
    assert "/data" in config["Volumes"], config["Volumes"]
    assert config["StopSignal"] == "SIGTERM", config["StopSignal"]
    assert {"9000/tcp", "9001/tcp"} <= config["ExposedPorts"].keys(), config["ExposedPorts"]
    labels = config["Labels"]
    assert labels["org.opencontainers.image.title"] == "Tarn", labels
    version = labels["org.opencontainers.image.version"]
    assert command(image, "--version").strip() == f"tarn {version}"
    return version


def holds_no_build_tools_and_no_foreign_native_code(image):
    for tool in ("mvn", "javac", "jlink", "gcc"):
        found = [folder for folder in ("usr/bin", "usr/local/bin", "opt/java/bin") if (image.root / folder / tool).exists()]
        assert not found, f"{tool} in {found}"
    natives = sorted(path.name for path in (image.root / "opt/tarn/native").iterdir())
    assert "librocksdbjni.so" in natives, natives
    largest = max((image.root / "opt/tarn/lib").glob("*.jar"), key=lambda jar: jar.stat().st_size)
    assert largest.stat().st_size < 8 * MEBIBYTE, f"{largest.name} has {largest.stat().st_size} bytes"
    return " ".join(natives)


def runs_the_sharder(image):
    text = command(image, "--help", entry=["sharder"])
    assert text.startswith("Usage: sharder"), text
    for line in ("pack", "ls", "verify"):
        assert line in text, text


def is_ready_soon_and_ends_in_order(image):
    """Soon is a matter of the machine and of what else runs there: the yardstick is the same start without
    the record of the training run, beside it; the quickest of each counts."""
    kinds = {"recorded": None, "unrecorded": {"TARN_JAVA_OPTS": "-XX:AOTMode=off"}}
    times = {kind: [] for kind in kinds}
    with server(image) as first:
        first.ready()
    for _ in range(READY_STARTS):
        for kind, environment in kinds.items():
            with server(image, environment=environment) as container:
                ready, took = container.ready()
                times[kind].append(took)
                assert ready["pid"] == "1", ready
                assert status(ready["admin"] + "/healthz") == 200
                assert status(ready["admin"] + "/readyz") == 200
                code, ended = container.terminate()
                assert code == 0, f"{code}:\n{container.text()}"
                assert ended < END_SECONDS_MAX, f"took {ended} s to end"
    ratio = min(times["recorded"]) / min(times["unrecorded"])
    said = ", ".join(f"{kind} {' '.join(f'{each:.2f}' for each in taken)} s" for kind, taken in times.items())
    assert ratio < READY_RATIO_MAX, f"ready in {ratio:.2f} of what it takes without the record: {said}"
    return f"ready in {min(times['recorded']):.2f} s, {ratio:.2f} of what it takes without the record: {said}"


def starts_from_what_was_recorded(image):
    options = {"TARN_JAVA_OPTS": "-XX:AOTMode=on -Xlog:class+load:stderr"}
    with server(image, environment=options) as container:
        container.ready()
        lines = container.text().splitlines()
    loaded = [line for line in lines if "source:" in line]
    recorded = [line for line in loaded if "shared objects file" in line]
    assert len(recorded) > 0.9 * len(loaded), f"{len(recorded)} of {len(loaded)} classes"
    return f"{len(recorded)} of {len(loaded)} classes"


def writes_to_its_data_folder_alone(image):
    with server(image) as container:
        container.ready()
        _, text = container.execute("bash", "-c", "id -u; touch /tmp/x /opt/tarn/x; grep -cE '^Cap(Eff|Prm):.*[1-9a-f]' /proc/1/status")
        assert text.split()[0] == "10001", text
        assert text.count("Read-only file system") == 2, text
        assert text.split()[1] == "0", text
        assert (container.data / "disk").is_dir()


def finds_native_code(image):
    with server(image) as container:
        container.ready()
        _, maps = container.execute("cat", "/proc/1/maps")
        assert "native epoll" in container.text(), container.text()
        for library in ("librocksdbjni", "libnetty_transport_native_epoll"):
            assert f"/opt/tarn/native/{library}" in maps, maps


def tells_an_engine_that_it_is_alive(image):
    with server(image) as container:
        ready, _ = container.ready()
        port = ready["admin"].rpartition(":")[2]
        code, text = container.execute("env", f"TARN_SET_ADMIN_PORT={port}", "tarn-healthy")
        assert code == 0, text
        code, _ = container.execute("env", "TARN_SET_ADMIN_PORT=1", "tarn-healthy")
        assert code != 0


def option_bytes(options, prefix):
    """The last that counts, in MiB."""
    text = [option[len(prefix):] for option in options if option.startswith(prefix)][-1]
    number, unit = re.fullmatch(r"(\d+)([mg]?)", text).groups()
    return int(number) * {"": 1, "m": MEBIBYTE, "g": 1 << 30}[unit] / MEBIBYTE


def setting(text, key):
    return next(re.split(r"\s*=\s*|\s+", line, maxsplit=1)[1] for line in text.splitlines() if line.startswith(key))


def divides_its_memory_limit(image):
    figures = []
    for limit in (256, 512, 1024, 2048):
        with server(image, limit) as container:
            container.ready()
            options = container.java_command_line()
        heap = option_bytes(options, "-Xmx")
        direct = option_bytes(options, "-XX:MaxDirectMemorySize=")
        netty = option_bytes(options, "-Dio.netty.maxDirectMemory=")
        text = command(image, "serve", "--print-config", memory_mib=limit)
        cache = setting(text, "target.store.index-cache-bytes")
        assert "TARN_SET_TARGET_STORE_INDEX_CACHE_BYTES" in cache, cache
        cache_mib = int(re.match(r"(\d+)MiB", cache).group(1))
        assert heap + direct + netty + cache_mib <= limit - 112, f"{heap} {direct} {netty} {cache_mib} of {limit}"
        figures.append(f"{limit}: heap {heap:.0f} direct {direct:.0f}+{netty:.0f} index {cache_mib}")
    return "; ".join(figures)


def leaves_alone_what_is_set_by_hand(image):
    hand = {"TARN_JAVA_OPTS": "-Xmx77m", "TARN_SET_TARGET_INCOMING_CHUNKS_MAX": "9"}
    with server(image, environment=hand) as container:
        container.ready()
        assert option_bytes(container.java_command_line(), "-Xmx") == 77
    text = command(image, "serve", "--print-config", "--set", "target.store.checkpoint-records=1234", environment=hand)
    assert setting(text, "target.incoming-chunks-max").startswith("9 "), text
    assert setting(text, "target.store.checkpoint-records").startswith("1234 "), text


def leaves_alone_what_a_file_says(image):
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        (data / "tarn.yaml").write_text(
            "disks:\n  - /data/a\n  - /data/b\ntarget:\n  incoming-chunks-max: 11\nadmin: {host: 127.0.0.1}\n")
        with Container(image, ["serve", "--config", "/data/tarn.yaml", "--print-config"], 2048, data=data) as container:
            code, text = container.result()
    assert code == 0, text
    assert setting(text, "target.incoming-chunks-max").startswith("11 "), text
    assert setting(text, "admin.host").startswith("127.0.0.1 "), text
    # What the file says of one section says nothing of another.
    assert setting(text, "gateway.host").startswith("0.0.0.0 "), text
    # Two disks share the index cache.
    assert int(re.match(r"(\d+)MiB", setting(text, "target.store.index-cache-bytes")).group(1)) < 140, text


CHECKS = [
    is_small,
    says_what_it_is,
    holds_no_build_tools_and_no_foreign_native_code,
    runs_the_sharder,
    is_ready_soon_and_ends_in_order,
    starts_from_what_was_recorded,
    writes_to_its_data_folder_alone,
    finds_native_code,
    tells_an_engine_that_it_is_alive,
    divides_its_memory_limit,
    leaves_alone_what_is_set_by_hand,
    leaves_alone_what_a_file_says,
]


def main(name):
    failed = 0
    with Image(name) as image:
        for check in CHECKS:
            title = check.__name__.replace("_", " ")
            try:
                said = check(image)
                print(f"ok: the image {title}{': ' + said if said else ''}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED: the image {title}", flush=True)
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
