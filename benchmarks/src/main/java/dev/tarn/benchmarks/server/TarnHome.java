package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The checkout or installation whose launchers are measured. */
public record TarnHome(Path directory) {
  private static final String PROPERTY = "tarn.home";

  public TarnHome {
    directory = directory.toAbsolutePath().normalize();
  }

  /**
   * Finds the nearest folder with {@code bin/tarn}, from the system property {@code tarn.home} or
   * the working folder upwards.
   */
  public static TarnHome find() throws IOException {
    Path start = Path.of(Optional.ofNullable(System.getProperty(PROPERTY)).orElse(""));
    for (Path folder = start.toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve("bin/tarn"))) {
        return new TarnHome(folder);
      }
    }
    throw new NoSuchFileException(
        start.toAbsolutePath()
            + " and the folders above it hold no bin/tarn; start bin/tarn bench");
  }

  public Path tarn() {
    return directory.resolve("bin/tarn");
  }

  public Path sharder() {
    return directory.resolve("bin/sharder");
  }

  /** The path of a script of the benchmarks. */
  public Path script(String name) {
    return directory.resolve("benchmarks/scripts").resolve(name);
  }
}
