package dev.tarn.standalone.node;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process says when it serves, on standard output and in the ready file.
 *
 * @param listener what the main listener is for
 * @param url of the main listener
 * @param admin the admin listener
 * @param pid of the process
 */
public record ReadyLine(Listener listener, URI url, URI admin, long pid) {
  private static final Pattern LINE =
      Pattern.compile("ready (s3|target|control)=(\\S+) admin=(\\S+) pid=(\\d+)\\s*");

  public ReadyLine {
    requireNonNull(listener, "listener is null");
    requireNonNull(url, "url is null");
    requireNonNull(admin, "admin is null");
  }

  /** What a main listener is for. */
  public enum Listener {
    /** Clients of S3. */
    S3,
    /** Gateways. */
    TARGET,
    /** The members of the cluster. */
    CONTROL;

    private String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The line in a file, if it is there. */
  public static Optional<ReadyLine> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Matcher line = LINE.matcher(Files.readString(file));
    return line.matches()
        ? Optional.of(
            new ReadyLine(
                Listener.valueOf(line.group(1).toUpperCase(Locale.ROOT)),
                URI.create(line.group(2)),
                URI.create(line.group(3)),
                Long.parseLong(line.group(4))))
        : Optional.empty();
  }

  /** Writes the line so that a reader sees all of it or nothing. */
  public void writeTo(Path file) throws IOException {
    SmallFile.write(file, this + "\n");
  }

  @Override
  public String toString() {
    return "ready " + listener.title() + "=" + url + " admin=" + admin + " pid=" + pid;
  }
}
