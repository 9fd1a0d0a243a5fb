package dev.tarn.client.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The room for kept bytes, which all processes share that use the folder: a file says how much of
 * it is taken. A process takes more than it needs at once and gives the rest back at the end; what
 * a killed one had taken is found again by counting, when the next one comes that is alone.
 *
 * <p>Where there is no more room, what no open dataset reads makes room, the longest unused first.
 * What one reads stays: it will be read in each of its epochs, and to throw out what comes round
 * again to keep what was just read would make every epoch fetch everything.
 */
final class Space implements Closeable {
  private static final long SHARE_BYTES_MAX = 64 << 20;
  private static final int SHARES = 16;

  private final Path lock;
  private final Path counter;
  private final Path objects;
  private final Path needed;
  private final long bytesMax;
  private final Needs needs;

  /** What this process has taken and not used. */
  private long left;

  private boolean refused;
  private boolean closed;

  /**
   * @param objects the folder of what is kept
   * @param bytesMax how many bytes of it there may be
   * @param names of what the dataset reads: it is not thrown out until this is closed
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
      if (Needs.ofAll(needed) == null) {
        setTaken(recount());
      }
      this.needs = Needs.open(needed, names);
    } finally {
      held.close();
    }
  }

  private HeldFile hold() throws IOException {
    return HeldFile.hold(lock);
  }

  /** Takes room for some bytes; false if there is none. */
  synchronized boolean take(int bytes) throws IOException {
    if (left < bytes && !refused && !closed) {
      ask(bytes);
    }
    if (left < bytes) {
      return false;
    }
    left -= bytes;
    return true;
  }

  /** Gives back what was taken and not used. */
  synchronized void giveBack(long bytes) {
    left += bytes;
  }

  /** Asks again from now on, after there was none. */
  synchronized void retry() {
    refused = false;
  }

  private void ask(int bytes) throws IOException {
    HeldFile held = hold();
    try {
      long taken = taken();
      long wanted = Math.max(bytes, Math.min(SHARE_BYTES_MAX, bytesMax / SHARES));
      if (taken + wanted > bytesMax) {
        taken -= throwOut(taken + wanted - bytesMax);
      }
      long granted = Math.max(0, Math.min(wanted, bytesMax - taken));
      refused = granted < bytes;
      left += granted;
      setTaken(taken + granted);
    } finally {
      held.close();
    }
  }

  /** Throws out what no open dataset reads; says how many bytes. */
  private long throwOut(long bytes) throws IOException {
    Set<String> names = Needs.ofAll(needed);
    List<Path> unneeded = new ArrayList<>();
    for (Path journal : journals()) {
      String name = String.valueOf(journal.getFileName());
      if (names == null || !names.contains(name.substring(0, name.indexOf('-') + 1))) {
        unneeded.add(journal);
      }
    }
    unneeded.sort(Comparator.comparingLong(journal -> journal.toFile().lastModified()));
    long freed = 0;
    for (Path journal : unneeded) {
      if (freed >= bytes) {
        break;
      }
      freed += KeptObject.bytes(journal);
      KeptObject.delete(journal);
    }
    return freed;
  }

  private long recount() throws IOException {
    try (DirectoryStream<Path> orphans = Files.newDirectoryStream(objects, KeptObject::isOrphan)) {
      for (Path orphan : orphans) {
        Files.deleteIfExists(orphan);
      }
    }
    long bytes = 0;
    for (Path journal : journals()) {
      bytes += KeptObject.bytes(journal);
    }
    return bytes;
  }

  private List<Path> journals() throws IOException {
    List<Path> journals = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(objects, KeptObject::isJournal)) {
      files.forEach(journals::add);
    }
    return journals;
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
      } finally {
        held.close();
      }
    } finally {
      needs.close();
    }
  }
}
