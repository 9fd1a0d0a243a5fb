package dev.tarn.sharder.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import java.net.URI;
import java.nio.file.Path;

/**
 * Paths of files whose names are bytes: a URI encodes them byte by byte, independent of the locale.
 */
public final class LocalPaths {
  private LocalPaths() {}

  /** Returns the path of a local URL. */
  public static Path of(StorageUrl url) {
    if (url.scheme() != StorageUrl.Scheme.FILE) {
      throw new IllegalArgumentException(url + " is not a local file");
    }
    return of(url.path());
  }

  static Path of(String text) {
    if (isAscii(text)) {
      return Path.of(text);
    }
    String absolute = text.startsWith("/") ? text : Path.of("").toAbsolutePath() + "/" + text;
    StringBuilder uri = new StringBuilder("file://");
    for (char c : new String(MemberNames.encode(absolute), ISO_8859_1).toCharArray()) {
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (plain || c == '/') {
        uri.append(c);
      } else {
        uri.append('%')
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      }
    }
    return Path.of(URI.create(uri.toString()));
  }

  static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
