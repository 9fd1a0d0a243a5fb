package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A file or an object to be packed.
 *
 * @param name gives the member's name: relative to the source, with slashes; see {@link
 *     dev.tarn.shard.name.MemberNames}
 * @param path by which the source itself reads it
 * @param size in bytes, when the source was listed
 * @param stamp identifies the content at the time of the listing; 0 if unknown
 * @param content its bytes, if the listing has them; null if they must be read
 * @param given the parts of its member's name that the listing gives; null if {@code name} gives
 *     all
 * @param line of the list that names it, from 1; 0 if the source is no list
 */
public record SourceFile(
    String name,
    String path,
    long size,
    long stamp,
    @Nullable ByteBuffer content,
    @Nullable GivenName given,
    long line) {
  /**
   * Maximum size of a file whose content is in the listing, in bytes: it is sorted with its name.
   */
  public static final int CONTENT_BYTES_MAX = 512 * 1024;

  public SourceFile {
    requireNonNull(name, "name is null");
    requireNonNull(path, "path is null");
    if (size < 0) {
      throw new IllegalArgumentException(name + ": size " + size + " is negative");
    }
    if (content != null && content.remaining() != size) {
      throw new IllegalArgumentException(
          name + ": size " + size + ", but " + content.remaining() + " bytes");
    }
  }

  /** Creates a file whose name alone gives its member's name. */
  public SourceFile(String name, String path, long size, long stamp, @Nullable ByteBuffer content) {
    this(name, path, size, stamp, content, null, 0);
  }

  /** Creates a file that the source reads by its name. */
  public static SourceFile named(String name, long size, long stamp) {
    return new SourceFile(name, name, size, stamp, null);
  }
}
