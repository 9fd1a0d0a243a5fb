package dev.tarn.client.internal.cache;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files in a cache. One of the processes that share it makes each file once, and the file appears
 * whole. If all together exceed a bound, files that no open dataset needs are evicted, the least
 * recently used first.
 *
 * <p>Names begin with 64 hexadecimal digits; files with other names are ignored. Safe for several
 * threads.
 */
public final class KeptFiles implements Closeable {
  /**
   * All files of a kind share so many locks, so that no lock has to be deleted. There are far more
   * than files made at a time, so that hardly any waits for another.
   */
  private static final int LOCKS = 4096;

  private static final Logger LOG = System.getLogger("dev.tarn.client.cache");
  private static final String PART = ".part-";
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}\\..*");

  /** An older unfinished file was left by a killed process. */
  private static final Duration PART_AGE_MAX = Duration.ofDays(1);

  private final CacheFolder cache;
  private final String folderName;
  private final Path folder;
  private final long bytesMax;
  private final Deque<PinFile> pins = new ArrayDeque<>();

  /**
   * Opens a folder of files.
   *
   * @param name of the folder within the cache
   * @param bytesMax bound of the files' bytes, unless open datasets need more
   */
  public KeptFiles(CacheFolder cache, String name, long bytesMax) throws IOException {
    this.cache = cache;
    this.folderName = name;
    this.folder = cache.folder(name);
    this.bytesMax = bytesMax;
  }

  /** Makes a value from a file. */
  public interface Reading<T> {
    /** Reads the value; empty if the file is not valid. */
    Optional<T> read(Path file) throws IOException;
  }

  /** Makes a value, and writes its file. */
  public interface Making<T> {
    /** Makes the value. */
    T make() throws IOException;
  }

  /**
   * Returns the value of a file. If the file is missing, makes and keeps it while others that want
   * it wait.
   *
   * @param making which {@linkplain #write writes} what it makes
   */
  public <T> T get(String name, Reading<T> reading, Making<T> making) throws IOException {
    Optional<T> kept = read(name, reading);
    if (kept.isPresent()) {
      return kept.orElseThrow();
    }
    if (!Files.isWritable(folder)) {
      return making.make();
    }
    LockFile held = hold(lock(name));
    try {
      kept = read(name, reading);
      return kept.isPresent() ? kept.orElseThrow() : making.make();
    } finally {
      held.close();
    }
  }

  /** Files of different kinds share no locks, since one kind may take far longer to make. */
  private static String lock(String name) {
    return Math.floorMod(name.hashCode(), LOCKS) + name.substring(name.indexOf('.'));
  }

  private LockFile hold(String lock) throws IOException {
    return LockFile.hold(cache.folder(folderName + "-locks").resolve(lock));
  }

  private <T> Optional<T> read(String name, Reading<T> reading) throws IOException {
    Path file = folder.resolve(name);
    Optional<T> value;
    try {
      value = reading.read(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
    } catch (IOException e) {
      // In a read-only folder nothing is evicted either.
    }
    return value;
  }

  /** Keeps bytes as a file; replaces an existing one. */
  public void write(String name, ByteBuffer content) throws IOException {
    write(
        name,
        file -> {
          while (content.hasRemaining()) {
            file.write(content);
          }
        });
  }

  /** The folder of the files. */
  public Path folder() {
    return folder;
  }

  /** The path of a file, whether or not it exists. */
  public Path path(String name) {
    return folder.resolve(name);
  }

  /** Writes a file's content. */
  public interface Content {
    /** Writes all of it. */
    void writeTo(WritableByteChannel file) throws IOException;
  }

  /** Keeps a file; replaces an existing one. */
  public void write(String name, Content content) throws IOException {
    Path part = folder.resolve(name + PART + UUID.randomUUID());
    try {
      try (FileChannel channel =
          FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
      }
      Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Protects files until this is closed, and evicts others if there are too many. If other
   * processes cannot be told, as on a full disk, the files are used nevertheless, with a warning.
   *
   * @return the files that are missing, since another process has just evicted them; they are
   *     protected once made again
   */
  public synchronized Set<String> need(Collection<String> names) throws IOException {
    if (!Files.isWritable(folder)) {
      return missing(names);
    }
    try {
      declare(names);
    } catch (ClosedByInterruptException
        | FileLockInterruptionException
        | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "cache {0} cannot mark its {1} as in use, so other processes may delete them: {2}",
          cache,
          folderName,
          e);
    }
    return missing(names);
  }

  private void declare(Collection<String> names) throws IOException {
    LockFile held = hold("all");
    try {
      Path needed = cache.folder(folderName + "-needed");
      Set<String> stay = new HashSet<>(PinFile.all(needed).names());
      stay.addAll(names);
      // Evicts first, which may make the room to declare the needs.
      evict(stay);
      pins.push(PinFile.open(needed, names));
    } finally {
      held.close();
    }
  }

  private Set<String> missing(Collection<String> names) {
    Set<String> missing = new HashSet<>(names);
    missing.removeIf(name -> Files.exists(folder.resolve(name)));
    return missing;
  }

  private record Kept(Path file, long size, FileTime used) {
    static Kept of(Path file) throws IOException {
      return new Kept(file, Files.size(file), Files.getLastModifiedTime(file));
    }

    String name() {
      return String.valueOf(file.getFileName());
    }
  }

  private void evict(Set<String> stay) throws IOException {
    FileTime leftover = FileTime.from(Instant.now().minus(PART_AGE_MAX));
    List<Kept> unneeded = new ArrayList<>();
    long bytes = 0;
    for (Kept kept : kept()) {
      if (!kept.name().contains(PART)) {
        bytes += kept.size;
        if (!stay.contains(kept.name())) {
          unneeded.add(kept);
        }
      } else if (kept.used.compareTo(leftover) < 0) {
        Files.deleteIfExists(kept.file);
      }
    }
    unneeded.sort(Comparator.comparing(Kept::used));
    for (Kept kept : unneeded) {
      if (bytes <= bytesMax) {
        break;
      }
      Files.deleteIfExists(kept.file);
      bytes -= kept.size;
    }
  }

  private List<Kept> kept() throws IOException {
    List<Kept> kept = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        try {
          if (NAME.matcher(String.valueOf(file.getFileName())).matches()) {
            kept.add(Kept.of(file));
          }
        } catch (NoSuchFileException e) {
          // An unfinished file that has just been renamed.
        }
      }
    }
    return kept;
  }

  @Override
  public synchronized void close() {
    while (!pins.isEmpty()) {
      try {
        pins.pop().close();
      } catch (IOException e) {
        // The lock is released: the next process that looks deletes the files.
      }
    }
  }
}
