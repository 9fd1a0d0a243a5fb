#!/usr/bin/env python3
"""Makes the golden corpus beside this script, or in the folder that is its argument: archives by
other tools, and the samples that WebDataset reads from them.

  python3 -m venv venv && venv/bin/pip install webdataset==1.0.2
  venv/bin/python make.py        # needs GNU tar and bsdtar (libarchive-tools) too

Each NAME.tar (or .tar.gz and so on) has a NAME.json: a list of samples, each with its key and for
each extension the data in hexadecimal; or {"error": ...} where WebDataset refuses the archive. Names
that are not UTF-8 appear as Python's surrogate escapes.
"""
import bz2
import gzip
import io
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import webdataset as wds
from webdataset.tariterators import tarfile_samples

CORPUS = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
TIME = 1_000_000_000


def samples(path):
    try:
        found = list(tarfile_samples([{"url": str(path)}]))
    except ValueError as error:
        return {"error": str(error).split(":")[0]}
    return [
        {
            "key": sample["__key__"],
            "members": {
                name: data.hex() for name, data in sample.items() if not name.startswith("__")
            },
        }
        for sample in found
    ]


def finish(path):
    name = path.name[: path.name.index(".tar")] + ".json"
    (CORPUS / name).write_text(json.dumps(samples(path), indent=1) + "\n")


def member(archive, name, data, **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    info.mtime = TIME
    for field, value in fields.items():
        setattr(info, field, value)
    archive.addfile(info, io.BytesIO(data))


def tree(root):
    """What tar programs pack: deep and long names, links, directories, empty files."""
    files = {
        "a/000.jpg": b"jpg 0",
        "a/000.cls": b"0",
        "a/001.seg.PNG": b"png",
        "a/001.json": b"{}",
        "a/sub.v1/im.1.txt": b"text",
        "a/empty.bin": b"",
        "a/noext": b"skipped",
        "a/.hidden.txt": b"hidden",
        "a/caf\udce9.txt": b"latin",
        "a/\u00e9\u65e5.txt": b"utf8",
        "long/" + "n" * 100 + ".txt": b"101 bytes in the name",
        "p" * 90 + "/" + "q" * 60 + "/" + "n" * 40 + ".txt": b"prefix and name",
        "deep/" + "d" * 120 + "/" + "f" * 150 + ".txt": b"beyond ustar",
        "block/512.bin": bytes(512),
        "block/513.bin": bytes(range(256)) * 2 + b"x",
    }
    for name, data in files.items():
        path = os.fsencode(root) + b"/" + os.fsencode(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, (TIME, TIME))
    os.symlink("000.jpg", root / "a/link.jpg")
    os.link(root / "a/000.jpg", root / "a/zhard.jpg")


def by_tar_programs(root):
    gnu = ["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@%d" % TIME]
    for form in ("v7", "ustar", "oldgnu", "gnu", "posix"):
        path = CORPUS / f"gnutar-{form}.tar"
        options = ["--pax-option=delete=atime,delete=ctime"] if form == "posix" else []
        # v7 and ustar leave out the names that they cannot express, and say so.
        subprocess.run(
            gnu + options + [f"--format={form}", "-cf", str(path), "-C", str(root), "."],
            stderr=subprocess.DEVNULL,
            check=form in ("oldgnu", "gnu", "posix"),
        )
        finish(path)
    for form in ("ustar", "pax", "gnutar"):
        path = CORPUS / f"bsdtar-{form}.tar"
        names = sorted(os.listdir(root))
        subprocess.run(
            ["bsdtar", f"--format={form}", "--uid=0", "--gid=0", "-cf", str(path), "-C", str(root)]
            + names,
            stderr=subprocess.DEVNULL,
            check=False,
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
        )
        finish(path)


def by_webdataset():
    path = CORPUS / "webdataset.tar"
    with wds.TarWriter(str(path), encoder=False) as writer:
        for i in range(3):
            writer.write(
                {"__key__": f"d/{i:06d}", "txt": b"text %d" % i, "seg.png": b"s", "cls": b"%d" % i}
            )
        writer.write({"__key__": "k" * 120, "bin": bytes(1000)})
    finish(path)


def odd_names():
    path = CORPUS / "odd-names.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for number, name in enumerate(
            [
                "__info__",
                "__meta__/x.jpg",
                "__x__.json",
                "d/__m__/y.jpg",
                "dir/sub.v1/im.1.seg.PNG",
                "dir/sub.v1/im.jpg",
                "dir/sub.v1/im",
                "dir/sub.v1/im.CLS",
                "./a.jpg",
                "a.jpg",
                ".h.txt",
                "noext",
                "dir/.h.txt",
                "a/b.",
                "a..jpg",
                "/abs.txt",
                "a//b.txt",
                "a.b/.c.txt",
                "new\nline.txt",
                "new\n/line.txt",
                "n.ew\n/line.txt",
                "\u00c9.\u00c9XT",
                "spa ce.t xt",
                "back.txt",
                "other.txt",
                "back.txt",
            ]
        ):
            member(archive, name, b"%d" % number)
    finish(path)


def other_members():
    path = CORPUS / "other-members.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        member(archive, "s.a", b"a")
        for kind in (tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            member(archive, "s.x" + kind.decode(), b"", type=kind, linkname="s.a")
        member(archive, "s.dev", b"", type=tarfile.CHRTYPE)
        member(archive, "s.b", b"b", type=tarfile.AREGTYPE)
        member(archive, "s.c", b"c", type=tarfile.CONTTYPE)
        member(archive, "s.vendor", b"v" * 700, type=b"Z")
        member(archive, "s.d", b"d", pax_headers={"comment": "x" * 600, "mtime": "1.5"})
    finish(path)


def pax_wins():
    """Global and local path and size; base-256 sizes; what GNU's long names give way to."""
    path = CORPUS / "pax-wins.tar"
    data = io.BytesIO()
    with tarfile.open(
        fileobj=data, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"path": "global.txt"}
    ) as archive:
        member(archive, "ignored.bin", b"global name")
        member(archive, "ignored.bin", b"local name", pax_headers={"path": "local.jpg"})
        member(archive, "ignored.bin", b"global again")
    path.write_bytes(data.getvalue())
    finish(path)

    path = CORPUS / "base256.tar"
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as archive:
        member(archive, "b.bin", b"base 256", mtime=-5, uid=1 << 40)
        member(archive, "c.bin", b"after")
    block = bytearray(data.getvalue())
    block[124:136] = b"\x80" + bytes(10) + bytes([8])
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block[:512])
    path.write_bytes(block)
    finish(path)


def duplicates():
    path = CORPUS / "duplicates.tar"
    with tarfile.open(path, "w") as archive:
        member(archive, "a.JPG", b"1")
        member(archive, "a.jpg", b"2")
    finish(path)


def compressed():
    data = (CORPUS / "odd-names.tar").read_bytes()
    half = len(data) // 2
    path = CORPUS / "gzip-members.tar.gz"
    path.write_bytes(
        gzip.compress(data[:half], mtime=0) + gzip.compress(data[half:], mtime=0)
    )
    shutil.copy(CORPUS / "odd-names.json", CORPUS / "gzip-members.json")
    # The name does not tell.
    (CORPUS / "gzip-name.tar").write_bytes(gzip.compress(data, mtime=0))
    shutil.copy(CORPUS / "odd-names.json", CORPUS / "gzip-name.json")
    (CORPUS / "bzip2.tar.bz2").write_bytes(bz2.compress(data))
    shutil.copy(CORPUS / "odd-names.json", CORPUS / "bzip2.json")
    (CORPUS / "xz.tar.xz").write_bytes(lzma.compress(data))
    shutil.copy(CORPUS / "odd-names.json", CORPUS / "xz.json")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        tree(Path(folder))
        by_tar_programs(Path(folder))
    by_webdataset()
    odd_names()
    other_members()
    pax_wins()
    duplicates()
    compressed()
