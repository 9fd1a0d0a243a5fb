package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.standalone.LogSetup;
import dev.tarn.standalone.Tarn;
import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CommandLineTest {
  @TempDir Path directory;

  @Test
  void bucketIsMadeShownChangedListedAndDeleted() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.run("bucket", "create", "data", "--freshness", "15m").exitCode()).isZero();
      assertThat(server.run("bucket", "set", "--durability", "os", "--anonymous-read", "data"))
          .extracting(RunningTarn.Result::exitCode)
          .isEqualTo(0);
      JsonObject shown = new JsonObject(server.run("bucket", "show", "data", "--json").out());
      assertThat(shown.getJsonObject("settings"))
          .isEqualTo(
              new JsonObject(
                  """
                  {"durability": "os", "verify": "scrub", "backend": null, "freshness": "15m",
                   "anonymous_read": true, "hide_backend": false,
                   "cache_max": "none", "cache_min": "none", "cache_rules": "none",
                   "listing": "complete"}
                  """));
      assertThat(server.run("bucket", "list").out()).contains("NAME").contains("data");
      assertThat(server.run("bucket", "delete", "data").exitCode()).isZero();
      assertThat(server.run("bucket", "list").out()).doesNotContain("data");
    }
  }

  @Test
  void disabledKeyIsRefusedUntilItIsEnabledAlsoAfterARestart() throws Exception {
    Path pair = directory.resolve("ann");
    String[] asAnn = {"user", "list", "--credentials", pair.toString()};
    String keyId;
    try (RunningTarn server = RunningTarn.start(directory)) {
      server.run("user", "create", "ann", "--admin");
      JsonObject key = new JsonObject(server.run("key", "create", "ann", "--json").out());
      keyId = key.getString("id");
      Files.writeString(
          pair,
          "aws_access_key_id = %s\naws_secret_access_key = %s\n"
              .formatted(keyId, key.getString("secret")));
      assertThat(server.run(asAnn).exitCode()).isZero();
      assertThat(server.run("key", "disable", keyId).exitCode()).isZero();
      assertThat(server.run("key", "list").out()).containsPattern(keyId + " +ann .* false");
      assertThat(server.run(asAnn).err()).contains("does not exist in our records");
    }
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.run(asAnn).exitCode()).isEqualTo(1);
      assertThat(server.run("key", "enable", keyId).exitCode()).isZero();
      assertThat(server.run(asAnn).exitCode()).isZero();
      assertThat(server.run("key", "disable", "nobodys").err())
          .contains("there is no access key 'nobodys'");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--admin-url=localhost:9001, '--admin-url is ''localhost:9001'', must be http://HOST:PORT'",
    "--admin-url=http://, must be http://HOST:PORT",
    "--admin-url=:, must be http://HOST:PORT",
    "--admin-url=http://127.0.0.1:9001/api, must be http://HOST:PORT",
    "--credentials=/nowhere, --credentials /nowhere is not a file; it must hold the lines",
    "--credentials=HALF, holds no aws_secret_access_key; it must hold the lines",
    "--credentials=NONE, holds no key pair; it must hold the lines",
  })
  void wrongWayToTheServerIsWrongUsage(String option, String message) throws Exception {
    Path half = Files.writeString(directory.resolve("HALF"), "aws_access_key_id = A\n");
    Path none = Files.write(directory.resolve("NONE"), new byte[] {(byte) 0xFF, 0, 1});
    String given = option.replace("HALF", half.toString()).replace("NONE", none.toString());
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      RunningTarn.Result result = server.run("status", given);
      assertThat(result.err()).contains(message).doesNotContain("\tat ");
      assertThat(result.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void usersAndKeysAreThereAfterARestart() throws Exception {
    String keyId;
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.run("user", "create", "alice").exitCode()).isZero();
      JsonObject key = new JsonObject(server.run("key", "create", "alice", "--json").out());
      keyId = key.getString("id");
      assertThat(key.getString("secret")).hasSize(40);
    }
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.tarn().madePair()).isEmpty();
      assertThat(server.run("user", "list").out()).contains("alice");
      assertThat(server.run("key", "list").out()).contains(keyId);
      assertThat(server.run("key", "list", "--json").out()).doesNotContain("secret");
      assertThat(server.run("user", "delete", "alice").exitCode()).isZero();
      assertThat(server.run("key", "list").out()).doesNotContain(keyId);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'bucket show none', there is no bucket 'none'",
    "1, 'bucket create Data', must consist of a-z",
    "1, 'bucket create data --owner nobody', there is no user 'nobody'",
    "2, 'bucket create data --durability maybe', 'durability is ''maybe'', must be fsync or os'",
    "2, 'bucket create data --freshness soon', must be immutable",
    "2, 'bucket create data --backend x', must be s3://BUCKET",
    "2, 'bucket set data', nothing to set",
    "2, 'bucket create data --backend-region eu', need --backend s3://BUCKET/PREFIX too",
    "2, 'bucket create data --no-backend --backend-region eu', exclude each other",
    "2, 'key create admin --from /nowhere', --from /nowhere is not a file",
    "2, 'bucket create', Missing required parameter",
    "2, 'bucket list --nope', Unknown option",
    "2, 'bucket crate data', Did you mean create?",
    "2, 'bucket create data --durabilty os', Did you mean --durability?",
    "1, 'user delete admin', no user can delete itself",
    "1, 'user create a/b', user name is 'a/b'",
    "1, 'key create nobody', there is no user 'nobody'",
    "1, 'key delete NONE', there is no access key 'NONE'",
  })
  void wrongCommandSaysWhatIsWrongWithoutAStackTrace(int exitCode, String command, String message)
      throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      RunningTarn.Result result = server.run(command.split(" ", -1));
      assertThat(result.err()).contains(message).doesNotContain("\tat ");
      assertThat(result.exitCode()).isEqualTo(exitCode);
    }
  }

  @Test
  void optionThatResemblesNoneSuggestsNone() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.run("serve", "--prot", "9000").err())
          .contains("Unknown options: '--prot'")
          .doesNotContain("Did you mean", "--print-config");
    }
  }

  @Test
  void healthAndMetricsNeedNoSignatureAndTheApiNeedsAnAdmins() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      URI admin = server.tarn().ready().admin();
      assertThat(get(admin.resolve("/healthz")).statusCode()).isEqualTo(200);
      assertThat(get(admin.resolve("/readyz")).statusCode()).isEqualTo(200);
      assertThat(get(admin.resolve("/metrics")).body())
          .contains("tarn_s3_connections_open 0.0")
          .containsPattern("tarn_store_in_service\\{disk=\"[^\"]+\"} 1.0")
          .containsPattern("tarn_store_disk_usable_bytes\\{disk=\"[^\"]+\"} [1-9]")
          .containsPattern("tarn_store_commits_total\\{disk=\"[^\"]+\"} 0.0")
          .contains("tarn_cache_hits_total 0.0");
      assertThat(get(admin.resolve("/api/v1/buckets")).statusCode()).isEqualTo(403);
      server.run("user", "create", "bob");
      JsonObject key = new JsonObject(server.run("key", "create", "bob", "--json").out());
      Path pair = directory.resolve("bob");
      Files.writeString(
          pair,
          "aws_access_key_id = %s\naws_secret_access_key = %s\n"
              .formatted(key.getString("id"), key.getString("secret")));
      assertThat(server.run("status", "--credentials", pair.toString()).err())
          .contains("user 'bob' is no admin");
    }
  }

  @Test
  void statusShowsTargetsInHumanUnits() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.run("status").out())
          .contains("role: all", "uptime: 0 min ", "control: reachable")
          .containsPattern("TARGET +STATE +ADDRESS +DISKS +CAPACITY +PRIMARY +CACHED +FREE")
          .containsPattern(
              "in service +this process +1 +[\\d.]+ [GT]iB +0 B +0 B +[\\d.]+ [KMGT]iB")
          .doesNotContain("problem:");
      assertThat(new JsonObject(server.run("status", "--json").out()).getLong("uptime_s"))
          .isNotNegative();
    }
  }

  @Test
  void madePairIsKeptForItsOwnerAlone() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      KeyPair made = server.tarn().madePair().orElseThrow();
      Path file = server.tarn().credentialsFile();
      assertThat(KeyPair.inFile(file)).contains(made);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void pairOfTheEnvironmentReplacesItsOlderSecret() throws Exception {
    KeyPair first = new KeyPair("MYKEY", "first-secret");
    KeyPair second = new KeyPair("MYKEY", "second-secret");
    Tarn.start(RunningTarn.config(directory, Settings.none()), Optional.of(first)).close();
    try (Tarn tarn =
        Tarn.start(RunningTarn.config(directory, Settings.none()), Optional.of(second))) {
      AdminClient old = new AdminClient(tarn.ready().admin(), first);
      assertThatThrownBy(() -> old.call("GET", "/status", null)).isInstanceOf(IOException.class);
      assertThat(
              new AdminClient(tarn.ready().admin(), second)
                  .call("GET", "/status", null)
                  .getString("role"))
          .isEqualTo("all");
    }
  }

  @Test
  void readyFileIsThereWhileItServesAndGoneAfterwards() throws Exception {
    Path readyFile = directory.resolve("ready-file");
    Settings settings = Settings.none().with("ready-file", readyFile.toString(), "test");
    try (Tarn tarn =
        Tarn.start(RunningTarn.config(directory.resolve("d"), settings), Optional.empty())) {
      assertThat(ReadyLine.read(readyFile)).contains(tarn.ready());
      assertThat(readyFile)
          .content()
          .matches(
              "ready s3=http://127\\.0\\.0\\.1:\\d+ admin=http://127\\.0\\.0\\.1:\\d+ pid=\\d+\n");
    }
    assertThat(readyFile).doesNotExist();
  }

  @Test
  void secondServerOnADataFolderIsRefused() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      assertThat(server.tarn().ready().pid()).isPositive();
      assertThatThrownBy(() -> RunningTarn.start(directory))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("another process serves the data folder " + directory);
    }
    RunningTarn.start(directory).close();
  }

  @Test
  void folderWithOtherFilesIsNotTakenOver() throws Exception {
    Path photos = Files.createDirectory(directory.resolve("photos"));
    Path photo = Files.writeString(photos.resolve("summer.jpg"), "sun");
    assertThatThrownBy(() -> RunningTarn.start(photos))
        .isInstanceOf(StartFailure.class)
        .hasMessage(
            "the data folder "
                + photos
                + " holds files that are not Tarn's, such as summer.jpg; give --data a new or"
                + " empty folder");
    assertThat(photos).isDirectoryContaining(photo::equals);
    try (Stream<Path> files = Files.list(photos)) {
      assertThat(files).containsExactly(photo);
    }
  }

  @Test
  void folderThatWasRestoredWithoutItsLockFileIsTaken() throws Exception {
    RunningTarn.start(directory).close();
    Files.delete(directory.resolve("lock"));
    RunningTarn.start(directory).close();
  }

  @Test
  void rootOfANewFileSystemCanBeTheDataFolder() throws Exception {
    Files.createDirectory(directory.resolve("lost+found"));
    RunningTarn.start(directory).close();
  }

  @ParameterizedTest
  @CsvSource({"gateway.port, s3, listen", "admin.port, admin, admin-listen"})
  void portInUseIsNamed(String key, String listener, String flag) throws Exception {
    try (RunningTarn server = RunningTarn.start(directory.resolve("one"))) {
      ReadyLine ready = server.tarn().ready();
      int port = (listener.equals("s3") ? ready.url() : ready.admin()).getPort();
      Settings settings = Settings.none().with(key, Integer.toString(port), "test");
      assertThatThrownBy(() ->
              Tarn.start(RunningTarn.config(directory.resolve("two"), settings), Optional.empty()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("; give --" + flag + " another address or port");
      assertThat(directory.resolve("two")).doesNotExist();
    }
  }

  @Test
  void longestTimesAreTakenOrRefusedAtTheStart() throws Exception {
    RunningTarn.start(
            directory,
            Settings.none()
                .with("admin.idle-max", "24d", "test")
                .with("gateway.limits.idle-max", "1000000d", "test")
                .with("gateway.limits.progress-period", "1000000d", "test"))
        .close();
    assertThat(RunningTarn.execute("serve", "--set", "admin.idle-max=30d"))
        .satisfies(result -> {
          assertThat(result.err()).contains("admin", "idle-max is 2592000000ms, must be 1s to 24d");
          assertThat(result.exitCode()).isEqualTo(2);
        });
  }

  @Test
  void serverThatSpeaksAnotherProtocolIsNamed() throws Exception {
    try (RunningTarn server = RunningTarn.start(directory)) {
      URI admin = server.tarn().ready().admin();
      URI secure = URI.create("https://" + admin.getAuthority());
      AdminClient client = new AdminClient(secure, new KeyPair("SOMEBODYSKEY", "somebodys-secret"));
      assertThatThrownBy(() -> client.call("GET", "/status", null))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("reading the answer of " + secure + " failed: ")
          .hasMessageEndingWith("; is the URL right?");
    }
  }

  @Test
  void missingServerIsToldWhereItWasLookedFor() {
    assertThat(RunningTarn.execute("status", "--data", directory.toString()))
        .isEqualTo(
            new RunningTarn.Result(
                1,
                "",
                "tarn status: no server has left its address in "
                    + directory.resolve("ready")
                    + "; start bin/tarn serve, or give --data, --admin-url or TARN_ADMIN_URL"
                    + System.lineSeparator()));
  }

  @ParameterizedTest
  @CsvSource({
    "--listen nowhere, '--listen ''nowhere'' must be HOST:PORT'",
    "--set gateway.prt=1, did you mean 'gateway.port'?",
    "--role king, 'role is ''king'', must be one of all, control, gateway, target'",
    "--role gateway, cluster.control is not set",
    "--config /does/not/exist.yaml, there is no configuration file",
    "--config /, / is a directory; the configuration must be a file in YAML",
    "--disk /x/a --disk /x/b/../a, disks names /x/a twice",
    "--data=, must be a path",
    "--set gateway.limits=5, is a section and takes no value; set keys within it",
    "--set gateway.limits.header-bytes-max=5GiB, 'must be a size such as 64KiB, below 2GiB'",
    "--set gateway.limits.connections-max=0, 'gateway.limits: connections-max is 0, must be at"
        + " least 1'",
    "--set target.worker-threads=0, 'target: worker-threads is 0, must be positive'",
  })
  void wrongConfigurationEndsWithCodeTwo(String flags, String message) {
    String[] words = ("serve " + flags).split(" ", -1);
    RunningTarn.Result result = RunningTarn.execute(words);
    assertThat(result.err()).contains(message);
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "data, FILE, 'is a file; give --data a folder'",
    "disks, FILE, 'is a file, must be a folder'",
    "ready-file, FOLDER/none/ready, it must be a file in an existing folder",
    "gateway.access-log, FOLDER/none/log, it must be a file in an existing folder",
  })
  void whatCannotBeUsedIsNamedBeforeAnythingIsServed(String key, String value, String message)
      throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");
    String given = value.replace("FILE", file.toString()).replace("FOLDER", directory.toString());
    Path data = directory.resolve("folder");
    Settings settings = Settings.none().with(key, given, "test");

    assertThatThrownBy(() -> Tarn.start(RunningTarn.config(data, settings), Optional.empty()))
        .hasMessageContaining(message)
        .hasMessageContaining(directory.toString());
    assertThat(data.resolve("ready")).doesNotExist();
  }

  @Test
  void certificateThatCannotBeReadIsNamedByItsKey() {
    Settings settings =
        Settings.none()
            .with("gateway.tls.certificate-chain", "/nowhere/cert.pem", "test")
            .with("gateway.tls.private-key", "/nowhere/key.pem", "test");
    assertThatThrownBy(() -> RunningTarn.start(directory, settings))
        .isInstanceOf(StartFailure.class)
        .hasMessage(
            "gateway.tls.certificate-chain is /nowhere/cert.pem, must be a PEM file that can be"
                + " read");
  }

  @ParameterizedTest
  @CsvSource({"/nope, 404", "/api/v1/nope, 404", "/metrics, 405"})
  void wrongPathsOfTheAdminListenerAreExplained(String path, int status) throws Exception {
    try (RunningTarn server = RunningTarn.start(directory);
        HttpClient client = HttpClient.newHttpClient()) {
      URI uri = server.tarn().ready().admin().resolve(path);
      HttpRequest request =
          HttpRequest.newBuilder(uri).method("DELETE", HttpRequest.BodyPublishers.noBody()).build();
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(new JsonObject(answer.body()).getJsonObject("error").getString("message"))
          .isNotEmpty();
    }
  }

  @Test
  void printedConfigurationShowsTheFlagsAndDoesNotServe() {
    RunningTarn.Result result =
        RunningTarn.execute("serve", "--data", directory.toString(), "--print-config");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .containsPattern("data: " + directory + " +# flag --data")
        .containsPattern("gateway.port: 9000 +# default");
    assertThat(directory).isEmptyDirectory();
  }

  private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }

  @Test
  void helpOfEveryCommandEndsWithAnExampleThatIsAccepted() {
    List<CommandLine> commands = commands(Main.commandLine()).toList();
    assertThat(commands).hasSizeGreaterThan(20);
    for (CommandLine command : commands) {
      String help = command.getUsageMessage();
      assertThat(help).containsPattern("Examples?:\\R  \\w");
      String example = help.substring(help.lastIndexOf("Example")).lines().toList().get(1).strip();
      if (example.startsWith("tarn ")) {
        String[] arguments = example.substring("tarn ".length()).split(" ", -1);
        CommandLine.ParseResult parsed = Main.commandLine().parseArgs(arguments);
        while (parsed.hasSubcommand()) {
          parsed = parsed.subcommand();
        }
        assertThat(parsed.commandSpec().qualifiedName())
            .isEqualTo(command.getCommandSpec().qualifiedName());
      }
    }
  }

  private static Stream<CommandLine> commands(CommandLine line) {
    return line.getSubcommands().isEmpty()
        ? Stream.of(line)
        : line.getSubcommands().values().stream().flatMap(CommandLineTest::commands);
  }

  @Test
  void wrongUsageIsToldInTwoLines() {
    assertThat(RunningTarn.execute("bucket", "create"))
        .isEqualTo(
            new RunningTarn.Result(
                2,
                "",
                """
                tarn bucket create: Missing required parameter: 'NAME'
                See tarn bucket create --help.
                """));
  }

  @Test
  void completionNamesCommandsAndOptions() {
    assertThat(RunningTarn.execute("completion", "bash").out())
        .startsWith("#!/usr/bin/env bash")
        .contains("bucket", "--no-probe");
  }

  @Test
  void levelOfTheLogIsChecked() {
    LogSetup.requireLevel(null);
    LogSetup.requireLevel("");
    LogSetup.requireLevel("debug");
    assertThatThrownBy(() -> LogSetup.requireLevel("loud"))
        .hasMessage("TARN_LOG is 'loud', must be one of off, error, warn, info, debug, trace, all");
  }
}
