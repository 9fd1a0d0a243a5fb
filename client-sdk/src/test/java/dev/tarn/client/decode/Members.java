package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Members of a sample that nobody packed. */
final class Members {
  private Members() {}

  static EncodedMember of(String extension, byte[] bytes) {
    return new EncodedMember(
        "a/b", "s3://data/shard-000000.tar", extension, ByteBuffer.wrap(bytes));
  }

  static EncodedMember of(String extension, String text) {
    return of(extension, text.getBytes(UTF_8));
  }

  /** A file that Python's libraries wrote: see make.py beside them. */
  static byte[] file(String name) {
    try (InputStream file = Members.class.getResourceAsStream("/decode/" + name)) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The member of a file, whose name's extension it has. */
  static EncodedMember ofFile(String name) {
    return of(name.substring(name.indexOf('.') + 1), file(name));
  }
}
