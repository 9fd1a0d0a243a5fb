package dev.tarn.sharder.inspect;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files of shards into a folder. Each file that the shard's index has is verified before
 * it appears. Thread-safe.
 */
public final class Unpacking {
  private static final int BUFFER_BYTES = 128 * 1024;

  private final ShardAccess access;
  private final UnpackFolder folder;
  private final UnpackedNames names;
  private final boolean dryRun;
  private final Progress progress;

  /**
   * The result of unpacking a shard.
   *
   * @param files the number of written files
   * @param bytes their total size
   * @param kept the number of existing files that were kept
   * @param others the number of members that are not files, such as folders and links
   */
  public record Unpacked(long files, long bytes, long kept, long others) {
    public static final Unpacked NONE = new Unpacked(0, 0, 0, 0);

    /** Returns the sum of both results. */
    public Unpacked plus(Unpacked more) {
      return new Unpacked(
          files + more.files, bytes + more.bytes, kept + more.kept, others + more.others);
    }
  }

  /**
   * @param names receives the files of each shard
   * @param dryRun whether nothing is written
   * @param progress receives the written files and bytes
   */
  public Unpacking(
      ShardAccess access,
      UnpackFolder folder,
      UnpackedNames names,
      boolean dryRun,
      Progress progress) {
    this.access = requireNonNull(access, "access is null");
    this.folder = requireNonNull(folder, "folder is null");
    this.names = requireNonNull(names, "names is null");
    this.dryRun = dryRun;
    this.progress = requireNonNull(progress, "progress is null");
  }

  /**
   * Unpacks a shard.
   *
   * @throws IOException naming the first member that cannot be unpacked; earlier members are
   *     unpacked
   */
  public Unpacked unpack(ShardPlace shard) throws IOException {
    try (OpenIndex index = dryRun ? null : access.index(shard);
        TarReader reader = dryRun ? access.headers(shard) : access.tar(shard)) {
      return new Run(shard, reader, index == null ? null : index.index()).unpack();
    }
  }

  /** Unpacks one shard. */
  private final class Run {
    private final ShardPlace shard;
    private final TarReader reader;
    private final @Nullable ShardIndex index;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C crc = new CRC32C();
    private int indexed;
    private Unpacked unpacked = Unpacked.NONE;

    Run(ShardPlace shard, TarReader reader, @Nullable ShardIndex index) {
      this.shard = shard;
      this.reader = reader;
      this.index = index;
    }

    Unpacked unpack() throws IOException {
      for (TarMember member; (member = reader.next()) != null; ) {
        IndexedMember known = known(member);
        if (member.isRegular()) {
          unpack(member, known);
        } else {
          unpacked = unpacked.plus(new Unpacked(0, 0, 0, 1));
        }
      }
      IOException trailing = reader.trailing();
      if (trailing != null) {
        throw trailing;
      }
      return unpacked;
    }

    /** Returns the index entry of this member; null if there is none. */
    private @Nullable IndexedMember known(TarMember member) throws ShardFormatException {
      if (index == null || indexed == index.memberCount()) {
        return null;
      }
      IndexedMember next = index.member(indexed);
      if (next.offset() != member.dataOffset()) {
        return null;
      }
      indexed++;
      return next;
    }

    private void unpack(TarMember member, @Nullable IndexedMember known) throws IOException {
      String name = folder.name(shard, member.name());
      Path file = folder.path(name);
      names.add(shard, name);
      if (folder.isKept(shard, file) || !isWritten(member, known, file)) {
        unpacked = unpacked.plus(new Unpacked(0, 0, 1, 0));
        return;
      }
      unpacked = unpacked.plus(new Unpacked(1, member.size(), 0, 0));
      progress.add(1, member.size());
    }

    private boolean isWritten(TarMember member, @Nullable IndexedMember known, Path file)
        throws IOException {
      return dryRun || folder.write(shard, file, target -> copy(member, known, target));
    }

    private void copy(TarMember member, @Nullable IndexedMember known, FileChannel target)
        throws IOException {
      crc.reset();
      while (reader.read(buffer.clear()) >= 0) {
        crc.update(buffer.flip());
        buffer.rewind();
        while (buffer.hasRemaining()) {
          target.write(buffer);
        }
      }
      if (known != null
          && (known.crc32c() != (int) crc.getValue() || !known.name().equals(member.name()))) {
        throw new ShardFormatException(
            shard.toString(),
            member.dataOffset(),
            "member "
                + MemberNames.printable(member.name())
                + " does not match the index; run sharder verify");
      }
    }
  }
}
