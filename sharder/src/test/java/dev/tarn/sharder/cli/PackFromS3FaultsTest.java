package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.cli.FaultyS3.Fault;
import dev.tarn.sharder.source.archive.ArchiveFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a user is told when S3 does not do what it should. */
final class PackFromS3FaultsTest {
  private static final String ACCESS_KEY = "aws.accessKeyId";
  private static final String SECRET_KEY = "aws.secretAccessKey";
  private static final int ATTEMPTS = 5;

  private FaultyS3 s3;

  @TempDir Path directory;

  @BeforeAll
  static void setCredentials() {
    System.setProperty(ACCESS_KEY, "test-key");
    System.setProperty(SECRET_KEY, "test-secret");
  }

  @AfterAll
  static void clearCredentials() {
    System.clearProperty(ACCESS_KEY);
    System.clearProperty(SECRET_KEY);
  }

  @BeforeEach
  void start() throws IOException {
    s3 = new FaultyS3();
    for (int i = 0; i < 20; i++) {
      s3.objects().put("data/in/%02d.txt".formatted(i), ("text " + i).repeat(i).getBytes(UTF_8));
    }
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  private CommandLineRun pack(String from, String to) {
    return CommandLineRun.of("pack", from, to, "--endpoint-url", s3.endpoint(), "--jobs=4");
  }

  private byte[] shard(String set) throws IOException {
    return Files.readAllBytes(directory.resolve(set).resolve("shard-000000.tar"));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ACCESS_DENIED")
  void faultsThatPassAreTriedAgainAndChangeNothing(Fault fault) throws IOException {
    String plain = directory.resolve("plain").toString();
    assertThat(pack("s3://data/in", plain).exitCode()).isZero();

    s3.fail("GET data/in/07.txt", fault, 3);
    s3.fail("GET data/in/11.txt", fault, 1);
    if (fault != Fault.RESET) {
      s3.fail("LIST data", Fault.INTERNAL_ERROR, 2);
    }
    CommandLineRun pack = pack("s3://data/in", directory.resolve("again").toString());

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(shard("again")).isEqualTo(shard("plain"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INTERNAL_ERROR | InternalError: We encountered an internal error. (HTTP status 500)",
        "SLOW_DOWN | SlowDown: Please reduce your request rate. (HTTP status 503)",
        "RESET | the answer broke off at byte ",
      })
  void faultsThatStayEndTheRunWithTheObjectAndTheReason(Fault fault, String message) {
    s3.fail("GET data/in/07.txt", fault, Integer.MAX_VALUE);

    CommandLineRun pack = pack("s3://data/in", directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .startsWith("sharder: s3://data/in/07.txt: ")
        .contains(message)
        .contains("(given up after " + ATTEMPTS + " attempts)")
        .doesNotContain("\tat ");
    assertThat(directory.resolve("set/dataset.json")).doesNotExist();
  }

  @Test
  void listingThatFailsAgainAndAgainIsSaid() {
    s3.fail("LIST data", Fault.INTERNAL_ERROR, Integer.MAX_VALUE);

    CommandLineRun pack = pack("s3://data/in", directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains(
            "sharder: s3://data/in: cannot list it: InternalError: We encountered an"
                + " internal error. (HTTP status 500)");
    assertThat(s3.count("LIST data")).isEqualTo(ATTEMPTS);
  }

  @Test
  void uploadsAreTriedAgain() {
    s3.fail("PUT data/set/shard-000000.tar", Fault.INTERNAL_ERROR, 2);
    s3.fail("PUT data/set/dataset.json", Fault.INTERNAL_ERROR, 2);

    CommandLineRun pack = pack("s3://data/in", "s3://data/set");

    assertThat(pack.exitCode()).as(pack.err()).isZero();
    assertThat(s3.objects())
        .containsKeys("data/set/dataset.json", "data/set/shard-000000.tar.tarnidx");
  }

  @Test
  void uploadThatFailsAgainAndAgainEndsTheRunWithoutADataset() {
    s3.fail("PUT data/set/shard-000000.tar", Fault.INTERNAL_ERROR, Integer.MAX_VALUE);

    CommandLineRun pack = pack("s3://data/in", "s3://data/set");

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("sharder: s3://data/set/shard-000000.tar: cannot finish it: InternalError: ")
        .contains("(HTTP status 500)");
    assertThat(s3.objects()).doesNotContainKey("data/set/dataset.json");
  }

  @Test
  void samplesThatAreLostInPackingAreSaidAndCounted() {
    s3.fail("GET data/in/07.txt", Fault.ACCESS_DENIED, Integer.MAX_VALUE);
    s3.fail("GET data/in/11.txt", Fault.ACCESS_DENIED, Integer.MAX_VALUE);
    List<String> options = List.of("--endpoint-url", s3.endpoint());

    CommandLineRun pack = run(options, "pack", "s3://data/in", "s3://data/set", "--on-error=skip");
    run(options, "plan", "s3://data/in", "s3://data/b", "--on-error=skip", "--plan=s3://data/plan");
    CommandLineRun task = run(options, "pack", "--plan=s3://data/plan", "--task=0/1", "--json");
    s3.objects().keySet().removeIf(name -> name.startsWith("data/b/"));
    CommandLineRun whole = run(options, "pack", "--plan=s3://data/plan", "--json");

    assertThat(pack.out()).contains("packed 18 samples");
    assertThat(pack.err())
        .contains("left out 2 samples because of errors in packing; --report FILE names them");
    assertThat(List.of(task, whole))
        .extracting(CommandLineRun::out)
        .allSatisfy(out ->
            assertThat(out).contains("\"skipped\":2", "left out 2 samples because of errors"));
  }

  private static CommandLineRun run(List<String> options, String... words) {
    CommandLineRun run =
        CommandLineRun.of(Stream.concat(Stream.of(words), options.stream()).toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void planThatDiedWhileItForgotOldShardsForgetsTheRestWhenItIsMadeAgain() {
    String[] plan = {
      "plan",
      "s3://data/in",
      "s3://data/set",
      "--plan",
      "s3://data/plan",
      "--max-count=5",
      "--endpoint-url",
      s3.endpoint()
    };
    String[] pack = {
      "pack", "--plan", "s3://data/plan", "--task=0/1", "--endpoint-url", s3.endpoint()
    };
    assertThat(CommandLineRun.of((Object[]) plan).exitCode()).isZero();
    assertThat(CommandLineRun.of((Object[]) pack).exitCode()).isZero();
    s3.objects().computeIfPresent("data/in/07.txt", (name, text) -> new byte[text.length]);
    s3.fail("DELETE data/set/shard-", Fault.ACCESS_DENIED, 1);

    CommandLineRun died = CommandLineRun.of((Object[]) plan);
    CommandLineRun again = CommandLineRun.of((Object[]) plan);

    assertThat(died.exitCode()).isOne();
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(s3.objects().keySet()).noneMatch(name -> name.endsWith(".tarnidx"));
  }

  @Test
  void objectThatVanishesAfterTheListingIsNamed() {
    s3.before("GET data/in/07.txt", () -> s3.objects().remove("data/in/07.txt"));

    CommandLineRun pack = pack("s3://data/in", directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("sharder: s3://data/in/07.txt: vanished while it was packed")
        .doesNotContain("\tat ");
    assertThat(directory.resolve("set/dataset.json")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"42, it was replaced or written to", "49, 'it had 42 bytes, now it has 49'"})
  void objectThatIsReplacedAfterTheListingIsNamed(int size, String message) {
    byte[] other = new byte[size];
    s3.before("GET data/in/07.txt", () -> s3.objects().put("data/in/07.txt", other));

    CommandLineRun pack = pack("s3://data/in", directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains("sharder: s3://data/in/07.txt: changed while it was packed: " + message)
        .contains("pack again when nothing writes to it any more");
  }

  @Test
  void objectThatMayNotBeReadIsNamed() {
    s3.fail("GET data/in/07.txt", Fault.ACCESS_DENIED, Integer.MAX_VALUE);

    CommandLineRun pack = pack("s3://data/in", directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err())
        .contains(
            "sharder: s3://data/in/07.txt: may not be read: AccessDenied: Access Denied (HTTP"
                + " status 403)");
  }

  @Test
  void archiveThatIsReplacedWhileItIsPackedIsNamed() throws IOException {
    s3.objects().put("data/a.tar", ArchiveFiles.tar(ArchiveFiles.files(50)));
    byte[] other = ArchiveFiles.tar(ArchiveFiles.files(51));
    s3.before("GET data/a.tar", () -> s3.objects().put("data/a.tar", other));

    CommandLineRun pack = pack("s3://data/a.tar", directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err()).contains("sharder: s3://data/a.tar: changed while it was packed");
  }

  @Test
  void listedObjectThatIsNotThereIsNamedWithItsLine() throws IOException {
    Path list =
        Files.writeString(
            directory.resolve("list.txt"), "s3://data/in/01.txt\ns3://data/in/none.txt\n", UTF_8);

    CommandLineRun pack = pack(list.toString(), directory.resolve("set").toString());

    assertThat(pack.exitCode()).isEqualTo(1);
    assertThat(pack.err()).contains("list.txt line 2: s3://data/in/none.txt: no such object");
  }
}
