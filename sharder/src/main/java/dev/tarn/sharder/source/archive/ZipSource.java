package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.LeftOut;
import dev.tarn.sharder.source.RelativeNames;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipMethod;

/**
 * The files of a zip archive, in the order of its directory. A member's path has its place and its
 * compression method. The directory is therefore read only for the listing, and not kept.
 */
final class ZipSource implements Source {
  private static final int ENCRYPTED = 1;
  private static final int DIRECTORY_ENCRYPTED = 1 << 13;

  /** Maximum ratio of uncompressed to deflated bytes. */
  private static final long EXPANSION_MAX = 1032;

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
    LeftOut leftOut = LeftOut.of(url(), options);
    try (ZipDirectory directory = ZipDirectory.open(url(), bytes)) {
      for (ZipArchiveEntry member : directory.members()) {
        String name = ZipNames.of(member);
        ZipPlace place = place(directory, member, name);
        if (member.isUnixSymlink()) {
          leftOut.add(LeftOut.Kind.LINK, name);
        } else if (!name.endsWith("/")) {
          add(member, name, place, action);
        }
      }
    }
    file.requireUnchanged();
    leftOut.tell(options.notices(), "zip stores the files themselves without --symlinks");
  }

  /** Returns the place of a member; rejects a place outside the archive. */
  private ZipPlace place(ZipDirectory directory, ZipArchiveEntry member, String name)
      throws IOException {
    long offset = directory.offset(member);
    long stored = member.getCompressedSize();
    if (offset < 0 || stored < 0 || stored > directory.start() - offset) {
      throw directory.corrupt(
          directory.start(), "member " + MemberNames.printable(name) + " is not in it");
    }
    if (member.getSize() < 0 || member.getSize() > (stored + 1) * EXPANSION_MAX) {
      throw directory.corrupt(
          directory.start(),
          "member %s of %d bytes cannot be stored in %d"
              .formatted(MemberNames.printable(name), member.getSize(), stored));
    }
    return new ZipPlace(offset, stored, member.getMethod(), (int) member.getCrc());
  }

  private void add(ZipArchiveEntry member, String name, ZipPlace place, Consumer<SourceFile> action)
      throws IOException {
    String relative;
    try {
      if (options.takesHidden() || !RelativeNames.isHidden(name)) {
        requireReadable(member, name, place);
      }
      relative = MemberPaths.relative(url(), place.offset(), name);
    } catch (IOException e) {
      options.faults().skip(name, "", e);
      return;
    }
    action.accept(new SourceFile(relative, place.text(), member.getSize(), file.stamp(), null));
  }

  private void requireReadable(ZipArchiveEntry member, String name, ZipPlace place)
      throws IOException {
    if ((member.getRawFlag() & (ENCRYPTED | DIRECTORY_ENCRYPTED)) != 0) {
      throw unreadable(name, place, "is encrypted: decrypt the archive first");
    }
    if (place.method() != ZipEntry.STORED && place.method() != ZipEntry.DEFLATED) {
      ZipMethod method = ZipMethod.getMethodByCode(place.method());
      throw unreadable(
          name,
          place,
          "is compressed by %s, but only stored and deflated members can be read; zip it again with -Z deflate"
              .formatted(
                  method == null || method == ZipMethod.UNKNOWN
                      ? "method " + place.method()
                      : method.name().toLowerCase(Locale.ROOT)));
    }
    if (place.method() == ZipEntry.STORED && place.stored() != member.getSize()) {
      throw unreadable(
          name,
          place,
          "is stored in %d bytes, but said to have %d: the archive is corrupt"
              .formatted(place.stored(), member.getSize()));
    }
  }

  private IOException unreadable(String name, ZipPlace place, String why) {
    return new IOException(
        "%s at byte %d: member %s %s"
            .formatted(url(), place.offset(), MemberNames.printable(name), why));
  }

  @Override
  public ReadableByteChannel open(SourceFile member) throws IOException {
    file.requireListed(member);
    String name = "%s, member %s".formatted(url(), MemberNames.printable(member.name()));
    return new ZipChannel(name, bytes, ZipPlace.parse(member.path()), member.size());
  }

  @Override
  public String archive() {
    return Archives.stem(file.url());
  }

  @Override
  public String where(SourceFile member) {
    return "at byte " + ZipPlace.parse(member.path()).offset();
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
