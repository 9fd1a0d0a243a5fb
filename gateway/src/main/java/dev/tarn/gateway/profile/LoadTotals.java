package dev.tarn.gateway.profile;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.profile.LoadReport.BucketLoad;
import dev.tarn.gateway.profile.LoadReport.Point;
import dev.tarn.gateway.profile.LoadReport.PrefixLoad;
import dev.tarn.gateway.profile.LoadReport.Span;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sums of one gateway, or of several: what gateways send each other, and a report is made of.
 *
 * @param bucket empty: of all requests
 * @param nowMs when the sums were made, in milliseconds since 1970
 * @param spans by their names
 * @param minutes the last hour, by the numbers of minutes since 1970
 * @param day the last day, by the numbers of five minutes since 1970
 * @param buckets the last hour by bucket
 * @param prefixes of the last hour
 */
public record LoadTotals(
    Optional<String> bucket,
    long nowMs,
    Map<String, LoadSum> spans,
    Map<Long, LoadSum> minutes,
    Map<Long, LoadSum> day,
    Map<String, LoadSum> buckets,
    List<PrefixLoad> prefixes) {
  static final long MINUTE_MS = 60_000;
  static final int MINUTES = 60;
  static final int DAY_POINTS = 288;
  private static final int PREFIXES_MAX = 20;

  /** The names of the spans with their lengths, in order. */
  static final List<Length> LENGTHS =
      List.of(
          new Length("5m", IoProfile.COARSE_MS),
          new Length("1h", MINUTES * MINUTE_MS),
          new Length(LoadReport.DAY, DAY_POINTS * IoProfile.COARSE_MS));

  record Length(String name, long ms) {}

  public LoadTotals {
    requireNonNull(bucket, "bucket is null");
    spans = Map.copyOf(requireNonNull(spans, "spans is null"));
    minutes = Map.copyOf(requireNonNull(minutes, "minutes is null"));
    day = Map.copyOf(requireNonNull(day, "day is null"));
    buckets = Map.copyOf(requireNonNull(buckets, "buckets is null"));
    prefixes = List.copyOf(requireNonNull(prefixes, "prefixes is null"));
  }

  /**
   * The sums of these gateways and of others. The busiest ten seconds are those of each, added up,
   * so they are an upper bound.
   */
  public LoadTotals plus(LoadTotals other) {
    Map<String, PrefixLoad> all = new TreeMap<>();
    Stream.concat(prefixes.stream(), other.prefixes.stream())
        .forEach(prefix ->
            all.merge(
                prefix.bucket() + "/" + prefix.prefix(),
                prefix,
                (one, same) ->
                    new PrefixLoad(one.bucket(), one.prefix(), one.requests() + same.requests())));
    return new LoadTotals(
        bucket,
        Math.max(nowMs, other.nowMs),
        merged(spans, other.spans),
        merged(minutes, other.minutes),
        merged(day, other.day),
        merged(buckets, other.buckets),
        List.copyOf(all.values()));
  }

  private static <K> Map<K, LoadSum> merged(Map<K, LoadSum> one, Map<K, LoadSum> other) {
    Map<K, LoadSum> sums = new HashMap<>(one);
    other.forEach((key, sum) -> sums.merge(key, sum, LoadSum::beside));
    return sums;
  }

  /** What is shown of the sums. */
  public LoadReport report() {
    return new LoadReport(
        bucket,
        LENGTHS.stream().map(this::span).toList(),
        points(minutes, MINUTE_MS, MINUTES),
        points(day, IoProfile.COARSE_MS, DAY_POINTS),
        buckets.entrySet().stream()
            .map(LoadTotals::bucketLoad)
            .sorted(
                Comparator.comparingLong(BucketLoad::requests)
                    .reversed()
                    .thenComparing(BucketLoad::bucket))
            .toList(),
        prefixes.stream()
            .sorted(Comparator.comparingLong(PrefixLoad::requests).reversed())
            .limit(PREFIXES_MAX)
            .toList());
  }

  private Span span(Length length) {
    LoadSum sum = spans.getOrDefault(length.name, new LoadSum());
    return sum.span(length.name, nowMs - length.ms, length.ms / 1000);
  }

  /** The last points of a chart, also those without requests. */
  private List<Point> points(Map<Long, LoadSum> sums, long pointMs, int count) {
    List<Point> points = new ArrayList<>();
    for (long point = nowMs / pointMs - count + 1; point <= nowMs / pointMs; point++) {
      LoadSum sum = sums.getOrDefault(point, new LoadSum());
      points.add(
          new Point(
              point * pointMs,
              sum.rates(pointMs / 1000.0),
              sum.errors(),
              sum.times(),
              sum.timeCounts()));
    }
    return points;
  }

  private static BucketLoad bucketLoad(Map.Entry<String, LoadSum> entry) {
    LoadSum sum = entry.getValue();
    return new BucketLoad(entry.getKey(), sum.requests(), sum.bytes(), sum.errors());
  }

  /** The sums as a document for {@link #of}. */
  public JsonObject document() {
    JsonArray named = new JsonArray();
    prefixes.forEach(prefix ->
        named.add(
            new JsonArray().add(prefix.bucket()).add(prefix.prefix()).add(prefix.requests())));
    return new JsonObject()
        .put("bucket", bucket.orElse(null))
        .put("now_ms", nowMs)
        .put("spans", documents(spans))
        .put("minutes", documents(minutes))
        .put("day", documents(day))
        .put("buckets", documents(buckets))
        .put("prefixes", named);
  }

  private static JsonObject documents(Map<?, LoadSum> sums) {
    JsonObject documents = new JsonObject();
    sums.forEach((key, sum) -> documents.put(String.valueOf(key), sum.document()));
    return documents;
  }

  /**
   * Reads the document of another gateway.
   *
   * @throws RuntimeException if it is no such document
   */
  public static LoadTotals of(JsonObject document) {
    return new LoadTotals(
        Optional.ofNullable(document.getString("bucket")),
        document.getLong("now_ms"),
        sums(document.getJsonObject("spans")),
        numbered(document.getJsonObject("minutes")),
        numbered(document.getJsonObject("day")),
        sums(document.getJsonObject("buckets")),
        document.getJsonArray("prefixes").stream()
            .map(JsonArray.class::cast)
            .map(each -> new PrefixLoad(each.getString(0), each.getString(1), each.getLong(2)))
            .toList());
  }

  private static Map<String, LoadSum> sums(JsonObject documents) {
    Map<String, LoadSum> sums = new HashMap<>();
    documents
        .fieldNames()
        .forEach(name -> sums.put(name, LoadSum.of(documents.getJsonArray(name))));
    return sums;
  }

  private static Map<Long, LoadSum> numbered(JsonObject documents) {
    Map<Long, LoadSum> sums = new HashMap<>();
    sums(documents).forEach((number, sum) -> sums.put(Long.valueOf(number), sum));
    return sums;
  }
}
