package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SlotFillTest {
  private static final double IMBALANCE_MAX = 0.05;

  @Test
  void everyVectorIsInTheSlotAsWritten() throws IOException {
    List<String> vectors = vectors();
    assertThat(vectors).hasSize(128);
    for (String vector : vectors) {
      String[] fields = vector.split(" ", -1);
      BucketId bucket = new BucketId(Long.parseLong(fields[0]));
      ObjectKey key = ObjectKey.of(HexFormat.of().parseHex(fields[1]));
      assertThat(HexFormat.of().toHexDigits(key.xxh64(bucket.value()))).isEqualTo(fields[2]);
      assertThat(Slot.of(bucket, key)).isEqualTo(Integer.parseInt(fields[3]));
    }
  }

  @Test
  void machinesOfAllKindsFillTheSameTable() {
    List<DiskPlace> places = SlotFill.empty(List.of(target("a", 3, 1), target("b", 5, 2)));
    assertThat(places.subList(0, 12))
        .extracting(place -> place.disk().value())
        .containsExactly(
            "b-0", "a-0", "b-1", "b-1", "a-0", "b-0", "b-0", "a-0", "a-0", "a-0", "b-0", "b-0");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 7, 20, 64, 150, 200})
  void targetsHaveTheirShareOfSlots(int count) {
    List<MapTarget> targets = targets(count);
    assertThat(imbalance(targets, SlotFill.empty(targets))).isLessThan(IMBALANCE_MAX);
  }

  @Test
  void largerTargetsAndDisksHaveMoreSlots() {
    MapTarget small = target("a", 100, 1);
    MapTarget large = target("b", 300, 1);
    List<DiskPlace> places = SlotFill.empty(List.of(small, large));
    assertThat(imbalance(List.of(small, large), places)).isLessThan(0.001);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 20, 199})
  void newTargetTakesItsShareAndNothingElseMoves(int count) {
    List<MapTarget> before = targets(count);
    List<MapTarget> after = targets(count + 1);
    List<DiskPlace> places = SlotFill.empty(before);
    List<DiskPlace> newer = SlotFill.of(after, places, Set.of());
    TargetId added = after.get(count).id();
    assertThat(moved(places, newer)).isEqualTo(slotsOf(newer, added));
    assertThat(imbalance(after, newer)).isLessThan(IMBALANCE_MAX);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 21, 200})
  void onlyTheSlotsOfATargetThatLeavesMove(int count) {
    List<MapTarget> before = targets(count);
    List<MapTarget> after = before.subList(1, count);
    List<DiskPlace> places = SlotFill.empty(before);
    List<DiskPlace> newer = SlotFill.of(after, places, Set.of());
    assertThat(moved(places, newer)).isEqualTo(slotsOf(places, before.get(0).id()));
    assertThat(imbalance(after, newer)).isLessThan(IMBALANCE_MAX);
  }

  @Test
  void targetsThatComeAndGoAtRandomNeverMoveMoreThanNeededOrLeaveTheBounds() {
    Random random = new Random(5);
    List<MapTarget> all = targets(60);
    List<MapTarget> present = new ArrayList<>(all.subList(0, 30));
    List<DiskPlace> places = SlotFill.empty(present);
    for (int change = 0; change < 100; change++) {
      MapTarget one = all.get(random.nextInt(all.size()));
      List<DiskPlace> before = places;
      long leastMoved;
      if (present.remove(one)) {
        places = SlotFill.of(present, before, Set.of());
        leastMoved = slotsOf(before, one.id());
      } else {
        present.add(one);
        places = SlotFill.of(present, before, Set.of());
        leastMoved = slotsOf(places, one.id());
      }
      assertThat(moved(before, places)).isLessThanOrEqualTo((long) (leastMoved * 1.1));
      assertThat(imbalance(present, places)).isLessThan(IMBALANCE_MAX);
    }
  }

  @Test
  void orderOfTheTargetsDoesNotMatter() {
    MapTarget a = target("a", 3, 2);
    MapTarget b = target("b", 5, 1);
    MapTarget c = target("c", 4, 3);
    assertThat(SlotFill.empty(List.of(a, b, c))).isEqualTo(SlotFill.empty(List.of(c, a, b)));
  }

  @Test
  void keysAreSpreadOverTheSlotsEvenly() {
    Map<Integer, Long> counts =
        IntStream.range(0, 400_000)
            .mapToObj(i -> Slot.of(new BucketId(7), ObjectKey.of("train/image-" + i + ".jpg")))
            .collect(groupingBy(slot -> slot / 256, counting()));
    assertThat(counts).hasSize(16);
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(24_000L, 26_000L));
  }

  private static long moved(List<DiskPlace> before, List<DiskPlace> after) {
    return IntStream.range(0, Slot.COUNT)
        .filter(slot -> !before.get(slot).equals(after.get(slot)))
        .count();
  }

  private static long slotsOf(List<DiskPlace> places, TargetId target) {
    return places.stream().filter(place -> place.target().equals(target)).count();
  }

  /** The greatest part by which a target has more or less than its share. */
  private static double imbalance(List<MapTarget> targets, List<DiskPlace> places) {
    double weight = targets.stream().mapToLong(MapTarget::weight).sum();
    return targets.stream()
        .mapToDouble(target ->
            Math.abs(slotsOf(places, target.id()) * weight / target.weight() / Slot.COUNT - 1))
        .max()
        .orElseThrow();
  }

  private static List<MapTarget> targets(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> target("target-%03d".formatted(i), 1000, 1 + i % 3))
        .toList();
  }

  private static MapTarget target(String id, long weight, int disks) {
    return new MapTarget(
        new TargetId(id),
        List.of(),
        MemberState.IN_SERVICE,
        weight,
        IntStream.range(0, disks)
            .mapToObj(i -> new MapDisk(new DiskId(id + "-" + i), MemberState.IN_SERVICE, weight))
            .toList());
  }

  private static List<String> vectors() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                requireNonNull(
                    SlotFillTest.class.getResourceAsStream("slot-vectors.txt"),
                    "slot-vectors.txt is missing"),
                StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }
}
