"""One user's day with TensorStore: keys, arrays of three formats, and OCDBT, with several processes that write at once.

TensorStore makes its writes atomic by conditions (If-Match, If-None-Match). For the environment see day.py.
"""

import multiprocessing
import os

from day import BUCKET, CA, ENDPOINT, LARGE, MIDDLE, SECRET, bucket, files, refused

if CA:
    os.environ["TENSORSTORE_CA_BUNDLE"] = CA

import importlib.metadata

import numpy
import tensorstore

WRITERS, COUNTS = 6, 5
SIDE, CHUNK = 600, 128


def place(path, **more):
    return {
        "driver": "s3",
        "bucket": BUCKET,
        "path": path,
        "endpoint": ENDPOINT,
        "aws_region": "us-east-1",
        "aws_credentials": {"type": "environment"},
        **more,
    }


def store_of(path, **more):
    return tensorstore.KvStore.open(place(path, **more)).result()


DATABASE = {"driver": "ocdbt", "base": place("database/")}


def keys():
    store = store_of("tree/")
    writes = {name: store.write(name, file.read_bytes()) for name, file in files().items()}
    generations = {name: write.result().generation for name, write in writes.items()}
    assert {key.decode() for key in store.list().result()} == set(files())
    for name, file in files().items():
        assert store[name] == file.read_bytes(), name

    some = "odd/plus+sign"
    first = generations[some]
    second = store.write(some, b"changed", if_equal=first).result().generation
    assert second != first
    lost = store.write(some, b"late", if_equal=first).result().generation
    assert lost not in (first, second), "a write went through on an old condition"
    assert store[some] == b"changed"
    assert store.read(some, if_not_equal=second).result().state == "unspecified"
    assert store.read("never there").result().state == "missing"
    del store[some]
    assert store.read(some).result().state == "missing"

    store = store_of("")
    store["large"] = LARGE
    assert store["large"] == LARGE
    part = store.read("large", byte_range=slice(MIDDLE, MIDDLE + 100)).result().value
    assert part == LARGE[MIDDLE : MIDDLE + 100]
    store.delete_range(tensorstore.KvStore.KeyRange("tree/plain-0/", "tree/plain-00")).result()
    left = {key.decode() for key in store_of("tree/").list().result()}
    assert left == {name for name in files() if not name.startswith("plain-0/")} - {some}


def formats():
    chunks = [CHUNK, CHUNK]
    sharded = {
        "name": "sharding_indexed",
        "configuration": {
            "chunk_shape": [CHUNK // 4, CHUNK // 4],
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "gzip"}],
        },
    }
    grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
    return {
        "zarr": {"chunks": chunks},
        "zarr3": {"chunk_grid": grid, "codecs": [sharded]},
        "n5": {"blockSize": chunks, "compression": {"type": "raw"}},
    }


def array_of(path, driver, kvstore=None):
    return tensorstore.open({"driver": driver, "kvstore": kvstore or place(path), "open": True}).result()


def arrays():
    values = numpy.random.default_rng(5).integers(1, 60_000, (SIDE, SIDE), dtype=numpy.uint16)
    for driver, metadata in formats().items():
        for path in (f"arrays/{driver}/", f"arrays + more/{driver} 100%/é/"):
            spec = {"driver": driver, "kvstore": place(path), "metadata": metadata}
            array = tensorstore.open(
                spec, create=True, dtype=tensorstore.uint16, shape=[SIDE, SIDE]
            ).result()
            array.write(values).result()
            back = array_of(path, driver)
            assert (back.read().result() == values).all(), driver
            assert (back[100:300, 7].read().result() == values[100:300, 7]).all(), driver
            with refused(ValueError, "ALREADY_EXISTS"):
                tensorstore.open(spec, create=True, dtype=tensorstore.uint16, shape=[SIDE, SIDE]).result()
            with tensorstore.Transaction() as transaction:
                back.with_transaction(transaction)[10:20, 10:20] = 7
                back.with_transaction(transaction)[15:500, 3] = 8
            back.resize(exclusive_max=[SIDE + 100, SIDE]).result()
            wider = array_of(path, driver)
            expected = numpy.zeros((SIDE + 100, SIDE), numpy.uint16)
            expected[:SIDE] = values
            expected[10:20, 10:20] = 7
            expected[15:500, 3] = 8
            assert (wider.read().result() == expected).all(), driver
            # A chunk of the fill value alone is deleted.
            wider[:CHUNK, :CHUNK] = 0
            expected[:CHUNK, :CHUNK] = 0
            assert (array_of(path, driver).read().result() == expected).all(), driver
    spec = {"driver": "zarr", "kvstore": place("arrays/zarr/")}
    tensorstore.open(spec, create=True, delete_existing=True, dtype=tensorstore.int8, shape=[3]).result()
    assert array_of("arrays/zarr/", "zarr").read().result().tolist() == [0, 0, 0]


def one_writers_day(writer, begin):
    """Changes what the other processes change at the same time: chunks, counters, and an OCDBT database."""
    stores = [store_of("shared/default/"), store_of("shared/conditional/", use_conditional_write=True)]
    database = tensorstore.KvStore.open(DATABASE).result()
    shared = [array_of(f"shared/{driver}/", driver) for driver in formats()]
    begin.wait()
    for array in shared:
        for column in range(writer, CHUNK, WRITERS):
            array[:, column] = numpy.arange(column, column + CHUNK, dtype=numpy.int32)
    for count in range(COUNTS):
        for store in stores:
            while not add_one(store):
                pass
        database[f"writer {writer}/{count} + é"] = f"{writer}-{count}" * 100


def add_one(store):
    """Adds to a counter by compare-and-set; whether no other process did so meanwhile."""
    before = store.read("counter").result()
    after = str(int(before.value) + 1)
    return store.write("counter", after, if_equal=before.stamp.generation).result().generation != b""


def concurrent_writers():
    for driver, metadata in formats().items():
        spec = {"driver": driver, "kvstore": place(f"shared/{driver}/"), "metadata": metadata}
        tensorstore.open(spec, create=True, dtype=tensorstore.int32, shape=[CHUNK, CHUNK]).result()
    counters = [store_of(f"shared/{name}/") for name in ("default", "conditional")]
    for counter in counters:
        counter["counter"] = b"0"
    spawned = multiprocessing.get_context("spawn")
    begin = spawned.Barrier(WRITERS)
    processes = [spawned.Process(target=one_writers_day, args=(w, begin)) for w in range(WRITERS)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
        assert process.exitcode == 0, f"a writer ended with {process.exitcode}"

    expected = numpy.add.outer(numpy.arange(CHUNK), numpy.arange(CHUNK))
    for driver in formats():
        found = array_of(f"shared/{driver}/", driver).read().result()
        assert (found == expected).all(), f"{driver}: {(found != expected).sum()} values were lost"
    for counter in counters:
        assert counter["counter"] == str(WRITERS * COUNTS).encode(), counter["counter"]
    database = tensorstore.KvStore.open(DATABASE).result()
    names = {f"writer {w}/{c} + é": f"{w}-{c}" * 100 for w in range(WRITERS) for c in range(COUNTS)}
    assert {key.decode() for key in database.list().result()} == set(names)
    for name, value in names.items():
        assert database[name] == value.encode(), name


def large_database():
    """OCDBT keeps large values in data files of its own, and its arrays and deletes go through its tree."""
    database = tensorstore.KvStore.open(DATABASE).result()
    database["large"] = LARGE
    assert tensorstore.KvStore.open(DATABASE).result()["large"] == LARGE
    values = numpy.arange(SIDE * SIDE, dtype=numpy.int32).reshape(SIDE, SIDE)
    base = {"driver": "ocdbt", "base": place("database/"), "path": "array/"}
    spec = {"driver": "zarr3", "kvstore": base}
    tensorstore.open(spec, create=True, dtype=tensorstore.int32, shape=[SIDE, SIDE]).result()[...] = values
    assert (array_of("", "zarr3", base).read().result() == values).all()
    database.delete_range(tensorstore.KvStore.KeyRange("writer 0/", "writer 00")).result()
    left = {key.decode() for key in tensorstore.KvStore.open(DATABASE).result().list().result()}
    assert not any(name.startswith("writer 0/") for name in left)
    assert "large" in left and "array/zarr.json" in left


def errors():
    with refused(ValueError, "NOT_FOUND"):
        array_of("never there/", "zarr3")
    with refused(ValueError, "NOT_FOUND", "NoSuchBucket"):
        store_of("", bucket=f"{BUCKET}-never-there")["key"] = b"value"
    os.environ["AWS_SECRET_ACCESS_KEY"] = "another secret"
    with refused(ValueError, "SignatureDoesNotMatch", "PERMISSION_DENIED"):
        store_of("tree/")["late"] = b"value"
    with refused(ValueError, "SignatureDoesNotMatch", "PERMISSION_DENIED"):
        store_of("tree/").list().result()
    os.environ["AWS_SECRET_ACCESS_KEY"] = SECRET
    assert store_of("tree/").read("late").result().state == "missing"


def main():
    print(f"version: TensorStore {importlib.metadata.version('tensorstore')}")
    print("note: no upload in parts, presign or copy; boto3 makes and removes the bucket")
    bucket("make")
    keys()
    arrays()
    concurrent_writers()
    large_database()
    errors()
    bucket("empty")
    bucket("remove")


if __name__ == "__main__":
    main()
