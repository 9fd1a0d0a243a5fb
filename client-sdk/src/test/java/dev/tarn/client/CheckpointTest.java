package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CheckpointTest {
  private static EpochName epoch(long length) {
    return new EpochName(List.of("ab".repeat(32)), "blocks:64", 7, 3, length);
  }

  private static Positions numbers(Collection<Long> numbers) {
    return Positions.of(numbers.stream().map(number -> new Span(number, number + 1)).toList());
  }

  private static Checkpoint rank(int rank, int ranks, long delivered, Long... beyond) {
    Assignment assignment = new Assignment(Positions.below(100), rank, ranks, false);
    return Checkpoint.of(epoch(100), new Progress(assignment, delivered, numbers(List.of(beyond))));
  }

  /** Ranks receive samples in and out of turn, stop, and others go on, until all is consumed. */
  @Test
  void mergedCheckpointsLeaveNothingOutAndRepeatNothing() {
    Random random = new Random(1);
    for (int round = 0; round < 3000; round++) {
      long length = random.nextInt(300);
      Checkpoint checkpoint = Checkpoint.of(epoch(length), Positions.below(length));
      List<Long> consumed = new ArrayList<>();
      for (int resumption = random.nextInt(5); resumption >= 0; resumption--) {
        int ranks = resumption == 0 ? 1 : 1 + random.nextInt(7);
        List<Checkpoint> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
          Assignment assignment = checkpoint.resume(rank, ranks, false).assignment();
          TreeSet<Long> received = new TreeSet<>();
          long delivered =
              resumption == 0 ? assignment.length() : random.nextLong(assignment.length() + 1);
          LongStream.range(0, delivered).forEach(received::add);
          while (random.nextBoolean() && delivered + 1 < assignment.length()) {
            received.add(random.nextLong(delivered + 1, assignment.length()));
          }
          received.forEach(number -> consumed.add(assignment.own().get(number)));
          Checkpoint part =
              Checkpoint.of(
                  epoch(length),
                  new Progress(assignment, delivered, numbers(received.tailSet(delivered, false))));
          assertThat(Checkpoint.parse(part.toJson())).isEqualTo(part);
          parts.add(part);
        }
        checkpoint = Checkpoint.parse(Checkpoint.merge(parts).toJson());
      }

      assertThat(checkpoint.remaining()).isZero();
      assertThat(consumed).doesNotHaveDuplicates().hasSize((int) length);
    }
  }

  @Test
  void rankGoesOnWhereItStopped() {
    Checkpoint checkpoint = Checkpoint.parse(rank(1, 4, 7, 9L).toJson());

    Progress progress = checkpoint.resume(1, 4, false);

    assertThat(progress.delivered()).isEqualTo(7);
    assertThat(progress.beyond()).isEqualTo(numbers(List.of(9L)));
    assertThat(checkpoint.remaining()).isEqualTo(25 - 8);
    assertThat(checkpoint.epoch()).isEqualTo(3);
  }

  @Test
  void paddingThatOneRankReceivedIsStillToComeFromItsOwner() {
    List<Checkpoint> parts = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Assignment assignment = new Assignment(Positions.below(4), rank, 3, true);
      parts.add(
          Checkpoint.of(epoch(4), new Progress(assignment, rank == 0 ? 1 : 2, Positions.NONE)));
    }

    Checkpoint merged = Checkpoint.merge(parts);

    assertThat(merged.remaining()).isEqualTo(1);
    assertThat(merged.left().get(0)).isEqualTo(1);
  }

  @Test
  void sizeDoesNotGrowWithTheEpoch() {
    Assignment assignment = new Assignment(Positions.below(1L << 40), 5, 8, false);
    EpochName epoch = epoch(1L << 40);

    String json = Checkpoint.of(epoch, new Progress(assignment, 1L << 36, Positions.NONE)).toJson();

    assertThat(json.length()).isLessThan(400);
  }

  @Test
  void checkpointOfAnotherRankIsRefused() {
    assertThatThrownBy(() -> rank(1, 4, 7).resume(2, 4, false))
        .hasMessage(
            "the checkpoint is that of rank 1 of 4, not of rank 2 of 4: merge those of all ranks");
    assertThat(rank(0, 1, 7).resume(1, 2, false).assignment().length()).isEqualTo(46);
  }

  @Test
  void whatDoesNotBelongTogetherIsNotMerged() {
    EpochName other = new EpochName(epoch(100).datasets(), "blocks:64", 8, 3, 100);
    Assignment assignment = new Assignment(Positions.below(100), 1, 2, false);
    Checkpoint seed = Checkpoint.of(other, new Progress(assignment, 0, Positions.NONE));

    assertThatThrownBy(() -> Checkpoint.merge(List.of(rank(0, 2, 3), seed)))
        .hasMessage(
            "the checkpoint of rank 1 is of the seed 8, not of 7: its positions mean other"
                + " samples");
    assertThatThrownBy(() -> Checkpoint.merge(List.of(rank(0, 3, 3), rank(2, 3, 1))))
        .hasMessage("rank 1 of 3 has no checkpoint; give the checkpoints of all ranks");
    assertThatThrownBy(() -> Checkpoint.merge(List.of(rank(0, 2, 3), rank(0, 2, 1))))
        .hasMessageStartingWith("rank 0 has two checkpoints, expected one of each of the ");
    assertThatThrownBy(() -> Checkpoint.merge(List.of(rank(0, 2, 3), rank(1, 3, 1))))
        .hasMessageContaining("3 ranks, not 2");
    assertThatThrownBy(() -> Checkpoint.merge(List.of()))
        .hasMessage("no checkpoints to merge, expected those of all ranks");
    Checkpoint merged = Checkpoint.merge(List.of(rank(0, 2, 3), rank(1, 2, 3)));
    for (List<Checkpoint> both :
        List.of(List.of(merged, rank(0, 2, 3)), List.of(rank(0, 2, 3), merged))) {
      assertThatThrownBy(() -> Checkpoint.merge(both))
          .hasMessage(
              "one of the checkpoints is already merged; resume from it alone, or merge only"
                  + " checkpoints that ranks made after they resumed from it");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "garbage | not JSON",
        "[] | not a JSON object",
        "\"format\":\"tarn-checkpoint\" -> \"format\":\"other\" | format is not",
        "\"version\":1 -> \"version\":2 | its version is 2, this SDK knows version 1",
        "\"left\":[0,100] -> \"left\":[0,100,5] | not pairs",
        "\"left\":[0,100] -> \"left\":[0,101] | position 100 of an epoch of 100",
        "\"left\":[0,100] -> \"left\":[0,50,40,60] | position 40 is there twice",
        "\"number\":1 -> \"number\":4 | rank 4 of 4",
        "\"of\":4 -> \"of\":4294967300 | 4294967300",
        "\"delivered\":7 -> \"delivered\":26 | 26 samples of 25",
        "\"beyond\":[9,10] -> \"beyond\":[9] | not pairs",
        "\"beyond\":[9,10] -> \"beyond\":[7,10] | delivered out of turn",
        "\"beyond\":[9,10] -> \"beyond\":[9,26] | delivered out of turn",
        "\"uneven\":\"drop\" -> \"uneven\":\"keep\" | expected drop or pad",
        "\"seed\":7 -> \"seed\":\"7\" | not a whole number",
      })
  void wrongCheckpointsSayWhatIsWrong(String change, String message) {
    String[] parts = change.split(" -> ", 2);
    String right = rank(1, 4, 7, 9L).toJson();
    String wrong = parts.length == 1 ? parts[0] : right.replace(parts[0], parts[1]);

    assertThat(wrong).isNotEqualTo(right);
    assertThatThrownBy(() -> Checkpoint.parse(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
