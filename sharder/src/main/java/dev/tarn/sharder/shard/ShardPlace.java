package dev.tarn.sharder.shard;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.ShardEntry;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A shard to read.
 *
 * @param url of the shard
 * @param index the URL of its index, which may not exist
 * @param entry its manifest entry, if it is read as a part of a dataset
 */
public record ShardPlace(StorageUrl url, StorageUrl index, Optional<ShardEntry> entry) {
  /** A regular expression for the extensions of tar archives, of all supported compressions. */
  public static final String ENDINGS = "tar(?:\\.(?:gz|zst|xz|bz2))?|tgz|tzst|txz|tbz2?";

  private static final Pattern SHARD_NAME =
      Pattern.compile("(?i).*\\.(?:" + ENDINGS + ")(?:\\?.*)?", Pattern.DOTALL);

  public ShardPlace {
    requireNonNull(url, "url is null");
    requireNonNull(index, "index is null");
    requireNonNull(entry, "entry is null");
  }

  /** Returns a single shard; its index, if any, is beside it. */
  public static ShardPlace of(StorageUrl url) {
    String path = url.path();
    int query = isWeb(url) ? path.indexOf('?') : -1;
    int end = query < 0 ? path.length() : query;
    String index = path.substring(0, end) + ShardIndex.SUFFIX + path.substring(end);
    return new ShardPlace(
        url, new StorageUrl(url.scheme(), url.authority(), index), Optional.empty());
  }

  /** Returns a shard of a dataset. */
  public static ShardPlace of(StorageUrl dataset, ShardEntry entry) {
    return new ShardPlace(
        dataset.child(entry.name()), dataset.child(entry.index().name()), Optional.of(entry));
  }

  private static boolean isWeb(StorageUrl url) {
    return url.scheme() == StorageUrl.Scheme.HTTP || url.scheme() == StorageUrl.Scheme.HTTPS;
  }

  /**
   * Returns whether a name is a shard's and not a dataset's: it ends in .tar, .tgz, .tar.gz, ...
   */
  public static boolean isShardName(String name) {
    return SHARD_NAME.matcher(name).matches();
  }

  /** Returns the command that makes its index again. */
  public String indexing() {
    return "sharder index --force " + this;
  }

  /** Returns its name in messages. */
  @Override
  public String toString() {
    return url.printable();
  }
}
