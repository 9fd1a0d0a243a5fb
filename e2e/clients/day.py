"""What the days of the Python libraries share: the environment, the uploaded files, and comparisons.

Environment: ENDPOINT, BUCKET, WORK (an empty folder), INPUT (with the folder tree and the file large),
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; AWS_CA_BUNDLE over https. PYTHON names a Python with boto3.
"""

import contextlib
import os
import pathlib
import subprocess
import time

ENDPOINT, BUCKET = os.environ["ENDPOINT"], os.environ["BUCKET"]
WORK, INPUT = pathlib.Path(os.environ["WORK"]), pathlib.Path(os.environ["INPUT"])
KEY, SECRET = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
CA = os.environ.get("AWS_CA_BUNDLE")
TREE = INPUT / "tree"
LARGE = (INPUT / "large").read_bytes()
MIDDLE = len(LARGE) // 2 + 7
REFUSAL_MAX_SECONDS = 60


def files():
    """The files of the tree, by their names in it."""
    return {str(f.relative_to(TREE)): f for f in TREE.rglob("*") if f.is_file()}


def same(back):
    """Every file of the tree is in this folder, and no other."""
    found = {str(f.relative_to(back)) for f in back.rglob("*") if f.is_file()}
    assert found == set(files()), found ^ set(files())
    for name, file in files().items():
        assert (back / name).read_bytes() == file.read_bytes(), name


def bucket(verb):
    """Makes, empties or removes the bucket for a library that cannot: make, empty or remove."""
    subprocess.run([os.environ["PYTHON"], "bucket.py", verb], check=True)


@contextlib.contextmanager
def refused(errors, *words):
    """The block fails soon with one of these errors, whose message has one of these words."""
    begin = time.monotonic()
    try:
        yield
    except errors as e:
        message = str(e)
    else:
        raise AssertionError(f"nothing was refused, expected {words}")
    seconds = time.monotonic() - begin
    assert not words or any(word in message for word in words), message
    assert seconds < REFUSAL_MAX_SECONDS, f"refused after {seconds:.0f} s: {message}"
