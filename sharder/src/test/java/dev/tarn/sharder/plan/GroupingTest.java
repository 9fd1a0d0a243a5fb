package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.sharder.plan.option.Dots;
import dev.tarn.sharder.plan.option.KeyPattern;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GroupingTest {
  private static PlanOptions.Builder by(String expression) {
    return PlanOptions.builder().groupBy(KeyPattern.of(expression));
  }

  @ParameterizedTest
  @CsvSource({
    "(?<key>.*)_[a-z]+[.], d/0001_left.png, d/0001.png",
    "'(?<key>[^_]+)', d/0001_left.png, d/0001.left.png",
    "'(?<key>\\w+/\\d+)', d/0001.seg.png, d/0001.seg.png",
    "'(?<key>[^/]+)/', 0001/image.JPG, 0001.image.JPG",
    "'(?<key>.*)/(?<ext>[a-z]+)', a/b/meta.json.gz, a/b.meta",
    "'images/(?<key>\\d+)', images/7-x.png, 7.x.png",
  })
  void expressionMakesKeyAndExtension(String expression, String file, String member)
      throws IOException {
    Planned plan = Planned.by(by(expression), ListedSource.of(file));

    assertThat(plan.names()).containsExactly(member);
    assertThat(plan.members().getFirst().file().name()).isEqualTo(file);
  }

  @Test
  void filesOfOneKeyAreOneSampleWhereverTheyLie() throws IOException {
    Planned plan =
        Planned.by(
            by("(images|labels)/(?<key>\\d+)"),
            ListedSource.of("images/1.png", "images/2.png", "labels/1.txt", "labels/2.txt", "x"));

    assertThat(plan.names()).containsExactly("1.png", "1.txt", "2.png", "2.txt");
    assertThat(plan.header().samples()).isEqualTo(2);
    assertThat(plan.header().findings().outside().first()).containsExactly("x");
  }

  @Test
  void keyWithADotNeedsAWordOnIt() throws IOException {
    PlanOptions.Builder options = by("(?<key>.*)[.]");
    ListedSource source = ListedSource.of("d.v1/im.v2.jpg");

    assertThatThrownBy(() -> Planned.by(options, source))
        .isInstanceOf(PlanException.class)
        .hasMessage(
            "\"d.v1/im.v2.jpg\": --group-by gives it the key \"d.v1/im.v2\", whose dot readers"
                + " would take for its end; choose --dots replace");
    assertThat(Planned.by(options.dots(Dots.REPLACE), source).names())
        .containsExactly("d.v1/im_v2.jpg");
  }

  @Test
  void memberThatReadersWouldPlaceElsewhereIsRefused() {
    assertThatThrownBy(() -> Planned.by(by("(?<key>[^/]+)/"), ListedSource.of("a/b/c.jpg")))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining(
            "\"a.b/c.jpg\", which readers would take for one of sample \"a.b/c\"");
  }

  @Test
  void expressionWithoutAKeyIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyPattern.of("(.*)[.]"))
        .withMessageContaining("no group named key");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyPattern.of("(?<key>"))
        .withMessageContaining("not a regular expression");
  }

  @Test
  void samplesAreGroupedOverAllSources() throws IOException {
    Planned plan =
        Planned.by(
            PlanOptions.builder(),
            ListedSource.of("1.png", "2.png").named("images"),
            ListedSource.of("2.txt", "1.txt").named("texts"));

    assertThat(plan.names()).containsExactly("1.png", "1.txt", "2.png", "2.txt");
    assertThat(plan.members().stream().map(PlannedMember::sourceNumber))
        .containsExactly(0, 1, 0, 1);
    assertThat(plan.header().sources()).containsExactly("images", "texts");
  }

  @Test
  void sameMemberInTwoSourcesIsRefusedOrTheFirstOneTaken() throws IOException {
    ListedSource first = ListedSource.of("1.png", "2.png").named("a");
    ListedSource second = ListedSource.of("2.PNG").named("b/");

    assertThatThrownBy(() -> Planned.by(PlanOptions.builder(), first, second))
        .isInstanceOf(PlanException.class)
        .hasMessageStartingWith(
            "\"a/2.png\" and \"b/2.PNG\" would be the same member of one sample: key \"2\"");

    Planned plan =
        Planned.by(PlanOptions.builder().onError(OnError.SKIP).errorsMax(1), first, second);
    assertThat(plan.names()).containsExactly("1.png", "2.png");
    assertThat(plan.header().findings().skipped()).isEqualTo(1);
  }

  @Test
  void ofFilesForOneMemberTheFirstThatTheSourceListsIsTaken() throws IOException {
    ListedSource listed =
        ListedSource.of(
                List.of(
                    new SourceFile("1.png", "first", 9, 9, null),
                    new SourceFile("1.PNG", "second", 5, 5, null),
                    new SourceFile("1.png", "third", 1, 0, null)))
            .inOrder();
    for (Order order : List.of(Order.BY_KEY, Order.BY_SOURCE, Order.shuffled(1))) {
      Planned plan =
          Planned.by(PlanOptions.builder().order(order).onError(OnError.SKIP).errorsMax(2), listed);

      assertThat(plan.members())
          .singleElement()
          .extracting(m -> m.file().path())
          .isEqualTo("first");
      assertThat(plan.header().findings().skipped()).isEqualTo(2);
    }
  }

  @Test
  void filesOfOneNameAreToldApartByWhereTheyLie() {
    SourceFile first = new SourceFile("1.png", "512", 9, 1, null);
    SourceFile second = new SourceFile("1.png", "2048", 9, 1, null);

    assertThatThrownBy(
            () -> Planned.by(PlanOptions.builder(), ListedSource.of(List.of(first, second))))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("\"1.png\" (at 512)")
        .hasMessageContaining("\"1.png\" (at 2048)");
  }

  @Test
  void orderOfTheSourcesIsKeptOnRequest() throws IOException {
    ListedSource listed = ListedSource.of("z.b", "m.a", "a.b", "z.a", "m.b").inOrder();
    ListedSource unordered = ListedSource.of("y.a", "b.a");

    PlanOptions.Builder options = PlanOptions.builder().order(Order.BY_SOURCE);
    assertThat(Planned.by(options, listed, unordered).names())
        .containsExactly("z.a", "z.b", "m.a", "m.b", "a.b", "b.a", "y.a");
    assertThat(Planned.by(options, unordered, listed).names())
        .isEqualTo(List.of("b.a", "y.a", "z.a", "z.b", "m.a", "m.b", "a.b"));
  }
}
