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
 * The line that a process writes when it serves, to standard output and to the ready file.
 *
 * @param listener the kind of the main listener
 * @param url the URL of the main listener
 * @param admin the URL of the admin listener
 * @param pid the id of the process
 */
public record ReadyLine(Listener listener, URI url, URI admin, long pid) {
  private static final Pattern LINE =
      Pattern.compile("ready (s3|target|control)=(\\S+) admin=(\\S+) pid=(\\d+)\\s*");

  public ReadyLine {
    requireNonNull(listener, "listener is null");
    requireNonNull(url, "url is null");
    requireNonNull(admin, "admin is null");
  }

  /** The kind of a main listener, by its clients. */
  public enum Listener {
    /** For S3 clients. */
    S3,
    /** For gateways. */
    TARGET,
    /** For the members of the cluster. */
    CONTROL;

    private String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The line in a file; empty if the file does not exist or holds no ready line. */
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

  /** Writes the line atomically: a reader sees the whole line or no file. */
  public void writeTo(Path file) throws IOException {
    SmallFile.write(file, this + "\n");
  }

  @Override
  public String toString() {
    return "ready " + listener.title() + "=" + url + " admin=" + admin + " pid=" + pid;
  }
}
