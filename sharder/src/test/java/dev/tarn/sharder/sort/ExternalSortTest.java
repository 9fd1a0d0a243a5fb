package dev.tarn.sharder.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExternalSortTest {
  private static final long ONE_MEBIBYTE = 1024 * 1024;

  @TempDir Path folder;

  /** Closed by a zero, so that none begins another. */
  private static byte[] record(Random random, int lengthMax) {
    byte[] record = new byte[1 + random.nextInt(lengthMax)];
    for (int i = 0; i < record.length - 1; i++) {
      record[i] = (byte) (random.nextInt(20) == 0 ? 255 : 1 + random.nextInt(3));
    }
    return record;
  }

  private List<byte[]> sorted(List<byte[]> records, long bytesMax) throws IOException {
    List<byte[]> sorted = new ArrayList<>();
    try (ExternalSort sort = new ExternalSort(new SortSpace(folder, bytesMax))) {
      for (byte[] record : records) {
        sort.add(Arrays.copyOf(record, record.length + 5), record.length);
      }
      SortedRecords result = sort.sorted();
      while (result.next()) {
        int end = result.offset() + result.length();
        sorted.add(Arrays.copyOfRange(result.array(), result.offset(), end));
      }
      assertThat(result.next()).isFalse();
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).isEmpty();
      }
    }
    return sorted;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 13, 5_000, 200_000})
  void recordsComeInTheOrderOfTheirBytesWhetherTheyFitMemoryOrNot(int count) throws IOException {
    Random random = new Random(count);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(record(random, i % 1000 == 0 ? 20_000 : 40));
    }

    List<byte[]> inMemory = sorted(records, 1L << 30);
    List<byte[]> onDisk = sorted(records, ONE_MEBIBYTE);

    records.sort(Arrays::compareUnsigned);
    assertThat(inMemory).usingElementComparator(Arrays::compareUnsigned).isEqualTo(records);
    assertThat(onDisk).usingElementComparator(Arrays::compareUnsigned).isEqualTo(records);
  }

  @Test
  void moreRunsThanAreReadAtOnceAreMergedInSteps() throws IOException {
    List<byte[]> records = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 600; i++) {
      byte[] record = new byte[900_000];
      ByteBuffer.wrap(record).putInt(random.nextInt());
      records.add(record);
    }

    List<byte[]> sorted = sorted(records, ONE_MEBIBYTE);

    assertThat(sorted).hasSameSizeAs(records).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void longestRecordIsTakenAndALongerOneRefused() throws IOException {
    byte[] longest = new byte[ExternalSort.LONGEST_RECORD];

    assertThat(sorted(List.of(longest, longest, longest), ONE_MEBIBYTE)).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sorted(List.of(new byte[longest.length + 1]), ONE_MEBIBYTE));
  }
}
