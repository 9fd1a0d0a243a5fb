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
 * @param url of the shard
 * @param size length of the stored file, if a manifest or a kept index has it
 * @param samples number of samples, if a manifest or a kept index has it
 * @param index of the shard, if there is one
 * @param etag of the version that a kept index describes
 */
public record ShardSource(
    StorageUrl url,
    OptionalLong size,
    OptionalLong samples,
    Optional<IndexFile> index,
    Optional<String> etag) {
  /**
   * The index of a shard.
   *
   * @param url of the file
   * @param size length of the file in bytes
   * @param isKept whether the SDK made it, in a folder of this machine
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

  /** A shard of which only the URL is known. */
  public static ShardSource of(StorageUrl url) {
    return new ShardSource(
        url, OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Requires that the stored shard is the one in the manifest.
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

  /** The same failure; if the shard is missing, with a hint which name was meant. */
  public StorageException explained(StorageException failure) {
    // A shard in a manifest did exist, whatever its name.
    boolean isNamed = size.isEmpty() && failure.kind() == Kind.MISSING;
    String hint = isNamed ? NameHint.ofShard(url) : "";
    return hint.isEmpty()
        ? failure
        : new StorageException(failure.kind(), failure.url(), failure.what() + hint, failure);
  }

  /** The reason of a failure, for a message that already names the shard and the offset. */
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
