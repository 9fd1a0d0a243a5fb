package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.sharder.plan.option.KeyGlob;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.Route;
import dev.tarn.sharder.plan.option.Split;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits and routes: which shards a sample goes to. */
final class ShardSetsTest {
  private static ListedSource numbered(int count) {
    return ListedSource.of(
        IntStream.range(0, count).mapToObj("d/%d.x"::formatted).toArray(String[]::new));
  }

  /** The shard of each key, without its number. */
  private static Map<String, String> places(Planned plan) {
    Map<String, String> places = new HashMap<>();
    for (ShardPlan shard : plan.plans()) {
      String name = shard.shard().name().replaceAll("\\d+\\.tar", "");
      for (int i = 0; i < shard.shard().members(); i++) {
        places.put(shard.member(i).key(), name);
      }
    }
    return places;
  }

  @Test
  void splitsHaveFoldersOfTheirOwnAndAboutTheirFractions() throws IOException {
    Planned plan =
        Planned.by(
            PlanOptions.builder()
                .splits(Split.parse("train=0.8,val=0.15,test=0.05"))
                .maximumCount(500),
            numbered(10_000));

    assertThat(plan.shards().stream().map(PlannedShard::name))
        .containsSubsequence(
            "train/shard-000000.tar",
            "train/shard-000001.tar",
            "val/shard-000000.tar",
            "test/shard-000000.tar");
    Map<String, Long> samples = new HashMap<>();
    for (PlannedShard shard : plan.shards()) {
      assertThat(shard.name()).startsWith(shard.split().orElseThrow() + "/");
      samples.merge(shard.split().orElseThrow(), (long) shard.samples(), Long::sum);
    }
    assertThat(samples.get("train")).isCloseTo(8000, Offset.offset(150L));
    assertThat(samples.get("val")).isCloseTo(1500, Offset.offset(150L));
    assertThat(samples.get("test")).isCloseTo(500, Offset.offset(100L));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7})
  void sampleStaysInItsSplitWhenOthersAreAddedAndWhateverTheSeed(long seed) throws IOException {
    PlanOptions.Builder options = PlanOptions.builder().splits(Split.parse("a=0.5,b=0.5"));
    Map<String, String> before = places(Planned.by(options, numbered(100)));

    options.order(Order.shuffled(seed));
    Map<String, String> after = places(Planned.by(options, numbered(300)));

    assertThat(after).containsAllEntriesOf(before);
  }

  @Test
  void splitIsTheOneThatTheFormatDescribes() throws IOException {
    Map<String, String> places =
        places(
            Planned.by(
                PlanOptions.builder().splits(Split.parse("a=0.5,b=0.5")),
                ListedSource.of("0.x", "1.x", "2.x", "3.x", "4.x", "5.x", "6.x", "7.x")));

    assertThat(places.entrySet().stream().filter(e -> e.getValue().startsWith("a/")))
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder("1", "2", "4", "7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "train | expected names with fractions",
        "train=0.9 | make 0.9 together, not 1",
        "train=0.9,val=0.2 | make 1.1 together, not 1",
        "train=0.5,train=0.5 | there twice",
        "train=1,val=0 | above 0",
        "a/b=1 | expected names with fractions",
        "..=1 | cannot be a folder",
      })
  void splitsThatAreNoneAreRefused(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Split.parse(text))
        .withMessageContaining(message);
  }

  @Test
  void routesSendSamplesToShardsOfOtherNames() throws IOException {
    List<Route> routes =
        Route.parse(
            "routes",
            """
            # the fish
            train/n0144* to fish-%06d.tar
            train/n02*/[ab]? cats-%d.tar   # and some cats
            train/n03*       fish-%06d.tar

            *-draft          -
            """);

    Planned plan =
        Planned.by(
            PlanOptions.builder().routes(routes),
            ListedSource.of(
                "train/n0144/1.jpg",
                "train/n0145/1.jpg",
                "train/n02/a1.jpg",
                "train/n02/c1.jpg",
                "train/n02/a-draft.jpg",
                "train/n03/1.jpg"));

    assertThat(places(plan))
        .containsOnly(
            Map.entry("train/n0144/1", "fish-"),
            Map.entry("train/n03/1", "fish-"),
            Map.entry("train/n02/a1", "cats-"),
            Map.entry("train/n0145/1", "shard-"),
            Map.entry("train/n02/c1", "shard-"));
    assertThat(plan.shards().stream().map(PlannedShard::name))
        .containsExactly("fish-000000.tar", "cats-0.tar", "shard-000000.tar");
    assertThat(plan.header().findings().leftOut())
        .isEqualTo(new Tally(1, List.of("train/n02/a-draft.jpg")));
    assertThat(plan.shards()).allMatch(shard -> shard.split().equals(Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a* | expected KEYS to SHARDS",
        "a* to b c | expected KEYS to SHARDS",
        "a* to b.tar | it needs one %d",
        "a* to %d.tar.tarnidx | the name means something else",
        "a* to .packing/%d | the name means something else",
      })
  void lineThatIsNoRouteIsNamed(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Route.parse("routes.txt", "\nx* -\n" + line))
        .withMessageStartingWith("routes.txt line 3: ")
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "*, a/b, true",
    "a?c, abc, true",
    "a?c, abbc, false",
    "[!a]b, cb, true",
    "[!a]b, ab, false",
    "[a-c]*, b/x, true",
    "'[]]x', ']x', true",
    "a[, 'a[', true",
    "a.b, axb, false",
    "'[a^]', '^', true",
    "'[!]]x', 'ax', true",
    "'[!]]x', ']x', false",
    "'[!]x', '[!]x', true",
    "'[]', '[]', true",
    "'a😀*', 'a😀b', true",
    "'?.x', '😀.x', true",
    "'[😀é]', '😀', true",
    "'[!😀]', '😁', true",
  })
  void globsAreThoseOfFnmatch(String glob, String name, boolean matches) {
    assertThat(KeyGlob.of(glob).matches(name)).isEqualTo(matches);
  }

  @Test
  void shardsOfTwoPatternsNeverShareAName() {
    PlanOptions.Builder options =
        PlanOptions.builder()
            .pattern(new ShardPattern("x-%d.tar"))
            .routes(Route.parse("routes", "d/1* x-%01d.tar"));

    assertThatThrownBy(() -> Planned.by(options, numbered(20)))
        .hasMessage(
            "two shards would be named x-0.tar; choose patterns that differ in more than the"
                + " number");
  }
}
