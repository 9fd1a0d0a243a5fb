package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.shard.tar.TarWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Shards of what a test says. */
final class ShardFiles {
  private final Map<String, byte[]> members = new LinkedHashMap<>();

  ShardFiles with(String name, byte[] content) {
    members.put(name, content);
    return this;
  }

  ShardFiles with(String name, String content) {
    return with(name, content.getBytes(UTF_8));
  }

  byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarWriter writer = new TarWriter(Channels.newChannel(bytes))) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        writer.begin(member.getKey(), member.getValue().length);
        writer.write(ByteBuffer.wrap(member.getValue()));
      }
      writer.finish();
    }
    return bytes.toByteArray();
  }

  Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }

  Path writeGzip(Path file) throws IOException {
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(bytes());
    }
    return file;
  }
}
