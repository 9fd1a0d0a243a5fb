package dev.tarn.targetnode.store.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which objects share the files of their units. */
final class UnitTest {
  private static final long SIZE = 9 << 20;

  @Test
  void entriesWithOneStrongEtagShareTheirUnits() {
    assertThat(cached("abc", 1).unit(0)).isEqualTo(cached("abc", 2).unit(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"W/\"abc\"", "T/\"1000-9437184\""})
  void entriesWhoseEtagIdentifiesNoBytesShareNone(String etag) {
    assertThat(cached(etag, 1).unit(0)).isNotEqualTo(cached(etag, 2).unit(0));
  }

  @Test
  void newDescriptionOfAnEntryKeepsItsUnits() {
    ObjectRecord entry = cached("W/\"abc\"", 1);
    assertThat(entry.revised(entry.metadata(), 5).unit(1)).isEqualTo(entry.unit(1));
  }

  private static ObjectRecord cached(String etag, long versionMs) {
    return ObjectRecord.first(
        new ObjectMetadata(
            new ObjectName(new BucketId(1), ObjectKey.of("key")),
            new ObjectVersion(0, versionMs, 0),
            true,
            false,
            SIZE,
            "shown",
            List.of(),
            ObjectAttributes.NONE,
            1000,
            List.of(),
            new Origin(etag, null, 1, 1)),
        "",
        List.of(new Piece.CachedUnits(SIZE)));
  }
}
