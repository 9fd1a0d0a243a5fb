package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class PlacementTest {
  private static final BucketId BUCKET = new BucketId(7);
  private static final List<ObjectKey> KEYS =
      IntStream.range(0, 60_000).mapToObj(i -> ObjectKey.of("train/image-" + i + ".jpg")).toList();

  @Test
  void everyVectorIsPlacedAsWritten() throws IOException {
    Rendezvous<MapTarget> equal = targets(1, 1, 1, 1, 1);
    Rendezvous<MapTarget> weighted = targets(1, 2, 3, 4, 5);
    Rendezvous<MapDisk> disks =
        Rendezvous.amongDisks(
            List.of(disk("disk-c", 50), disk("disk-a", 100), disk("disk-b", 100)));
    List<String> vectors = vectors();
    assertThat(vectors).hasSize(128);
    for (String vector : vectors) {
      String[] fields = vector.split(" ", -1);
      BucketId bucket = new BucketId(Long.parseLong(fields[0]));
      ObjectKey key = ObjectKey.of(HexFormat.of().parseHex(fields[1]));
      assertThat(HexFormat.of().toHexDigits(key.xxh64(bucket.value()))).isEqualTo(fields[2]);
      assertThat(equal.winner(bucket, key).id().value()).isEqualTo(fields[3]);
      assertThat(weighted.winner(bucket, key).id().value()).isEqualTo(fields[4]);
      assertThat(disks.winner(bucket, key).id().value()).isEqualTo(fields[5]);
    }
  }

  @Test
  void objectsAreSpreadInProportionToTheWeights() {
    Map<TargetId, Integer> counts = counts(targets(1, 2, 3, 4));
    for (int i = 1; i <= 4; i++) {
      double expected = KEYS.size() * i / 10.0;
      assertThat((double) counts.getOrDefault(new TargetId("target-" + i), 0))
          .isCloseTo(expected, Percentage.withPercentage(3));
    }
  }

  @Test
  void weightsOfTheSizeOfDisksInBytesSpreadAsWell() {
    Map<TargetId, Integer> counts = counts(targets(1L << 40, 1L << 39));
    assertThat((double) counts.getOrDefault(new TargetId("target-1"), 0))
        .isCloseTo(KEYS.size() * 2 / 3.0, Percentage.withPercentage(2));
  }

  @Test
  void aTargetThatComesTakesItsShareAndMovesNothingElse() {
    Map<ObjectKey, TargetId> before = owners(targets(2, 2, 2));
    Map<ObjectKey, TargetId> after = owners(targets(2, 2, 2, 2));
    long moved = 0;
    for (ObjectKey key : KEYS) {
      if (!requireNonNull(after.get(key)).equals(before.get(key))) {
        moved++;
        assertThat(after.get(key)).isEqualTo(new TargetId("target-4"));
      }
    }
    assertThat((double) moved).isCloseTo(KEYS.size() / 4.0, Percentage.withPercentage(3));
  }

  @Test
  void aTargetThatGrowsOnlyAttracts() {
    Map<ObjectKey, TargetId> before = owners(targets(2, 2, 2));
    Map<ObjectKey, TargetId> after = owners(targets(2, 3, 2));
    for (ObjectKey key : KEYS) {
      if (!requireNonNull(after.get(key)).equals(before.get(key))) {
        assertThat(after.get(key)).isEqualTo(new TargetId("target-2"));
      }
    }
  }

  @Test
  void theOrderOfTheMembersDoesNotMatter() {
    MapTarget a = target("a", 3);
    MapTarget b = target("b", 5);
    MapTarget c = target("c", 4);
    assertThat(owners(Rendezvous.amongTargets(List.of(a, b, c))))
        .isEqualTo(owners(Rendezvous.amongTargets(List.of(c, a, b))));
  }

  @Test
  void disksSpreadWhatOneTargetOwnsByTheirOwnWeights() {
    Rendezvous<MapTarget> targets = targets(1, 1, 1);
    Rendezvous<MapDisk> disks =
        Rendezvous.amongDisks(List.of(disk("target-1", 1), disk("target-2", 2)));
    List<ObjectKey> owned =
        KEYS.stream()
            .filter(key -> targets.winner(BUCKET, key).id().value().equals("target-1"))
            .toList();
    long onFirst =
        owned.stream()
            .filter(key -> disks.winner(BUCKET, key).id().value().equals("target-1"))
            .count();
    assertThat((double) onFirst).isCloseTo(owned.size() / 3.0, Percentage.withPercentage(5));
  }

  @Test
  void oneKeyIsPlacedIndependentlyInEveryBucket() {
    Rendezvous<MapTarget> targets = targets(1, 1, 1);
    long same =
        IntStream.rangeClosed(1, 3000)
            .filter(bucket ->
                targets.winner(new BucketId(bucket), KEYS.get(0)).id().value().equals("target-1"))
            .count();
    assertThat((double) same).isCloseTo(1000, Percentage.withPercentage(10));
  }

  private static Map<TargetId, Integer> counts(Rendezvous<MapTarget> targets) {
    Map<TargetId, Integer> counts = new HashMap<>();
    KEYS.forEach(key -> counts.merge(targets.winner(BUCKET, key).id(), 1, Integer::sum));
    return counts;
  }

  private static Map<ObjectKey, TargetId> owners(Rendezvous<MapTarget> targets) {
    return KEYS.stream().collect(toMap(identity(), key -> targets.winner(BUCKET, key).id()));
  }

  private static Rendezvous<MapTarget> targets(long... weights) {
    List<MapTarget> targets = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      targets.add(target("target-" + (i + 1), weights[i]));
    }
    return Rendezvous.amongTargets(targets);
  }

  private static MapTarget target(String id, long weight) {
    return new MapTarget(new TargetId(id), List.of(), MemberState.IN_SERVICE, weight, List.of());
  }

  private static MapDisk disk(String id, long weight) {
    return new MapDisk(new DiskId(id), MemberState.IN_SERVICE, weight);
  }

  private static List<String> vectors() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                requireNonNull(
                    PlacementTest.class.getResourceAsStream("placement-vectors.txt"),
                    "placement-vectors.txt is missing"),
                StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }
}
