package dev.tarn.targetnode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.DiskId;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The disk that this node has in each directory, stored in a file of its own. A disk that cannot be
 * read at the start therefore keeps its id, and so its keys.
 */
final class KnownDisks {
  private static final String FILE = "disks.properties";

  private final Path file;
  private final Map<Path, DiskId> disks = new HashMap<>();

  private KnownDisks(Path file) {
    this.file = file;
  }

  static KnownDisks load(Path dataDirectory) throws IOException {
    Files.createDirectories(dataDirectory);
    KnownDisks known = new KnownDisks(dataDirectory.resolve(FILE));
    if (Files.exists(known.file)) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(known.file)) {
        properties.load(reader);
      }
      for (String path : properties.stringPropertyNames()) {
        known.disks.put(Path.of(path), new DiskId(properties.getProperty(path)));
      }
    }
    return known;
  }

  boolean isEmpty() {
    return disks.isEmpty();
  }

  Optional<DiskId> in(Path directory) {
    return Optional.ofNullable(disks.get(directory));
  }

  boolean has(DiskId disk) {
    return disks.containsValue(disk);
  }

  /**
   * Verifies that each known disk is among those found, and that no disk was found twice.
   *
   * @throws IOException if a known disk is missing, or is found in two directories
   */
  void requireAll(Map<Path, DiskId> found) throws IOException {
    Map<DiskId, Path> paths = new HashMap<>();
    for (Map.Entry<Path, DiskId> entry : found.entrySet()) {
      Path other = paths.put(entry.getValue(), entry.getKey());
      if (other != null) {
        throw new IOException(
            "disks "
                + other
                + " and "
                + entry.getKey()
                + " are the same, "
                + entry.getValue().value()
                + "; one is a copy of the other, leave it out");
      }
    }
    for (Map.Entry<Path, DiskId> entry : disks.entrySet()) {
      if (!paths.containsKey(entry.getValue())) {
        throw new IOException(
            "disk "
                + entry.getKey()
                + " is left out, but this node has objects on it; disks cannot be removed from a"
                + " node yet");
      }
    }
  }

  void remember(Map<Path, DiskId> found) throws IOException {
    if (found.equals(disks)) {
      return;
    }
    Properties properties = new Properties();
    found.forEach((path, id) -> properties.setProperty(path.toString(), id.value()));
    StringWriter text = new StringWriter();
    properties.store(text, "The disks of this target node. Kept by Tarn.");
    replaceDurably(UTF_8.encode(text.toString()));
  }

  /** Replaces the file. After a loss of power it has either the old or the new content. */
  private void replaceDurably(ByteBuffer bytes) throws IOException {
    Path draft = file.resolveSibling(FILE + ".new");
    try (FileChannel channel = FileChannel.open(draft, CREATE, TRUNCATE_EXISTING, WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, ATOMIC_MOVE);
    Path parent = requireNonNull(file.toAbsolutePath().getParent(), "a file has a parent");
    try (FileChannel directory = FileChannel.open(parent, READ)) {
      directory.force(true);
    }
  }
}
