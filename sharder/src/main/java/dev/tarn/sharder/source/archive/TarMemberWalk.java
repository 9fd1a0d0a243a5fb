package dev.tarn.sharder.source.archive;

import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Lists the members of a tar archive. */
final class TarMemberWalk implements MemberWalk {
  private final TarReader reader;

  TarMemberWalk(TarReader reader) {
    this.reader = reader;
  }

  @Override
  public @Nullable ArchiveMember next() throws IOException {
    TarMember member = reader.next();
    if (member == null) {
      return null;
    }
    ArchiveMember.Type type =
        switch (member.type()) {
          case REGULAR -> ArchiveMember.Type.FILE;
          case HARD_LINK, SYMBOLIC_LINK -> ArchiveMember.Type.LINK;
          case DIRECTORY -> ArchiveMember.Type.NONE;
          case OTHER -> ArchiveMember.Type.SPECIAL;
        };
    return new ArchiveMember(
        member.name(), type, member.headerOffset(), member.dataOffset(), member.size());
  }

  @Override
  public void requireEnd() throws IOException {
    IOException trailing = reader.trailing();
    if (trailing != null) {
      throw trailing;
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
