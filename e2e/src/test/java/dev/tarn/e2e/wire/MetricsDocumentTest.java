package dev.tarn.e2e.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.ClusterOfProcesses;
import dev.tarn.e2e.process.TarnProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Verifies docs/METRICS.md against the metrics that the processes of a cluster give. */
final class MetricsDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/METRICS.md");
  private static final Pattern FAMILY = Pattern.compile("# (HELP|TYPE) (\\S+) (.*)");
  private static final Pattern SAMPLE = Pattern.compile("(tarn_\\w+)\\{([^}]*)} .*");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private static final String HEAD =
      """
      # Metrics

      This page is generated from a running cluster, and `MetricsDocumentTest` verifies it.

      Each process gives its metrics in the format of Prometheus at `/metrics` of its admin listener, without a key
      pair. `tarn dashboard` prints a Grafana dashboard; the chart also has
      [alerts](DEPLOYMENT.md#monitoring). A process with the role `all` gives those of gateway and target. All processes
      also give metrics of their JVM.

      | metric | type | labels | roles | is |
      |---|---|---|---|---|
      """;

  @TempDir private Path folder;

  /** One metric. */
  private static final class Metric {
    private String help = "";
    private String type = "";
    private final SortedSet<String> labels = new TreeSet<>();
    private final SortedSet<String> roles = new TreeSet<>();

    private String row(String name) {
      return "| `%s` | %s | %s | %s | %s |\n"
          .formatted(name, type, code(labels), String.join(", ", roles), help);
    }

    private static String code(SortedSet<String> names) {
      return names.isEmpty() ? "" : "`" + String.join("`, `", names) + "`";
    }
  }

  @Test
  void documentListsTheMetricsOfEachRole() throws IOException {
    SortedMap<String, Metric> metrics = new TreeMap<>();
    try (ClusterOfProcesses cluster =
            new ClusterOfProcesses(
                folder, 1, List.of("t1"), "gateway.access-log=" + folder.resolve("requests"));
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket("data"));
      s3.putObject(put -> put.bucket("data").key("a"), RequestBody.fromString("a"));
      s3.getObjectAsBytes(get -> get.bucket("data").key("a"));
      read(cluster.control(), "control", metrics);
      read(cluster.gateway(), "gateway", metrics);
      read(cluster.target("t1"), "target", metrics);
    }
    StringBuilder document = new StringBuilder(HEAD);
    metrics.forEach((name, metric) -> document.append(metric.row(name)));
    assertThat(metrics.values()).allSatisfy(metric -> assertThat(metric.help).isNotBlank());
    if (Boolean.getBoolean("tarn.docs.write")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT)
        .as("run this test with -Dtarn.docs.write=true after a change of metrics")
        .hasContent(document.toString());
  }

  private static void read(TarnProcess process, String role, SortedMap<String, Metric> metrics)
      throws IOException {
    String text;
    try (InputStream in = process.admin().resolve("/metrics").toURL().openStream()) {
      text = new String(in.readAllBytes(), UTF_8);
    }
    for (String line : text.lines().toList()) {
      Matcher family = FAMILY.matcher(line);
      if (family.matches() && family.group(2).startsWith("tarn_")) {
        Metric metric = metrics.computeIfAbsent(family.group(2), made -> new Metric());
        metric.roles.add(role);
        if (family.group(1).equals("HELP")) {
          metric.help = family.group(3);
        } else {
          metric.type = family.group(3);
        }
      }
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        String name = sample.group(1).replaceAll("_(bucket|sum|count)$", "");
        Metric metric = metrics.get(name);
        if (metric != null) {
          LABEL
              .matcher(sample.group(2))
              .results()
              .forEach(found -> metric.labels.add(found.group(1)));
        }
      }
    }
  }
}
