package dev.tarn.sharder.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
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
      boolean fits = segment.length() <= buffers.capacity();
      PackedMembers packed = fits ? reading.read(segment, buffer) : null;
      segment.shard().add(new ShardAssembly.Filled(segment, buffer, packed), reading, buffers);
    }
  }
}
