package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

/**
 * A file beside the manifest.
 *
 * @param name relative to the manifest's folder
 * @param size of the file in bytes
 * @param sha256 of the file
 */
public record FileEntry(String name, long size, Sha256 sha256) {
  public FileEntry {
    requireRelative(name);
    requireNonNull(sha256, "sha256 is null");
    if (size <= 0) {
      throw new IllegalArgumentException(name + " has a size of " + size);
    }
  }

  /** Rejects names that lead out of the folder: a manifest may come from an untrusted author. */
  static void requireRelative(String name) {
    requireNonNull(name, "name is null");
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new IllegalArgumentException(
            "\"" + name + "\" is not a relative name without \".\" and \"..\"");
      }
    }
  }
}
