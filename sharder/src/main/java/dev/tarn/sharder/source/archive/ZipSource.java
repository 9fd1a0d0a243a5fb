package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;

/**
 * The files in a zip archive, in the order of its directory. A member's path says where it lies and
 * how it is stored there, so that the directory is read when the archive is listed, and never kept.
 */
final class ZipSource implements Source {
  private final ArchiveFile file;
  private final PositionedBytes bytes;
  private final SourceOptions options;

  ZipSource(ArchiveFile file, PositionedBytes bytes, SourceOptions options) {
    this.file = requireNonNull(file, "file is null");
    this.bytes = requireNonNull(bytes, "bytes is null");
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
    LeftOutLinks links = new LeftOutLinks();
    try (ZipDirectory directory = new ZipDirectory(url(), bytes)) {
      for (ZipMember member; (member = directory.next()) != null; ) {
        if (member.isLink()) {
          links.add(member.name());
        } else if (member.isFile()) {
          add(member, action);
        }
      }
    }
    file.requireUnchanged();
    links.tell(options.notices(), url(), "zip stores the files themselves without --symlinks");
  }

  private void add(ZipMember member, Consumer<SourceFile> action) throws IOException {
    String name;
    try {
      member.requireReadable(url());
      name = MemberPaths.relative(url(), member.place().offset(), member.name());
    } catch (IOException e) {
      options.faults().skip(member.name(), "", e);
      return;
    }
    action.accept(new SourceFile(name, member.place().text(), member.size(), file.stamp(), null));
  }

  @Override
  public ReadableByteChannel open(SourceFile member) throws IOException {
    file.requireListed(member);
    String name = "%s, member %s".formatted(url(), MemberNames.printable(member.name()));
    return new ZipChannel(name, bytes, ZipPlace.parse(member.path()), member.size());
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
