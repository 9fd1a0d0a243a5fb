package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.LeftOut;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;

/**
 * The files of an archive whose members follow one another: tar, cpio, ar, and archives compressed
 * as a whole. They are listed in the archive's order. A member's path is the offset of its data in
 * the uncompressed archive.
 */
final class SequentialSource implements Source {
  private static final String LINK_ADVICE =
      "store the files themselves, as tar does with --dereference --hard-dereference";

  private final ArchiveFile file;
  private final PositionedBytes bytes;
  private final MemberWalk.Opener opening;
  private final SourceOptions options;

  /**
   * @param bytes uncompressed; closed with the source
   * @param opening lists the members in the bytes
   */
  SequentialSource(
      ArchiveFile file, PositionedBytes bytes, MemberWalk.Opener opening, SourceOptions options) {
    this.file = requireNonNull(file, "file is null");
    this.bytes = requireNonNull(bytes, "bytes is null");
    this.opening = requireNonNull(opening, "opening is null");
    this.options = requireNonNull(options, "options is null");
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
    LeftOut leftOut = LeftOut.of(url(), options);
    try (MemberWalk members = opening.open()) {
      for (ArchiveMember member; (member = members.next()) != null; ) {
        switch (member.type()) {
          case FILE -> add(member, action);
          case LINK -> leftOut.add(LeftOut.Kind.LINK, member.name());
          case SPECIAL -> leftOut.add(LeftOut.Kind.SPECIAL, member.name());
          case NONE -> {}
        }
      }
      requireEnd(members);
    }
    file.requireUnchanged();
    leftOut.tell(options.notices(), LINK_ADVICE);
  }

  private void requireEnd(MemberWalk members) throws IOException {
    try {
      members.requireEnd();
    } catch (IOException e) {
      options.faults().skip(url(), "", e);
    }
  }

  private void add(ArchiveMember member, Consumer<SourceFile> action) throws IOException {
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
  public String archive() {
    return Archives.stem(file.url());
  }

  @Override
  public String where(SourceFile member) {
    return "at byte " + member.path();
  }

  @Override
  public StorageUrl place(SourceFile member) {
    return file.url();
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
