package dev.tarn.gateway.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** The files of the console, from the jar of the module {@code console}. */
final class ConsoleFiles {
  /** The page itself. */
  static final String PAGE = "index.html";

  private static final String FOLDER = "/dev/tarn/console/";

  /** Lists the files, one name per line. */
  private static final String LIST = "files.txt";

  /** By the extension of a name. */
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private ConsoleFiles() {}

  /**
   * A file of the console.
   *
   * @param type the media type
   * @param plain the content
   * @param zipped the content, compressed by gzip
   */
  record ConsoleFile(String type, Buffer plain, Buffer zipped) {}

  /** All files by name, such as assets/index-1a2b.js; empty if Tarn was built without them. */
  static Map<String, ConsoleFile> all() {
    Map<String, ConsoleFile> files = new LinkedHashMap<>();
    try (InputStream list = ConsoleFiles.class.getResourceAsStream(FOLDER + LIST)) {
      if (list != null) {
        for (String name : new String(list.readAllBytes(), UTF_8).lines().toList()) {
          files.put(name, read(name));
        }
      }
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException("the console's files cannot be read from the jar", e);
    }
  }

  private static ConsoleFile read(String name) throws IOException {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    try (InputStream file = ConsoleFiles.class.getResourceAsStream(FOLDER + name)) {
      if (type == null || file == null) {
        throw new IllegalStateException(
            "the console's file " + name + " is missing, or is of no known type");
      }
      byte[] content = file.readAllBytes();
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
        zip.write(content);
      }
      return new ConsoleFile(type, Buffer.buffer(content), Buffer.buffer(zipped.toByteArray()));
    }
  }
}
