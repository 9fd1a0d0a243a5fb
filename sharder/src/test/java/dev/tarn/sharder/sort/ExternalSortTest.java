package dev.tarn.sharder.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExternalSortTest {
  private static final long ONE_MEBIBYTE = 1024 * 1024;
  private static final int LONG_RECORD = 900_000;

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

  /** Orders of numbers below a count, as sources list them that were sorted already. */
  enum ListedOrder {
    ASCENDING,
    DESCENDING,
    TWO_ASCENDING_HALVES,
    UP_AND_DOWN,
    MANY_ASCENDING_PARTS;

    int at(int i, int count) {
      int half = count / 2;
      return switch (this) {
        case ASCENDING -> i;
        case DESCENDING -> count - 1 - i;
        case TWO_ASCENDING_HALVES -> i < half ? 2 * i : 2 * (i - half) + 1;
        case UP_AND_DOWN -> i < half ? 2 * i : 2 * (count - 1 - i) + 1;
        case MANY_ASCENDING_PARTS -> i % 1000 * (count / 1000) + i / 1000;
      };
    }
  }

  /** Quadratic time would be minutes. Two records each begin alike, as those of one sample do. */
  @ParameterizedTest
  @EnumSource
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void listsThatWereSortedAlreadyAreSortedAsFastAsOthers(ListedOrder order) throws IOException {
    int count = 1_000_000;
    byte[] record = new byte[Long.BYTES + 1];
    try (ExternalSort sort = new ExternalSort(new SortSpace(folder, 1L << 30))) {
      for (int i = 0; i < count; i++) {
        int number = order.at(i, count);
        ByteBuffer.wrap(record).putLong(number / 2).put((byte) (number % 2));
        sort.add(record, record.length);
      }
      SortedRecords result = sort.sorted();
      for (int i = 0; i < count; i++) {
        assertThat(result.next()).isTrue();
        ByteBuffer found = ByteBuffer.wrap(result.array(), result.offset(), result.length());
        if (2 * found.getLong() + found.get() != i) {
          fail("another record than %d", i);
        }
      }
      assertThat(result.next()).isFalse();
    }
  }

  @Test
  void moreRunsThanAreReadAtOnceAreMergedInSteps() throws IOException {
    int[] seeds = new Random(3).ints(600).toArray();
    try (ExternalSort sort = new ExternalSort(new SortSpace(folder, ONE_MEBIBYTE))) {
      for (int seed : seeds) {
        sort.add(longRecord(seed), LONG_RECORD);
      }
      SortedRecords result = sort.sorted();
      Arrays.sort(seeds);
      for (int seed : seeds) {
        assertThat(result.next()).isTrue();
        int end = result.offset() + result.length();
        assertThat(
                Arrays.equals(
                    longRecord(seed), 0, LONG_RECORD, result.array(), result.offset(), end))
            .as("the record of %d", seed)
            .isTrue();
      }
      assertThat(result.next()).isFalse();
    }
  }

  /** So long that two of them fill the memory; ordered as the seeds are. */
  private static byte[] longRecord(int seed) {
    byte[] record = new byte[LONG_RECORD];
    new Random(seed).nextBytes(record);
    ByteBuffer.wrap(record).putInt(seed ^ Integer.MIN_VALUE);
    return record;
  }

  @Test
  void folderThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("nowhere");

    assertThatThrownBy(
            () -> {
              try (ExternalSort sort = new ExternalSort(new SortSpace(nowhere, ONE_MEBIBYTE))) {
                for (int seed = 0; seed < 10; seed++) {
                  sort.add(longRecord(seed), LONG_RECORD);
                }
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage(nowhere + ": cannot store what is sorted there: it is not a directory");
  }

  @Test
  void longestRecordIsTakenAndALongerOneRefused() throws IOException {
    byte[] longest = new byte[ExternalSort.LONGEST_RECORD];

    assertThat(sorted(List.of(longest, longest, longest), ONE_MEBIBYTE)).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sorted(List.of(new byte[longest.length + 1]), ONE_MEBIBYTE));
  }
}
