package dev.tarn.shard.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AssignmentTest {
  private static List<Long> list(Positions positions) {
    return LongStream.range(0, positions.count()).mapToObj(positions::get).toList();
  }

  private static List<Assignment> assignment(Positions positions, int ranks, boolean padded) {
    List<Assignment> assignments = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      assignments.add(new Assignment(positions, rank, ranks, padded));
    }
    return assignments;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ranksHaveEqualPartsThatAreAllThereIs(boolean padded) {
    Random random = new Random(2);
    for (int round = 0; round < 2000; round++) {
      Positions all = Positions.below(random.nextInt(200));
      int ranks = 1 + random.nextInt(9);

      List<Assignment> assignments = assignment(all, ranks, padded);

      List<Positions> parts = new ArrayList<>(assignments.stream().map(Assignment::own).toList());
      parts.add(assignments.get(0).dropped());
      assertThat(Positions.union(parts)).isEqualTo(all);
      assertThat(assignments)
          .allSatisfy(assignment -> {
            assertThat(assignment.own().count() + assignment.padding().count())
                .isEqualTo(assignment.length());
            assertThat(assignment.dropped().count()).isBetween(0L, padded ? 0L : ranks - 1L);
          });
    }
  }

  /** Also if a part is nothing but padding. */
  @Test
  void paddedPartsAreThoseOfThePositionsFollowedByTheFirstOnes() {
    for (int count = 1; count < 40; count++) {
      for (int ranks = 1; ranks < 20; ranks++) {
        List<Long> read = new ArrayList<>();
        for (Assignment assignment : assignment(Positions.below(count), ranks, true)) {
          read.addAll(list(assignment.own()));
          read.addAll(list(assignment.padding()));
        }

        List<Long> expected = new ArrayList<>();
        for (long i = 0; i < count || i % ranks != 0; i++) {
          expected.add(i % count);
        }
        assertThat(read).as("%d positions of %d ranks", count, ranks).isEqualTo(expected);
      }
    }
  }

  /** Ranks stop anywhere; others, fewer or more, go on with what is left; again and again. */
  @Test
  void whateverRanksGoOnEachPositionIsConsumedOnce() {
    Random random = new Random(3);
    for (int round = 0; round < 3000; round++) {
      Positions left = Positions.below(random.nextInt(500));
      long all = left.count();
      List<Long> consumed = new ArrayList<>();
      for (int resumption = random.nextInt(5); resumption >= 0; resumption--) {
        int ranks = resumption == 0 ? 1 : 1 + random.nextInt(8);
        List<Positions> rest = new ArrayList<>();
        for (Assignment assignment : assignment(left, ranks, false)) {
          Positions own = assignment.own();
          long taken = resumption == 0 ? own.count() : random.nextLong(own.count() + 1);
          consumed.addAll(list(own.slice(0, taken)));
          rest.add(own.slice(taken, own.count()));
          if (assignment.rank() == 0) {
            rest.add(assignment.dropped());
          }
        }
        left = Positions.union(rest);
        assertThat(left.spans().size()).isLessThanOrEqualTo(5 * 9);
      }

      assertThat(left.count()).isZero();
      assertThat(consumed).doesNotHaveDuplicates().hasSize((int) all);
    }
  }

  @Test
  void sliceOfScatteredPositionsHasTheRightOnes() {
    Random random = new Random(4);
    for (int round = 0; round < 500; round++) {
      List<Span> spans = new ArrayList<>();
      long at = 0;
      for (int i = random.nextInt(6); i >= 0; i--) {
        at += random.nextInt(5);
        long to = at + 1 + random.nextInt(9);
        spans.add(new Span(at, to));
        at = to;
      }
      Positions positions = Positions.of(spans);
      int from = random.nextInt((int) positions.count() + 1);
      int to = from + random.nextInt((int) positions.count() - from + 1);

      Positions slice = positions.slice(from, to);

      assertThat(list(slice)).isEqualTo(list(positions).subList(from, to));
      assertThat(slice).isEqualTo(Positions.of(slice.spans()));
    }
  }

  @Test
  void positionsThatAreThereTwiceAreRefused() {
    assertThatThrownBy(() -> Positions.of(List.of(new Span(0, 5), new Span(4, 6))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("position 4 is there twice");
  }

  @Test
  void ranksBeyondTheirNumberAreRefused() {
    assertThatThrownBy(() -> new Assignment(Positions.below(3), 2, 2, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rank 2 of 2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ranksOfAnEpochWithoutEndHaveEqualParts(boolean padded) {
    for (Assignment assignment : assignment(Positions.below(Long.MAX_VALUE), 6, padded)) {
      assertThat(assignment.own().count()).isEqualTo(Long.MAX_VALUE / 6);
      assertThat(assignment.padding().count()).isZero();
      assertThat(assignment.dropped().count()).isEqualTo(Long.MAX_VALUE % 6);
    }
  }
}
