package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.transport.body.ChunkSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a range of an object from the backend without storing it. */
final class PassingReader implements ChunkSource {
  private final ObjectHead head;
  private final Optional<String> version;
  private final Backend backend;
  private final CacheMeters meters;
  private long done;
  private @Nullable BackendRead open;

  /**
   * Reads of the object with this head.
   *
   * @param begun a read that begins with the first byte; null if there is none yet
   */
  PassingReader(
      ObjectHead head,
      Optional<String> version,
      Backend backend,
      CacheMeters meters,
      @Nullable BackendRead begun) {
    this.open = begun;
    this.head = head;
    this.version = version;
    this.backend = backend;
    this.meters = meters;
  }

  /** Calls the backend. Must be called once, before the first read. */
  void begin() {
    meters.unitsPassed.increment();
    if (open == null) {
      open = openRest();
    }
  }

  private BackendRead openRest() {
    return backend.read(
        head.metadata().name().key(),
        version,
        head.offset() + done,
        head.offset() + head.length() - 1,
        Optional.ofNullable(head.metadata().origin()).map(Origin::etag));
  }

  @Override
  public boolean read(ByteBuffer destination) throws IOException {
    if (done == head.length()) {
      return false;
    }
    if (open == null) {
      open = openRest();
    }
    int count = open.read(destination);
    if (count < 0) {
      throw new TruncatedUnitException(done, head.length(), null);
    }
    done += count;
    meters.countFetched(head.metadata().name().bucket(), count);
    return true;
  }

  @Override
  public void idle() {
    close();
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
