package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.Requirement;
import dev.tarn.sharder.plan.option.Route;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SamplePoliciesTest {
  private static final ListedSource SOME_LACK =
      ListedSource.of("1.jpg", "1.json", "2.JPG", "3.json", "3.txt", "4.jpg", "4.json");

  private static PlanOptions.Builder requiring(Requirement.Missing missing) {
    return PlanOptions.builder().requirement(new Requirement(List.of("json", "JPG"), missing));
  }

  private static PlanOptions.Builder labelled() {
    return PlanOptions.builder().labelFrom(LabelFrom.DIRNAME);
  }

  @Test
  void sampleThatLacksWhatIsRequiredEndsThePlan() {
    assertThatThrownBy(() -> Planned.by(requiring(Requirement.Missing.ABORT), SOME_LACK))
        .isInstanceOf(PlanException.class)
        .hasMessage("sample \"2\" has no json (--require, --missing abort)");
  }

  @Test
  void sampleThatLacksWhatIsRequiredIsPackedWithAWarning() throws IOException {
    Planned plan = Planned.by(requiring(Requirement.Missing.WARN), SOME_LACK);

    assertThat(plan.names()).hasSize(7);
    assertThat(plan.header().findings().missing()).isEqualTo(new Tally(2, List.of("2", "3")));
  }

  @Test
  void sampleThatLacksWhatIsRequiredIsLeftOut() throws IOException {
    Planned plan = Planned.by(requiring(Requirement.Missing.EXCLUDE), SOME_LACK);

    assertThat(plan.names()).containsExactly("1.jpg", "1.json", "4.jpg", "4.json");
    assertThat(plan.header().findings().missing().count()).isEqualTo(2);
    assertThat(plan.header().findings().skipped()).isZero();
  }

  @Test
  void extensionsAreRequiredByNameAlone() {
    for (String extension : List.of("", ".jpg", "a/b")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Requirement(List.of(extension), Requirement.Missing.WARN))
          .withMessageContaining("is not an extension");
    }
  }

  @Test
  void foldersAreClassesNumberedInTheOrderOfTheirBytes() throws IOException {
    Planned plan =
        Planned.by(
            labelled().order(Order.shuffled(1)),
            ListedSource.of(
                "train/n2/1.jpg", "train/n10/1.jpg", "train/n10/2.jpg", "val/n2/3.json", "é/1.b"));

    assertThat(plan.header().classes()).containsExactly("n10", "n2", "é");
    Map<String, String> labels = new TreeMap<>();
    for (PlannedMember member : plan.members()) {
      if (member.name().endsWith(".cls")) {
        SourceFile file = member.file();
        labels.put(
            member.key(),
            StandardCharsets.US_ASCII.decode(requireNonNull(file.content())).toString());
      }
    }
    assertThat(labels)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "train/n2/1",
                "1",
                "train/n10/1",
                "0",
                "train/n10/2",
                "0",
                "val/n2/3",
                "1",
                "é/1",
                "2"));
    assertThat(plan.names()).containsSubsequence("val/n2/3.cls", "val/n2/3.json");
  }

  @Test
  void labelBesideThatOfTheFolderIsRefused() {
    assertThatThrownBy(() -> Planned.by(labelled(), ListedSource.of("a/1.jpg", "a/1.CLS")))
        .isInstanceOf(PlanException.class)
        .hasMessage("sample \"a/1\" has a label already, \"a/1.CLS\", beside that of --label-from");
  }

  @Test
  void sampleInNoFolderHasNoClass() {
    assertThatThrownBy(() -> Planned.by(labelled(), ListedSource.of("1.jpg")))
        .isInstanceOf(PlanException.class)
        .hasMessageStartingWith("sample \"1\" lies in no folder");
  }

  @Test
  void errorsAreSkippedReportedAndBounded() throws IOException {
    ListedSource source =
        ListedSource.of(
            List.of(
                SourceFile.named("a/1.jpg", 10, 1),
                SourceFile.named("a/1.JPG", 10, 1),
                SourceFile.named("a/2\0.jpg", 10, 1),
                SourceFile.named("a/3.jpg", 1 << 20, 1),
                SourceFile.named("a/3.txt", 10, 1),
                SourceFile.named("4.jpg", 10, 1),
                SourceFile.named("a/5.jpg", 10, 1)));
    PlanOptions options = labelled().maximumSize(100_000).onError(OnError.SKIP).build();
    Planner planner = new Planner(options, "test", SortSpace.usual());

    StringWriter report = new StringWriter();
    try (Faults faults = new Faults(OnError.SKIP, 4, report);
        Plan plan = planner.plan(List.of(source), "destination", faults, Progress::new)) {
      assertThat(Planned.of(plan).names())
          .containsExactly("a/1.cls", "a/1.JPG", "a/5.cls", "a/5.jpg");
      assertThat(plan.header().findings().skipped()).isEqualTo(4);
    }
    assertThat(report.toString().lines())
        .hasSize(4)
        .anyMatch(line -> line.startsWith("{\"name\":\"a/2\\u0000.jpg\",\"sample\":\"\","))
        .anyMatch(line -> line.startsWith("{\"name\":\"a/1.jpg\",\"sample\":\"a/1\","))
        .anyMatch(line -> line.startsWith("{\"name\":\"a/3.jpg\",\"sample\":\"a/3\","))
        .anyMatch(line ->
            line.startsWith("{\"name\":\"4.jpg\",\"sample\":\"4\",\"reason\":\"sample \\\"4\\\""));

    try (Faults faults = new Faults(OnError.SKIP, 3, null)) {
      assertThatThrownBy(() -> planner.plan(List.of(source), "destination", faults, Progress::new))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("more than 3 errors (--errors-max); the last: ");
    }
  }

  @Test
  void planOfWhichNothingIsLeftSaysWhy() {
    PlanOptions.Builder options = requiring(Requirement.Missing.EXCLUDE);
    options.routes(Route.parse("routes", "x* -"));

    assertThatThrownBy(() -> Planned.by(options, ListedSource.of("1.jpg", "x.jpg", "y")))
        .hasMessageStartingWith(
            "nothing is left to pack: --route leaves out 1 files, 1 samples lack a");
  }
}
