package dev.tarn.gateway.profile;

import java.util.List;
import java.util.Optional;

/**
 * The load of the last day, of one bucket or of all requests.
 *
 * @param bucket empty: of all requests
 * @param spans the last five minutes, the last hour, the last day
 * @param minutes the last hour by minutes
 * @param day the last day by five minutes
 * @param buckets the load of each bucket in the last hour, the most requests first
 * @param prefixes those with the most requests in the last hour
 */
public record LoadReport(
    Optional<String> bucket,
    List<Span> spans,
    List<Point> minutes,
    List<Point> day,
    List<BucketLoad> buckets,
    List<PrefixLoad> prefixes) {
  /** The name of the span of a day. */
  public static final String DAY = "24h";

  /**
   * An interval, summed up. Times are in milliseconds.
   *
   * @param name 5m, 1h or 24h
   * @param sinceMs when it began, in milliseconds since 1970
   * @param seconds its length
   * @param rates requests and bytes a second
   * @param kinds requests by kind, in the order of {@link RequestKind}
   * @param sizes reads and writes by the bytes that they moved, see {@link Bins}
   * @param objectSizes reads by the size of the object, see {@link Bins}
   * @param times requests by time, see {@link Bins}
   */
  public record Span(
      String name,
      long sinceMs,
      long seconds,
      Rates rates,
      List<Long> kinds,
      long clientErrors,
      long serverErrors,
      long received,
      long sent,
      Times reads,
      Times writes,
      Times all,
      List<Long> sizes,
      List<Long> objectSizes,
      List<Long> times) {}

  /**
   * What moved each second.
   *
   * @param requestsMax in the busiest ten seconds
   * @param bytesMax in the busiest ten seconds
   */
  public record Rates(double requests, double requestsMax, double bytes, double bytesMax) {}

  /** Times of requests, in milliseconds: quantiles by the bounds of bins, and the greatest. */
  public record Times(double p50, double p99, double max) {}

  /**
   * An interval of a chart.
   *
   * @param startMs since 1970
   * @param times requests by time
   */
  public record Point(long startMs, Rates rates, long errors, Times all, List<Long> times) {}

  /** A bucket's part of the load. */
  public record BucketLoad(String bucket, long requests, long bytes, long errors) {}

  /** A prefix's part of the load; the count is an estimate. */
  public record PrefixLoad(String bucket, String prefix, long requests) {}
}
