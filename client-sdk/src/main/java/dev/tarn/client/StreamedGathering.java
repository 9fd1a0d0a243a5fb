package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import dev.tarn.client.order.SeededOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The order of shards of which nothing is known before they are read: as they come, or shuffled in
 * blocks of as many bytes.
 */
final class StreamedGathering implements Gathering {
  private final SampleStream samples;
  private final SeededOrder order;
  private final long blockBytes;

  /** The first sample of the next block, read to find the end of the one before. */
  private @Nullable Placed following;

  /**
   * @param blockBytes the length of the blocks to shuffle, 0 for none
   */
  StreamedGathering(SampleStream samples, SeededOrder order, long blockBytes) {
    this.samples = samples;
    this.order = order;
    this.blockBytes = blockBytes;
  }

  @Override
  public void gather(Queue<Sample> ready) throws IOException {
    Placed first = following != null ? following : samples.next();
    following = null;
    if (first == null) {
      return;
    }
    if (blockBytes == 0) {
      ready.add(first.sample());
      return;
    }
    long block = first.offset() / blockBytes;
    List<Sample> gathered = new ArrayList<>();
    Placed placed = first;
    while (placed != null && placed.offset() / blockBytes == block) {
      gathered.add(placed.sample());
      placed = samples.next();
    }
    following = placed;
    for (int i : order.block(gathered.size(), block)) {
      ready.add(gathered.get(i));
    }
  }
}
