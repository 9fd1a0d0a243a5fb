"""The samples that a tree of files makes, by each reader's rule; names are as Python has them."""

import os
import re


def files(root):
    """Name and bytes of every file."""
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, root), file.read()


def by_webdataset(root):
    """The basename's first dot splits; extensions in lower case; what is named __x__ at the root is passed over."""
    expected = {}
    for name, data in files(root):
        split = re.match(r"^((?:.*/|)[^.]+)[.]([^/]*)$", name)
        if split and not re.match(r"__[^/]*__($|/)", name):
            expected.setdefault(split[1], {})[split[2].lower()] = data
    return expected


def by_huggingface(root):
    """Extensions stay as they are; every basename that begins with . or __ is passed over. Packed is what WebDataset reads."""
    expected = {}
    for name, data in files(root):
        split = re.match(r"^((?:.*/|)[^.]+)[.]([^/]*)$", name)
        if split and not os.path.basename(name).startswith((".", "__")) and not name.startswith("__meta__/"):
            expected.setdefault(split[1], {})[split[2]] = data
    return expected


def unlike(expected, found):
    """Says in a few words how two sets of samples differ; empty if they do not."""
    lost, more = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    other = sorted(key for key in set(expected) & set(found) if expected[key] != found[key])
    parts = [f"{len(keys)} {what}: {keys[:5]!r}" for what, keys in (("lost", lost), ("more", more), ("other", other)) if keys]
    return ", ".join(parts)
