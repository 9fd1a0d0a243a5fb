package dev.tarn.targetnode.store.write;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Incidents;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.memory.SerialExecutor;
import dev.tarn.targetnode.store.room.Room;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Digests chunks and writes them into an extent on worker threads, one after the other. The first
 * chunk creates the extent. Everything but the counting runs on a serial executor.
 */
final class ExtentSink {
  private static final int UNDERWAY_MAX = 2;

  /**
   * The bytes digested and then written in one step: the processor's cache still holds them for the
   * write.
   */
  private static final int STEP_BYTES = 128 << 10;

  private final DiskStore store;
  private final BodyWriting writing;
  private final BodyDigests digests;
  private final Executor serial;
  private final AtomicInteger underway = new AtomicInteger();
  private final AtomicReference<@Nullable Runnable> next = new AtomicReference<>();
  private volatile boolean started;
  private volatile Room.@Nullable Promise room;
  private @Nullable ExtentWriter extent;
  private boolean abandoned;

  ExtentSink(DiskStore store, BodyWriting writing, BodyDigests digests) {
    this.store = store;
    this.writing = writing;
    this.digests = digests;
    this.serial = new SerialExecutor(writing.workers());
  }

  /** Tells where the room of the chunks comes from. */
  void writeInto(Room.Promise promise) {
    room = promise;
  }

  boolean started() {
    return started;
  }

  /** Takes ownership of a chunk. */
  void write(ByteBuffer chunk, Consumer<IOException> failed) {
    started = true;
    underway.incrementAndGet();
    serial.execute(() -> {
      boolean written = append(chunk, failed);
      underway.decrementAndGet();
      if (written) {
        runNext();
      }
    });
  }

  /** Whether another chunk should be filled. */
  boolean hasRoom() {
    return underway.get() < UNDERWAY_MAX;
  }

  /** Runs a step once, when another chunk should be filled: now, or after a chunk was written. */
  void whenRoom(Runnable step) {
    next.set(step);
    runNext();
  }

  private void runNext() {
    Runnable step = hasRoom() ? next.getAndSet(null) : null;
    if (step != null) {
      step.run();
    }
  }

  private boolean append(ByteBuffer chunk, Consumer<IOException> failed) {
    try {
      if (abandoned) {
        return false;
      }
      ExtentWriter writer = extent;
      if (writer == null) {
        writer = store.createExtent();
        extent = writer;
      }
      chunk.flip();
      store.makeRoom(chunk.limit());
      for (int position = 0; position < chunk.limit(); position += STEP_BYTES) {
        ByteBuffer step = chunk.slice(position, Math.min(STEP_BYTES, chunk.limit() - position));
        digests.update(step);
        writer.write(step);
        countWritten(step.limit());
      }
      return true;
    } catch (IOException e) {
      drop();
      failed.accept(e);
      return false;
    } catch (RuntimeException e) {
      drop();
      failed.accept(defect(e));
      return false;
    } finally {
      writing.giveBack(chunk);
    }
  }

  private void countWritten(long bytes) {
    Room.Promise promise = room;
    if (promise != null) {
      promise.written(bytes);
    }
  }

  /** Writes the last chunk and finishes the extent. */
  void finish(
      @Nullable ByteBuffer last,
      boolean durable,
      Consumer<ExtentWriter> finished,
      Consumer<IOException> failed) {
    serial.execute(() -> {
      if (last != null && !append(last, failed)) {
        return;
      }
      ExtentWriter writer = extent;
      if (writer == null || abandoned) {
        return;
      }
      try {
        writer.finish(durable);
      } catch (IOException e) {
        drop();
        failed.accept(e);
        return;
      } catch (RuntimeException e) {
        drop();
        failed.accept(defect(e));
        return;
      }
      finished.accept(writer);
    });
  }

  /** Turns a defect into a failure of the body: its sender would otherwise get no answer. */
  private static IOException defect(RuntimeException e) {
    return new IOException(Incidents.log("Writing a body failed", e), e);
  }

  /** Removes the extent, after the chunks in progress. */
  void abandon() {
    serial.execute(this::drop);
  }

  private void drop() {
    abandoned = true;
    ExtentWriter writer = extent;
    extent = null;
    if (writer != null) {
      writer.abandon();
    }
  }
}
