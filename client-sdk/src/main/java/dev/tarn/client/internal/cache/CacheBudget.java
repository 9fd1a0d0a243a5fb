package dev.tarn.client.internal.cache;

import dev.tarn.client.internal.cache.KeptObject.Name;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The room for kept bytes, which all processes that use the folder share. A file holds how much is
 * taken. A process takes more than it needs at once and returns the rest at its end. Each process
 * declares from time to time how much it has taken and not used. Room that a killed process had
 * taken is found by counting, when the next dataset opens or the room is used up.
 *
 * <p>If there is no room, {@link Eviction} makes some. If that is not enough, nothing more is
 * requested until the next epoch, except for objects of which another version is kept that no epoch
 * reads.
 */
final class CacheBudget implements Closeable {
  private static final long SHARE_BYTES_MAX = 64 << 20;
  private static final int SHARES = 16;

  /** A process declares its use in so many steps of a share. */
  private static final int STEPS = 16;

  private final Path lock;
  private final Path counter;
  private final Path objects;
  private final Path needed;
  private final long bytesMax;
  private final PinFile pins;

  /** Room that this process has taken and not begun to use. */
  private long left;

  /** Room in use that was not declared as used yet. */
  private long begun;

  /** Room that this process has declared last as taken and not used. */
  private long declared;

  /** The result of {@link #replaceable} when there was no room; null while there may be some. */
  private @Nullable Map<String, Name> refused;

  private boolean closed;

  /**
   * Opens the room.
   *
   * @param objects folder of the kept objects
   * @param bytesMax bound of their bytes
   * @param names of what the dataset reads, whose current versions are not evicted until this is
   *     closed
   */
  CacheBudget(CacheFolder folder, Path objects, long bytesMax, Collection<String> names)
      throws IOException {
    this.needed = folder.folder("needed");
    this.lock = needed.resolveSibling("lock");
    this.counter = needed.resolveSibling("space");
    this.objects = objects;
    this.bytesMax = bytesMax;
    LockFile held = hold();
    try {
      PinFile.All others = PinFile.all(needed);
      if (!others.anyOpen()) {
        deleteOrphans();
      }
      if (!others.anyOpen() || others.anyKilled()) {
        setTaken(keptBytes() + others.reservedBytes());
      }
      this.pins = PinFile.open(needed, names);
    } finally {
      held.close();
    }
  }

  /** The needs of a new epoch. */
  EpochPins epochPins() {
    return new EpochPins(needed, lock);
  }

  private LockFile hold() throws IOException {
    return LockFile.hold(lock);
  }

  /** Takes room for some bytes of an object; false if there is none. */
  synchronized boolean take(Name object, int bytes) throws IOException {
    if (left < bytes && !closed && mayMakeRoom(object)) {
      ask(object, bytes);
    }
    if (left < bytes) {
      return false;
    }
    left -= bytes;
    begun += bytes;
    return true;
  }

  /** Ends a taking of room of which some bytes were not used. */
  synchronized void end(long taken, long unused) throws IOException {
    begun -= taken;
    left += unused;
    if (!closed && declared - left - begun >= Math.max(1, shareBytes() / STEPS)) {
      LockFile held = hold();
      try {
        declare();
      } finally {
        held.close();
      }
    }
  }

  private void declare() throws IOException {
    pins.reserve(left + begun);
    declared = left + begun;
  }

  /** How much room is taken at once, if available. */
  private long shareBytes() {
    return Math.min(SHARE_BYTES_MAX, bytesMax / SHARES);
  }

  /** Tries to get room again from now on. */
  synchronized void retry() {
    refused = null;
  }

  private boolean mayMakeRoom(Name object) {
    if (refused == null) {
      return true;
    }
    Name kept = refused.get(object.object());
    return kept != null && !kept.equals(object);
  }

  private void ask(Name object, int bytes) throws IOException {
    LockFile held = hold();
    try {
      long wanted = Math.max(bytes, shareBytes());
      long room = bytesMax - taken();
      if (room < wanted) {
        PinFile.All pins = PinFile.all(needed);
        if (pins.anyKilled()) {
          room = bytesMax - keptBytes() - pins.reservedBytes();
        }
        room += evict(object, pins.names(), wanted - room);
        refused = left + room < bytes ? replaceable(pins.names()) : refused;
      }
      if (refused != null && left + room >= bytes) {
        refused.remove(object.object());
      }
      long granted = Math.max(0, Math.min(wanted, room));
      left += granted;
      declare();
      setTaken(bytesMax - room + granted);
    } finally {
      held.close();
    }
  }

  /** Kept versions that would be evicted if another version were looked up, by object. */
  private Map<String, Name> replaceable(Set<String> needed) throws IOException {
    Map<String, Name> names = new HashMap<>();
    for (Path journal : journals()) {
      Name name = Name.of(journal);
      if (!needed.contains(name.toString())) {
        names.put(name.object(), name);
      }
    }
    return names;
  }

  /**
   * Evicts versions that nobody needs until {@code bytes} bytes are free, and returns the number of
   * bytes.
   */
  private long evict(Name object, Set<String> needed, long bytes) throws IOException {
    long freed = 0;
    for (Path journal : Eviction.order(journals(), object, needed)) {
      if (freed >= bytes) {
        break;
      }
      freed += KeptObject.bytes(journal);
      KeptObject.delete(journal);
    }
    return freed;
  }

  private void deleteOrphans() throws IOException {
    try (DirectoryStream<Path> orphans = Files.newDirectoryStream(objects, KeptObject::isOrphan)) {
      for (Path orphan : orphans) {
        Files.deleteIfExists(orphan);
      }
    }
  }

  private long keptBytes() throws IOException {
    long bytes = 0;
    for (Path journal : journals()) {
      bytes += KeptObject.bytes(journal);
    }
    return bytes;
  }

  private List<Path> journals() throws IOException {
    try (Stream<Path> files = Files.list(objects)) {
      return files.filter(KeptObject::isJournal).toList();
    }
  }

  private long taken() throws IOException {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(counter)).getLong();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private void setTaken(long bytes) throws IOException {
    // Written in place, since even a full disk has room for existing bytes.
    try (FileChannel file =
        FileChannel.open(counter, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer number = ByteBuffer.allocate(Long.BYTES).putLong(Math.max(0, bytes)).flip();
      file.write(number, 0);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      LockFile held = hold();
      try {
        setTaken(taken() - left);
        left = 0;
        pins.close();
      } finally {
        held.close();
      }
    } finally {
      pins.close();
    }
  }
}
