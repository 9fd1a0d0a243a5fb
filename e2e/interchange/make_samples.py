"""Makes a tree of small files with every odd name that a reader of shards may stumble over."""

import os
import random
import sys

root = os.fsencode(sys.argv[1])
seeded = random.Random(7)
names = [f"{part}/n{i:04d}" for part in ("train", "val") for i in range(100)]
names += ["dir/sub.v1/im", "deep/" + "x" * 120 + "/name", "é/ü", "É/Ü", "with space/a b", "日本/語"]
# A path of 101 bytes with its extension, one far beyond what ustar can name, a folder that begins by a dot.
names += ["p" * 90 + "/" + "q" * 6, "/".join(["y" * 200] * 4) + "/" + "z" * 200, ".hidden.d/k"]
names += ["new\nline", "tab\tand\\back", "d/__m__/y", "quo'te\"d", "-dash", "#*?[glob]", "CASE", "case"]
files = [f"{name}.{extension}" for name in names for extension in ("jpg", "json", "seg.PNG", "Cls")]
# An extension that begins by a dot, an empty one, a hidden basename in a folder, three dots.
files += ["odd/a..jpg", "odd/b.", "odd/.h.txt", "odd/c.tar.v1"]
files += ["noext", ".h.txt", "odd/README", "__x__.json", "__meta__/x.jpg"]
raw = [os.fsencode(name) for name in files] + [b"latin/caf\xe9.txt", b"latin/\xff\xfe.BIN", b"empty/e.bin"]
for name in raw:
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"" if name.startswith(b"empty/") else seeded.randbytes(seeded.randrange(3000)))
