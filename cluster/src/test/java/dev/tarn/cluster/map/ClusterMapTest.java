package dev.tarn.cluster.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterMapTest {
  private static final MapTarget A = target("a", 1);
  private static final MapTarget B = target("b", 1);

  @Test
  void aSuccessorHasTheNextEpoch() {
    ClusterMap first = ClusterMap.first(List.of(A));
    ClusterMap second = first.successor(List.of(A, B));
    assertThat(second.epoch()).isEqualTo(2);
  }

  @Test
  void theOrderInWhichTargetsAreNamedIsNotPartOfTheMap() {
    assertThat(ClusterMap.first(List.of(A, B))).isEqualTo(ClusterMap.first(List.of(B, A)));
  }

  @Test
  void aNewerMapReplacesThePresentOne() {
    ClusterMap first = ClusterMap.first(List.of(A));
    CurrentMap current = new CurrentMap(first);
    ClusterMap second = first.successor(List.of(B));
    assertThat(current.offer(second)).isTrue();
    assertThat(current.get()).contains(second);
  }

  @Test
  void beforeTheFirstMapThereIsNone() {
    CurrentMap current = new CurrentMap();
    assertThat(current.get()).isEmpty();
    assertThat(current.epoch()).isZero();
    ClusterMap first = ClusterMap.first(List.of(A));
    assertThat(current.offer(first)).isTrue();
    assertThat(current.get()).contains(first);
    assertThat(current.epoch()).isEqualTo(1);
  }

  @Test
  void anOlderMapAndTheSameMapChangeNothing() {
    ClusterMap first = ClusterMap.first(List.of(A));
    ClusterMap second = first.successor(List.of(B));
    CurrentMap current = new CurrentMap(second);
    assertThat(current.offer(first)).isFalse();
    assertThat(current.offer(first.successor(List.of(B)))).isFalse();
    assertThat(current.get()).contains(second);
  }

  @Test
  void anotherMapOfThePresentEpochIsRefused() {
    CurrentMap current = new CurrentMap(ClusterMap.first(List.of(A)));
    assertThatThrownBy(() -> current.offer(ClusterMap.first(List.of(B))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("epoch 1");
    assertThat(current.get().orElseThrow().targets()).containsExactly(A);
  }

  @Test
  void aMapThatContradictsItselfIsRefused() {
    assertThatThrownBy(() -> new ClusterMap(0, List.of(A), ClusterMap.first(List.of(A)).slots()))
        .hasMessageContaining("epoch");
    assertThatThrownBy(() -> ClusterMap.first(List.of())).hasMessageContaining("0 targets");
    assertThatThrownBy(() -> ClusterMap.first(List.of(A, target("a", 2))))
        .hasMessageContaining("target a twice");
    assertThatThrownBy(() -> target("a", 0)).hasMessageContaining("weight of target a is 0");
  }

  @Test
  void addressesAreReadAsTheyAreWritten() {
    assertThat(TargetAddress.parse("node-1:9100")).isEqualTo(new TargetAddress("node-1", 9100));
    assertThat(TargetAddress.parse("[::1]:9100")).isEqualTo(new TargetAddress("::1", 9100));
    assertThat(TargetAddress.parse("[::1]:9100")).hasToString("[::1]:9100");
    for (String wrong : List.of("", "node", ":9100", "node:", "node:x", "node:0", "::1:9100")) {
      assertThatThrownBy(() -> TargetAddress.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static MapTarget target(String id, long weight) {
    return new MapTarget(
        new TargetId(id),
        List.of(),
        MemberState.IN_SERVICE,
        weight,
        List.of(new MapDisk(new DiskId("disk-" + id), MemberState.IN_SERVICE, 1)));
  }
}
