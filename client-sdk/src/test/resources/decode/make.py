"""Writes what DecodersTest reads, with the libraries that datasets are written with in Python.

pip install numpy msgpack cbor2 pillow webdataset==1.0.2; python make.py
"""

import datetime
import json
import pathlib
import struct

import cbor2
import msgpack
import numpy as np
from numpy.lib import format as npy
from PIL import Image
from webdataset import tenbin

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

# Patches of colour as print shops store them; what Pillow makes of them is beside them.
colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0), (128, 128, 128), (255, 128, 0), (10, 200, 180)]
patches = Image.new("RGB", (64, 8))
for number, colour in enumerate(colours):
    patches.paste(colour, (number * 8, 0, number * 8 + 8, 8))
inks = np.array(patches.convert("CMYK"))
black = inks[:, :, :3].min(axis=2, keepdims=True)
inks = np.concatenate([inks[:, :, :3] - black, black], axis=2)
file = HERE / "inks.cmyk.jpg"
Image.fromarray(inks, "CMYK").save(file, quality=95, subsampling=0)
# libjpeg takes it for YCCK when Adobe's segment says so; what Pillow stores is inverted.
luma = np.array(Image.fromarray(inks[:, :, :3].copy(), "RGB").convert("YCbCr"))
stored = np.concatenate([255 - luma, inks[:, :, 3:]], axis=2)
file = HERE / "inks.ycck.jpg"
Image.fromarray(stored, "CMYK").save(file, quality=95, subsampling=0)
data = bytearray(file.read_bytes())
data[data.index(b"\xff\xee") + 15] = 2
file.write_bytes(data)
for name in ["cmyk", "ycck"]:
    image = Image.open(HERE / f"inks.{name}.jpg").convert("RGB")
    print(name, [image.getpixel((number * 8 + 4, 4)) for number in range(8)])

# An empty page as a fax machine sends it, in one strip, and an empty bitmap of run lengths.
Image.new("1", (4960, 7016), 1).save(HERE / "page.tif", compression="group4", tiffinfo={278: 7016})
bitmap = bytearray((HERE / "orange.bmp").read_bytes()[:54])
struct.pack_into("<iiihhiiiiii", bitmap, 14, 40, 4000, 4000, 1, 8, 1, 2, 0, 0, 2, 0)
struct.pack_into("<iii", bitmap, 2, 64, 0, 62)
(HERE / "blank.bmp").write_bytes(bytes(bitmap) + b"\xff\xff\xff\0\0\0\0\0" + b"\0\1")

arrays = [np.array(steps, dtype="<f4"), np.array(7, dtype="<i8"), np.zeros((0, 3), dtype="u1"), np.arange(70, dtype="<u2")]
(HERE / "four.ten").write_bytes(tenbin.encode_buffer(arrays, ["a", "b", "c", "d"]))
