package dev.tarn.client.internal.shards;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Suggests, at the end of a message, which name was meant if nothing was found. */
final class NameHint {
  private static final Pattern SLASH_LOST = Pattern.compile("(s3|https?):/([^/].*)");
  private static final Pattern OF_SHARDS = Pattern.compile(".*(\\.tar|\\.tgz|[{*?]).*");

  private NameHint() {}

  /** For a shard; empty if its name looks like a shard's. */
  static String ofShard(StorageUrl url) {
    String name = url.printable();
    return name.contains("*") || name.contains("?")
        ? "; * and ? are no wildcards in names of shards: name several shards by braces as in"
            + " shard-{000000..000009}.tar, by a list, or by their manifest"
        : ofSlashes(url);
  }

  /** For a manifest, or its folder. */
  static String ofManifest(StorageUrl url) {
    return OF_SHARDS.matcher(url.name()).matches()
        ? "; a manifest is named by the URL of its dataset.json or by its folder's, shards by"
            + " shards(...)"
        : ofSlashes(url);
  }

  /** Code that makes a path of a URL joins two slashes into one. */
  private static String ofSlashes(StorageUrl url) {
    Matcher matcher = SLASH_LOST.matcher(url.path());
    return url.scheme() == Scheme.FILE && matcher.matches()
        ? "; this is a local path: the URL is %s://%s".formatted(matcher.group(1), matcher.group(2))
        : "";
  }
}
