"""Writes what DecodersTest reads, with the libraries that datasets are written with in Python.

pip install numpy msgpack cbor2 pillow; python make.py
"""

import datetime
import json
import pathlib

import cbor2
import msgpack
import numpy as np
from numpy.lib import format as npy
from PIL import Image

HERE = pathlib.Path(__file__).parent


def save(name, array, version=None):
    with open(HERE / f"{name}.npy", "wb") as file:
        npy.write_array(file, array, version=version)


steps = [[0, 1, 2], [3, 100, 127]]
for code in ["i1", "u1", "<i2", ">i2", "<u2", "<i4", ">i4", "<u4", "<i8", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"]:
    save("steps-" + code.replace("<", "le-").replace(">", "be-"), np.array(steps, dtype=code))
save("columns", np.asfortranarray(np.array(steps, dtype="<i4")))
save("booleans", np.array([True, False, True]))
save("scalar", np.array(2.5))
save("vector", np.array([-1.5, np.inf, np.nan, 6e-8, -65504], dtype="<f2"))
save("empty", np.zeros((3, 0, 2), dtype="<f4"))
save("unsigned", np.array([2**64 - 1], dtype="<u8"))
save("version2", np.array(steps, dtype="<i4"), version=(2, 0))
save("version3", np.array(steps, dtype="<i4"), version=(3, 0))
save("objects", np.array([{}], dtype=object))
save("records", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4")]))
save("words", np.array(["a", "bc"]))
np.savez(HERE / "two.npz", steps=np.array(steps, dtype="<i4"), more=np.array([0.5]))

tree = {
    "text": "Grüße, 世界",
    "none": None,
    "yes": True,
    "no": False,
    "numbers": [0, 127, 128, 65535, 65536, 2**32, 2**63 - 1, 2**64 - 1, -1, -32, -33, -129, -(2**31), -(2**63)],
    "fraction": 0.1,
    "nested": [[], {}, [[1]], {"a": {"b": []}}],
    "long": "x" * 300,
}
(HERE / "tree.json").write_text(json.dumps(tree), "utf-8")
binary = tree | {"bytes": bytes(range(256))}
(HERE / "tree.cbor").write_bytes(cbor2.dumps(binary))
moment = datetime.datetime(2024, 2, 29, 12, 30, 15, 500000, datetime.timezone.utc)
packed = binary | {"moment": moment, "own": msgpack.ExtType(42, b"abc"), "many": [0] * 65536}
(HERE / "tree.mp").write_bytes(msgpack.packb(packed, datetime=True))

Image.new("RGB", (3, 2), (255, 128, 0)).save(HERE / "orange.png")
for suffix in ["jpg", "gif", "bmp", "tif"]:
    Image.new("RGB", (16, 8), (255, 128, 0)).save(HERE / f"orange.{suffix}")
