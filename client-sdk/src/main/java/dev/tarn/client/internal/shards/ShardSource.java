package dev.tarn.client.internal.shards;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One shard of a dataset, as far as it is known before it is read.
 *
 * @param url where it is
 * @param size the length of the stored file, if a manifest or a kept index tells
 * @param samples how many it has, if a manifest or a kept index tells
 * @param index where its index is and how long, if it has one
 * @param etag the version that a kept index is of
 */
public record ShardSource(
    StorageUrl url,
    OptionalLong size,
    OptionalLong samples,
    Optional<IndexFile> index,
    Optional<String> etag) {
  /**
   * A shard's index.
   *
   * @param url where it is
   * @param size the length of the file
   * @param isKept whether it was made here, and is in a folder of this machine
   */
  public record IndexFile(StorageUrl url, int size, boolean isKept) {}

  /** Checks the parts. */
  public ShardSource {
    requireNonNull(url, "url is null");
    requireNonNull(size, "size is null");
    requireNonNull(samples, "samples is null");
    requireNonNull(index, "index is null");
    requireNonNull(etag, "etag is null");
  }

  /** A shard of which nothing is known but where it is. */
  public static ShardSource of(StorageUrl url) {
    return new ShardSource(
        url, OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Holds what the storage says of it against what a manifest says.
   *
   * @throws StorageException if it is another one
   */
  public void requireSame(StoredObject found) throws StorageException {
    if (size.isPresent() && found.size() != size.orElseThrow()) {
      throw new StorageException(
          found.size() < size.orElseThrow() ? Kind.TRUNCATED : Kind.CHANGED,
          url,
          "%d bytes long, the manifest says %d".formatted(found.size(), size.orElseThrow()));
    }
  }

  /** The same failure; where it is missing, with what its name may have been meant for. */
  public StorageException explained(StorageException failure) {
    // One that a manifest lists was there, whatever it is called.
    boolean isNamed = size.isEmpty() && failure.kind() == Kind.MISSING;
    String hint = isNamed ? NameHint.ofShard(url) : "";
    return hint.isEmpty()
        ? failure
        : new StorageException(failure.kind(), failure.url(), failure.what() + hint, failure);
  }

  /** What a failure to read it means, in a message that names it and the offset already. */
  public String reason(Throwable failure) {
    if (failure instanceof ShardFormatException format && format.source().equals(url.printable())) {
      return format.problem();
    }
    if (!(failure instanceof StorageException failed)) {
      return String.valueOf(failure instanceof IOException ? failure.getMessage() : failure);
    }
    return failed.url().equals(url)
        ? explained(failed).what()
        : "its index %s: %s".formatted(failed.url(), failed.what());
  }
}
