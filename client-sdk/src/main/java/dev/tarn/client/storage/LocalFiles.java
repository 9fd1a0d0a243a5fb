package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Converts between our names and the file system's.
 *
 * <p>Paths are made of percent-encoded URIs, so that a name's bytes reach the file system unchanged
 * in any locale. {@code Path.of(String)} would encode them again.
 */
final class LocalFiles {
  private LocalFiles() {}

  static Path path(StorageUrl url) throws StorageException {
    String text = url.path();
    try {
      if (isAscii(text)) {
        return Path.of(text).toAbsolutePath();
      }
      String absolute = text.startsWith("/") ? text : Path.of("").toAbsolutePath() + "/" + text;
      return Path.of(URI.create("file://" + StorageUrl.percentEncode(absolute)));
    } catch (IllegalArgumentException e) {
      throw new StorageException(Kind.INVALID, url, "no possible file name: " + e.getMessage(), e);
    }
  }

  /** The bytes of a path's last segment. */
  static byte[] nameBytes(Path path) {
    Path name = path.getFileName();
    String text = name.toString();
    if (isAscii(text)) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
    String raw = Path.of("/").resolve(name).toUri().getRawPath().substring(1);
    return StorageUrl.percentDecode(raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw);
  }

  /** Whether every locale's encoding writes the text as the same bytes. */
  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  static StoredObject describe(StorageUrl url, BasicFileAttributes attributes) {
    String etag =
        "\"%s-%x-%x\""
            .formatted(
                String.valueOf(attributes.fileKey()).replaceAll("[^0-9A-Za-z,=]", ""),
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                attributes.size());
    return new StoredObject(url, attributes.size(), etag);
  }

  /** Makes directory entries durable; throws if the file system cannot sync a directory. */
  static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    }
  }

  /** Makes a directory and its parents as needed, durably. */
  static void makeDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path above = directory.getParent();
    if (above != null) {
      makeDirectories(above);
    }
    Files.createDirectories(directory);
    if (above != null) {
      syncDirectory(above);
    }
  }

  /** Translates a failure of the file system. */
  static StorageException translate(StorageUrl url, String action, IOException e) {
    if (e instanceof StorageException storageException) {
      return storageException;
    }
    if (e instanceof NoSuchFileException) {
      return new StorageException(Kind.MISSING, url, action + ": no such file or directory", e);
    }
    if (e instanceof AccessDeniedException) {
      return new StorageException(Kind.DENIED, url, action + ": permission denied", e);
    }
    if (e instanceof NotDirectoryException) {
      return new StorageException(Kind.INVALID, url, action + ": not a directory", e);
    }
    if (e instanceof FileSystemLoopException) {
      return new StorageException(Kind.INVALID, url, action + ": symbolic links form a loop", e);
    }
    String reason =
        e instanceof FileSystemException failure && failure.getReason() != null
            ? failure.getReason()
            : String.valueOf(e.getMessage());
    boolean full =
        reason.toLowerCase(Locale.ROOT).contains("no space left")
            || reason.toLowerCase(Locale.ROOT).contains("quota exceeded");
    return new StorageException(full ? Kind.FULL : Kind.FAILED, url, action + ": " + reason, e);
  }
}
