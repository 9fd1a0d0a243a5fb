package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.LocalPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Comparable texts of where files and folders lie. They end in a slash, so that a folder's text
 * begins the texts of what it holds.
 */
final class RealPlaces {
  private RealPlaces() {}

  /**
   * Returns where a file or folder lies: for a local link the places of the link and of what it
   * links to, else one place.
   */
  static Set<String> of(StorageUrl url) {
    if (url.scheme() != StorageUrl.Scheme.FILE) {
      return Set.of(folder(url.toString()));
    }
    Path path = LocalPaths.of(url).toAbsolutePath();
    // A path as bytes, which a URI encodes: its text may depend on the locale.
    String real = folder(real(path).toUri().toString());
    String place = folder(place(path).toUri().toString());
    return real.equals(place) ? Set.of(real) : Set.of(real, place);
  }

  /** Returns a path without links; the part of it that does not exist is taken literally. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return place(path);
    }
  }

  private static Path place(Path path) {
    @Nullable Path folder = path.getParent();
    @Nullable Path name = path.getFileName();
    return folder == null || name == null ? path : real(folder).resolve(name).normalize();
  }

  private static String folder(String text) {
    return text.endsWith("/") ? text : text + "/";
  }
}
