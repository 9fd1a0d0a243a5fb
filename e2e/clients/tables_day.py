"""One user's day with what reads and writes tables in Python: tables_day.py pyarrow|polars|pandas.

pyarrow goes through Arrow's own S3 file system (the AWS SDK for C++), polars and obstore through Rust's object_store,
pandas through s3fs. For the environment see day.py.
"""

import datetime
import random
import ssl
import sys
import urllib.request

from day import BUCKET, CA, ENDPOINT, INPUT, KEY, LARGE, MIDDLE, SECRET, TREE, WORK, files, same

ROWS = 200_000
S3FS_OPTIONS = {
    "key": KEY,
    "secret": SECRET,
    "endpoint_url": ENDPOINT,
    "client_kwargs": {"region_name": "us-east-1", **({"verify": CA} if CA else {})},
    "config_kwargs": {"s3": {"addressing_style": "path"}},
}


def columns():
    """A table that is neither sorted nor compressible."""
    dice = random.Random(5)
    return {
        "id": list(range(ROWS)),
        "score": [dice.random() for _ in range(ROWS)],
        "name": [f"row {dice.getrandbits(40)} é" for _ in range(ROWS)],
    }


def s3_file_system():
    import s3fs

    return s3fs.S3FileSystem(**S3FS_OPTIONS)


def fetch(url):
    context = ssl.create_default_context(cafile=CA) if url.startswith("https") else None
    with urllib.request.urlopen(url, context=context) as answer:
        return answer.read()


def pyarrow_day():
    import pyarrow
    import pyarrow.dataset
    import pyarrow.fs
    import pyarrow.parquet

    print(f"version: PyArrow {pyarrow.__version__}")
    print("note: PyArrow: no presign, no conditional write, no key with // or ..")
    s3 = pyarrow.fs.S3FileSystem(
        endpoint_override=ENDPOINT,
        region="us-east-1",
        access_key=KEY,
        secret_key=SECRET,
        allow_bucket_creation=True,
        allow_bucket_deletion=True,
        **({"tls_ca_file_path": CA} if CA else {}),
    )
    local = pyarrow.fs.LocalFileSystem()
    s3.create_dir(BUCKET)
    pyarrow.fs.copy_files(str(TREE), f"{BUCKET}/tree", local, s3)
    infos = s3.get_file_info(pyarrow.fs.FileSelector(f"{BUCKET}/tree", recursive=True))
    listed = {i.path.removeprefix(f"{BUCKET}/tree/"): i.size for i in infos if i.is_file}
    assert listed == {name: f.stat().st_size for name, f in files().items()}
    pyarrow.fs.copy_files(f"{BUCKET}/tree", str(WORK / "back"), s3, local)
    same(WORK / "back")

    with s3.open_output_stream(f"{BUCKET}/large") as out:
        for at in range(0, len(LARGE), 8 << 20):
            out.write(LARGE[at : at + (8 << 20)])
    with s3.open_input_file(f"{BUCKET}/large") as file:
        assert file.size() == len(LARGE)
        assert file.read_at(100, MIDDLE) == LARGE[MIDDLE : MIDDLE + 100]
        assert file.read() == LARGE
    s3.copy_file(f"{BUCKET}/large", f"{BUCKET}/copy")
    s3.move(f"{BUCKET}/copy", f"{BUCKET}/moved copy")
    with s3.open_input_stream(f"{BUCKET}/moved copy") as stream:
        assert stream.read() == LARGE
    with s3.open_output_stream(f"{BUCKET}/moved copy") as out:
        out.write(b"other")
    with s3.open_input_stream(f"{BUCKET}/moved copy") as stream:
        assert stream.read() == b"other"

    table = pyarrow.table(columns())
    pyarrow.parquet.write_table(table, f"{BUCKET}/one.parquet", filesystem=s3, row_group_size=20_000)
    assert pyarrow.parquet.read_table(f"{BUCKET}/one.parquet", filesystem=s3).equals(table)
    few = pyarrow.parquet.read_table(
        f"{BUCKET}/one.parquet", filesystem=s3, columns=["id"], filters=[("id", "<", 100)]
    )
    assert few["id"].to_pylist() == list(range(100))
    groups = table.append_column("part", pyarrow.array([i % 10 for i in range(ROWS)]))
    pyarrow.dataset.write_dataset(
        groups,
        f"{BUCKET}/many",
        filesystem=s3,
        format="parquet",
        partitioning=pyarrow.dataset.partitioning(
            pyarrow.schema([("part", pyarrow.int64())]), flavor="hive"
        ),
    )
    many = pyarrow.dataset.dataset(f"{BUCKET}/many", filesystem=s3, partitioning="hive")
    assert many.count_rows() == ROWS
    s3.delete_file(f"{BUCKET}/large")
    s3.delete_dir_contents(BUCKET)
    s3.delete_dir(BUCKET)
    assert s3.get_file_info(BUCKET).type == pyarrow.fs.FileType.NotFound


def polars_day():
    import obstore
    import obstore.store
    import polars

    print(f"version: Polars {polars.__version__} and obstore {obstore.__version__}")
    print("note: s3fs makes and removes the bucket")
    buckets = s3_file_system()
    buckets.mkdir(BUCKET)
    plain = ENDPOINT.startswith("http:")
    client = {"allow_http": plain}
    store = obstore.store.S3Store(
        BUCKET,
        endpoint=ENDPOINT,
        region="us-east-1",
        access_key_id=KEY,
        secret_access_key=SECRET,
        virtual_hosted_style_request=False,
        client_options=client,
    )
    for name, file in files().items():
        store.put(f"tree/{name}", file.read_bytes())
    listed = [item["path"] for page in store.list("tree/") for item in page]
    assert set(listed) == {f"tree/{name}" for name in files()}
    for name, file in files().items():
        assert bytes(store.get(f"tree/{name}").bytes()) == file.read_bytes(), name

    store.put("large", INPUT / "large", chunk_size=8 << 20)
    assert bytes(store.get("large").bytes()) == LARGE
    assert bytes(store.get_range("large", start=MIDDLE, length=100)) == LARGE[MIDDLE : MIDDLE + 100]
    store.copy("large", "copy")
    store.rename("copy", "moved copy")
    assert bytes(store.get("moved copy").bytes()) == LARGE
    store.put("moved copy", b"other")
    assert bytes(store.get("moved copy").bytes()) == b"other"
    store.put("once", b"once", mode="create")
    try:
        store.put("once", b"twice", mode="create")
        raise AssertionError("a second create went through")
    except obstore.exceptions.AlreadyExistsError:
        pass
    etag = store.head("once")["e_tag"]
    store.put("once", b"changed", mode={"e_tag": etag})
    try:
        store.put("once", b"late", mode={"e_tag": etag})
        raise AssertionError("an update of what has changed went through")
    except obstore.exceptions.PreconditionError:
        pass
    some = next(iter(files()))
    url = obstore.sign(store, "GET", f"tree/{some}", datetime.timedelta(minutes=5))
    assert fetch(url) == files()[some].read_bytes()

    frame = polars.DataFrame(columns())
    options = {
        "aws_endpoint_url": ENDPOINT,
        "aws_region": "us-east-1",
        "aws_access_key_id": KEY,
        "aws_secret_access_key": SECRET,
        "aws_allow_http": "true" if plain else "false",
    }
    place = f"s3://{BUCKET}/one.parquet"
    frame.write_parquet(place, storage_options=options, row_group_size=20_000)
    assert polars.read_parquet(place, storage_options=options).equals(frame)
    lazy = polars.scan_parquet(place, storage_options=options)
    assert lazy.filter(polars.col("id") < 100).select("id").collect()["id"].to_list() == list(range(100))
    frame.lazy().sink_parquet(f"s3://{BUCKET}/sunk.parquet", storage_options=options)
    every = polars.scan_parquet(f"s3://{BUCKET}/*.parquet", storage_options=options)
    assert every.select(polars.len()).collect().item() == 2 * ROWS

    store.delete([item["path"] for page in store.list() for item in page])
    assert [item for page in store.list() for item in page] == []
    buckets.rmdir(BUCKET)


def pandas_day():
    import pandas
    import s3fs

    print(f"version: pandas {pandas.__version__} and s3fs {s3fs.__version__}")
    print("note: no conditional write")
    s3, options = s3_file_system(), S3FS_OPTIONS
    s3.mkdir(BUCKET)
    s3.put(f"{TREE}/", f"{BUCKET}/tree/", recursive=True)
    listed = {path.removeprefix(f"{BUCKET}/tree/") for path in s3.find(f"{BUCKET}/tree")}
    assert listed == set(files()), listed ^ set(files())
    s3.get(f"{BUCKET}/tree/", f"{WORK}/back/", recursive=True)
    same(WORK / "back")

    s3.put(str(INPUT / "large"), f"{BUCKET}/large", chunksize=8 << 20)
    assert s3.cat_file(f"{BUCKET}/large") == LARGE
    assert s3.cat_file(f"{BUCKET}/large", start=MIDDLE, end=MIDDLE + 100) == LARGE[MIDDLE : MIDDLE + 100]
    s3.copy(f"{BUCKET}/large", f"{BUCKET}/copy")
    s3.invalidate_cache()
    assert s3.info(f"{BUCKET}/copy")["size"] == len(LARGE)
    s3.pipe_file(f"{BUCKET}/copy", b"other")
    assert s3.cat_file(f"{BUCKET}/copy") == b"other"
    some = next(iter(files()))
    assert fetch(s3.sign(f"{BUCKET}/tree/{some}")) == files()[some].read_bytes()

    frame = pandas.DataFrame(columns())
    place = f"s3://{BUCKET}/one.parquet"
    frame.to_parquet(place, storage_options=options, row_group_size=20_000)
    assert pandas.read_parquet(place, storage_options=options).equals(frame)
    few = pandas.read_parquet(
        place, columns=["id"], filters=[("id", "<", 100)], storage_options=options
    )
    assert few["id"].tolist() == list(range(100))
    frame.head(1000).to_csv(f"s3://{BUCKET}/one.csv", index=False, storage_options=options)
    assert len(pandas.read_csv(f"s3://{BUCKET}/one.csv", storage_options=options)) == 1000

    s3.rm(f"{BUCKET}/tree", recursive=True)
    s3.invalidate_cache()
    s3.rm([path for path in s3.find(BUCKET)])
    s3.rmdir(BUCKET)
    s3.invalidate_cache()
    assert not s3.exists(BUCKET)


{"pyarrow": pyarrow_day, "polars": polars_day, "pandas": pandas_day}[sys.argv[1]]()
