package dev.tarn.sharder.source.archive;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Lists the members of an archive once, in its order. Not for several threads at once. */
interface MemberWalk extends Closeable {
  /** Opens a walk at the archive's beginning. */
  interface Opening {
    MemberWalk open() throws IOException;
  }

  /**
   * The next member; null after the last.
   *
   * @throws IOException naming archive and byte if the archive is corrupt or cut short
   */
  @Nullable ArchiveMember next() throws IOException;
}
