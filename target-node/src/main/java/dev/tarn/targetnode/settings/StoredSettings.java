package dev.tarn.targetnode.settings;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.SettingsTable;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.targetnode.BucketSettingsSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The newest table of bucket settings that a gateway has published here, kept on disk, so that a
 * target that starts again serves before any gateway has spoken to it. The file holds the secrets
 * of backends: it is readable by its owner alone.
 *
 * <p>The file: a line with magic, format version and required features, the CRC32C of the table (4
 * bytes), the encoded table.
 */
public final class StoredSettings implements BucketSettingsSource {
  private static final String FILE = "bucket-settings";
  private static final byte[] HEADER =
      "tarn-bucket-settings version=1 features=none\n".getBytes(US_ASCII);

  private final Path file;
  private volatile SettingsTable table;

  private StoredSettings(Path file, SettingsTable table) {
    this.file = file;
    this.table = table;
  }

  /**
   * The settings kept in this directory, which is made where it is missing.
   *
   * @throws IOException also if the file is damaged or of another version
   */
  public static StoredSettings open(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve(FILE);
    return new StoredSettings(file, Files.exists(file) ? read(file) : SettingsTable.EMPTY);
  }

  @Override
  public Known find(BucketId bucket) {
    SettingsTable known = table;
    return new Known(known.version(), known.buckets().get(bucket));
  }

  /** The version of the table in force; 0 where there is none. */
  public long version() {
    return table.version();
  }

  /**
   * Takes a newer table: durable first, then in force. The table in force again changes nothing.
   *
   * @return why it is not taken, if it is not
   * @throws IOException if it cannot be kept; the table before it stays in force
   */
  public synchronized Optional<String> offer(SettingsTable offered) throws IOException {
    SettingsTable known = table;
    if (offered.equals(known)) {
      return Optional.empty();
    }
    if (offered.version() <= known.version()) {
      return Optional.of(
          "settings of version "
              + offered.version()
              + " refused: this target has version "
              + known.version()
              + (offered.version() == known.version() ? " with other content" : ""));
    }
    write(offered);
    table = offered;
    return Optional.empty();
  }

  private static SettingsTable read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int start = HEADER.length + Integer.BYTES;
    if (bytes.length < start || !Arrays.equals(bytes, 0, HEADER.length, HEADER, 0, HEADER.length)) {
      throw new IOException(
          file + " holds no bucket settings of this version; use the version that wrote it");
    }
    byte[] encoded = Arrays.copyOfRange(bytes, start, bytes.length);
    if (ByteBuffer.wrap(bytes).getInt(HEADER.length) != checksum(encoded)) {
      throw new IOException(
          file + " is damaged; remove it, and a gateway will publish the settings again");
    }
    try {
      return SettingsTable.decode(encoded);
    } catch (WireException e) {
      throw new IOException(file + ": " + e.getMessage() + "; use the version that wrote it", e);
    }
  }

  private void write(SettingsTable newer) throws IOException {
    byte[] encoded = newer.encode();
    ByteBuffer content = ByteBuffer.allocate(HEADER.length + Integer.BYTES + encoded.length);
    content.put(HEADER).putInt(checksum(encoded)).put(encoded).flip();
    Path temporary = file.resolveSibling(FILE + ".new");
    Files.deleteIfExists(temporary);
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      while (content.hasRemaining()) {
        channel.write(content);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    Path directory = requireNonNull(file.toAbsolutePath().getParent(), "a file has a parent");
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
