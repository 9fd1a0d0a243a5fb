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
 * The room for kept bytes, which all processes share that use the folder: a file says how much of
 * it is taken. A process takes more than it needs at once and gives the rest back at the end; what
 * a killed one had taken is found again by counting, when the next dataset is opened or no more is
 * left. What is taken and not used yet is counted by what its process tells, which it does anew
 * from time to time.
 *
 * <p>Where there is no more room, {@link Eviction} says what makes room. Where that is not enough,
 * nothing more is asked for until the next epoch, but for objects of which another version is kept
 * that no epoch reads.
 */
final class Space implements Closeable {
  private static final long SHARE_BYTES_MAX = 64 << 20;
  private static final int SHARES = 16;

  /** In so many steps of a share others are told that it is used. */
  private static final int STEPS = 16;

  private final Path lock;
  private final Path counter;
  private final Path objects;
  private final Path needed;
  private final long bytesMax;
  private final Needs needs;

  /** What this process has taken and not begun to use. */
  private long left;

  /** What it is using, of which nothing is told yet. */
  private long begun;

  /** What others were told last that is taken, and may not be used yet. */
  private long told;

  /** What {@link #replaceable} said when there was no room; null as long as there may be some. */
  private @Nullable Map<String, Name> refused;

  private boolean closed;

  /**
   * @param objects the folder of what is kept
   * @param bytesMax how many bytes of it there may be
   * @param names of what the dataset reads: the present version of it is not thrown out until this
   *     is closed
   */
  Space(CacheFolder folder, Path objects, long bytesMax, Collection<String> names)
      throws IOException {
    this.needed = folder.folder("needed");
    this.lock = needed.resolveSibling("lock");
    this.counter = needed.resolveSibling("space");
    this.objects = objects;
    this.bytesMax = bytesMax;
    HeldFile held = hold();
    try {
      Needs.All others = Needs.all(needed);
      if (!others.anyOpen()) {
        deleteOrphans();
      }
      if (!others.anyOpen() || others.anyKilled()) {
        setTaken(keptBytes() + others.reservedBytes());
      }
      this.needs = Needs.open(needed, names);
    } finally {
      held.close();
    }
  }

  /** What an epoch needs, which begins with nothing. */
  EpochNeeds epochNeeds() {
    return new EpochNeeds(needed, lock);
  }

  private HeldFile hold() throws IOException {
    return HeldFile.hold(lock);
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

  /** Ends what was begun by taking, of which some bytes were not used. */
  synchronized void end(long taken, long unused) throws IOException {
    begun -= taken;
    left += unused;
    if (!closed && told - left - begun >= Math.max(1, shareBytes() / STEPS)) {
      HeldFile held = hold();
      try {
        tell();
      } finally {
        held.close();
      }
    }
  }

  private void tell() throws IOException {
    needs.reserve(left + begun);
    told = left + begun;
  }

  /** How much is taken at once, if there is room for it. */
  private long shareBytes() {
    return Math.min(SHARE_BYTES_MAX, bytesMax / SHARES);
  }

  /** Asks again from now on, after there was none. */
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
    HeldFile held = hold();
    try {
      long wanted = Math.max(bytes, shareBytes());
      long room = bytesMax - taken();
      if (room < wanted) {
        Needs.All needs = Needs.all(needed);
        if (needs.anyKilled()) {
          room = bytesMax - keptBytes() - needs.reservedBytes();
        }
        room += throwOut(object, needs.names(), wanted - room);
        refused = left + room < bytes ? replaceable(needs.names()) : refused;
      }
      if (refused != null && left + room >= bytes) {
        refused.remove(object.object());
      }
      long granted = Math.max(0, Math.min(wanted, room));
      left += granted;
      tell();
      setTaken(bytesMax - room + granted);
    } finally {
      held.close();
    }
  }

  /** What is kept and would go if another version of it were looked up, an object each. */
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

  /** Throws out what nobody needs, as far as it must; says how many bytes. */
  private long throwOut(Name object, Set<String> needed, long bytes) throws IOException {
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
    // In place: a full disk has room for what is there already.
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
      HeldFile held = hold();
      try {
        setTaken(taken() - left);
        left = 0;
        needs.close();
      } finally {
        held.close();
      }
    } finally {
      needs.close();
    }
  }
}
