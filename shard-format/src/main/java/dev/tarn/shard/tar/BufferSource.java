package dev.tarn.shard.tar;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An archive that arrives in buffers, one after the other. */
@FunctionalInterface
public interface BufferSource {
  /**
   * The next buffer, from its position to its limit; asked for when the one before has been passed.
   * Data that lies within one buffer is handed out as a view of it, so its bytes must stay as they
   * are for as long as the caller uses such data.
   *
   * @return null at the archive's end
   */
  @Nullable ByteBuffer next() throws IOException;
}
