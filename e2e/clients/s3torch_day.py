"""One user's day with s3torchconnector: data sets for a PyTorch DataLoader, and checkpoints.

Distributed checkpoints come after these where PyTorch is new enough. For the environment see day.py.
"""

import importlib.metadata
import io
import os
import random
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.multiprocessing
import torch.utils.data
from s3torchconnector import (
    S3Checkpoint,
    S3ClientConfig,
    S3IterableDataset,
    S3Exception,
    S3MapDataset,
    S3ReaderConstructor,
)

from day import BUCKET, ENDPOINT, LARGE, MIDDLE, SECRET, bucket, files, refused

DISTRIBUTED = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 3)
PATHS = S3ClientConfig(force_path_style=True, max_attempts=3)
PLACE = {"region": "us-east-1", "endpoint": ENDPOINT, "s3client_config": PATHS}
READERS = [S3ReaderConstructor.sequential(), S3ReaderConstructor.range_based(1 << 20)]
WORKERS, RANKS = 2, 2


def uri(key):
    return f"s3://{BUCKET}/{key}"


def write(key, content):
    with S3Checkpoint(**PLACE).writer(uri(key)) as writer:
        writer.write(content)


def content_of(sample):
    """What a DataLoader's worker makes of a sample: its name in the tree, its bytes, and who read it."""
    info = torch.utils.data.get_worker_info()
    return sample.key.removeprefix("tree/"), sample.read(), info.id if info else None


def same_samples(samples):
    found = {}
    for name, content, _ in samples:
        assert name not in found, f"{name} came twice"
        found[name] = content
    assert set(found) == set(files()), set(found) ^ set(files())
    for name, file in files().items():
        assert found[name] == file.read_bytes(), name


def uploads():
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda item: write(f"tree/{item[0]}", item[1].read_bytes()), files().items()))
    write("large", LARGE)


def data_sets():
    for reader in READERS:
        options = {**PLACE, "transform": content_of, "reader_constructor": reader}
        by_index = S3MapDataset.from_prefix(uri("tree/"), **options)
        assert len(by_index) == len(files())
        same_samples(by_index[number] for number in range(len(by_index)))
        same_samples(S3IterableDataset.from_prefix(uri("tree/"), **options))
        some = random.Random(5).sample(sorted(files()), 10)
        listed = S3MapDataset.from_objects([uri(f"tree/{name}") for name in some], **options)
        assert [listed[number][0] for number in range(10)] == some

    options = {**PLACE, "transform": content_of}
    sharded = S3IterableDataset.from_prefix(uri("tree/"), **options, enable_sharding=True)
    for data_set in (S3MapDataset.from_prefix(uri("tree/"), **options), sharded):
        shuffle = data_set is not sharded
        loader = torch.utils.data.DataLoader(
            data_set, batch_size=None, num_workers=WORKERS, shuffle=shuffle or None
        )
        for _ in range(2):
            samples = list(loader)
            same_samples(samples)
            assert {worker for _, _, worker in samples} == set(range(WORKERS))


def large_object():
    checkpoint = S3Checkpoint(**PLACE)
    with checkpoint.reader(uri("large")) as reader:
        assert reader.read() == LARGE
    for constructor in READERS:
        client = S3MapDataset.from_objects([uri("large")], **PLACE, reader_constructor=constructor)
        with client[0] as reader:
            reader.seek(MIDDLE)
            assert reader.read(100) == LARGE[MIDDLE : MIDDLE + 100]
            reader.seek(-100, io.SEEK_END)
            assert reader.read() == LARGE[-100:]
            reader.seek(0)
            buffer = bytearray(len(LARGE))
            view, at = memoryview(buffer), 0
            while (read := reader.readinto(view[at:])) > 0:
                at += read
            assert buffer == LARGE


def checkpoints():
    model = torch.nn.Sequential(torch.nn.Linear(1000, 1000), torch.nn.Linear(1000, 1000))
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = S3Checkpoint(**PLACE)
    for key in ("epoch-1.pt", "épochs + 100%/epoch 1.pt"):
        for step in range(2):  # the second overwrites the first
            model(torch.randn(2, 1000)).sum().backward()
            optimizer.step()
            with checkpoint.writer(uri(key)) as writer:
                torch.save({"model": model.state_dict(), "step": step}, writer)
        with checkpoint.reader(uri(key)) as reader:
            loaded = torch.load(reader)
        assert loaded["step"] == 1
        for name, value in model.state_dict().items():
            assert torch.equal(loaded["model"][name], value), name


def state_of(rank):
    generator = torch.Generator().manual_seed(5)
    shared = torch.rand(1 << 20, generator=generator)
    return {"shared": shared, f"rank {rank}": torch.arange(1 << 20) * (rank + 1)}


def one_ranks_day(rank, port):
    import torch.distributed
    import torch.distributed.checkpoint as dcp
    from s3torchconnector.dcp import S3StorageReader, S3StorageWriter

    os.environ["AWS_ENDPOINT_URL"] = ENDPOINT  # the only way to name an endpoint here
    torch.distributed.init_process_group(
        "gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=RANKS
    )
    place = {"region": "us-east-1", "s3client_config": PATHS}
    for path in ("distributed/step-1", "distributed + more/step 1 é"):
        for _ in range(2):  # the second overwrites the first
            dcp.save(state_of(rank), storage_writer=S3StorageWriter(path=uri(path), **place, thread_count=2))
        for constructor in (None, S3ReaderConstructor.sequential()):
            loaded = {name: torch.zeros_like(value) for name, value in state_of(rank).items()}
            reader = S3StorageReader(path=uri(path), **place, reader_constructor=constructor)
            dcp.load(loaded, storage_reader=reader)
            for name, value in state_of(rank).items():
                assert torch.equal(loaded[name], value), (path, name)
    torch.distributed.destroy_process_group()


def distributed_checkpoints():
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(one_ranks_day, (port,), nprocs=RANKS)


def errors():
    with refused(S3Exception, "key does not exist"):
        S3Checkpoint(**PLACE).reader(uri("never there")).read()
    with refused(S3Exception, "bucket does not exist"):
        list(S3IterableDataset.from_prefix(f"s3://{BUCKET}-never-there/", **PLACE))
    try:
        with S3Checkpoint(**PLACE).writer(uri("broken off")) as writer:
            writer.write(b"half")
            raise KeyError("the user's own failure")
    except KeyError:
        pass
    os.environ["AWS_SECRET_ACCESS_KEY"] = "another secret"
    with refused(S3Exception, "SignatureDoesNotMatch", "Forbidden", "signature"):
        S3Checkpoint(**PLACE).reader(uri("large")).read()
    with refused(S3Exception, "SignatureDoesNotMatch", "Forbidden", "signature"):
        write("late", b"late")
    os.environ["AWS_SECRET_ACCESS_KEY"] = SECRET
    for key in ("broken off", "late"):
        with refused(S3Exception):
            S3Checkpoint(**PLACE).reader(uri(key)).read()


def main():
    version = importlib.metadata.version("s3torchconnector")
    print(f"version: s3torchconnector {version} with PyTorch {torch.__version__}")
    print("note: no presign, copy or conditional write; boto3 makes and removes the bucket")
    if not DISTRIBUTED:
        print("note: no distributed checkpoints: these need PyTorch 2.3")
    bucket("make")
    uploads()
    data_sets()
    large_object()
    checkpoints()
    if DISTRIBUTED:
        distributed_checkpoints()
    errors()
    bucket("empty")
    bucket("remove")


if __name__ == "__main__":
    main()
