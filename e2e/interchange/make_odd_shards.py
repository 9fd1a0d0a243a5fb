"""Makes shards of random members with names, types, formats and compressions at the edge of what readers agree on:
make_odd_shards.py FOLDER COUNT SEED. The shards' paths, a line each, are printed. No name is empty or a folder's: the SDK
takes the first for damage, and Python reads the second without its slash where a pax header has it."""

import bz2
import gzip
import io
import lzma
import os
import random
import sys
import tarfile

folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.makedirs(folder)
seeded = random.Random(seed)
# Few, so that keys and extensions meet again, in another case too.
FOLDERS = ["", "", "", "d/", "d.e/", "./", "/", "d//", ".d/", "__m__/", "d/__m__/", "é/", "日" * 40 + "/", "x" * 160 + "/"]
BASES = ["a", "a", "a", "b", "B", "", "__x__", "with space", "new\nline", "\udce9", "ö", "-n", "y" * 90]
EXTENSIONS = [".jpg", ".JPG", ".json", ".seg.png", ".Seg.PNG", "..jpg", ".", "", ".É", ".\udcff", ".t xt", ".z" * 60]
TYPES = [tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, b"Z"]
FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]
COMPRESSIONS = [bytes] * 5 + [gzip.compress, bz2.compress, lzma.compress]


def of_a_file(name):
    return name.rstrip("/") or "a.jpg"


def name():
    return of_a_file(seeded.choice(FOLDERS) + seeded.choice(BASES) + seeded.choice(EXTENSIONS))


def names():
    """Often several of one sample after another, as in real shards."""
    if seeded.random() < 0.6:
        key = seeded.choice(FOLDERS) + seeded.choice(BASES)
        return [of_a_file(key + extension) for extension in seeded.sample(EXTENSIONS, seeded.randrange(1, 4))]
    return [name()]


def pax_headers(form):
    if form != tarfile.PAX_FORMAT or seeded.random() < 0.8:
        return {}
    return seeded.choice([{"comment": "x" * 700}, {"path": name()}, {"mtime": "1.5"}])


def archive():
    form = seeded.choice(FORMATS)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=form, encoding="utf-8", errors="surrogateescape") as tar:
        for _ in range(seeded.randrange(1, 12)):
            for each in names():
                info = tarfile.TarInfo(each)
                info.mtime = 1_000_000_000
                info.pax_headers = pax_headers(form)
                if seeded.random() < 0.1:
                    info.type = seeded.choice(TYPES)
                    info.linkname = "a.jpg"
                content = seeded.randbytes(seeded.choice([0, 1, 511, 512, 513, 3000]))
                info.size = len(content) if info.isreg() else 0
                try:
                    tar.addfile(info, io.BytesIO(content))
                except ValueError:
                    # A name that this format has no room for.
                    pass
    return data.getvalue()


for number in range(count):
    compress = seeded.choice(COMPRESSIONS)
    path = os.path.join(folder, f"{number:04d}.tar")
    with open(path, "wb") as file:
        file.write(compress(archive()))
    print(path)
