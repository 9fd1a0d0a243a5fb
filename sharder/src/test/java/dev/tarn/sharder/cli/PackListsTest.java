package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of files, through the command. */
final class PackListsTest {
  @TempDir Path directory;

  private CommandLineRun pack(String list, String content, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve(list), content, UTF_8);
    List<Object> words = new ArrayList<>(List.of("pack", file, directory.resolve("set")));
    words.addAll(List.of(options));
    return CommandLineRun.of(words.toArray());
  }

  private void file(String name) throws IOException {
    Files.writeString(directory.resolve(name), name, UTF_8);
  }

  private List<String> members() {
    return CommandLineRun.of("ls", directory.resolve("set/shard-000000.tar"))
        .out()
        .lines()
        .map(line -> line.strip().replaceFirst("(?s).* ", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "keep, im.txt, im.v2.jpg",
    "replace, im_v2.jpg, im_v2.txt",
  })
  void columnIsOfItsFilesSampleHoweverDotsAreTaken(String dots, String first, String second)
      throws IOException {
    file("im.v2.jpg");

    CommandLineRun pack = pack("list.csv", "url,txt\nim.v2.jpg,caption\n", "--dots", dots);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 1 sample of 2 files");
    assertThat(members()).containsExactly(first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "--dots=replace, 7.en.txt, a_b.7.en.txt, a_b.jpg",
    "--dots=refuse, 7.en.txt, a.7.en.txt, a.jpg",
  })
  void dotsOfAnExtensionThatIsChosenStay(String dots, String extension, String first, String second)
      throws IOException {
    String file = first.startsWith("a_b") ? "a.b.jpg" : "a.jpg";
    file(file);

    CommandLineRun pack =
        pack(
            "list.csv",
            "url,text\n%s,caption\n".formatted(file),
            dots,
            "--member=text=" + extension);

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(members()).containsExactly(first, second);
  }

  @Test
  void severalDotsInAFilesNameAreRefusedInListsToo() throws IOException {
    file("im.v2.jpg");

    CommandLineRun pack = pack("list.csv", "url,txt\nim.v2.jpg,caption\n", "--dots=refuse");

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err()).contains("im.v2.jpg: several dots");
  }

  @Test
  void keysThatDifferBehindADotAreNotMerged() throws IOException {
    file("1.jpg");
    String list = "id,url,txt\nim.1,1.jpg,one\nim.2,,two\n";

    CommandLineRun kept = pack("list.csv", list, "--key-column=id");
    assertThat(kept.exitCode()).isEqualTo(1);
    assertThat(kept.err())
        .contains(
            "--key-column gives it the key \"im.1\", whose dot readers would take for its end;"
                + " choose --dots replace");

    CommandLineRun replaced = pack("list.csv", list, "--key-column=id", "--dots=replace");
    assertThat(replaced.exitCode()).as(replaced.err()).isZero();
    assertThat(members()).containsExactly("im_1.jpg", "im_1.txt", "im_2.txt");
  }

  @Test
  void extensionOfAFileWithSeveralDotsIsTakenAsDotsSaysBesideAKey() throws IOException {
    file("x.v2.JPG");
    String list = "id,url\n7,x.v2.JPG\n";

    CommandLineRun pack = pack("list.csv", list, "--key-column=id", "--dots=replace");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(members()).containsExactly("7.JPG");
  }

  @Test
  void columnIsOfItsFilesSampleWhenFilesAreGroupedByAPattern() throws IOException {
    file("im_left.jpg");
    file("im_right.jpg");

    CommandLineRun pack =
        pack(
            "list.csv",
            "url,caption\nim_left.jpg,a cat\nim_right.jpg,\n",
            "--group-by=(?<key>[a-z]+)_",
            "--member=caption=txt");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(pack.out()).contains("packed 1 sample of 3 files");
    assertThat(members()).containsExactly("im.left.jpg", "im.right.jpg", "im.txt");
  }
}
