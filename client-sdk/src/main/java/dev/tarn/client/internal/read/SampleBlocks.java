package dev.tarn.client.internal.read;

import java.io.IOException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Reads samples block by block and puts each block into the order of delivery. */
public interface SampleBlocks {
  /** Reads the next block and adds its samples; adds none after the last block. */
  void readNext(Queue<ReadSample> ready) throws IOException;

  /** Reads samples in the order in which they are fetched. */
  interface Source {
    /** Reads the next sample; null after the last. */
    @Nullable ReadSample next() throws IOException;
  }
}
