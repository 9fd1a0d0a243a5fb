package dev.tarn.cluster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.BucketId;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetReportTest {
  private static final TargetReport REPORT =
      new TargetReport(
          "node-1",
          List.of(
              new TargetReport.Disk(
                  "d1",
                  "in service",
                  1L << 40,
                  1L << 39,
                  new TargetReport.DiskUse(1L << 37, 1L << 38, 3, 4, 5, 6, 7),
                  List.of(new TargetReport.CachedBucket(new BucketId(3), 1L << 38))),
              new TargetReport.Disk(
                  "d2", "input/output error", 0, 0, TargetReport.DiskUse.UNKNOWN, List.of())),
          Optional.of(
              new TargetReport.Scrub(
                  true, 1_700_000_000_000L, 5, 1L << 33, List.of("b/k: CRC"), 2, List.of("d2"))),
          Optional.of(
              new TargetReport.Stored(
                  7,
                  1L << 34,
                  List.of(
                      new TargetReport.Usage(
                          new BucketId(3),
                          7,
                          1L << 34,
                          TargetReport.Traffic.NONE,
                          new TargetReport.Traffic(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                          new TargetReport.Traffic(5, 6, 7, 1L << 40, 9, 10, 11, 12, 13, 14, 15),
                          new TargetReport.Left(1, 2, 3, 4, 1L << 41))),
                  9,
                  1,
                  2,
                  1_700_000_000_000L)));

  @Test
  void reportIsReadAsItWasWritten() throws Exception {
    TargetReport empty = new TargetReport("n", List.of(), Optional.empty(), Optional.empty());
    assertThat(TargetReport.decode(REPORT.encode())).isEqualTo(REPORT);
    assertThat(TargetReport.decode(empty.encode())).isEqualTo(empty);
  }

  @Test
  void whatIsCutShortOrOfAnotherVersionIsRefused() {
    byte[] whole = REPORT.encode();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> TargetReport.decode(part)).isInstanceOf(WireException.class);
    }
    byte[] newer = whole.clone();
    newer[0]++;
    assertThatThrownBy(() -> TargetReport.decode(newer)).hasMessageContaining("wire version");
  }

  @Test
  void reportOnTheMostBucketsIsNotTooLong() {
    long many = 1L << 60;
    TargetReport.Traffic traffic =
        new TargetReport.Traffic(many, many, many, many, many, many, many, many, many, many, many);
    List<TargetReport.Usage> buckets =
        Collections.nCopies(
            TargetReport.BUCKETS_MAX,
            new TargetReport.Usage(
                new BucketId(many),
                many,
                many,
                traffic,
                traffic,
                traffic,
                new TargetReport.Left(many, many, many, many, many)));
    TargetReport report =
        new TargetReport(
            "node-1",
            List.of(),
            Optional.empty(),
            Optional.of(new TargetReport.Stored(many, many, buckets, many, many, many, many)));

    assertThat(report.encode()).hasSizeLessThan(TargetReport.BYTES_MAX);
  }
}
