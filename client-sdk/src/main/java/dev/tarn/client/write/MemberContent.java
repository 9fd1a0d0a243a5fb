package dev.tarn.client.write;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The content of a member, whose length is known in advance.
 *
 * @param size in bytes
 * @param opening opens a stream of exactly {@code size} bytes
 */
public record MemberContent(long size, Opener opening) {
  /** Opens a stream of a member's bytes, which is read once and closed. */
  @FunctionalInterface
  public interface Opener {
    /** Opens the stream. */
    InputStream open() throws IOException;
  }

  /** Checks the parts. */
  public MemberContent {
    requireNonNull(opening, "opening is null");
    if (size < 0) {
      throw new IllegalArgumentException("size is %d, expected 0 or more".formatted(size));
    }
  }

  /** Content that is these bytes; they must not change until the sample is written. */
  public static MemberContent of(byte[] bytes) {
    requireNonNull(bytes, "bytes is null");
    return new MemberContent(bytes.length, () -> new ByteArrayInputStream(bytes));
  }

  /**
   * Content that is the bytes of a file, whose length must not change until the sample is written.
   *
   * @throws IOException if there is no such file
   */
  public static MemberContent of(Path file) throws IOException {
    return new MemberContent(Files.size(file), () -> Files.newInputStream(file));
  }
}
