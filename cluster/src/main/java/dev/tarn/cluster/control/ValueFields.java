package dev.tarn.cluster.control;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.BucketSettings.Verify;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The fields that commands and snapshots share: texts, users, keys and bucket settings. */
final class ValueFields {
  /** Far above every text that passes the records' checks. */
  private static final int TEXT_BYTES_MAX = 64 * 1024;

  private ValueFields() {}

  static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > TEXT_BYTES_MAX) {
      throw new IllegalArgumentException(
          "text has " + bytes.length + " bytes, at most " + TEXT_BYTES_MAX + " can be kept");
    }
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > TEXT_BYTES_MAX) {
      throw new IOException("text length is " + length + ", must be 0 to " + TEXT_BYTES_MAX);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static void writeUser(DataOutputStream out, User user) throws IOException {
    writeText(out, user.id());
    writeText(out, user.name());
    out.writeBoolean(user.admin());
  }

  static User readUser(DataInputStream in) throws IOException {
    return new User(readText(in), readText(in), in.readBoolean());
  }

  static void writeAccessKey(DataOutputStream out, AccessKey key) throws IOException {
    writeText(out, key.id());
    writeText(out, key.secret());
    writeText(out, key.userId());
    out.writeLong(key.createdMs());
  }

  static AccessKey readAccessKey(DataInputStream in) throws IOException {
    return new AccessKey(readText(in), readText(in), readText(in), in.readLong());
  }

  static void writeSettings(DataOutputStream out, BucketSettings settings) throws IOException {
    out.writeByte(
        switch (settings.durability()) {
          case FSYNC -> 0;
          case OS -> 1;
        });
    out.writeByte(
        switch (settings.verify()) {
          case SCRUB -> 0;
          case ALWAYS -> 1;
        });
    out.writeBoolean(settings.backend().isPresent());
    if (settings.backend().isPresent()) {
      writeBackend(out, settings.backend().orElseThrow());
    }
    out.writeByte(
        switch (settings.freshness().mode()) {
          case REVALIDATE -> 0;
          case IMMUTABLE -> 1;
          case TTL -> 2;
        });
    out.writeLong(settings.freshness().timeToLive().toMillis());
    out.writeBoolean(settings.anonymousRead());
  }

  static BucketSettings readSettings(DataInputStream in) throws IOException {
    int durability = in.readUnsignedByte();
    int verify = in.readUnsignedByte();
    Optional<BackendSettings> backend =
        in.readBoolean() ? Optional.of(readBackend(in)) : Optional.empty();
    int freshness = in.readUnsignedByte();
    Duration timeToLive = Duration.ofMillis(in.readLong());
    boolean anonymousRead = in.readBoolean();
    return new BucketSettings(
        oneOf("durability", durability, Durability.FSYNC, Durability.OS),
        oneOf("verify", verify, Verify.SCRUB, Verify.ALWAYS),
        backend,
        new Freshness(
            oneOf(
                "freshness",
                freshness,
                Freshness.Mode.REVALIDATE,
                Freshness.Mode.IMMUTABLE,
                Freshness.Mode.TTL),
            timeToLive),
        anonymousRead);
  }

  private static void writeBackend(DataOutputStream out, BackendSettings backend)
      throws IOException {
    writeText(out, backend.endpoint().map(URI::toString).orElse(""));
    writeText(out, backend.region());
    writeText(out, backend.bucket());
    writeText(out, backend.prefix());
    writeText(out, backend.accessKeyId());
    writeText(out, backend.secretAccessKey());
  }

  private static BackendSettings readBackend(DataInputStream in) throws IOException {
    String endpoint = readText(in);
    return new BackendSettings(
        endpoint.isEmpty() ? Optional.empty() : Optional.of(URI.create(endpoint)),
        readText(in),
        readText(in),
        readText(in),
        readText(in),
        readText(in));
  }

  @SafeVarargs
  static <T> T oneOf(String field, int tag, T... values) throws IOException {
    if (tag >= values.length) {
      throw new IOException(
          field + " has the tag " + tag + ", this version knows 0 to " + (values.length - 1));
    }
    return values[tag];
  }

  /** Writes one item. */
  interface ItemWriter<T> {
    void write(DataOutputStream out, T item) throws IOException;
  }

  /** Reads one item. */
  interface ItemReader<T> {
    T read(DataInputStream in) throws IOException;
  }

  static <T> void writeAll(DataOutputStream out, Collection<T> items, ItemWriter<T> writer)
      throws IOException {
    out.writeInt(items.size());
    for (T item : items) {
      writer.write(out, item);
    }
  }

  static <T> List<T> readAll(DataInputStream in, ItemReader<T> reader) throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new IOException("count is " + count + ", must not be negative");
    }
    List<T> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(reader.read(in));
    }
    return items;
  }
}
