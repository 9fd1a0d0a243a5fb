package dev.tarn.targetnode.store.read;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.fixtures.target.BodyBytes;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileRangesTest {
  @TempDir private Path directory;
  private final List<FileChannel> opened = new ArrayList<>();
  private final FileRanges ranges = new FileRanges(2 * FileRanges.FILES_MAX);

  /** Keeps no file open, so that letting go of one closes it. */
  private Extents extents = new Extents(new LocalDisk(Path.of("unused")), 0);

  @BeforeEach
  void makeDisk() throws IOException {
    LocalDisk disk = new LocalDisk(directory);
    Extents.format(disk);
    extents = new Extents(disk, 0);
  }

  @Test
  void piecesOfSeveralExtentsAreRangesInTheirOrder() throws IOException {
    List<FileSlice> slices =
        List.of(slice(extent("the first"), 4, 5), slice(extent(" and the second"), 0, 15));

    OutgoingBody body = ranges.of(slices, this::hold, failure -> {});

    assertThat(body).isInstanceOf(OutgoingBody.FileRanges.class);
    assertThat(body).extracting(OutgoingBody::length).isEqualTo(20L);
    assertThat(new String(BodyBytes.read(body), StandardCharsets.UTF_8))
        .isEqualTo("first and the second");
    assertThat(opened).hasSize(2).noneMatch(FileChannel::isOpen);
  }

  @Test
  void filesAreLetGoOfWhenOneIsShorterThanItsPiece() throws IOException {
    List<FileSlice> slices =
        List.of(slice(extent("whole"), 0, 5), slice(extent("short"), 0, 1 << 20));

    assertThatThrownBy(() -> ranges.of(slices, this::hold, failure -> {}))
        .isInstanceOf(UnreadableFormatException.class)
        .hasMessageContaining("shorter");
    assertThat(opened).hasSize(2).noneMatch(FileChannel::isOpen);
  }

  @Test
  void filesAreLetGoOfWhenOneWouldHaveToBeWaitedFor() throws IOException {
    long first = extent("open");
    List<FileSlice> slices = List.of(slice(first, 0, 4), slice(extent("not yet"), 0, 7));

    assertThat(
            ranges.of(
                slices,
                slice -> slice.equals(slices.getFirst()) ? hold(slice) : null,
                failure -> {}))
        .isNull();
    assertThat(opened).hasSize(1).noneMatch(FileChannel::isOpen);
  }

  @Test
  void moreFilesThanMayBeOpenAtOnceAreNoRanges() throws IOException {
    long one = extent("one");
    List<FileSlice> slices = Collections.nCopies(FileRanges.FILES_MAX + 1, slice(one, 0, 3));

    assertThat(ranges.of(slices, this::hold, failure -> {})).isNull();
    assertThat(opened).isEmpty();
  }

  /** Bodies of few files always have them. */
  @Test
  void bodiesOfManyFilesShareABoundOfOpenFiles() throws IOException {
    FileSlice one = slice(extent("one"), 0, 3);
    OpenFile open = hold(one);
    List<FileSlice> many = Collections.nCopies(FileRanges.FILES_MAX, one);
    List<FileSlice> few = Collections.nCopies(FileRanges.FEW_FILES, one);
    OutgoingBody first = requireNonNull(bodyOf(many, open));

    assertThat(
            ranges.of(
                many,
                slice -> {
                  assertThat(bodyOf(many, open)).isNull(); // While the second is being made.
                  return open.tryHold() ? open : null;
                },
                failure -> {}))
        .satisfies(OutgoingBody::close);
    OutgoingBody second = requireNonNull(bodyOf(many, open));
    assertThat(bodyOf(many, open)).isNull();
    requireNonNull(bodyOf(few, open)).close();
    first.close();
    requireNonNull(bodyOf(many, open)).close();

    second.close();
    open.release();
    assertThat(opened).noneMatch(FileChannel::isOpen);
  }

  @Test
  void bodyThatCannotBeMadeGivesItsFilesBack() throws IOException {
    FileSlice one = slice(extent("one"), 0, 3);
    OpenFile open = hold(one);
    List<FileSlice> many = Collections.nCopies(FileRanges.FILES_MAX, one);
    AtomicInteger left = new AtomicInteger(FileRanges.FILES_MAX / 2);
    for (int i = 0; i < 3; i++) {
      left.set(FileRanges.FILES_MAX / 2);
      assertThat(
              ranges.of(
                  many,
                  slice -> left.getAndDecrement() > 0 && open.tryHold() ? open : null,
                  failure -> {}))
          .isNull();
    }

    requireNonNull(bodyOf(many, open)).close();
    open.release();
    assertThat(opened).noneMatch(FileChannel::isOpen);
  }

  private @Nullable OutgoingBody bodyOf(List<FileSlice> slices, OpenFile open) throws IOException {
    return ranges.of(slices, slice -> open.tryHold() ? open : null, failure -> {});
  }

  @Test
  void checksumTableOfAnUnfinishedExtentIsNotKnown() throws IOException {
    ExtentWriter writer = extents.create();
    writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThatThrownBy(writer::tableCrc)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not finished");
    writer.abandon();
  }

  @Test
  void anExtentWithAnotherChecksumTableThanItsRecordNamesIsDamaged() throws IOException {
    ExtentWriter writer = extents.create();
    writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    writer.finish(false);
    writer.committed();

    extents.openVerified(writer.id(), writer.tableCrc()).close();
    assertThatThrownBy(() -> extents.openVerified(writer.id(), writer.tableCrc() + 1))
        .isInstanceOf(UnreadableFormatException.class)
        .hasMessageContaining("checksum table");
  }

  private static FileSlice slice(long extent, long offset, long length) {
    return new FileSlice.OfExtent(new Piece.ExtentRange(extent, offset, length, 0));
  }

  private OpenFile hold(FileSlice slice) throws IOException {
    OpenFile open = extents.hold(((FileSlice.OfExtent) slice).range().extent());
    opened.add(open.file().channel().orElseThrow());
    return open;
  }

  private long extent(String content) throws IOException {
    ExtentWriter writer = extents.create();
    writer.write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
    writer.finish(false);
    writer.committed();
    return writer.id();
  }
}
