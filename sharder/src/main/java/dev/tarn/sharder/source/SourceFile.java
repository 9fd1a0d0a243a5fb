package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A small file, or an object, to be packed.
 *
 * @param name what its member is named after: relative to the source, with slashes; see {@link
 *     dev.tarn.shard.name.MemberNames}
 * @param path what the source itself reads it by
 * @param size in bytes, when the source was listed
 * @param stamp the mark of this very content when the source was listed; 0 where there is none
 * @param content its bytes, if the listing itself gave them; null if they are to be read
 * @param given what the listing says of its member's name; null if the name says it all
 */
public record SourceFile(
    String name,
    String path,
    long size,
    long stamp,
    @Nullable ByteBuffer content,
    @Nullable GivenName given) {
  /**
   * How many bytes of a file a listing gives at most: they are sorted and planned with its name.
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

  /** A file whose name is all that its member is named after. */
  public SourceFile(String name, String path, long size, long stamp, @Nullable ByteBuffer content) {
    this(name, path, size, stamp, content, null);
  }

  /** A file that the source reads by its name. */
  public static SourceFile named(String name, long size, long stamp) {
    return new SourceFile(name, name, size, stamp, null);
  }
}
