package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

/**
 * A small file, or an object, to be packed.
 *
 * @param name relative to the source, with slashes; see {@link dev.tarn.shard.name.MemberNames}
 * @param size in bytes, when the source was listed
 */
public record SourceFile(String name, long size) {
  public SourceFile {
    requireNonNull(name, "name is null");
    if (size < 0) {
      throw new IllegalArgumentException(name + ": size " + size + " is negative");
    }
  }
}
