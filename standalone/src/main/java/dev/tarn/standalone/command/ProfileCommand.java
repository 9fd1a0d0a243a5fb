package dev.tarn.standalone.command;

import dev.tarn.sharder.cli.output.ByteSize;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/tarn profile}. */
@Command(
    name = "profile",
    description =
        "Show what the requests were: their mix, rates, times, sizes, cache, buckets, prefixes.",
    footer = "  tarn profile --bucket imagenet")
final class ProfileCommand extends AdminCommand implements Callable<Integer> {
  private static final int ROWS_MAX = 40;

  @Option(names = "--bucket", paramLabel = "NAME", description = "Only of this bucket.")
  private @Nullable String bucket;

  @Override
  public Integer call() throws IOException {
    JsonObject profile =
        call("GET", bucket == null ? "/profile" : "/profile" + segment(bucket), null);
    Printer printer = printer();
    if (printer.json()) {
      printer.document(profile);
      return 0;
    }
    table(
        printer,
        documents(profile, "spans"),
        ProfileCommand::mixRow,
        List.of("last", "requests", "reads", "writes", "deletes", "metadata", "errors"));
    table(
        printer,
        documents(profile, "spans"),
        ProfileCommand::rateRow,
        List.of(
            "last",
            "requests_per_second",
            "busiest_10_s",
            "bytes_per_second",
            "busiest",
            "p50",
            "p99",
            "longest"));
    table(
        printer,
        documents(profile, "spans").stream()
            .filter(span -> span.getJsonObject("cache") != null)
            .toList(),
        ProfileCommand::cacheRow,
        List.of(
            "last",
            "from_cache",
            "from_backend",
            "hit_ratio_by_bytes",
            "fetches",
            "errors",
            "fetch_mean",
            "fetch_longest"));
    JsonObject hour = documents(profile, "spans").get(1);
    table(
        printer,
        documents(hour, "sizes"),
        bin -> sizeRow(bin, "bytes_moved", "reads_and_writes"),
        List.of("bytes_moved", "reads_and_writes"));
    table(
        printer,
        documents(hour, "object_sizes"),
        bin -> sizeRow(bin, "object_size", "reads"),
        List.of("object_size", "reads"));
    table(
        printer,
        documents(profile, "buckets"),
        ProfileCommand::bucketRow,
        List.of("bucket", "requests", "bytes", "errors"));
    table(
        printer,
        documents(profile, "prefixes"),
        ProfileCommand::prefixRow,
        List.of("prefix", "about"));
    profile
        .getJsonArray("silent_gateways")
        .forEach(silent -> printer.line("without the gateway at " + silent));
    profile
        .getJsonArray("silent_targets")
        .forEach(silent -> printer.line("without the cached reads of target " + silent));
    return 0;
  }

  private static void table(
      Printer printer,
      List<JsonObject> documents,
      Function<JsonObject, JsonObject> row,
      List<String> columns) {
    if (documents.isEmpty()) {
      return;
    }
    List<JsonObject> rows = documents.stream().limit(ROWS_MAX).map(row).toList();
    printer.table(
        new JsonObject().put("rows", new JsonArray(rows)), "rows", columns.toArray(String[]::new));
    printer.line("");
  }

  private static JsonObject mixRow(JsonObject span) {
    JsonObject kinds = span.getJsonObject("requests");
    long all = kinds.fieldNames().stream().mapToLong(kinds::getLong).sum();
    return new JsonObject()
        .put("last", span.getString("name"))
        .put("requests", all)
        .put("reads", share(kinds.getLong("read"), all))
        .put("writes", share(kinds.getLong("write"), all))
        .put("deletes", share(kinds.getLong("delete"), all))
        .put("metadata", share(kinds.getLong("metadata"), all))
        .put("errors", span.getLong("client_errors") + span.getLong("server_errors"));
  }

  private static JsonObject rateRow(JsonObject span) {
    JsonObject times = span.getJsonObject("all_ms");
    return new JsonObject()
        .put("last", span.getString("name"))
        .put("requests_per_second", rate(span.getDouble("requests_per_second")))
        .put("busiest_10_s", rate(span.getDouble("requests_per_second_max")))
        .put("bytes_per_second", ByteSize.print(Math.round(span.getDouble("bytes_per_second"))))
        .put("busiest", ByteSize.print(Math.round(span.getDouble("bytes_per_second_max"))))
        .put("p50", milliseconds(times.getDouble("p50")))
        .put("p99", milliseconds(times.getDouble("p99")))
        .put("longest", milliseconds(times.getDouble("max")));
  }

  private static JsonObject cacheRow(JsonObject span) {
    JsonObject cache = span.getJsonObject("cache");
    long cached = cache.getLong("hit_bytes");
    long fetched = cache.getLong("fetched_bytes");
    return new JsonObject()
        .put("last", span.getString("name"))
        .put("from_cache", ByteSize.print(cached))
        .put("from_backend", ByteSize.print(fetched))
        .put("hit_ratio_by_bytes", share(cached, cached + fetched))
        .put("fetches", cache.getLong("fetches"))
        .put("errors", cache.getLong("fetch_errors"))
        .put("fetch_mean", milliseconds(cache.getDouble("fetch_ms")))
        .put("fetch_longest", milliseconds(cache.getDouble("fetch_ms_max")));
  }

  private static JsonObject sizeRow(JsonObject bin, String size, String counted) {
    Long to = bin.getLong("to");
    return new JsonObject()
        .put(size, to == null ? "more" : "up to " + ByteSize.print(to))
        .put(counted, bin.getLong("requests"));
  }

  private static JsonObject bucketRow(JsonObject load) {
    return new JsonObject()
        .put("bucket", load.getString("bucket"))
        .put("requests", load.getLong("requests"))
        .put("bytes", ByteSize.print(load.getLong("bytes")))
        .put("errors", load.getLong("errors"));
  }

  private static JsonObject prefixRow(JsonObject load) {
    return new JsonObject()
        .put("prefix", load.getString("bucket") + "/" + load.getString("prefix"))
        .put("about", load.getLong("requests"));
  }

  private static String share(long part, long all) {
    return all == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / all);
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 100 ? "%.1f" : "%.0f", perSecond);
  }

  private static String milliseconds(@Nullable Double ms) {
    return ms == null ? "-" : String.format(Locale.ROOT, ms < 10 ? "%.2f ms" : "%.0f ms", ms);
  }
}
