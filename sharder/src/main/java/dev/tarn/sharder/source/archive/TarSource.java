package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.MemberType;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;

/**
 * The regular members of a tar archive, in its order. A member's path is the place of its data in
 * the uncompressed archive.
 */
final class TarSource implements Source {
  private interface Opening {
    TarReader open() throws IOException;
  }

  private final ArchiveFile file;
  private final PositionedBytes bytes;
  private final Opening opening;
  private final SourceOptions options;

  private TarSource(
      ArchiveFile file, PositionedBytes bytes, Opening opening, SourceOptions options) {
    this.file = requireNonNull(file, "file is null");
    this.bytes = requireNonNull(bytes, "bytes is null");
    this.opening = opening;
    this.options = requireNonNull(options, "options is null");
  }

  /** An archive whose members can be read where they lie. */
  static TarSource plain(ArchiveFile file, PositionedBytes bytes, SourceOptions options) {
    return new TarSource(
        file,
        bytes,
        () -> TarReader.of(file.name(), new BytesChannel(bytes, 0, bytes.size())),
        options);
  }

  /** An archive that is compressed as a whole. */
  static TarSource compressed(ArchiveFile file, SourceOptions options, PassingWindows windows) {
    CompressedBytes bytes = new CompressedBytes(file, options, windows);
    return new TarSource(file, bytes, () -> TarReader.of(file.name(), bytes.stream()), options);
  }

  @Override
  public String url() {
    return file.name();
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public void list(Consumer<SourceFile> action) throws IOException {
    LeftOutLinks links = new LeftOutLinks();
    try (TarReader reader = opening.open()) {
      for (TarMember member; (member = reader.next()) != null; ) {
        if (member.isRegular()) {
          add(member, action);
        } else if (isLink(member)) {
          links.add(member.name());
        }
      }
    }
    file.requireUnchanged();
    links.tell(
        options.notices(),
        url(),
        "tar stores the files themselves with --dereference --hard-dereference");
  }

  private static boolean isLink(TarMember member) {
    return member.type() == MemberType.HARD_LINK || member.type() == MemberType.SYMBOLIC_LINK;
  }

  private void add(TarMember member, Consumer<SourceFile> action) throws IOException {
    String name;
    try {
      name = MemberPaths.relative(url(), member.headerOffset(), member.name());
    } catch (IOException e) {
      options.faults().skip(member.name(), "", e);
      return;
    }
    action.accept(
        new SourceFile(
            name, Long.toString(member.dataOffset()), member.size(), file.stamp(), null));
  }

  @Override
  public ReadableByteChannel open(SourceFile member) throws IOException {
    file.requireListed(member);
    return new BytesChannel(bytes, Long.parseLong(member.path()), member.size());
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
