package dev.tarn.shard.tar;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An archive that arrives in consecutive buffers. */
@FunctionalInterface
public interface BufferSource {
  /**
   * Returns the next buffer, from its position to its limit; called when the previous one is
   * consumed.
   *
   * <p>Data within one buffer is returned as a view of it. The buffer must therefore not change
   * while the caller uses such data.
   *
   * @return null at the archive's end
   */
  @Nullable ByteBuffer next() throws IOException;
}
