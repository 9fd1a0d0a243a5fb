package dev.tarn.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.DurationText;
import dev.tarn.cluster.control.SizeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigBinderTest {
  /** One component of each kind. */
  public record Sample(
      String name,
      long bodyBytesMax,
      int requestsMax,
      long idleMsMax,
      Duration pause,
      boolean eager,
      Role role,
      Optional<Path> file,
      List<String> domains,
      String secret,
      Optional<Section> section,
      Members cluster) {}

  /** A section without defaults. */
  public record Section(Path certificate, Path key) {}

  /** A section with a list of sections. */
  public record Members(long epoch, List<Member> targets) {
    public Members {
      if (epoch < 1) {
        throw new IllegalArgumentException("epoch is " + epoch + ", must be at least 1");
      }
    }
  }

  /** A section of the list. */
  public record Member(String id, String address, long weight, List<String> disks) {
    public Member {
      if (!id.matches("[a-z]+")) {
        throw new IllegalArgumentException("id is '" + id + "', must be of a-z");
      }
    }
  }

  /** A list of sections with a secret. */
  public record Users(List<ListedUser> users) {}

  /** A section of the list. */
  public record ListedUser(String name, String secret) {}

  private static final Sample DEFAULTS =
      new Sample(
          "tarn",
          5L << 30,
          1024,
          120_000,
          Duration.ofSeconds(90),
          false,
          Role.ALL,
          Optional.empty(),
          List.of("a.example"),
          "sesame",
          Optional.empty(),
          new Members(1, List.of()));

  @TempDir Path directory;

  @Test
  void withoutSettingsTheDefaultsHold() throws ConfigException {
    assertThat(ConfigBinder.bind(DEFAULTS, Settings.none()).value()).isEqualTo(DEFAULTS);
  }

  @Test
  void everyKindOfValueIsReadFromAFile() throws Exception {
    Sample bound =
        bind(
            """
            name: "5"
            body-bytes-max: 256MiB
            requests-max: 7
            idle-max: 15m
            pause: 250ms
            eager: true
            role: gateway
            file: /a/b
            domains: [s3.example.org, "x"]
            section:
              certificate: c.pem
              key: k.pem
            cluster:
              epoch: 3
              targets:
                - {id: one, address: "127.0.0.1:1", weight: 10, disks: [d1, d2]}
                - id: two
                  address: "[::1]:2"
                  weight: 20
            """);
    assertThat(bound.name()).isEqualTo("5");
    assertThat(bound.bodyBytesMax()).isEqualTo(256L << 20);
    assertThat(bound.requestsMax()).isEqualTo(7);
    assertThat(bound.idleMsMax()).isEqualTo(900_000);
    assertThat(bound.pause()).isEqualTo(Duration.ofMillis(250));
    assertThat(bound.eager()).isTrue();
    assertThat(bound.role()).isEqualTo(Role.GATEWAY);
    assertThat(bound.file()).contains(Path.of("/a/b"));
    assertThat(bound.domains()).containsExactly("s3.example.org", "x");
    assertThat(bound.section()).contains(new Section(Path.of("c.pem"), Path.of("k.pem")));
    assertThat(bound.cluster().targets())
        .containsExactly(
            new Member("one", "127.0.0.1:1", 10, List.of("d1", "d2")),
            new Member("two", "[::1]:2", 20, List.of()));
  }

  @Test
  void flagsBeatTheEnvironmentWhichBeatsTheFileWhichBeatsTheDefaults() throws Exception {
    Settings file = read("requests-max: 1\npause: 1s\nname: file\ndomains: [a, b, c]\n");
    Settings environment =
        Settings.fromEnvironment(
            Map.of(
                "TARN_SET_PAUSE",
                "2s",
                "TARN_SET_NAME",
                "environment",
                "TARN_SET_DOMAINS",
                "x, y",
                "HOME",
                "/root"),
            Keys.of(Sample.class));
    Settings all = file.overlaidWith(environment).with("name", "flag", "flag --name");
    BoundConfig<Sample> bound = ConfigBinder.bind(DEFAULTS, all);
    assertThat(bound.value().requestsMax()).isEqualTo(1);
    assertThat(bound.value().pause()).isEqualTo(Duration.ofSeconds(2));
    assertThat(bound.value().name()).isEqualTo("flag");
    assertThat(bound.value().domains()).containsExactly("x", "y");
    assertThat(bound.print())
        .containsPattern("name: flag +# flag --name\n")
        .containsPattern("pause: 2s +# environment TARN_SET_PAUSE\n")
        .containsPattern("requests-max: 1 +# .*tarn.yaml:1\n")
        .containsPattern("body-bytes-max: 5GiB +# default\n")
        .containsPattern("secret: \\*{4} +# default\n")
        .doesNotContain("sesame");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "request-max: 1 | tarn.yaml:1: unknown key 'request-max'; did you mean 'requests-max'?",
        "cluster: {epok: 1} | unknown key 'cluster.epok'; did you mean 'cluster.epoch'?",
        "cluster: {targets: [{idd: 1}]} | did you mean 'cluster.targets[].id'?",
        "zzzzzzzzzzzzzzz: 1 | unknown key 'zzzzzzzzzzzzzzz'",
        "body-bytes-max: 5 gigs | body-bytes-max is '5 gigs', must be a size such as 64KiB",
        "body-bytes-max: -1 | must be a size",
        "requests-max: 3000000000 | requests-max is '3000000000', must be a whole number",
        "requests-max: many | must be a whole number",
        "idle-max: 15 | idle-max is '15', must be a duration such as 500ms, 30s or 15m",
        "eager: perhaps | eager is 'perhaps', must be true or false",
        "role: king | role is 'king', must be one of all, control, gateway, target",
        "section: {key: k} | section.certificate is missing; it must be a path",
        "cluster: {epoch: 0} | cluster: epoch is 0, must be at least 1",
        "cluster: {targets: none} | cluster.targets must be a list of sections",
        "cluster: {targets: [null]} | tarn.yaml:1: 'cluster.targets[0]' is a section and takes no"
            + " value; set keys within it",
        "cluster: {targets: [{id: a, address: b, weight: 1}, null]} | tarn.yaml:1:"
            + " 'cluster.targets[1]' is a section",
        "cluster: {targets: [{id: A, address: 'h:1', weight: 1}]} | cluster.targets[0]: id is 'A'",
        "name: [1 | is not YAML",
        "'name: 1\tb: : 2' | is not YAML",
        "- 1 | must hold keys and values",
      })
  void wrongConfigurationNamesTheKeyTheFileAndWhatIsRight(String yaml, String message) {
    assertThatThrownBy(() -> bind(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message.strip());
  }

  @Test
  void keyGivenTwiceIsRefused() {
    assertThatThrownBy(() -> bind("name: a\nname: b\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tarn.yaml:2 is not YAML: Duplicate field 'name'");
  }

  @Test
  void allProblemsAreToldAtOnce() {
    assertThatThrownBy(() -> bind("eager: 1\nrole: 2\nx: 3\n"))
        .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems()).hasSize(3));
  }

  @Test
  void anUnknownKeyDoesNotHideThatTheSectionIsRefused() {
    assertThatThrownBy(() -> bind("cluster: {epoch: 0, epok: 1}"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .satisfiesExactlyInAnyOrder(
                        unknown -> assertThat(unknown).contains("unknown key 'cluster.epok'"),
                        refused -> assertThat(refused).contains("cluster: epoch is 0")));
  }

  @Test
  void secretOfAListedSectionIsNotPrinted() throws Exception {
    BoundConfig<Users> bound =
        ConfigBinder.bind(
            new Users(List.of()), read("users: [{name: a, secret: sesame}, {name: b, secret: x}]"));

    assertThat(bound.print())
        .containsPattern("users\\[0\\].name: a ")
        .containsPattern("users\\[0\\].secret: \\*{4} ")
        .doesNotContain("sesame");
  }

  @Test
  void missingFileIsNamed() {
    assertThatThrownBy(() -> ConfigFile.read(directory.resolve("none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("there is no configuration file " + directory.resolve("none.yaml"));
  }

  @Test
  void environmentVariableWithOurPrefixMustNameAKey() {
    assertThatThrownBy(
            () -> Settings.fromEnvironment(Map.of("TARN_SET_NAMES", "x"), Keys.of(Sample.class)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("TARN_SET_NAMES names no configuration key");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4KiB",
    "64KiB, 64KiB",
    "1 GiB, 1GiB",
    "10MB, 10000000",
    "12B, 12",
    "8191, 8191"
  })
  void sizesAreReadAndShownWithUnits(String text, String shown) {
    assertThat(SizeText.show(SizeText.parse(text))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1500ms, 1500ms", "90s, 90s", "120s, 2m", "24h, 1d", "36h, 36h"})
  void durationsAreReadAndShownWithUnits(String text, String shown) {
    assertThat(DurationText.show(DurationText.parse(text))).isEqualTo(shown);
  }

  private Sample bind(String yaml) throws Exception {
    return ConfigBinder.bind(DEFAULTS, read(yaml)).value();
  }

  private Settings read(String yaml) throws IOException, ConfigException {
    return ConfigFile.read(Files.writeString(directory.resolve("tarn.yaml"), yaml));
  }

  @Test
  void whatIsNoTextOrHoldsTwoDocumentsIsRefused(@TempDir Path folder) throws Exception {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xFF, (byte) 0xFE});
    Path two = Files.writeString(folder.resolve("two"), "role: all\n---\nrole: gateway\n");

    assertThatThrownBy(() -> ConfigFile.read(binary)).hasMessageContaining("no text in UTF-8");
    assertThatThrownBy(() -> ConfigFile.read(two)).hasMessageContaining("begins a second document");
  }
}
