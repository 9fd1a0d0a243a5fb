package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.source.SourceFile;

/**
 * A file and the name that it gets in its shard.
 *
 * @param name a name with key and extension
 * @param file where its bytes come from
 */
public record PlannedMember(String name, SourceFile file) {
  public PlannedMember {
    requireNonNull(name, "name is null");
    requireNonNull(file, "file is null");
  }

  /** How many bytes it takes in its shard, headers and padding included. */
  public long tarLength() {
    return TarLayout.memberLength(name, file.size());
  }
}
