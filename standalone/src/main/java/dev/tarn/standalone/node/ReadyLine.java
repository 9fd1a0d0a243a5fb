package dev.tarn.standalone.node;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process says when it serves, on standard output and in the ready file.
 *
 * @param s3 the S3 listener; of the role target its internal listener
 * @param admin the admin listener
 * @param pid of the process
 */
public record ReadyLine(URI s3, URI admin, long pid) {
  private static final Pattern LINE =
      Pattern.compile("ready s3=(\\S+) admin=(\\S+) pid=(\\d+)\\s*");

  public ReadyLine {
    requireNonNull(s3, "s3 is null");
    requireNonNull(admin, "admin is null");
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
                URI.create(line.group(1)),
                URI.create(line.group(2)),
                Long.parseLong(line.group(3))))
        : Optional.empty();
  }

  /** Writes the line so that a reader sees all of it or nothing. */
  public void writeTo(Path file) throws IOException {
    SmallFile.write(file, this + "\n");
  }

  @Override
  public String toString() {
    return "ready s3=" + s3 + " admin=" + admin + " pid=" + pid;
  }
}
