package dev.tarn.sharder.source.archive;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Lists the members of an archive once, in its order. Not thread-safe. */
interface MemberWalk extends Closeable {
  /** Opens a walk at the archive's beginning. */
  interface Opener {
    MemberWalk open() throws IOException;
  }

  /**
   * Returns the next member; null after the last.
   *
   * @throws IOException naming the archive and the offset, if the archive is corrupt or truncated
   */
  @Nullable ArchiveMember next() throws IOException;

  /**
   * Verifies, after the last member, that nothing but padding follows the archive's end.
   *
   * @throws IOException naming the archive, the offset and the number of bytes
   */
  default void requireEnd() throws IOException {}
}
