package dev.tarn.sharder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All files below a folder by their names, to be compared with those of another. */
public final class FolderContents {
  private FolderContents() {}

  /** The bytes of each file; none if there is no such folder. */
  public static Map<String, ByteBuffer> of(Path folder) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    if (Files.notExists(folder)) {
      return contents;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(folder.relativize(file).toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return contents;
  }
}
