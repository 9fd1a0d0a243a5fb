package dev.tarn.e2e.process;

import dev.tarn.fixtures.TestJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The classes that a start of Tarn loads, stored once for all tests of a build. A process that uses
 * them takes half the CPU to start. Java can store classes of jars alone, so a build that has not
 * made the jars does without.
 */
public final class StartCache {
  /** The main class of {@code tarn}. */
  public static final String MAIN = "dev.tarn.standalone.command.Main";

  private static final List<String> NEEDED =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
  private static final Path FILE = Path.of("target", "start.aot").toAbsolutePath();
  private static final List<String> JARS =
      Pattern.compile(File.pathSeparator, Pattern.LITERAL)
          .splitAsStream(System.getProperty("java.class.path"))
          .filter(path -> path.endsWith(".jar"))
          .toList();
  private static final Optional<String> OPTION = hasAllModules() ? prepared() : Optional.empty();

  private StartCache() {}

  /** The command that runs a main class of Tarn, with these options of the JVM. */
  public static List<String> command(String mainClass, List<String> options) {
    // An agent is a class of the tests.
    boolean agent = options.stream().anyMatch(option -> option.startsWith("-javaagent"));
    return OPTION.isEmpty() || agent
        ? TestJvm.command(System.getProperty("java.class.path"), mainClass, all(options))
        : command(mainClass, options, OPTION.orElseThrow());
  }

  private static List<String> command(String mainClass, List<String> options, String cache) {
    return TestJvm.command(
        String.join(File.pathSeparator, JARS),
        mainClass,
        Stream.concat(all(options).stream(), Stream.of(cache)).toList());
  }

  private static List<String> all(List<String> options) {
    return Stream.concat(options.stream(), NEEDED.stream()).toList();
  }

  private static boolean hasAllModules() {
    return JARS.stream().anyMatch(jar -> jar.matches(".*/standalone-[^/]*\\.jar"))
        && JARS.stream().anyMatch(jar -> jar.matches(".*/transport-[^/]*\\.jar"));
  }

  private static Optional<String> prepared() {
    try (FileChannel lock =
            FileChannel.open(
                FILE.resolveSibling("start.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = lock.lock()) {
      if (!isFresh()) {
        record();
      }
      return held.isValid() ? Optional.of("-XX:AOTCache=" + FILE) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isFresh() throws IOException {
    if (!Files.exists(FILE)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(FILE);
    for (String jar : JARS) {
      if (Files.getLastModifiedTime(Path.of(jar)).compareTo(made) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Starts Tarn, stops it when it serves, and keeps what it loaded. */
  private static void record() throws IOException {
    Path folder = Files.createTempDirectory(FILE.getParent(), "start");
    Path made = folder.resolve("start.aot");
    List<String> command = command(MAIN, TarnProcess.JVM_OPTIONS, "-XX:AOTCacheOutput=" + made);
    try (TarnProcess recorded = TarnProcess.start(command, "127.0.0.1:0", folder)) {
      recorded.handle().destroy();
      recorded.handle().onExit().join(); // Longer than another stop: it writes the cache.
    }
    Files.move(made, FILE, StandardCopyOption.ATOMIC_MOVE);
  }
}
