package dev.tarn.targetnode;

import dev.tarn.cluster.map.DiskId;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Which disk this node has in which directory, remembered in a file of its own: a disk that does
 * not answer at the start keeps its name, and so its keys.
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

  void remember(Map<Path, DiskId> found) throws IOException {
    if (found.equals(disks)) {
      return;
    }
    Properties properties = new Properties();
    found.forEach((path, id) -> properties.setProperty(path.toString(), id.value()));
    Path draft = file.resolveSibling(FILE + ".new");
    try (Writer writer = Files.newBufferedWriter(draft)) {
      properties.store(writer, "The disks of this target node. Kept by Tarn.");
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
