package dev.tarn.standalone.demo;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.sample.SampleName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The small files that the demo reads.
 *
 * @param description where the files come from, for messages
 * @param leftOutCount how many files are left out: they have no extension, are larger than 1 MiB,
 *     or differ from another file only in the case of the extension
 */
record DemoFiles(String description, List<DemoFile> files, int leftOutCount) {
  /**
   * Larger files are left out. The readers hold a whole file in memory for each request in flight.
   */
  static final int FILE_BYTES_MAX = 1 << 20;

  /** Bounds the time of the demo. */
  static final int FILES_MAX = 200_000;

  DemoFiles {
    requireNonNull(description, "description is null");
    files = List.copyOf(files);
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          description
              + " holds no file to take: expected files with an extension, of at most "
              + FILE_BYTES_MAX
              + " bytes");
    }
  }

  /** The class files of the running JDK. */
  static DemoFiles ofRunningJdk() throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    return walk(
        "the class files of the running JDK " + Runtime.version().feature(),
        modules,
        file -> file.toString().endsWith(".class"));
  }

  /** The files below a directory, at most {@link #FILES_MAX}. */
  static DemoFiles ofDirectory(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      throw new NoSuchFileException(directory + ": no such directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory + ": not a directory");
    }
    return walk(directory.toString(), directory, file -> true);
  }

  private static DemoFiles walk(String description, Path root, Predicate<Path> wanted)
      throws IOException {
    Collector collector = new Collector(root, wanted);
    Files.walkFileTree(root, collector);
    return new DemoFiles(description, collector.files, collector.leftOutCount);
  }

  /** Collects files that can be a member of a sample, each sample and extension once. */
  private static final class Collector extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Predicate<Path> wanted;
    private final List<DemoFile> files = new ArrayList<>();
    private final Set<SampleName> taken = new HashSet<>();
    private int leftOutCount;

    Collector(Path root, Predicate<Path> wanted) {
      this.root = root;
      this.wanted = wanted;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!attributes.isRegularFile() || !wanted.test(file)) {
        return FileVisitResult.CONTINUE;
      }
      String name =
          root.relativize(file).toString().replace(root.getFileSystem().getSeparator(), "/");
      SampleName sample = SampleName.parse(name);
      if (sample == null || attributes.size() > FILE_BYTES_MAX || !taken.add(sample)) {
        leftOutCount++;
        return FileVisitResult.CONTINUE;
      }
      files.add(new DemoFile(name, file, attributes.size()));
      return files.size() < FILES_MAX ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }
  }

  long bytes() {
    return files.stream().mapToLong(DemoFile::size).sum();
  }

  long medianBytes() {
    return files.stream()
        .mapToLong(DemoFile::size)
        .sorted()
        .skip(files.size() / 2)
        .findFirst()
        .orElse(0);
  }
}
