package dev.tarn.targetnode.store.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of the real file system. */
public final class LocalDisk implements Disk {
  private static final String LOCK = "lock";
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String BOOT = boot(BOOT_ID);

  private final Path root;

  /** Used before every write. Finding it again would read the system's mount table. */
  private volatile @Nullable FileStore fileStore;

  /**
   * The disk in this directory.
   *
   * @param root an existing directory
   */
  public LocalDisk(Path root) {
    this.root = requireNonNull(root, "root is null").toAbsolutePath();
  }

  /** Reads the boot id; without one, makes an id for this process, which trusts no earlier byte. */
  private static String boot(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  @Override
  public String description() {
    return root.toString();
  }

  @Override
  public String boot() {
    return BOOT;
  }

  @Override
  public Path indexDirectory() {
    return root.resolve("index");
  }

  @Override
  public Closeable lock() throws IOException {
    Path file = root.toRealPath().resolve(LOCK);
    // Closing any channel of the file would release this process's lock: never open a second one.
    if (!LOCKED.add(file)) {
      throw new DiskInUseException(description());
    }
    Optional<FileChannel> held = Optional.empty();
    try {
      held = lock(file);
    } finally {
      if (held.isEmpty()) {
        LOCKED.remove(file);
      }
    }
    FileChannel channel = held.orElseThrow(() -> new DiskInUseException(description()));
    return () -> {
      try {
        channel.close();
      } finally {
        LOCKED.remove(file);
      }
    };
  }

  /** The channel that holds the lock; the lock ends with the process. */
  private static Optional<FileChannel> lock(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, CREATE, WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
      return locked ? Optional.of(channel) : Optional.empty();
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  @Override
  public void createDirectory(String path) throws IOException {
    Files.createDirectories(root.resolve(path));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    try (Stream<Path> paths = Files.list(root.resolve(directory))) {
      return paths.map(path -> path.getFileName().toString()).toList();
    }
  }

  @Override
  public DiskFile create(String path) throws IOException {
    Path file = root.resolve(path);
    return new LocalDiskFile(file, FileChannel.open(file, CREATE_NEW, READ, WRITE));
  }

  @Override
  public DiskFile open(String path) throws IOException {
    Path file = root.resolve(path);
    return new LocalDiskFile(file, FileChannel.open(file, READ, WRITE));
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  @Override
  public void delete(String path) throws IOException {
    Files.deleteIfExists(root.resolve(path));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(root.resolve(from), root.resolve(to), ATOMIC_MOVE, REPLACE_EXISTING);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve(directory), READ)) {
      channel.force(true);
    }
  }

  @Override
  public long usableBytes() throws IOException {
    return fileStore().getUsableSpace();
  }

  @Override
  public long totalBytes() throws IOException {
    return fileStore().getTotalSpace();
  }

  private FileStore fileStore() throws IOException {
    FileStore known = fileStore;
    if (known == null) {
      known = Files.getFileStore(root);
      fileStore = known;
    }
    return known;
  }
}
