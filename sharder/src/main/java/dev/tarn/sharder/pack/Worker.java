package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.PlannedSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Reads segments until none is left. */
final class Worker implements Callable<@Nullable Void> {
  private final SegmentQueue queue;
  private final Buffers buffers;
  private final SampleReading reading;

  Worker(SegmentQueue queue, Buffers buffers, SampleReading reading) {
    this.queue = queue;
    this.buffers = buffers;
    this.reading = reading;
  }

  /**
   * A buffer is taken before its segment: then the segment that is due always has one, and the
   * others can wait for it.
   */
  @Override
  public @Nullable Void call() throws IOException, InterruptedException {
    while (true) {
      ByteBuffer buffer = buffers.take();
      Segment segment = queue.next();
      if (segment == null) {
        buffers.put(buffer);
        return null;
      }
      List<PackedSample> packed = read(segment.samples(), buffer);
      segment.shard().add(new ShardAssembly.Filled(segment, buffer, packed), reading, buffers);
    }
  }

  /** Null for a sample that no buffer holds. */
  private @Nullable List<PackedSample> read(List<PlannedSample> samples, ByteBuffer buffer)
      throws IOException {
    if (samples.getFirst().tarLength() > buffers.capacity()) {
      return null;
    }
    List<PackedSample> packed = new ArrayList<>(samples.size());
    for (PlannedSample sample : samples) {
      packed.add(reading.read(sample, buffer));
    }
    buffer.flip();
    return packed;
  }
}
