"""Makes a tree of small samples with the odd names that webdataset's key rule knows."""

import os
import random
import sys

root = sys.argv[1]
seeded = random.Random(7)
names = [f"{part}/n{i:04d}" for part in ("train", "val") for i in range(100)]
names += ["dir/sub.v1/im", "deep/" + "x" * 120 + "/name", "é/ü", "with space/a b"]
for name in names:
    for extension in ("jpg", "json", "seg.PNG"):
        path = os.path.join(root, f"{name}.{extension}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(seeded.randbytes(seeded.randrange(3000)))
