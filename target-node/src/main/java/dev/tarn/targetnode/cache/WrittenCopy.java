package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.extent.UnitWriter;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.room.CacheRoom.Admission;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache's copy of a body that is written through to the backend: in memory if it is small,
 * otherwise in units that get their names when the backend's ETag is known. If the copy fails, the
 * write continues without it.
 */
final class WrittenCopy implements BodyInputStream.Copy, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WrittenCopy.class);

  private final DiskStore disk;
  private final long length;
  private final ByteBuffer small;
  private final List<UnitWriter> units = new ArrayList<>();
  private long done;
  private final Optional<Admission> admission;
  private boolean failed;

  /**
   * Begins the copy of a body of this length; without room for it, nothing is copied.
   *
   * @param isKept false if nothing is copied anyway
   */
  WrittenCopy(DiskStore disk, ObjectName name, long length, boolean isKept) {
    this.disk = disk;
    this.length = length;
    this.small = ByteBuffer.allocate(isSmall() ? (int) length : 0);
    this.admission = isKept ? admit(name) : Optional.empty();
    this.failed = admission.isEmpty();
  }

  private Optional<Admission> admit(ObjectName name) {
    return isSmall()
        ? disk.cacheRoom().admitWrittenSmall(name, length)
        : disk.cacheRoom().admitWritten(name, length);
  }

  private boolean isSmall() {
    return length <= disk.settings().inlineBytesMax();
  }

  @Override
  public void write(ByteBuffer chunk) {
    if (failed) {
      return;
    }
    if (chunk.remaining() > length - done) {
      fail(new IOException("the body has more than the declared " + length + " bytes"));
      return;
    }
    if (isSmall()) {
      done += chunk.remaining();
      small.put(chunk);
      return;
    }
    try {
      ByteBuffer rest = chunk.duplicate();
      while (rest.hasRemaining()) {
        writeToUnit(rest);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void writeToUnit(ByteBuffer rest) throws IOException {
    if (done % Unit.BYTES == 0) {
      admission.ifPresent(Admission::begin);
      units.add(disk.units().create());
    }
    UnitWriter unit = units.getLast();
    int count = (int) Math.min(rest.remaining(), Unit.BYTES - unit.length());
    unit.write(rest.slice(rest.position(), count));
    admission.orElseThrow().written(count);
    rest.position(rest.position() + count);
    done += count;
    if (unit.length() == Unit.BYTES || done == length) {
      unit.close();
    }
  }

  private void fail(IOException e) {
    failed = true;
    LOG.warn(
        "Write to a backend could not be cached: {}; it continues without the cache",
        e.getMessage());
    close();
  }

  /** Whether all bytes were copied. */
  boolean isWhole() {
    return !failed && done == length;
  }

  /** All bytes, if they are small enough for the log. */
  Optional<ByteBuffer> inline() {
    return isSmall() ? Optional.of(small.duplicate().flip()) : Optional.empty();
  }

  /** Its bytes are about to be written to the log. */
  void beginInLog() {
    if (isSmall()) {
      admission.ifPresent(Admission::begin);
    }
  }

  /**
   * The object has this entry: gives the units their names. Those that cannot get them stay absent.
   */
  void publish(ObjectRecord object) {
    if (isSmall()) {
      admission.orElseThrow().writtenWhole();
      disk.cachedRecords().written(object.metadata().name());
      return;
    }
    try {
      for (int number = 0; !units.isEmpty(); number++) {
        units.getFirst().publish(object.unit(number));
        disk.units().written(object.unit(number));
        units.removeFirst();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Removes the units that have no name. */
  @Override
  public void close() {
    units.forEach(UnitWriter::abandon);
    units.clear();
    admission.ifPresent(Admission::close);
  }
}
