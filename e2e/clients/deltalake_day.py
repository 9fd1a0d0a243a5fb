"""One user's day with deltalake (delta-rs): tables without a lock table, committed by conditional writes.

Several processes append to one table at the same time. For the environment see day.py.
"""

import multiprocessing

import deltalake
import pyarrow
from deltalake import DeltaTable, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError

from day import BUCKET, ENDPOINT, KEY, LARGE, SECRET, bucket, refused

WRITERS, COMMITS, ROWS = 6, 8, 50
FOLDERS = ["table", "a table/with spaces + plus", "späte/100%/Tabelle"]
PARTS = ["plain", "with space", "plus+sign", "100%", "%2F", "a/b", "é", "日本語", "k=v&w"]


def options(secret=SECRET):
    """How a user reaches an S3 that is not AWS; conditional writes make a lock table unnecessary."""
    return {
        "AWS_ENDPOINT_URL": ENDPOINT,
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_ALLOW_HTTP": "true" if ENDPOINT.startswith("http:") else "false",
        "AWS_CONDITIONAL_PUT": "etag",
    }


def place(folder):
    return f"s3://{BUCKET}/{folder}"


def table_of(folder, **version):
    return DeltaTable(place(folder), storage_options=options(), **version)


def rows_of(table):
    return pyarrow.table(table.to_pyarrow_table()).sort_by("id").to_pylist()


def rows(ids, value="new"):
    values = pyarrow.array([value] * len(ids), pyarrow.string())
    return pyarrow.table({"id": pyarrow.array(ids, pyarrow.int64()), "value": values})


def one_writers_day(writer, begin):
    """Appends COMMITS times, each time with other ids; a lost race of commits is deltalake's to repeat."""
    begin.wait()
    for commit in range(COMMITS):
        first = (writer * COMMITS + commit) * ROWS
        write_deltalake(
            place("appended"),
            rows(list(range(first, first + ROWS)), f"writer {writer}"),
            mode="append",
            storage_options=options(),
            commit_properties=deltalake.CommitProperties(
                custom_metadata={"commit": f"{writer}-{commit}"}, max_commit_retries=1000
            ),
        )


def one_creators_day(creator, begin, outcomes):
    begin.wait()
    try:
        write_deltalake(place("created"), rows([creator]), mode="error", storage_options=options())
        outcomes.put(creator)
    except (CommitFailedError, DeltaError) as e:
        outcomes.put(f"{e}")


def at_the_same_time(target, *more):
    """Runs the target in WRITERS processes that begin together; all of them succeed."""
    spawned = multiprocessing.get_context("spawn")
    begin = spawned.Barrier(WRITERS)
    queues = [spawned.Queue() for _ in more]
    processes = [spawned.Process(target=target, args=(w, begin, *queues)) for w in range(WRITERS)]
    for process in processes:
        process.start()
    found = [[queue.get(timeout=300) for _ in processes] for queue in queues]
    for process in processes:
        process.join(300)
        assert process.exitcode == 0, f"a writer ended with {process.exitcode}"
    return found


def concurrent_writers():
    write_deltalake(place("appended"), rows([]), storage_options=options())
    at_the_same_time(one_writers_day)
    table = table_of("appended")
    assert [row["id"] for row in rows_of(table)] == list(range(WRITERS * COMMITS * ROWS))
    history = table.history()
    assert table.version() == WRITERS * COMMITS, table.version()
    assert sorted(entry["version"] for entry in history) == list(range(WRITERS * COMMITS + 1))
    commits = sorted(entry["commit"] for entry in history if "commit" in entry)
    assert commits == sorted(f"{w}-{c}" for w in range(WRITERS) for c in range(COMMITS))
    for version in (1, WRITERS * COMMITS // 2):
        assert table_of("appended", version=version).to_pyarrow_table().num_rows == version * ROWS

    (outcomes,) = at_the_same_time(one_creators_day, "outcomes")
    won = [outcome for outcome in outcomes if isinstance(outcome, int)]
    # deltalake may repeat a creation that lost the race as an append; what it reports must be what is there.
    table = table_of("created")
    assert won, outcomes
    assert table.version() == len(won) - 1, outcomes
    assert [row["id"] for row in rows_of(table)] == sorted(won), outcomes


def a_life(folder):
    """Write, append, merge, update, delete, overwrite, time travel, compaction, checkpoint, vacuum."""
    write_deltalake(place(folder), rows([1, 2, 3], "first"), storage_options=options())
    write_deltalake(place(folder), rows([4, 5], "second"), mode="append", storage_options=options())
    table = table_of(folder)
    (
        table.merge(rows([5, 6], "merged"), "s.id = t.id", source_alias="s", target_alias="t")
        .when_matched_update_all()
        .when_not_matched_insert_all()
        .execute()
    )
    table.update(predicate="id = 1", updates={"value": "'updated'"})
    table.delete("id = 2")
    values = {row["id"]: row["value"] for row in rows_of(table_of(folder))}
    assert values == {1: "updated", 3: "first", 4: "second", 5: "merged", 6: "merged"}, values

    write_deltalake(place(folder), rows([7]), mode="overwrite", storage_options=options())
    assert [row["id"] for row in rows_of(table_of(folder))] == [7]
    assert [row["id"] for row in rows_of(table_of(folder, version=1))] == [1, 2, 3, 4, 5]
    table = table_of(folder)
    table.restore(0)
    assert [row["value"] for row in rows_of(table_of(folder))] == ["first"] * 3

    write_deltalake(place(folder), rows([8]), mode="append", storage_options=options())
    table = table_of(folder)
    assert table.optimize.compact()["numFilesRemoved"] == 2
    table.create_checkpoint()
    removed = table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    assert removed
    assert [row["id"] for row in rows_of(table_of(folder))] == [1, 2, 3, 8]
    with refused(Exception, "not found", "NotFound", "404"):
        rows_of(table_of(folder, version=1))


def partitions():
    """The values of a partition become parts of keys, encoded by deltalake."""
    data = pyarrow.table({"id": list(range(len(PARTS))), "part": PARTS})
    write_deltalake(place("parts"), data, partition_by="part", storage_options=options())
    table = table_of("parts")
    assert rows_of(table) == data.to_pylist()
    assert sorted(p["part"] for p in table.partitions()) == sorted(PARTS)
    for number, part in enumerate(PARTS):
        found = table.to_pyarrow_table(partitions=[("part", "=", part)])
        assert found["id"].to_pylist() == [number], part


def large_files():
    """Data files that deltalake uploads in parts."""
    size = 1 << 16
    pieces = [LARGE[at : at + size] for at in range(0, len(LARGE), size)]
    data = pyarrow.table({"id": list(range(len(pieces))), "bytes": pieces})
    properties = deltalake.WriterProperties(compression="UNCOMPRESSED")
    write_deltalake(place("large"), data, storage_options=options(), writer_properties=properties)
    assert rows_of(table_of("large")) == data.to_pylist()


def errors():
    with refused(TableNotFoundError, "No files"):
        table_of("missing")
    with refused((OSError, DeltaError), "SignatureDoesNotMatch", "403", "denied"):
        DeltaTable(place("table"), storage_options=options("another secret"))
    with refused((OSError, DeltaError), "SignatureDoesNotMatch", "403", "denied"):
        write_deltalake(place("table"), rows([9]), mode="append", storage_options=options("another secret"))
    assert 9 not in [row["id"] for row in rows_of(table_of("table"))]


def main():
    print(f"version: deltalake {deltalake.__version__}")
    print("note: tables only: no sync of files, presign or copy; boto3 makes and removes the bucket")
    bucket("make")
    concurrent_writers()
    for folder in FOLDERS:
        a_life(folder)
    partitions()
    large_files()
    errors()
    bucket("empty")
    bucket("remove")


if __name__ == "__main__":
    main()
