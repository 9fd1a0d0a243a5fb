package dev.tarn.sharder.inspect;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRanges;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Copies members out of a shard: by its index if it has one, otherwise by reading the shard. */
public final class MemberCopy {
  private static final int BUFFER_BYTES = 128 * 1024;

  private final ShardAccess access;
  private final OutputStream target;

  public MemberCopy(ShardAccess access, OutputStream target) {
    this.access = requireNonNull(access, "access is null");
    this.target = requireNonNull(target, "target is null");
  }

  /**
   * Copies members in the order of the names; if a name occurs several times, its first member.
   *
   * @throws StorageException of kind MISSING if the shard has no member of that name
   * @throws ShardFormatException if the shard or its index is corrupt, or if they do not belong
   *     together; some bytes may already be written then
   */
  public void copy(ShardPlace shard, List<String> names) throws IOException {
    try (OpenIndex index = access.index(shard)) {
      for (String name : names) {
        // The index has only members that belong to samples.
        Optional<IndexedMember> member =
            index == null ? Optional.empty() : index.index().find(name);
        if (index != null && member.isPresent()) {
          copy(shard, index.index(), member.orElseThrow());
        } else {
          copyByReading(shard, name);
        }
      }
    }
  }

  private void copy(ShardPlace shard, ShardIndex index, IndexedMember member) throws IOException {
    ShardRanges ranges =
        new ShardRanges(shard.toString(), index, (offset, end) -> open(shard, index, offset, end));
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream data = ranges.open(member.offset(), member.offset() + member.size())) {
      for (int read; (read = data.read(buffer)) >= 0; ) {
        crc.update(buffer, 0, read);
        target.write(buffer, 0, read);
      }
    }
    if ((int) crc.getValue() != member.crc32c()) {
      throw new ShardFormatException(
          shard.toString(),
          member.offset(),
          "the data of member "
              + MemberNames.printable(member.name())
              + " does not match the index: its CRC32C differs");
    }
  }

  private InputStream open(ShardPlace shard, ShardIndex index, long offset, long end)
      throws IOException {
    Storage storage = access.storage();
    ObjectStream stored = storage.open(shard.url(), offset, end, null);
    long size = stored.object().size();
    if (size != index.storedLength()) {
      stored.close();
      throw new ShardFormatException(
          shard.index().toString(),
          0,
          "the index is of a shard of %d bytes, this one has %d; %s makes it again"
              .formatted(index.storedLength(), size, shard.indexing()));
    }
    return stored;
  }

  private void copyByReading(ShardPlace shard, String name) throws IOException {
    try (TarReader reader = access.tar(shard)) {
      for (TarMember member; (member = reader.next()) != null; ) {
        if (member.isRegular() && member.name().equals(name)) {
          ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
          while (reader.read(buffer.clear()) >= 0) {
            target.write(buffer.array(), 0, buffer.position());
          }
          return;
        }
      }
    }
    throw new StorageException(
        StorageException.Kind.MISSING,
        shard.url(),
        "has no member " + MemberNames.printable(name) + "; sharder ls names those it has");
  }
}
