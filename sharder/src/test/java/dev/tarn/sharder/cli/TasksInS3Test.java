package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.cli.FaultyS3.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plans whose file, sources and destination are objects, packed by tasks at once. */
final class TasksInS3Test {
  private static final String ACCESS_KEY = "aws.accessKeyId";
  private static final String SECRET_KEY = "aws.secretAccessKey";
  private static final int TASKS = 4;
  private static final String[] OPTIONS = {"--max-count=6", "--seed=3", "--label-from=dirname"};

  private FaultyS3 s3;

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
    for (int i = 0; i < 60; i++) {
      s3.objects()
          .put("data/in/c%d/%02d.txt".formatted(i % 3, i), ("text " + i).repeat(i).getBytes(UTF_8));
    }
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  private CommandLineRun run(String... words) {
    Object[] all =
        Stream.concat(Stream.of(words), Stream.of("--endpoint-url", s3.endpoint())).toArray();
    return CommandLineRun.of(all);
  }

  private void succeed(String... words) {
    CommandLineRun run = run(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private void make(String command, String set, String... more) {
    succeed(
        Stream.of(Stream.of(command, "s3://data/in", set), Stream.of(OPTIONS), Stream.of(more))
            .flatMap(words -> words)
            .toArray(String[]::new));
  }

  private Map<String, ByteBuffer> objects(String folder) {
    return s3.objects().entrySet().stream()
        .filter(object -> object.getKey().startsWith(folder))
        .collect(
            toMap(
                object -> object.getKey().substring(folder.length()),
                object -> ByteBuffer.wrap(object.getValue())));
  }

  private List<CommandLineRun> packAtOnce() throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(TASKS)) {
      List<Future<CommandLineRun>> tasks =
          IntStream.range(0, TASKS)
              .mapToObj(task ->
                  threads.submit(
                      () -> run("pack", "--plan", "s3://data/plan", "--task", task + "/" + TASKS)))
              .toList();
      for (Future<CommandLineRun> task : tasks) {
        task.get();
      }
      return tasks.stream().map(Future::resultNow).toList();
    }
  }

  @Test
  void tasksAtOnceMakeTheObjectsOfOnePack() throws InterruptedException, ExecutionException {
    make("pack", "s3://data/set/");
    make("plan", "s3://data/parts/", "--plan=s3://data/plan");

    assertThat(packAtOnce()).allMatch(run -> run.exitCode() == 0);
    assertThat(s3.objects()).doesNotContainKey("data/parts/dataset.json");
    succeed("commit", "--plan", "s3://data/plan");

    assertThat(objects("data/parts/"))
        .isEqualTo(objects("data/set/"))
        .containsKeys("dataset.json", "classes.json");
  }

  @Test
  void packAndPlanReplaceObjectsOfOthersOnlyWhenTold() {
    make("pack", "s3://data/set/");
    byte[] precious = "precious".getBytes(UTF_8);
    for (String key : List.of("shard-000000.tar", "shard-000042.tar.tarnidx", "classes.json")) {
      s3.objects().put("data/parts/" + key, precious);
      s3.objects().put("data/parts-of-others/" + key, precious);
    }
    Map<String, ByteBuffer> before = objects("data/parts");

    for (String[] words :
        new String[][] {{"pack"}, {"pack", "--dry-run"}, {"plan", "--plan=s3://data/plan"}}) {
      CommandLineRun run =
          run(
              Stream.of(
                      Stream.of(words[0], "s3://data/in", "s3://data/parts"),
                      Stream.of(OPTIONS),
                      Stream.of(words).skip(1))
                  .flatMap(part -> part)
                  .toArray(String[]::new));
      assertThat(run.exitCode()).isOne();
      assertThat(run.err())
          .contains("it has 3 files that no dataset.json names: classes.json, shard-000000.tar, ");
    }
    assertThat(objects("data/parts")).isEqualTo(before);
    make("pack", "s3://data/parts", "--overwrite");

    assertThat(objects("data/parts/")).isEqualTo(objects("data/set/"));
    assertThat(objects("data/parts-of-others/")).hasSize(3);
  }

  @Test
  void planThatReplacesAnotherDiscardsItsShardsAlone()
      throws InterruptedException, ExecutionException {
    make("plan", "s3://data/parts/", "--plan=s3://data/plan");
    s3.objects().put("data/parts/shard-000003.tar", "precious".getBytes(UTF_8));
    Map<String, ByteBuffer> before = objects("data/");
    String[] replace = {
      "plan", "s3://data/in", "s3://data/parts/", "--plan=s3://data/plan", "--max-count=20"
    };

    CommandLineRun refused = run(replace);

    assertThat(refused.exitCode()).isOne();
    assertThat(refused.err())
        .contains("it has 1 file that no dataset.json names: shard-000003.tar;", "--overwrite");
    assertThat(objects("data/")).isEqualTo(before);
    s3.objects().remove("data/parts/shard-000003.tar");
    assertThat(packAtOnce()).allMatch(run -> run.exitCode() == 0);
    CommandLineRun replaced = run(replace);
    assertThat(replaced.exitCode()).as(replaced.err()).isZero();
    assertThat(replaced.err()).contains("discarded 10 shards of the replaced plan: shard-000000");
    assertThat(objects("data/parts/")).isEmpty();
  }

  @Test
  void overwriteDeletesNoObjectThatAListNames() {
    s3.objects().put("data/parts/shard-000001.json", "precious".getBytes(UTF_8));
    s3.objects().put("data/list.txt", "parts/shard-000001.json\n".getBytes(UTF_8));

    CommandLineRun run = run("pack", "s3://data/list.txt", "s3://data/parts", "--overwrite");

    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains(
            "--overwrite would delete s3://data/parts/shard-000001.json of the source s3://data/");
    assertThat(objects("data/parts/")).containsOnlyKeys("shard-000001.json");
  }

  @Test
  void datasetThatAppearsWhileAPackPlansStaysWhole() {
    s3.objects().put("data/list.csv", "url\nin/c0/00.txt\nin/c1/31.txt\n".getBytes(UTF_8));
    succeed("pack", "s3://data/list.csv", "s3://data/set/");
    Map<String, ByteBuffer> before = objects("data/set/");
    s3.before(
        "GET data/list.csv",
        () -> {
          for (String name : before.keySet()) {
            s3.objects()
                .put("data/parts/" + name, requireNonNull(s3.objects().get("data/set/" + name)));
          }
        });

    CommandLineRun run = run("pack", "s3://data/list.csv", "s3://data/parts/");

    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("a dataset is there already");
    assertThat(objects("data/parts/")).isEqualTo(before);
  }

  @Test
  void taskThatFailedGoesOnWhereItStopped() throws InterruptedException, ExecutionException {
    make("pack", "s3://data/set/");
    make("plan", "s3://data/parts/", "--plan=s3://data/plan");
    s3.fail("GET data/in/c1/31.txt", Fault.ACCESS_DENIED, 1);

    List<CommandLineRun> failed = packAtOnce().stream().filter(run -> run.exitCode() != 0).toList();
    assertThat(failed).hasSize(1);
    assertThat(failed.getFirst().err()).contains("s3://data/in/c1/31.txt: may not be read");
    CommandLineRun early = run("commit", "--plan", "s3://data/plan");
    assertThat(early.exitCode()).isEqualTo(1);
    assertThat(early.err()).contains("of 10 shards are missing, or not as they were planned");

    long puts = s3.count("PUT data/parts/");
    assertThat(packAtOnce()).allMatch(run -> run.exitCode() == 0);
    assertThat(s3.count("PUT data/parts/") - puts).as("the others had nothing to do").isLessThan(9);
    succeed("commit", "--plan", "s3://data/plan");
    assertThat(objects("data/parts/")).isEqualTo(objects("data/set/"));
  }
}
