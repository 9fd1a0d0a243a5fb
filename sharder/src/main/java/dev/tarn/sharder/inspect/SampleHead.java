package dev.tarn.sharder.inspect;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Reads the first samples of shards, and nothing after them. */
public final class SampleHead {
  private final ShardAccess access;
  private final ByteBuffer start = ByteBuffer.allocate(ContentSketch.BYTES_MAX);

  public SampleHead(ShardAccess access) {
    this.access = requireNonNull(access, "access is null");
  }

  /**
   * Reads the first samples of some shards, continuing with the next shard at a shard's end.
   *
   * @return the number of samples, at most {@code count}
   * @throws ShardFormatException if the part of a shard that is read is corrupt
   */
  public int read(List<ShardPlace> shards, int count, Consumer<SampleSketch> target)
      throws IOException {
    int given = 0;
    for (ShardPlace shard : shards) {
      if (given == count) {
        break;
      }
      try (TarReader reader = access.tar(shard)) {
        given += read(shard, reader, count - given, target);
      }
    }
    return given;
  }

  private int read(ShardPlace shard, TarReader reader, int count, Consumer<SampleSketch> target)
      throws IOException {
    SampleGrouping grouping = new SampleGrouping(shard.toString());
    List<SampleSketch.Member> members = new ArrayList<>();
    String key = "";
    int given = 0;
    for (TarMember member; given < count && (member = reader.next()) != null; ) {
      SampleGrouping.Role role = grouping.add(member);
      if (role == SampleGrouping.Role.OUTSIDE) {
        continue;
      }
      if (role == SampleGrouping.Role.FIRST && !members.isEmpty()) {
        target.accept(new SampleSketch(key, shard, members));
        members.clear();
        given++;
      }
      key = grouping.key();
      members.add(sketch(reader, member, grouping.extension()));
    }
    if (given < count && !members.isEmpty()) {
      target.accept(new SampleSketch(key, shard, members));
      given++;
    }
    return given;
  }

  private SampleSketch.Member sketch(TarReader reader, TarMember member, String extension)
      throws IOException {
    start.clear();
    while (start.hasRemaining() && reader.read(start) >= 0) {
      // read() fills the buffer
    }
    byte[] bytes = Arrays.copyOf(start.array(), start.position());
    return new SampleSketch.Member(
        member.name(), extension, member.size(), ContentSketch.of(bytes, member.size()));
  }
}
